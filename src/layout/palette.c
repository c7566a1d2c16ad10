#include "layout/palette.h"

#include <stddef.h>

#include "base/ascii.h"
#include "base/hash.h"

/* A palette of one class: shades only distinguish names. */
#define ONE(name, hue, about, background)                                                          \
    (const struct palette)                                                                         \
    {                                                                                              \
        name, about, background, (const struct palette_class[]){{"", &(hue)}, {NULL, NULL}},       \
            PALETTE_OF_NAMES, NULL, false                                                          \
    }

static const struct palette palette_of_self = {
    "self",          "the part of each frame that is its own weight",
    "white",         (const struct palette_class[]){{"", &hue_self}, {NULL, NULL}},
    PALETTE_OF_SELF, NULL,
    false,
};

const struct palette *const palettes[] = {
    &ONE("hot", hue_hot, "red to yellow", "yellow"),
    &ONE("mem", hue_mem, "green to turquoise, for memory", "green"),
    &ONE("io", hue_io, "blue to grey, for waiting", "blue"),
    &ONE("wakeup", hue_aqua, "blue-green, for wakers", "blue"),
    &palette_chain,
    &palette_gpu,
    &palette_hotcold,
    &palette_java,
    &palette_js,
    &palette_perl,
    &palette_python,
    &palette_rust,
    &ONE("red", hue_red, "reds", "grey"),
    &ONE("green", hue_green, "greens", "grey"),
    &ONE("blue", hue_blue, "blues", "grey"),
    &ONE("aqua", hue_aqua, "blue-greens", "grey"),
    &ONE("yellow", hue_yellow, "yellows", "grey"),
    &ONE("purple", hue_purple, "purples", "grey"),
    &ONE("orange", hue_orange, "oranges", "grey"),
    &palette_safe,
    &palette_module,
    &palette_of_self,
    &palette_search,
    NULL,
};

const struct palette *palette_find(struct slice name)
{
    for (size_t i = 0; palettes[i]; i++)
        if (slice_equal(name, slice_str(palettes[i]->name)))
            return palettes[i];
    return NULL;
}

/* Returns the upper 53 bits of a hash as a number in [0, 1). */
static double fraction(uint64_t hash)
{
    return (double)(hash >> 11) * 0x1p-53;
}

/* Returns a character's rank among the 64 characters that are common in names. */
static unsigned place(unsigned char c)
{
    if (ascii_is_small(c))
        return 12u + (c - 'a') * 2u;
    if (ascii_is_capital(c))
        return 12u + (c - 'A') * 2u;
    if (ascii_is_digit(c))
        return 2u + (c - '0');
    return c == '_' ? 1 : c & 63;
}

/*
 * Maps a name to [0, 1) in alphabetical order: each of its first characters
 * weighs half as much as the one before, so names that begin alike are close.
 * The idea is that of flamegraph.pl's namehash, whose weights are powers of 0.7.
 */
static double alphabetical(struct slice name, bool backwards)
{
    double v = 0, weight = 0.5;

    for (size_t i = 0; i < name.len && i < 8; i++, weight /= 2)
        v += weight * place((unsigned char)name.ptr[backwards ? name.len - 1 - i : i]) / 64;
    return v;
}

/* Returns the function in a name with a module prefix, "read" in "libc.so.1`read". */
static struct slice without_module(struct slice name)
{
    size_t at = slice_find(name, '`');

    return at + 1 < name.len ? slice_skip(name, at + 1) : name;
}

unsigned palette_class_of(const struct palette *p, const struct palette_subject *s)
{
    return p->classify ? p->classify(s) : 0;
}

struct slice palette_module_name(const struct palette_subject *s)
{
    struct slice base = symbol_module_file(s->module);

    if (s->class == SYMBOL_KERNEL)
        return SLICE("kernel");
    if (symbol_module_is_jit(base))
        return SLICE("jit");
    if (slice_starts(s->module, SLICE("node:")))
        return SLICE("node");
    return base.len ? base : s->module;
}

palette_color palette_self(const struct palette *p, uint64_t self, uint64_t total)
{
    double rest = total ? 1 - (double)self / (double)total : 1;

    return hue_color(p->classes[0].hue, (const double[]){rest, rest, rest});
}

void palette_numbers(const struct palette_use *use, struct slice name, double v[3])
{
    uint64_t hash;

    switch (use->spread) {
    case PALETTE_BY_HASH:
        v[0] = v[1] = fraction(hash_bytes(name.ptr, name.len));
        break;
    case PALETTE_BY_ALPHABET:
        v[0] = alphabetical(without_module(name), false);
        v[1] = alphabetical(without_module(name), true);
        break;
    case PALETTE_AT_RANDOM:
        hash = hash_mix(hash_bytes(name.ptr, name.len), hash_mix(use->seed, 1));
        v[0] = fraction(hash);
        v[1] = fraction(hash_mix(hash, 2));
        break;
    }
    v[2] = v[1];
}

palette_color palette_shade(const struct palette_use *use, struct slice name, unsigned class)
{
    double v[3];

    palette_numbers(use, name, v);
    return hue_color(use->palette->classes[class].hue, v);
}

palette_color palette_separator(struct slice name)
{
    return slice_equal(name, SLICE("--")) ? PALETTE_DASHES : PALETTE_DASH;
}
