/*
 * A result on its way out: bytes are collected in blocks, compressed if the format wants that,
 * and passed to a sink.
 *
 * Writers append to `bytes` and call convert_stream_pass() after each entry, so memory does not
 * grow with the result. After a sink has failed, further bytes are dropped.
 */
#ifndef CONVERT_STREAM_H
#define CONVERT_STREAM_H

#include <stdbool.h>

#include "base/buf.h"

/* Takes a block of output. Returns false to stop. */
typedef bool convert_sink(void *context, struct slice bytes);

struct gzip;

struct convert_stream {
    struct buf bytes; /* not yet passed on */
    convert_sink *sink;
    void *context;
    struct gzip *gzip; /* NULL: the bytes leave as they are */
    bool stopped;      /* the sink took no more */
};

void convert_stream_begin(struct convert_stream *s, bool compressed, convert_sink *sink,
                          void *context);
/* Passes all bytes on. */
void convert_stream_flush(struct convert_stream *s);
/* Passes on what is left and frees all memory. Returns false if the sink failed. */
bool convert_stream_end(struct convert_stream *s);

/* Passes the bytes on if they fill a block. Returns false if the sink takes no more. */
static inline bool convert_stream_pass(struct convert_stream *s)
{
    enum { BLOCK = 256 * 1024 };

    if (s->bytes.len >= BLOCK)
        convert_stream_flush(s);
    return !s->stopped;
}

#endif
