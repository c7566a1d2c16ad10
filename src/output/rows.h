/*
 * Compresses the rows of a pixmap to the data of a PNG (its IDAT chunks).
 *
 * Each row gets a filter and goes to the compressor. Most rows of a flame graph
 * equal the row above; those are recognised by one comparison and cost no search.
 */
#ifndef OUTPUT_ROWS_H
#define OUTPUT_ROWS_H

#include "base/buf.h"
#include "raster/pixmap.h"

/* Appends a stream in zlib's format: each row of `pixmap`, after the byte of its filter. */
void rows_pack(struct buf *out, const struct pixmap *pixmap);

#endif
