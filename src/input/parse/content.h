/*
 * Formats that are not read line by line: binary, JSON, XML.
 *
 * Such a reader gets the source and pulls what it needs: the whole content into memory if
 * the format must be seen whole (--max-size bounds it), or block by block if it streams.
 */
#ifndef INPUT_PARSE_CONTENT_H
#define INPUT_PARSE_CONTENT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "input/parse/head.h"
#include "input/core/options.h"
#include "input/core/source.h"
#include "profile/profile.h"

struct content {
    struct source *source;
    const struct head *head;
    const struct input_options *options;
    struct profile *profile;
    struct diag *diag;
    unsigned threads; /* the most that may be used */
};

/* Zero bytes after a loaded content, so that wide loads need no care at its end. */
enum { CONTENT_SLACK = 64 };

/*
 * Reads the rest of the content into `out`, with CONTENT_SLACK zero bytes after its end.
 * Returns false after reporting an error.
 */
bool content_load(struct content *c, struct buf *out);

/*
 * Reads the next block, up to SOURCE_BLOCK bytes, into `out`, which is cleared first.
 * Returns false at the end or after an error (c->source->failed).
 */
bool content_next(struct content *c, struct buf *out);

/*
 * Appends content to `out` until it has `room` bytes. Returns false at the end or after an error
 * (c->source->failed).
 */
bool content_fill(struct content *c, size_t room, struct buf *out);

#endif
