/*
 * Writes a graph's exact data and fonts into its SVG, for the script.
 *
 * The attributes of a <metadata data-flame="data"> element have the geometry
 * and how weights are written; `data-profile` has what is measured, for reading the
 * graph again (output/graph_words.h). Its text is, in base64, a zlib stream of the
 * bytes of output/svg_tree.h followed by the colours and by what output/svg_origin.h
 * describes, with whole paths if the picture has a source_url:
 *
 *     colours    their number C, then C times red, green, blue
 *     fills      for each symbol, in the order of the file, the index of
 *                its colour, from 0
 *     modules    the number of distinct modules of symbols, by name and class (tree/group.h);
 *                for each, in the order of their first symbols, the index of its colour
 *
 * If colours depend on self values (data-fills="self") there are neither: the script
 * has the formula of layout/palette.h. Differential graphs (data-fills="changes")
 * have neither: the script computes their colours from the weights, between the
 * ends that the attributes give.
 *
 * Further <metadata> elements follow, by their data-flame:
 *
 *     font      one for each font that the graph's texts need, in the
 *               order of a font list: base64 of a zlib stream of a font
 *               file with the characters of these texts. Without
 *               scripts, textLength keeps other fonts to the labels'
 *               widths.
 *     searches  the report's searches, one per line: "i" if case is
 *               ignored, else "-", the matched weight, a tab, the name,
 *               a tab, the pattern
 *     names     the user's attributes of functions, one per line: the
 *               name, then "key=value" after a tab each
 */
#ifndef OUTPUT_SVG_DATA_H
#define OUTPUT_SVG_DATA_H

#include "base/buf.h"
#include "output/picture.h"

/* The frames for which there was no room. */
struct svg_data_left {
    uint32_t frames;
    uint64_t weight;
};

struct svg_data;

/*
 * Picks the frames that about `most` bytes have room for, and puts them in order. The picture must
 * outlive the result, which svg_data_write() frees.
 */
struct svg_data *svg_data_open(const struct picture *p, size_t most);

/*
 * Appends the elements. Leaves out frames so that they take at most `most` bytes, if that is
 * possible. Returns what was left out. Uses as many threads as the picture may.
 */
struct svg_data_left svg_data_write(struct svg_data *d, size_t most, struct buf *out);

#endif
