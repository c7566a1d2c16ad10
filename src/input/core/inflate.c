#include "input/core/inflate.h"

#include <zlib.h>

#include "base/budget.h"

enum { BLOCK = 64 * 1024 };

/* Decompresses as much as is there. Returns whether the stream ended as it should. */
static bool run(z_stream *z, struct buf *out, uint64_t most)
{
    uint64_t start = out->len;
    int result = Z_OK;

    while (result == Z_OK && out->len - start <= most && !budget_is_over()) {
        z->next_out = (Bytef *)buf_reserve(out, BLOCK);
        z->avail_out = BLOCK;
        result = inflate(z, Z_NO_FLUSH);
        out->len += BLOCK - z->avail_out;
    }
    return result == Z_STREAM_END && out->len - start <= most;
}

bool inflate_add(struct buf *out, struct slice stream, uint64_t most)
{
    z_stream z = {0};
    bool ok;

    if (stream.len > UINT32_MAX)
        return false;
    if (inflateInit(&z) != Z_OK)
        die("out of memory");
    z.next_in = (Bytef *)(uintptr_t)stream.ptr;
    z.avail_in = (uInt)stream.len;
    ok = run(&z, out, most);
    inflateEnd(&z);
    return ok;
}

void inflate_begin(struct inflate *i)
{
    *i = (struct inflate){.z = xcalloc(1, sizeof(z_stream))};
    if (inflateInit((z_stream *)i->z) != Z_OK)
        die("out of memory");
}

void inflate_release(struct inflate *i)
{
    if (i->z)
        inflateEnd(i->z);
    xfree(i->z);
}

void inflate_more(struct inflate *i, struct slice *bytes, struct buf *out)
{
    z_stream *z = i->z;
    size_t len = bytes->len < UINT32_MAX ? bytes->len : UINT32_MAX;
    int result;

    if (i->ended || i->damaged)
        return;
    z->next_in = (Bytef *)(uintptr_t)bytes->ptr;
    z->avail_in = (uInt)len;
    z->next_out = (Bytef *)buf_reserve(out, BLOCK);
    z->avail_out = BLOCK;
    result = inflate(z, Z_NO_FLUSH);
    out->len += BLOCK - z->avail_out;
    *bytes = slice_skip(*bytes, len - z->avail_in);
    i->ended = result == Z_STREAM_END;
    i->damaged = !i->ended && result != Z_OK && result != Z_BUF_ERROR;
}

uint32_t inflate_crc(uint32_t before, struct slice bytes)
{
    return (uint32_t)crc32_z(before, (const Bytef *)bytes.ptr, bytes.len);
}
