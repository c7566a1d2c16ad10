/*
 * Encodes the modules and source lines of functions, for the script and for reading a graph again.
 *
 * The bytes are the last ones in the data of an SVG (output/svg_data.h) and in the profile of a PNG
 * (output/embed.h); the words of the graph say how many there are. If no function has a module or a
 * source file, there are none. Numbers are written as output/svg_tree.h does:
 *
 *     texts      their number T, at least 1; then for each the number of its bytes, and the
 *                bytes: the distinct names of modules and of source files
 *     modules    for each symbol, in the order of the file, the number of its module's
 *                text, from 1, or 0 if the module is unknown
 *     files      for each symbol likewise the number of its source file's text
 *     lines      for each symbol with a source file the line, or 0 if it is unknown
 */
#ifndef OUTPUT_SVG_ORIGIN_H
#define OUTPUT_SVG_ORIGIN_H

#include "base/buf.h"
#include "output/svg_tree.h"
#include "profile/symbol.h"

/* What is written of functions. */
enum svg_origin {
    SVG_ORIGIN_NONE,
    SVG_ORIGIN_MODULES, /* no source lines */
    SVG_ORIGIN_PUBLIC,  /* paths as output/public_path.h shortens them */
    SVG_ORIGIN_WHOLE,
};

/* Appends the bytes for the symbols in `order`. */
void svg_origin_write(const struct symbols *symbols, const struct svg_tree_order *order,
                      enum svg_origin what, struct buf *out);

#endif
