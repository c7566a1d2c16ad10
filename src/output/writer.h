/*
 * The registry of formats that a picture can be written in.
 *
 * To add a format, add a file and a row.
 */
#ifndef OUTPUT_WRITER_H
#define OUTPUT_WRITER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "output/picture.h"

struct writer {
    const char *name;   /* "png", for --format */
    const char *ending; /* ".png" */
    const char *about;  /* one line for --help */
    bool by_ratio;      /* the file depends on the pixel ratio */
    /* Appends the file. Returns false, with one clause in `why`, if that is impossible. */
    bool (*write)(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why);
};

/* The registry, ended by NULL. */
extern const struct writer *const writers[];

/* Returns the writer by name, or by the ending of a path; NULL if there is none. */
const struct writer *writer_find(struct slice name);
const struct writer *writer_for_path(struct slice path);

#endif
