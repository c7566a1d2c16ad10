/*
 * Takes a large text in parts while it is written, so that it is never in memory as a whole.
 *
 * The writer of a text calls flush_if_large() between its parts. A writer that looks back at the
 * last byte of the text can do so: that byte stays.
 */
#ifndef BASE_FLUSH_H
#define BASE_FLUSH_H

#include "base/buf.h"
#include "base/slice.h"

struct flush {
    void (*take)(void *context, struct slice part);
    void *context;
};

enum { FLUSH_PART = 256 * 1024 };

/* Hands over all but the last byte of a text of FLUSH_PART bytes. Does nothing if `f` is NULL. */
static inline void flush_if_large(const struct flush *f, struct buf *text)
{
    char last;

    if (!f || text->len < FLUSH_PART)
        return;
    last = text->ptr[text->len - 1];
    f->take(f->context, slice_make(text->ptr, text->len - 1));
    buf_clear(text);
    buf_add_char(text, last);
}

#endif
