/*
 * Measuring ASCII without shaping it.
 *
 * In a font whose layout depends on nothing but neighbouring pairs, the
 * advance of a letter follows from it and the next one. Each pair is shaped
 * once, alone, when it is first met, and remembered; text of ASCII characters
 * and the ellipsis is then measured by adding up. That this equals what shape()
 * gives for whole texts is known by test for the font embedded in the program,
 * and only that one is given to a pairs.
 *
 * Threads share a pairs. What two of them learn at the same time is the same.
 * Widths are in font units.
 */
#ifndef TEXT_PAIRS_H
#define TEXT_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "text/shape.h"

struct pairs;

enum pairs_answer {
    PAIRS_FITS,    /* within the limit */
    PAIRS_OVER,    /* wider, whatever follows the part that was looked at */
    PAIRS_UNKNOWN, /* there are other characters: the text must be shaped */
};

/* A part of a text beside an ellipsis. */
struct pairs_cut {
    struct slice kept;
    size_t chars;  /* in `kept`, blanks not counted */
    int64_t width; /* of both */
};

/* Takes one glyph and its place; returns false to end the loop. */
typedef bool pairs_glyph_fn(void *context, uint32_t glyph, int64_t x);

/* `font` must outlive the pairs. */
struct pairs *pairs_new(const struct shape_font *font);
void pairs_free(struct pairs *p);

/* The width of `text`, stored where it is at most `limit`. */
enum pairs_answer pairs_measure(struct pairs *p, struct slice text, int64_t limit, int64_t *width);

/*
 * The longest part of `text`, from its head or its tail, that is at most
 * `limit` wide with an ellipsis in place of the rest. Blanks beside the
 * ellipsis are left out. `text` must be wider than `limit`.
 */
enum pairs_answer pairs_head(struct pairs *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);
enum pairs_answer pairs_tail(struct pairs *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut);

/* Calls `take` for each glyph of a text that pairs_measure() knows. */
void pairs_each(struct pairs *p, struct slice text, pairs_glyph_fn *take, void *context);

#endif
