/*
 * How an earlier report is recognised.
 *
 * Every report carries the file MANIFEST_NAME: a first line that names the
 * program, then the paths of all files of the report, a line each. A directory
 * without it, or with a file that it does not list, holds something of
 * somebody else's and is not replaced.
 */
#ifndef REPORT_MANIFEST_H
#define REPORT_MANIFEST_H

#include "base/buf.h"
#include "base/slice.h"

#define MANIFEST_NAME ".flamepress"

/* The manifest of these files, given relative to the report. Sorted by path. */
void manifest_write(struct buf *out, const struct slice *files, size_t count);

enum manifest_place {
    MANIFEST_ABSENT, /* nothing is there */
    MANIFEST_EMPTY,  /* an empty directory */
    MANIFEST_REPORT, /* an earlier report and nothing else */
    MANIFEST_OTHER,  /* anything else; `why` says what was found */
};

/* What stands where a report shall go. */
enum manifest_place manifest_look(const char *directory, struct buf *why);

#endif
