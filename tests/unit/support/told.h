/*
 * A reading as one text, for tables of small inputs and expected results:
 *
 *     == wall seconds e-6          a series, its unit
 *     main;parse 12                its stacks, sorted
 *     in:3: warning: ...           a message
 *     failed                       if the input was not read
 */
#ifndef UNIT_SUPPORT_TOLD_H
#define UNIT_SUPPORT_TOLD_H

#include "unit/support/reading.h"

/*
 * Reads `content` and compares; messages of the test show `name`. If `options` is NULL, takes the
 * default ones.
 */
void told_expect(const char *name, struct slice content, const struct input_options *options,
                 const char *want);

/*
 * Reads every prefix of `content` whose length is a multiple of `step`. Expects that no prefix
 * crashes or hangs, and that a prefix which is read is reported as cut or has the same totals.
 */
void told_truncated(const char *name, struct slice content, size_t step);

#endif
