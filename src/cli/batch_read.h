/*
 * One input of a report, read as the options of its profile say.
 */
#ifndef CLI_BATCH_READ_H
#define CLI_BATCH_READ_H

#include "base/diag.h"
#include "cli/batch.h"
#include "cli/options.h"
#include "input/read.h"
#include "profile/profile.h"

/*
 * Reads an input. `own` gets the options of its profile and `p` what it holds;
 * both are to be released whatever comes of it. `usable` is false, told, where
 * the options cannot be met.
 */
enum input_result batch_read(const struct batch *b, size_t index, struct options *own,
                             struct profile *p, bool *usable, struct diag *diag);

/*
 * What two weights or two counters of a stack make: graphs of changes, and beside the
 * graphs of cycles and instructions one of both. False, told, where the options cannot be met.
 */
bool batch_read_pairs(const struct options *own, struct profile *p, struct diag *diag);

/*
 * Puts the series to draw, those the user asked for that hold anything, into
 * `chosen`, which has room for all; returns their number, 0 told.
 */
size_t batch_read_series(const struct options *own, struct profile *p, uint32_t *chosen,
                         struct diag *diag);

#endif
