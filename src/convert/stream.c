#include "convert/stream.h"

#include "convert/gzip.h"

void convert_stream_begin(struct convert_stream *s, bool compressed, convert_sink *sink,
                          void *context)
{
    *s = (struct convert_stream){.sink = sink, .context = context};
    if (compressed)
        s->gzip = gzip_new();
}

static void pass(struct convert_stream *s, bool last)
{
    if (!s->stopped && s->gzip)
        s->stopped = !gzip_write(s->gzip, buf_slice(&s->bytes), last, s->sink, s->context);
    else if (!s->stopped && s->bytes.len)
        s->stopped = !s->sink(s->context, buf_slice(&s->bytes));
    buf_clear(&s->bytes);
}

void convert_stream_flush(struct convert_stream *s)
{
    pass(s, false);
}

bool convert_stream_end(struct convert_stream *s)
{
    pass(s, true);
    gzip_free(s->gzip);
    buf_release(&s->bytes);
    return !s->stopped;
}
