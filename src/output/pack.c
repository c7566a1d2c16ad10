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

void pack_opener_init(struct pack_opener *u)
{
    *u = (struct pack_opener){.waiting = {0}};
    pthread_mutex_init(&u->lock, NULL);
}

void pack_opener_release(struct pack_opener *u)
{
    vec_each (ZSTD_DCtx *, context, &u->waiting)
        ZSTD_freeDCtx(*context);
    vec_release(&u->waiting);
    pthread_mutex_destroy(&u->lock);
}

static ZSTD_DCtx *take_context(struct pack_opener *u)
{
    ZSTD_DCtx *context = NULL;

    if (u) {
        pthread_mutex_lock(&u->lock);
        if (u->waiting.count)
            context = u->waiting.items[--u->waiting.count];
        pthread_mutex_unlock(&u->lock);
    }
    context = context ? context : ZSTD_createDCtx();
    if (!context)
        die("zstd cannot start");
    return context;
}

static void give_back(struct pack_opener *u, ZSTD_DCtx *context)
{
    if (!u) {
        ZSTD_freeDCtx(context);
        return;
    }
    pthread_mutex_lock(&u->lock);
    *vec_add(&u->waiting) = context;
    pthread_mutex_unlock(&u->lock);
}

bool pack_open(struct pack_opener *u, struct slice packed, size_t most, struct buf *out)
{
    ZSTD_DCtx *context;
    unsigned long long known = ZSTD_getFrameContentSize(packed.ptr, packed.len);
    size_t size;

    if (!packed.len || known == ZSTD_CONTENTSIZE_ERROR || known == ZSTD_CONTENTSIZE_UNKNOWN ||
        known > most)
        return false;
    context = take_context(u);
    size = ZSTD_decompressDCtx(context, buf_reserve(out, (size_t)known), (size_t)known, packed.ptr,
                               packed.len);
    give_back(u, context);
    if (ZSTD_isError(size) || size != known)
        return false;
    out->len += size;
    out->ptr[out->len] = '\0';
    return true;
}
