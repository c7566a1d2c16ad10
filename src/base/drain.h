/*
 * Takes a large text in parts while it is written, so that it is never in memory as a whole.
 *
 * The writer of a text calls drain_offer() between its parts. A writer that looks back at the last
 * byte of the text can do so: that byte stays.
 */
#ifndef BASE_DRAIN_H
#define BASE_DRAIN_H

#include "base/buf.h"
#include "base/slice.h"

struct drain {
    void (*take)(void *context, struct slice part);
    void *context;
};

enum { DRAIN_PART = 256 * 1024 };

/* Hands over all but the last byte of a text of DRAIN_PART bytes. Without a drain, does nothing. */
static inline void drain_offer(const struct drain *d, struct buf *text)
{
    char last;

    if (!d || text->len < DRAIN_PART)
        return;
    last = text->ptr[text->len - 1];
    d->take(d->context, slice_make(text->ptr, text->len - 1));
    buf_clear(text);
    buf_add_char(text, last);
}

#endif
