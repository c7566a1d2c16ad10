/*
 * Writes the table of changes: functions, ordered by how much their weights differ
 * from one profile to another.
 */
#ifndef CLI_CHANGE_TABLE_H
#define CLI_CHANGE_TABLE_H

#include "base/buf.h"
#include "batch/plan.h"
#include "profile/profile.h"

/*
 * Appends the --rows functions whose self weight or, with --delta=total, total weight changed most.
 * Text is for people; CSV and JSON have exact weights in the profile's own unit.
 */
void change_table_write_text(const struct plan *plan, const struct profile *p, uint32_t series,
                             struct buf *out);
void change_table_write_csv(const struct plan *plan, const struct profile *p, uint32_t series,
                            struct buf *out);
void change_table_write_json(const struct plan *plan, const struct profile *p, uint32_t series,
                             struct buf *out);

#endif
