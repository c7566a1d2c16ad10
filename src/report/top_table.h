/*
 * Writes the table of functions by self weight, as text, CSV and JSON, and after it the shares of
 * searches, if there are any.
 *
 * Text is for people; CSV and JSON have exact weights in the profile's own unit. A search that was
 * given up has no share: "unknown" in text, null in JSON, empty cells in CSV.
 */
#ifndef REPORT_TOP_TABLE_H
#define REPORT_TOP_TABLE_H

#include <stddef.h>

#include "base/buf.h"
#include "profile/unit.h"
#include "tree/share.h"
#include "tree/tree.h"

struct top_table {
    const struct tree *tree;
    struct unit_scale scale;
    size_t rows;                 /* the most */
    const struct shares *shares; /* of `tree` */
};

void top_table_text(const struct top_table *t, struct buf *out);
void top_table_csv(const struct top_table *t, struct buf *out);
void top_table_json(const struct top_table *t, struct buf *out);

#endif
