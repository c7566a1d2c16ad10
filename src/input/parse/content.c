#include "input/parse/content.h"

bool content_next(struct content *c, struct buf *out)
{
    size_t n;

    buf_clear(out);
    n = source_read(c->source, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK);
    out->len = n;
    return n > 0;
}

bool content_fill(struct content *c, size_t room, struct buf *out)
{
    size_t n = 1;

    /*
     * With room for the read that finds the end, so that what a small file gave is not copied. A
     * damaged file may ask for more than it has: room for more is taken when it has been read.
     */
    if (out->len < room)
        buf_reserve(out, 2 * SOURCE_BLOCK);
    for (; n > 0 && out->len < room; out->len += n)
        n = source_read(c->source, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK);
    return n > 0;
}

bool content_load(struct content *c, struct buf *out)
{
    size_t n;

    buf_reserve(out, 2 * SOURCE_BLOCK);
    do {
        n = source_read(c->source, buf_reserve(out, SOURCE_BLOCK + CONTENT_SLACK), SOURCE_BLOCK);
        out->len += n;
    } while (n > 0);
    memset(buf_reserve(out, CONTENT_SLACK), 0, CONTENT_SLACK);
    return !c->source->failed;
}
