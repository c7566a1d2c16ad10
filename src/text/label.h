/*
 * Labels: measures, shortens and draws the text of one box.
 *
 * A label is one line of valid UTF-8. Lengths are 26.6 fixed point, 64 units to
 * a pixel of the picture. Widths are sums of unhinted advances of shaped glyphs,
 * so they are proportional to the size: a label that fits at pixel ratio 1 fits
 * at 2.
 *
 * Several threads may call all functions with the same `struct fonts`.
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

/* How a name that is too wide is shortened. */
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
 * Returns the style for a font size in CSS pixels and a pixel ratio, limited to
 * LABEL_MIN_SIZE .. LABEL_MAX_SIZE pixels.
 */
struct label_style label_style(double font_size, double pixel_ratio);

/*
 * Returns the row of the baseline that centres capital letters between the pixel
 * rows `top` and `bottom` (excluded). The baseline is higher if descenders would
 * be cut, as long as capital letters stay whole.
 */
int32_t label_baseline(struct fonts *f, struct label_style style, int32_t top, int32_t bottom);

/* Returns the width of `text`, 26.6, rounded up. */
int64_t label_width(struct fonts *f, struct label_style style, struct slice text);

/*
 * Appends to `out` the form of `name` that fits into `room` (26.6): the whole
 * name; else, with LABEL_SMART, the shortened name (text/shorten.h); else as
 * much of one end as fits, with an ellipsis; else nothing. A cut never divides a
 * cluster (a letter and its marks, a ligature, an emoji sequence), and leaves at
 * least two characters beside the ellipsis.
 *
 * Control characters and direction overrides are appended as U+FFFD. Only the
 * part of a very long name that could fit is examined. Returns the width of the
 * appended text, at most `room`, or 0 if nothing was appended.
 */
int64_t label_fit(struct fonts *f, struct label_style style, struct slice name, int64_t room,
                  enum label_mode mode, struct buf *out);

/*
 * Draws `text`, a result of label_fit(), with its origin at `x` (26.6) on the
 * row `baseline`, clipped to `clip`. Glyphs are placed at quarters of a pixel.
 */
void label_draw(struct fonts *f, struct label_style style, struct pixmap *p, int32_t x,
                int32_t baseline, struct slice text, struct clip clip);

#endif
