/*
 * Recognises an earlier report by its manifest.
 *
 * Every report contains the file MANIFEST_NAME. Its first line names the
 * program; then come the paths of all files of the report, one per line. A
 * directory without a manifest, or with a file that the manifest does not list,
 * contains something else and is not replaced.
 */
#ifndef REPORT_MANIFEST_H
#define REPORT_MANIFEST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

#define MANIFEST_NAME ".flamepress"

/* Entries whose names begin so belong to a run that is writing; manifest_look() ignores them. */
#define MANIFEST_WRITING MANIFEST_NAME "-" /* and FILE_RANDOM_DIGITS hexadecimal digits */

struct manifest_files VEC_OF(struct slice);

/* Appends the manifest of `files`, whose paths are relative to the report. Sorts them. */
void manifest_write(struct buf *out, const struct slice *files, size_t count);

enum manifest_place {
    MANIFEST_ABSENT, /* nothing is there */
    MANIFEST_EMPTY,  /* an empty directory */
    MANIFEST_REPORT, /* an earlier report and nothing else */
    MANIFEST_OTHER,  /* anything else; `why` says what */
};

/* Returns what is at the place of a new report. */
enum manifest_place manifest_look(const char *directory, struct buf *why);

/*
 * Appends the paths that the manifest of a report lists, copied to `memory`,
 * in order. Returns false if the directory has no manifest of this program.
 */
bool manifest_read(const char *directory, struct arena *memory, struct manifest_files *files);

#endif
