/*
 * The shares of a function in the labels of a history, as a line in a small box.
 */
#ifndef REPORT_SPARKLINE_H
#define REPORT_SPARKLINE_H

#include "base/buf.h"
#include "compare/comparison.h"

/*
 * Appends the path of a line in a box of `width` by `height`, oldest label first. The box is one
 * point high at least, so that noise does not look like a change; labels without the service are
 * gaps. Appends nothing if fewer than two labels have it.
 */
void sparkline_write(struct buf *out, const struct compare_level *levels, size_t count,
                     double width, double height);

/* Appends "4.10 % to 6.20 % in 26 labels", or nothing if there is no line. */
void sparkline_describe(struct buf *out, const struct compare_level *levels, size_t count);

#endif
