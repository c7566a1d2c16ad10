/*
 * Drawn glyphs, each rasterized once per font, size and quarter of a pixel.
 *
 * All threads draw from one cache. Looking up takes no lock; a glyph that is
 * not there is rasterized under one. What is in the cache never changes and
 * stays until glyph_cache_free(). When the cache has grown to its bound it takes no
 * more, and further glyphs are rasterized each time: slower, never different.
 */
#ifndef TEXT_GLYPH_H
#define TEXT_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "raster/pixmap.h"

struct glyph_cache;
struct glyph_strike;

/* A font at a size. */
struct glyph_key {
    uint32_t font;        /* tells fonts apart */
    struct slice bytes;   /* of the font's file */
    unsigned index;       /* in the file, as shape_font_new() has it */
    uint32_t glyph_count; /* of the font */
    int32_t size;         /* 26.6 pixels per em */
};

enum { GLYPH_DEFAULT_BOUND = 64 << 20 }; /* bytes of glyphs */

/* `bound` is the number of bytes that glyphs may take in all. */
struct glyph_cache *glyph_cache_new(size_t bound);
void glyph_cache_free(struct glyph_cache *g);

/* What is kept of a font at a size, for glyph_draw(). */
struct glyph_strike *glyph_cache_strike(struct glyph_cache *g, const struct glyph_key *key);

/*
 * Draws a glyph with its origin at `x` (26.6, rounded to a quarter) on the row
 * `baseline`, inside `clip`.
 */
void glyph_draw(struct glyph_cache *g, struct glyph_strike *strike, uint32_t glyph,
                struct pixmap *p, int64_t x, int32_t baseline, struct clip clip);

#endif
