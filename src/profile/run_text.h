/*
 * The facts of a run, as words of a line (base/key_value.h) in files that this program writes:
 *
 *     name=orders.1.perf samples=1125 effective=1125 duration_ns=2254000000 lost=0 .hostname=web1
 *
 * Facts come last, with '.' before each key. The series of a run is not written.
 */
#ifndef PROFILE_RUN_TEXT_H
#define PROFILE_RUN_TEXT_H

#include "base/arena.h"
#include "base/buf.h"
#include "profile/profile.h"

/* Appends the words, each after a blank. */
void run_text_write(const struct run *run, struct buf *out);

/*
 * Reads the words of a line. Texts are in `memory`: copies, or those of the last of the `earlier`
 * runs where its facts are the same. `key` and `value` are buffers to reuse. A number that cannot
 * be read is unknown. Release the facts of the run.
 */
void run_text_read(struct run *run, struct slice words, const struct runs *earlier,
                   struct arena *memory, struct buf *key, struct buf *value);

#endif
