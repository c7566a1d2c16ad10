/*
 * Measures and cuts texts of plain characters without shaping them, by the
 * advances of pairs of neighbours (text/plain.h). Widths are in
 * font units.
 */
#ifndef TEXT_PAIRS_H
#define TEXT_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "text/plain.h"

enum pairs_answer {
    PAIRS_FITS,    /* at most as wide as the limit */
    PAIRS_OVER,    /* wider than the limit; the rest of the text was not examined */
    PAIRS_UNKNOWN, /* the text has other characters and must be shaped */
};

/* A part of a text beside an ellipsis. */
struct pairs_cut {
    struct slice kept;
    size_t chars;  /* in `kept`, blanks not counted */
    int64_t width; /* of `kept` and the ellipsis */
};

/* Receives a glyph and its position. Returns false to stop the iteration. */
typedef bool pairs_glyph_fn(void *context, uint32_t glyph, int64_t x);

/* Measures `text`. Stores its width if the answer is PAIRS_FITS. */
enum pairs_answer pairs_measure(const struct plain *p, struct slice text, int64_t limit,
                                int64_t *width);

/*
 * Find the longest part of `text`, from its head or its tail, that is at most
 * `limit` wide with an ellipsis in place of the rest. Blanks beside the
 * ellipsis are left out. `text` must be wider than `limit`.
 */
enum pairs_answer pairs_head(const struct plain *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);
enum pairs_answer pairs_tail(const struct plain *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);

/* Calls `take` for each glyph of a text for which pairs_measure() is not PAIRS_UNKNOWN. */
void pairs_each(const struct plain *p, struct slice text, pairs_glyph_fn *take, void *context);

#endif
