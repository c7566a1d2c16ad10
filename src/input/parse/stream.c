#include "input/parse/stream.h"

void stream_init(struct stream *s, struct content *content)
{
    *s = (struct stream){.content = content};
}

void stream_release(struct stream *s)
{
    buf_release(&s->block);
}

bool stream_fill(struct stream *s)
{
    s->before += s->block.len;
    s->at = 0;
    return content_next(s->content, &s->block);
}

bool stream_take(struct stream *s, uint64_t n, struct buf *out)
{
    while (n > 0) {
        size_t here;

        if (s->at == s->block.len && !stream_fill(s))
            return false;
        here = s->block.len - s->at;
        if (here > n)
            here = (size_t)n;
        buf_add(out, s->block.ptr + s->at, here);
        s->at += here;
        n -= here;
    }
    return true;
}

void stream_join(struct stream *s, size_t n)
{
    size_t left = s->block.len - s->at;

    if (left && s->at)
        memmove(s->block.ptr, s->block.ptr + s->at, left);
    s->before += s->at;
    s->at = 0;
    buf_cut(&s->block, left);
    content_fill(s->content, n, &s->block);
}

bool stream_line(struct stream *s, struct slice *line)
{
    struct slice rest = stream_peek(s, 1);
    size_t end = slice_find(rest, '\n');

    while (end == rest.len) {
        size_t known = rest.len;

        rest = stream_peek(s, 2 * known + 1);
        if (rest.len == known)
            break;
        end = known + slice_find(slice_skip(rest, known), '\n');
    }
    stream_skip(s, end < rest.len ? end + 1 : end);
    *line = slice_take(rest, end);
    if (slice_ends(*line, SLICE("\r")))
        line->len--;
    return rest.len > 0;
}

bool stream_end(struct stream *s)
{
    while (stream_fill(s))
        ;
    return !s->content->source->failed;
}
