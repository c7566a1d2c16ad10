#include "output/pack.h"

#include <zstd.h>

#include "base/die.h"

void pack(struct slice bytes, enum pack_level level, struct buf *out)
{
    size_t room = ZSTD_compressBound(bytes.len);
    char *to = buf_reserve(out, room);
    size_t size = ZSTD_compress(to, room, bytes.len ? bytes.ptr : "", bytes.len, (int)level);

    if (ZSTD_isError(size))
        die("zstd: %s", ZSTD_getErrorName(size));
    out->len += size;
    out->ptr[out->len] = '\0';
}

bool pack_open(struct slice packed, size_t most, struct buf *out)
{
    unsigned long long known = ZSTD_getFrameContentSize(packed.ptr, packed.len);
    size_t size;

    if (!packed.len || known == ZSTD_CONTENTSIZE_ERROR || known == ZSTD_CONTENTSIZE_UNKNOWN ||
        known > most)
        return false;
    size = ZSTD_decompress(buf_reserve(out, (size_t)known), (size_t)known, packed.ptr, packed.len);
    if (ZSTD_isError(size) || size != known)
        return false;
    out->len += size;
    out->ptr[out->len] = '\0';
    return true;
}
