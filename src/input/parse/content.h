/*
 * Formats that are not read line by line: binary ones, JSON, XML.
 *
 * Such a reader gets the source and pulls from it what it needs: all of it
 * into memory where the format must be seen whole (--max-size bounds it), or
 * block by block where it streams.
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
    unsigned threads; /* that may be used */
};

/* Zero bytes behind a loaded content, so that wide loads need no care at its end. */
enum { CONTENT_SLACK = 64 };

/* Reads all that is left into `out`, CONTENT_SLACK zero bytes behind its end. False where told. */
bool content_load(struct content *c, struct buf *out);

/*
 * The next block, in c's own terms: up to SOURCE_BLOCK bytes into `out`, which
 * is emptied first. False at the end or where it failed (c->source->failed).
 */
bool content_next(struct content *c, struct buf *out);

#endif
