/*
 * Decompresses frames of zstd (RFC 8878) that are part of an input, in memory.
 */
#ifndef INPUT_CORE_UNZSTD_H
#define INPUT_CORE_UNZSTD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends the content of frames, at most `most` bytes. Returns false if they are damaged, end
 * early or have more, or if the thread's budget is spent; `out` then has what was read.
 */
bool unzstd_add(struct buf *out, struct slice frames, uint64_t most);

#endif
