/*
 * The palette of modules: a colour for each binary, library or script, chosen
 * by its name, so that a module has the same colour in every graph. Few colours
 * can be distinguished, so two modules may share one.
 */
#include <stddef.h>

#include "base/hash.h"
#include "layout/palette.h"

enum { MODULE_COLORS = 24, MODULE_UNKNOWN = MODULE_COLORS };

#define FLAT(red, green, blue)                                                                     \
    {                                                                                              \
        "", 0, {red, 0, 0}, {green, 0, 0},                                                         \
        {                                                                                          \
            blue, 0, 0                                                                             \
        }                                                                                          \
    }

/* Twelve steps around the colour wheel, each in two lightnesses. */
static const struct hue hues[] = {
    FLAT(0xe4, 0x6c, 0x83), FLAT(0xe4, 0x74, 0x4b), FLAT(0xd2, 0x85, 0x00), FLAT(0xae, 0x99, 0x00),
    FLAT(0x79, 0xaa, 0x3b), FLAT(0x15, 0xb4, 0x77), FLAT(0x00, 0xb4, 0xad), FLAT(0x00, 0xac, 0xd8),
    FLAT(0x44, 0x9d, 0xf0), FLAT(0x87, 0x8b, 0xf2), FLAT(0xb5, 0x7b, 0xdd), FLAT(0xd4, 0x70, 0xb5),
    FLAT(0xff, 0xa6, 0x9e), FLAT(0xfe, 0xb0, 0x7a), FLAT(0xe6, 0xbe, 0x68), FLAT(0xc2, 0xcd, 0x73),
    FLAT(0x94, 0xd8, 0x96), FLAT(0x67, 0xdc, 0xc0), FLAT(0x56, 0xd9, 0xe7), FLAT(0x73, 0xd0, 0xff),
    FLAT(0xa0, 0xc3, 0xff), FLAT(0xc9, 0xb5, 0xff), FLAT(0xea, 0xaa, 0xed), FLAT(0xff, 0xa4, 0xc8),
    FLAT(0xd0, 0xd4, 0xd9),
};

static unsigned module(const struct palette_subject *s)
{
    struct slice name = palette_module_name(s);

    return name.len ? (unsigned)(hash_bytes(name.ptr, name.len) % MODULE_COLORS) : MODULE_UNKNOWN;
}

#define CLASS(n)                                                                                   \
    {                                                                                              \
        "", &hues[n]                                                                               \
    }

const struct palette palette_module = {
    .name = "module",
    .about = "a colour for each binary, library or script",
    .background = "white",
    .basis = PALETTE_OF_MODULES,
    .classes =
        (const struct palette_class[]){
            CLASS(0),     CLASS(1),  CLASS(2),  CLASS(3),  CLASS(4),
            CLASS(5),     CLASS(6),  CLASS(7),  CLASS(8),  CLASS(9),
            CLASS(10),    CLASS(11), CLASS(12), CLASS(13), CLASS(14),
            CLASS(15),    CLASS(16), CLASS(17), CLASS(18), CLASS(19),
            CLASS(20),    CLASS(21), CLASS(22), CLASS(23), CLASS(MODULE_UNKNOWN),
            {NULL, NULL},
        },
    .classify = module,
};
