/*
 * The bytes of a content, one after the other: for binary formats that need
 * not be held whole.
 */
#ifndef INPUT_PARSE_STREAM_H
#define INPUT_PARSE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "input/parse/content.h"

struct stream {
    struct content *content;
    struct buf block;
    size_t at;       /* in the block */
    uint64_t before; /* bytes of the blocks before it */
};

void stream_init(struct stream *s, struct content *content);
void stream_release(struct stream *s);

/* Fetches the next block; false at the end. For the two below alone. */
bool stream_fill(struct stream *s);

/* Returns the next byte, or -1 at the end or after an error, which the source has reported. */
static inline int stream_byte(struct stream *s)
{
    if (s->at == s->block.len && !stream_fill(s))
        return -1;
    return (unsigned char)s->block.ptr[s->at++];
}

/* Appends the next `n` bytes to `out`. Returns false if there are fewer; `out` then has those. */
bool stream_take(struct stream *s, uint64_t n, struct buf *out);

/* The bytes that are at hand, at least one but at the end; how many of them were taken. */
static inline struct slice stream_rest(struct stream *s)
{
    if (s->at == s->block.len && !stream_fill(s))
        return SLICE("");
    return slice_make(s->block.ptr + s->at, s->block.len - s->at);
}
static inline void stream_skip(struct stream *s, size_t n)
{
    s->at += n;
}

/* Makes the next `n` bytes one piece, or all that are left. For stream_peek() alone. */
void stream_join(struct stream *s, size_t n);

/*
 * Returns the bytes at hand, at least the next `n`, or fewer if the content ends before. They are
 * not taken: stream_skip() takes them. Valid until the next call.
 */
static inline struct slice stream_peek(struct stream *s, size_t n)
{
    if (n > s->block.len - s->at)
        stream_join(s, n);
    return slice_make(s->block.ptr ? s->block.ptr + s->at : "", s->block.len - s->at);
}

/*
 * Takes the next line and returns it without LF or CR LF, valid until the next call. The last one
 * may lack its LF. Returns false at the end.
 */
bool stream_line(struct stream *s, struct slice *line);

/*
 * Takes what is left, so that damage at the end of a compressed content is found. Returns false
 * after an error, which the source has reported.
 */
bool stream_end(struct stream *s);

/* Offset of the next byte in the content. */
static inline uint64_t stream_offset(const struct stream *s)
{
    return s->before + s->at;
}

#endif
