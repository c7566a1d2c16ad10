/*
 * A reading as one text, for tables of small inputs and what comes of them:
 *
 *     == wall seconds e-6          a series, its unit
 *     main;parse 12                its stacks, sorted
 *     in:3: warning: ...           what the user is told
 *     failed                       where the result is not that it was read
 */
#ifndef UNIT_SUPPORT_TOLD_H
#define UNIT_SUPPORT_TOLD_H

#include "unit/support/reading.h"

/* Reads `content` and compares; `name` is shown where it differs. NULL options are the default. */
void told_expect(const char *name, struct slice content, const struct input_options *options,
                 const char *want);

/* Reads every beginning of `content`, in steps; sees that none crashes, hangs or is read silently
 * as less than all of it (a beginning that is read must be told of, or hold the same totals). */
void told_truncated(const char *name, struct slice content, size_t step);

#endif
