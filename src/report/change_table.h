/*
 * Writes the table of changes: functions, ordered by how much their weights differ
 * from one profile to another.
 */
#ifndef REPORT_CHANGE_TABLE_H
#define REPORT_CHANGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "profile/profile.h"
#include "profile/unit.h"

struct change_table {
    const struct profile *profile;
    uint32_t series; /* shows a change */
    struct unit_scale scale;
    bool by_total; /* order by the change of the total, not of the self weight */
    size_t rows;   /* the most */
};

/*
 * Appends the functions that changed most. Text is for people; CSV and JSON have exact weights in
 * the profile's own unit.
 */
void change_table_write_text(const struct change_table *c, struct buf *out);
void change_table_write_csv(const struct change_table *c, struct buf *out);
void change_table_write_json(const struct change_table *c, struct buf *out);

#endif
