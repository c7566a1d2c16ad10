/*
 * Measures ASCII text without shaping it.
 *
 * In a font whose layout depends only on pairs of neighbours, a letter and the
 * next one decide the letter's advance. Each pair is shaped alone once, when it
 * first occurs, and cached; the width of a text of ASCII characters and
 * ellipses is then a sum. Tests show for the embedded default font that this
 * equals the result of shape() for whole texts; use no other font.
 *
 * Threads may share a `struct pairs`: two that shape a pair at the same time
 * store the same value. Widths are in font units.
 */
#ifndef TEXT_PAIRS_H
#define TEXT_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "text/shape.h"

struct pairs;

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

/* `font` must outlive the pairs. */
struct pairs *pairs_new(const struct shape_font *font);
void pairs_free(struct pairs *p);

/* Measures `text`. Stores its width if the answer is PAIRS_FITS. */
enum pairs_answer pairs_measure(struct pairs *p, struct slice text, int64_t limit, int64_t *width);

/*
 * Find the longest part of `text`, from its head or its tail, that is at most
 * `limit` wide with an ellipsis in place of the rest. Blanks beside the
 * ellipsis are left out. `text` must be wider than `limit`.
 */
enum pairs_answer pairs_head(struct pairs *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);
enum pairs_answer pairs_tail(struct pairs *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);

/* Calls `take` for each glyph of a text for which pairs_measure() is not PAIRS_UNKNOWN. */
void pairs_each(struct pairs *p, struct slice text, pairs_glyph_fn *take, void *context);

#endif
