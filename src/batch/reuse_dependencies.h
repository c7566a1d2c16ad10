/*
 * The dependencies of an input (input/core/dependencies.h) in its reuse record: the files that its
 * reader looked for besides the input, each with its state. A record is valid while all are
 * unchanged.
 *
 * States are digests of contents, so machines with the same files make the same records.
 */
#ifndef BATCH_REUSE_DEPENDENCIES_H
#define BATCH_REUSE_DEPENDENCIES_H

#include "base/buf.h"
#include "base/slice.h"
#include "input/core/dependencies.h"

/* Appends the dependencies of one input. */
void reuse_dependencies_write(const struct dependencies *c, struct buf *out);

/*
 * Reads what reuse_dependencies_write() wrote, from the front of `in`. Returns true if nothing has
 * changed for a reader with the options `o`, where `now` has the input and the memo; with NULL for
 * `now` nothing is compared. Returns false if the bytes are damaged, or have more items to compare
 * than DEPENDENCIES_MOST.
 */
bool reuse_dependencies_read(struct dependencies *now, const struct input_options *o,
                             struct slice *in);

#endif
