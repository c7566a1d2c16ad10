/*
 * Labels: the text of one box, measured, shortened to fit, and drawn.
 *
 * A label is one line of valid UTF-8. Lengths are in 26.6 fixed point, 64 to
 * the pixel, of the picture that the style is for. Text is measured by the
 * advances of its shaped glyphs, never hinted ones, so widths grow in exact
 * proportion to the size: what is fitted at pixel ratio 1 fits at 2.
 *
 * All functions may be called from several threads at once with the same
 * `struct fonts`.
 */
#ifndef TEXT_LABEL_H
#define TEXT_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "raster/pixmap.h"
#include "text/fonts.h"

#define LABEL_ELLIPSIS "\xe2\x80\xa6" /* U+2026 */

enum { LABEL_MIN_SIZE = 2, LABEL_MAX_SIZE = 512 }; /* pixels per em */

struct label_style {
    int32_t size; /* pixels per em, 26.6 */
};

/* Which end of a name is worth keeping. */
enum label_mode {
    LABEL_SMART, /* drop arguments, template arguments, then namespaces; then cut the end */
    LABEL_HEAD,  /* cut the end */
    LABEL_TAIL,  /* cut the beginning */
};

/* How far a font reaches from the baseline, 26.6, all positive. */
struct label_metrics {
    int32_t ascent, descent; /* of the line */
    int32_t cap_height;      /* of H */
    int32_t x_height;        /* of x */
};

/*
 * The style for a font size in CSS pixels and a pixel ratio; sizes are kept
 * within LABEL_MIN_SIZE and LABEL_MAX_SIZE pixels.
 */
struct label_style label_style(double font_size, double pixel_ratio);

/* "smart", "head" or "tail"; false for anything else. */
bool label_mode_parse(struct slice name, enum label_mode *mode);

/* The metrics of the first font. */
struct label_metrics label_metrics(struct fonts *f, struct label_style style);

/*
 * The row of the baseline that centres capital letters between `top` and
 * `bottom` (pixel rows, the bottom one not included); higher where the tails
 * of small letters would be cut, as long as capitals stay whole.
 */
int32_t label_baseline(struct fonts *f, struct label_style style, int32_t top, int32_t bottom);

/* The width of `text`, 26.6, rounded up. */
int64_t label_width(struct fonts *f, struct label_style style, struct slice text);

/*
 * Appends to `out` what of `name` fits into `room` (26.6): all of it; else,
 * with LABEL_SMART, the name shortened as a person would; else as much of one
 * end as fits, with an ellipsis; else nothing. A cut never divides a cluster
 * (a letter and its marks, a ligature, an emoji sequence), and leaves at least
 * two characters beside the ellipsis.
 *
 * Control characters and those that override the direction of text appear as
 * U+FFFD in what is appended. Of very long names only as much is looked at as
 * could fit. Returns the width of what was appended, at most `room`; 0 where
 * that is nothing.
 */
int64_t label_fit(struct fonts *f, struct label_style style, struct slice name, int64_t room,
                  enum label_mode mode, struct buf *out);

/*
 * Draws `text` (as label_fit() gave it) with its origin at `x` (26.6) on the
 * row `baseline`, inside `clip`. Letters stand at quarters of a pixel.
 */
void label_draw(struct fonts *f, struct label_style style, struct pixmap *p, int32_t x,
                int32_t baseline, struct slice text, struct clip clip);

#endif
