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
 * both are to be released whatever comes of it.
 */
enum input_result batch_read(const struct batch *b, size_t index, struct options *own,
                             struct profile *p, struct diag *diag);

#endif
