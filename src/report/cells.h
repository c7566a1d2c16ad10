/*
 * Writes the cells of tables of functions, as text and as CSV.
 */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "base/buf.h"
#include "profile/unit.h"

/* Appends a cell, right-aligned in a column `width` wide. */
void cells_column(struct buf *out, struct slice text, size_t width);

/*
 * Appends a text in CSV (RFC 4180): quoted, with quotes doubled. A text that a spreadsheet would
 * run as a formula, as "=1+1" or "-[View draw]", begins with an apostrophe.
 */
void cells_csv_text(struct buf *out, struct slice text);

/* Appends a comma and the unit of a weight of 1: "ns", "bytes", "samples". */
void cells_csv_unit(struct buf *out, const struct unit *unit);

#endif
