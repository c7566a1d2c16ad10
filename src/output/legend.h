/*
 * The legend of a picture's colours: a swatch for each class of the picture,
 * with its name and its share of self weights; for a graph of two weights, the
 * scale. Colours without a meaning have no legend.
 */
#ifndef OUTPUT_LEGEND_H
#define OUTPUT_LEGEND_H

#include "base/buf.h"
#include "base/vec.h"
#include "output/picture.h"

struct legend_entry {
    palette_color color;
    int hatch; /* > 0: grown, < 0: shrunk, 0: no hatching */
    size_t at; /* offset of its text in the legend's */
    uint32_t len;
    uint32_t row; /* from 0 */
    int32_t x;    /* of the swatch, from the left edge of the frames */
};

struct legend {
    VEC(struct legend_entry) entries;
    struct buf text;
    uint32_t rows;
    int32_t swatch; /* width and height of a swatch */
};

/* Collects the entries and lays them out in rows as wide as the frames of `p`. */
void legend_init(struct legend *l, const struct picture *p);
void legend_release(struct legend *l);

static inline struct slice legend_text(const struct legend *l, const struct legend_entry *e)
{
    return slice_make(buf_string(&l->text) + e->at, e->len);
}

/* Returns the distance from the left edge of a swatch to its text. */
static inline int32_t legend_gap(const struct legend *l)
{
    return l->swatch + l->swatch / 2;
}

#endif
