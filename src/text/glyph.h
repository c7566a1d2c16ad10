/*
 * Glyph cache: each glyph is rasterized once per font, size and quarter of a
 * pixel.
 *
 * All threads share one cache. A lookup takes no lock; a missing glyph is
 * rasterized under a lock. Cached glyphs never change and live until
 * glyph_cache_free(). A cache that has reached its bound accepts no more glyphs;
 * others are then rasterized each time, with the same result.
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
    uint32_t font;        /* identifies the font */
    struct slice bytes;   /* of the font's file */
    unsigned index;       /* in the file, as for shape_font_new() */
    uint32_t glyph_count; /* of the font */
    int32_t size;         /* 26.6 pixels per em */
};

enum { GLYPH_DEFAULT_BOUND = 64 << 20 }; /* bytes of glyphs */

/* `bound` limits the bytes of all cached glyphs. */
struct glyph_cache *glyph_cache_new(size_t bound);
void glyph_cache_free(struct glyph_cache *g);

/* Returns the strike (a font at a size) for glyph_draw(). The cache owns it. */
struct glyph_strike *glyph_cache_strike(struct glyph_cache *g, const struct glyph_key *key);

/*
 * Draws a glyph with its origin at `x` (26.6, rounded to a quarter of a pixel)
 * on the row `baseline`, clipped to `clip`.
 */
void glyph_draw(struct glyph_cache *g, struct glyph_strike *strike, uint32_t glyph,
                struct pixmap *p, int64_t x, int32_t baseline, struct clip clip);

#endif
