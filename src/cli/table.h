/*
 * Writes the cells of the tables of top and diff.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/buf.h"
#include "profile/profile.h"
#include "profile/unit.h"

/* True if the stacks of a profile are estimated: its file has calls, not stacks. */
bool table_is_estimated(const struct profile *p);

/* Appends a cell, right-aligned in a column `width` wide. */
void table_column(struct buf *out, struct slice text, size_t width);

/*
 * Appends a text in CSV (RFC 4180): quoted, with quotes doubled. A text that a spreadsheet would
 * run as a formula, as "=1+1" or "-[View draw]", begins with an apostrophe.
 */
void table_csv_text(struct buf *out, struct slice text);

/* Appends a comma and the unit of a weight of 1: "ns", "bytes", "samples". */
void table_csv_unit(struct buf *out, const struct unit *unit);

#endif
