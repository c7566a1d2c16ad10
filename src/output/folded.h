/*
 * Writes folded stacks: "root;...;leaf weight", one line per distinct stack.
 *
 * Lines are in bytewise order of the stacks' text, so the output does not
 * depend on the order of the samples, and reading it back takes the reader's
 * fast path for ascending lines. A class is written as its suffix ("_[k]").
 * ';' and line ends in names are replaced. The writer does not recurse and
 * stores no more than one path and its open siblings.
 */
#ifndef OUTPUT_FOLDED_H
#define OUTPUT_FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/profile.h"

/* Takes a block of output. Returns false to stop. */
typedef bool folded_sink(void *context, struct slice bytes);

/*
 * Writes one series, after the column of its base if it has one. If `unit` is not NULL, a head
 * (profile/folded_head.h) comes first and states it. Returns false if the sink did.
 */
bool folded_write(const struct profile *p, uint32_t series, const struct unit *unit,
                  folded_sink *sink, void *context);

/*
 * Writes a column of weights, without decimals, for each of the `count` series. ';', a backslash
 * and line ends in names, and '#' at their start, get a backslash, so that names are read back
 * unchanged. Processes, threads and other owners end in FOLDED_OWNER.
 */
#define FOLDED_OWNER "_[o]"
bool folded_write_columns(const struct profile *p, const uint32_t *series, size_t count,
                          folded_sink *sink, void *context);

#endif
