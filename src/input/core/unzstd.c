#include "input/core/unzstd.h"

#include <zstd.h>

#include "base/budget.h"

enum { BLOCK = 128 * 1024 };

/* Decompresses as much as is there. Returns whether the last frame ended as it should. */
static bool run(ZSTD_DCtx *context, struct buf *out, struct slice frames, uint64_t most)
{
    ZSTD_inBuffer in = {frames.ptr, frames.len, 0};
    uint64_t start = out->len;
    size_t state = 1;

    /* a full block may leave content in the context although all input was taken */
    for (bool full = true; full || in.pos < in.size;) {
        ZSTD_outBuffer block = {buf_reserve(out, BLOCK), BLOCK, 0};

        state = ZSTD_decompressStream(context, &block, &in);
        if (ZSTD_isError(state))
            return false;
        out->len += block.pos;
        out->ptr[out->len] = '\0';
        full = block.pos == BLOCK;
        if (out->len - start > most || budget_is_over())
            return false;
    }
    return state == 0;
}

bool unzstd_add(struct buf *out, struct slice frames, uint64_t most)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    bool good;

    if (!context)
        die("out of memory for zstd");
    good = run(context, out, frames, most);
    ZSTD_freeDCtx(context);
    return good;
}
