/*
 * The formats a picture can be written in.
 *
 * A format is a row of the registry; adding one is adding a file and a row.
 */
#ifndef OUTPUT_WRITER_H
#define OUTPUT_WRITER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "output/picture.h"

struct writer {
    const char *name;   /* "png", as --format takes it */
    const char *ending; /* ".png" */
    const char *about;  /* one line for --help */
    bool by_ratio;      /* the pixel ratio makes a difference */
    /* Appends the file; false, with one clause in `why`, where it cannot be made. */
    bool (*write)(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why);
};

/* The registry, ended by NULL. */
extern const struct writer *const writers[];

/* The writer of that name, or of the ending of that path; NULL where there is none. */
const struct writer *writer_find(struct slice name);
const struct writer *writer_for_path(struct slice path);

#endif
