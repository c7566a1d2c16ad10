/*
 * Cells of the tables that are printed: what top and diff have in common.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/buf.h"
#include "profile/unit.h"

/* A cell at the right edge of a column. */
void table_column(struct buf *out, struct slice text, size_t width);

/* A text in CSV (RFC 4180): quoted, quotes doubled. */
void table_csv_text(struct buf *out, struct slice text);

/* A comma, and what a weight of 1 is: "ns", "bytes", "samples". */
void table_csv_unit(struct buf *out, const struct unit *unit);

#endif
