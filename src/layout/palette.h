/*
 * Colours of frames.
 *
 * A palette turns a symbol into a colour. The colour comes from a hash of the
 * name, never from order or chance: one name has one colour in every graph and
 * every run. Palettes are rows of a registry; adding one is adding a file and
 * a row. Formulas of the classic palettes are those published with
 * flamegraph.pl; the hash that feeds them is ours.
 */
#ifndef LAYOUT_PALETTE_H
#define LAYOUT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/symbol.h"

/* 0xRRGGBB */
typedef uint32_t palette_color;

struct palette {
    const char *name;
    const char *about; /* one line for --help */
    /*
     * v1, v2, v3 are three numbers in [0.25, 1) from the name's hash: the same
     * one three times by default, name and reversed name with --hash.
     */
    palette_color (*color)(struct slice name, enum symbol_class class, const double v[3]);
};

/* The registry, ended by NULL. */
extern const struct palette *const palettes[];

/* The palette of that name, or NULL. */
const struct palette *palette_find(struct slice name);

/* The colour of a symbol. `by_name` is --hash: neighbours in the alphabet get related hues. */
palette_color palette_pick(const struct palette *p, struct slice name, enum symbol_class class,
                           bool by_name);

/* White for no change, red for more, blue for less, in proportion to delta / max_delta. */
palette_color palette_delta(int64_t delta, int64_t max_delta);

#endif
