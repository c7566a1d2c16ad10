/*
 * What the colours of a picture mean, where they mean something: a swatch for
 * each class that the picture holds, its word, and its share of the self
 * weights; for a differential graph the scale.
 */
#ifndef OUTPUT_LEGEND_H
#define OUTPUT_LEGEND_H

#include "base/buf.h"
#include "base/vec.h"
#include "output/picture.h"

struct legend_entry {
    palette_color color;
    int hatch; /* above 0 for more, below for less, 0 for none */
    size_t at; /* of its text in the legend's */
    uint32_t len;
    uint32_t row; /* from 0 */
    int32_t x;    /* of the swatch, from the left edge of the frames */
};

struct legend {
    VEC(struct legend_entry) entries;
    struct buf text;
    uint32_t rows;
    int32_t swatch; /* width and height of one */
};

/* Collects the entries and lays them out in rows as wide as the frames of `p` will be. */
void legend_init(struct legend *l, const struct picture *p);
void legend_release(struct legend *l);

static inline struct slice legend_text(const struct legend *l, const struct legend_entry *e)
{
    return slice_make(l->text.ptr + e->at, e->len);
}

/* From a swatch to its text. */
static inline int32_t legend_gap(const struct legend *l)
{
    return l->swatch + l->swatch / 2;
}

#endif
