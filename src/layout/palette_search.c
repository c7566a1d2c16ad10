/*
 * The palette of named searches: a colour for the matches of each search, in
 * the order of the searches, and grey for the rest. The caller that draws knows
 * which symbols match; a name alone does not say.
 */
#include <stddef.h>

#include "layout/palette.h"

#define FLAT(red, green, blue)                                                                     \
    {                                                                                              \
        "", 0, {red, 12, 0}, {green, 12, 0},                                                       \
        {                                                                                          \
            blue, 12, 0                                                                            \
        }                                                                                          \
    }

/* Consecutive hues differ strongly. */
static const struct hue hues[PALETTE_SEARCHES + 1] = {
    FLAT(0xe4, 0x70, 0x47), FLAT(0x43, 0x99, 0xe6), FLAT(0xd6, 0xae, 0x50), FLAT(0x15, 0xb0, 0x73),
    FLAT(0xb1, 0x78, 0xd8), FLAT(0xe0, 0x69, 0x7f), FLAT(0x50, 0xd0, 0xde), FLAT(0x8e, 0xb8, 0x3f),
    FLAT(0xf0, 0xa0, 0xc0), FLAT(0x85, 0x88, 0xe8), FLAT(0xc8, 0xca, 0xcf),
};

#define CLASS(n)                                                                                   \
    {                                                                                              \
        "", &hues[n]                                                                               \
    }

static unsigned rest(const struct palette_subject *s)
{
    (void)s;
    return PALETTE_SEARCHES;
}

const struct palette palette_search = {
    .name = "search",
    .about = "a colour for each named search, on the frames that match",
    .background = "white",
    .basis = PALETTE_OF_SEARCHES,
    .classes =
        (const struct palette_class[]){
            CLASS(0),
            CLASS(1),
            CLASS(2),
            CLASS(3),
            CLASS(4),
            CLASS(5),
            CLASS(6),
            CLASS(7),
            CLASS(8),
            CLASS(9),
            CLASS(PALETTE_SEARCHES),
            {NULL, NULL},
        },
    .classify = rest,
};
