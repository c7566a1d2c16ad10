/*
 * The part of a reuse record about files beside the inputs: what readers looked for there, with the
 * states in which it was (input/core/consulted.h). A record holds only while all of these are as
 * they were.
 *
 * The states are those of contents, so machines with the same files make the same records.
 */
#ifndef BATCH_BESIDE_H
#define BATCH_BESIDE_H

#include "base/buf.h"
#include "base/slice.h"
#include "input/core/consulted.h"

/* Appends what was consulted for one input. */
void beside_write(const struct consulted *c, struct buf *out);

/*
 * Reads what beside_write() wrote, from the front of `in`. Returns true if everything is as it was
 * for a reader with the options `o`, where `now` has the input and the memo; with NULL for `now`
 * nothing is compared. Returns false if the bytes are damaged, or have more items to compare than
 * CONSULTED_MOST.
 */
bool beside_read(struct consulted *now, const struct input_options *o, struct slice *in);

#endif
