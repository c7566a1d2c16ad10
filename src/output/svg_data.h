/*
 * A graph's exact data in its SVG, for the script.
 *
 * A <metadata class="flame-data"> element: its attributes give the geometry
 * and how weights are shown; its text is, in base64, a zlib stream of the
 * bytes of output/svg_tree.h and behind them the colours:
 *
 *     colours    their number C, then C times red, green, blue
 *     fills      which of them, from 0: one number for each symbol, in the
 *                order of these
 *
 * Where colours follow the part of a frame that is its own (fills="self")
 * there are neither: the script has the formula of layout/palette.h.
 * Differential graphs have neither (fills="changes"): their colours are
 * computed from the weights, with the ends that the attributes give.
 *
 * Behind it stand the fonts (output/svg_font.h), and the report's searches in
 * one that has class="flame-searches": a line each, "i" where case is ignored
 * and else "-", the matched weight, a tab, the name, a tab, the pattern.
 *
 * One more, class="flame-names", has what the user gives to functions: a line
 * each, its name and behind tabs "key=value".
 */
#ifndef OUTPUT_SVG_DATA_H
#define OUTPUT_SVG_DATA_H

#include "base/buf.h"
#include "output/picture.h"

/* What there was no room for. */
struct svg_data_left {
    uint32_t frames;
    uint64_t weight;
};

/* Appends the elements, at most `most` bytes as long as there are frames to leave out. */
struct svg_data_left svg_data_write(const struct picture *p, size_t most, struct buf *out);

#endif
