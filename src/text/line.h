/*
 * A shaped line of text: glyphs with their positions, independent of the size.
 *
 * A line is immutable and reference-counted; line_put() of the last user frees
 * it. A line_cache keeps recent lines for all threads, in a fixed number of
 * slots; a new line replaces the line in its slot.
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
    uint32_t *bytes;   /* offset of each character in `text`, and the end */
    uint32_t char_count;
    struct line_run *runs; /* from left to right */
    uint32_t run_count;
    struct shape_glyph *glyphs; /* in font units; clusters are indexes of `chars` */
};

struct line_cache;

struct line_cache *line_cache_new(void);
void line_cache_free(struct line_cache *cache);

/*
 * Returns the shaped `text`, which must be valid UTF-8 of at most LINE_MAX_BYTES. Release the line
 * with line_put().
 */
enum { LINE_MAX_BYTES = 1 << 28 };
const struct line *line_get(struct line_cache *cache, struct list *fonts, struct slice text);
void line_put(const struct line *line);

/* Converts font units (`upem` per em) to 26.6 pixels at `size` (26.6 per em), rounded down. */
static inline int64_t line_scale(int64_t units, int32_t size, uint32_t upem)
{
    int64_t factor = ((int64_t)size << 16) / upem;

    return units * factor >> 16;
}

/* Returns the width of the line, 26.6, rounded up, at `size` (26.6 pixels per em). */
int64_t line_width(const struct line *line, int32_t size);

#endif
