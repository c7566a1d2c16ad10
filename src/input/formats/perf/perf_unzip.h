/*
 * Records that perf record -z compressed: one stream of zstd, in pieces that end anywhere in a
 * record. What is unpacked is bounded, piece by piece, by the caller.
 */
#ifndef INPUT_FORMATS_PERF_PERF_UNZIP_H
#define INPUT_FORMATS_PERF_PERF_UNZIP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

struct ZSTD_DCtx_s;

struct perf_unzip {
    struct ZSTD_DCtx_s *stream; /* NULL until the first piece */
};

void perf_unzip_release(struct perf_unzip *z);

/*
 * Unpacks the next part of `*packed` and appends it to `out`. Returns false if the stream is
 * damaged. All is unpacked when `*packed` is empty and nothing was appended.
 */
bool perf_unzip_next(struct perf_unzip *z, struct slice *packed, struct buf *out);

#endif
