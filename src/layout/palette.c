#include "layout/palette.h"

#include <stddef.h>

#include "base/hash.h"
#include "layout/palette_hot.h"

const struct palette *const palettes[] = {
    &palette_hot,
    NULL,
};

const struct palette *palette_find(struct slice name)
{
    for (size_t i = 0; palettes[i]; i++)
        if (slice_equal(name, slice_str(palettes[i]->name)))
            return palettes[i];
    return NULL;
}

/*
 * Names share the upper three quarters of a palette's range. In the lowest, the
 * reds of "hot" would need white text, and labels that change from black to
 * white from frame to frame are hard to read along.
 */
static double upper(double v)
{
    return 0.25 + 0.75 * v;
}

/* The upper 53 bits of a hash as a number in [0, 1). */
static double fraction(uint64_t hash)
{
    return (double)(hash >> 11) * 0x1p-53;
}

/* A character's place among the 64 that names are mostly made of. */
static unsigned place(unsigned char c)
{
    if (c >= 'a' && c <= 'z')
        return 12u + (c - 'a') * 2u;
    if (c >= 'A' && c <= 'Z')
        return 12u + (c - 'A') * 2u;
    if (c >= '0' && c <= '9')
        return 2u + (c - '0');
    return c == '_' ? 1 : c & 63;
}

/*
 * Where a name stands in the alphabet, in [0, 1): each of its first characters
 * halves what the one before left open, so names that begin alike are close.
 * This is the idea of flamegraph.pl's namehash, which weighs characters by
 * powers of 0.7.
 */
static double alphabetical(struct slice name, bool backwards)
{
    double v = 0, weight = 0.5;

    for (size_t i = 0; i < name.len && i < 8; i++, weight /= 2)
        v += weight * place((unsigned char)name.ptr[backwards ? name.len - 1 - i : i]) / 64;
    return v;
}

/* The name behind a module that is written in front of it, "libc.so.1`read". */
static struct slice without_module(struct slice name)
{
    size_t at = slice_find(name, '`');

    return at + 1 < name.len ? slice_skip(name, at + 1) : name;
}

palette_color palette_pick(const struct palette *p, struct slice name, enum symbol_class class,
                           bool by_name)
{
    double v[3];

    if (class == SYMBOL_SEPARATOR)
        return slice_equal(name, SLICE("--")) ? 0xa0a0a0 : 0xc8c8c8;
    if (by_name) {
        v[0] = upper(alphabetical(without_module(name), false));
        v[1] = v[2] = upper(alphabetical(without_module(name), true));
    } else {
        v[0] = v[1] = v[2] = upper(fraction(hash_bytes(name.ptr, name.len)));
    }
    return p->color(name, class, v);
}

palette_color palette_delta(int64_t delta, int64_t max_delta)
{
    uint64_t size = delta < 0 ? -(uint64_t)delta : (uint64_t)delta;
    uint64_t max = max_delta > 0 ? (uint64_t)max_delta : 1;
    uint32_t c;

    if (!delta)
        return 0xffffff;
    c = (uint32_t)(210 * (1 - (double)(size < max ? size : max) / (double)max));
    return delta > 0 ? 0xff0000u | c << 8 | c : 0x0000ffu | c << 16 | c << 8;
}
