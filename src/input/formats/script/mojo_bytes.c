#include "input/formats/script/mojo_bytes.h"

void mojo_bytes_init(struct mojo_bytes *b, struct content *content)
{
    *b = (struct mojo_bytes){.content = content};
    stream_init(&b->stream, content);
}

static bool told_cut(struct mojo_bytes *b)
{
    b->ended = true;
    return false;
}

bool mojo_bytes_damaged(const struct mojo_bytes *b, const char *what)
{
    diag_add(b->content->diag, DIAG_ERROR, DIAG_AT_BYTE(b->at), "%s; this is no MOJO", what);
    return false;
}

bool mojo_bytes_number(struct mojo_bytes *b, uint64_t *value, bool *negative)
{
    int byte = stream_byte(&b->stream);
    unsigned shift = 6;

    if (byte < 0)
        return told_cut(b);
    *negative = byte & 0x40;
    *value = (unsigned)byte & 0x3f;
    for (; byte & 0x80; shift += 7) {
        byte = stream_byte(&b->stream);
        if (byte < 0)
            return told_cut(b);
        if (shift >= 64 || ((uint64_t)(byte & 0x7f) << shift) >> shift != (uint64_t)(byte & 0x7f))
            return mojo_bytes_damaged(b, "a number does not fit in 64 bits");
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return true;
}

bool mojo_bytes_unsigned(struct mojo_bytes *b, uint64_t *value)
{
    bool negative;

    return mojo_bytes_number(b, value, &negative) &&
           (!negative || mojo_bytes_damaged(b, "a number is negative that cannot be"));
}

bool mojo_bytes_add_text(struct mojo_bytes *b, struct buf *out)
{
    uint64_t most = b->content->options->limits.max_line + out->len;
    bool ended = false;

    while (!ended) {
        struct slice more = stream_rest(&b->stream);
        size_t len = slice_find(more, '\0');

        if (!more.len)
            return told_cut(b);
        ended = len < more.len;
        if (len > most - out->len)
            return mojo_bytes_damaged(b, "a text does not end");
        buf_add(out, more.ptr, len);
        stream_skip(&b->stream, len + ended);
    }
    return true;
}

bool mojo_bytes_text(struct mojo_bytes *b, struct buf *out)
{
    buf_clear(out);
    return mojo_bytes_add_text(b, out);
}
