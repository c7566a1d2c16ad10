/*
 * Encodes the modules and source lines of functions, for the script.
 *
 * The bytes follow the colours (output/svg_data.h). Without a module and a source file of any
 * function there are none. Numbers are written as output/svg_tree.h does:
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

/* Appends the bytes for the symbols in `order`. */
void svg_origin_write(const struct symbols *symbols, const struct svg_tree_order *order,
                      struct buf *out);

#endif
