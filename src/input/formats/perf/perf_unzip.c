#include "input/formats/perf/perf_unzip.h"

#include <zstd.h>

void perf_unzip_release(struct perf_unzip *z)
{
    ZSTD_freeDCtx(z->stream);
    z->stream = NULL;
}

bool perf_unzip_next(struct perf_unzip *z, struct slice *packed, struct buf *out)
{
    enum { PART = 256 * 1024 };
    ZSTD_inBuffer in = {packed->ptr, packed->len, 0};
    ZSTD_outBuffer part = {buf_reserve(out, PART), PART, 0};
    size_t state;

    if (!z->stream)
        z->stream = ZSTD_createDCtx();
    if (!z->stream)
        die("out of memory for zstd");
    state = ZSTD_decompressStream(z->stream, &part, &in);
    if (ZSTD_isError(state))
        return false;
    out->len += part.pos;
    out->ptr[out->len] = '\0';
    *packed = slice_skip(*packed, in.pos);
    return true;
}
