/*
 * A line of text, shaped: glyphs with their places, whatever the size.
 *
 * A line never changes once made, is counted by its users and freed by the
 * last one. A line_cache keeps those made last, for all threads: it has a
 * fixed number of places, and a new line takes the place of the one there.
 */
#ifndef TEXT_LINE_H
#define TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "text/list.h"
#include "text/shape.h"

/* Glyphs of one font. */
struct line_run {
    uint32_t font;         /* number in the list */
    uint32_t upem;         /* of the font */
    uint32_t first, count; /* glyphs */
    uint32_t char_first, char_count;
    bool rtl;
    bool missing;  /* boxes for characters that no font has */
    int64_t width; /* sum of the advances, in the font's units */
};

struct line {
    struct slice text; /* valid UTF-8 */
    uint32_t *chars;   /* its characters */
    uint32_t *bytes;   /* where each begins in `text`, and the end */
    uint32_t char_count;
    struct line_run *runs; /* from left to right */
    uint32_t run_count;
    struct shape_glyph *glyphs; /* in font units; clusters are indexes of `chars` */
};

struct line_cache;

struct line_cache *line_cache_new(void);
void line_cache_free(struct line_cache *cache);

/* The shaped `text` (valid UTF-8, at most LINE_MAX bytes). To be given back with line_put(). */
enum { LINE_MAX_BYTES = 1 << 28 };
const struct line *line_get(struct line_cache *cache, struct list *fonts, struct slice text);
void line_put(const struct line *line);

/* `units` of a font with `upem` units to the em, in 26.6 pixels at `size` (26.6), rounded down. */
static inline int64_t line_scale(int64_t units, int32_t size, uint32_t upem)
{
    int64_t factor = ((int64_t)size << 16) / upem;

    return units * factor >> 16;
}

/* The width of the line at `size` (26.6 pixels per em), 26.6, rounded up. */
int64_t line_width(const struct line *line, int32_t size);

#endif
