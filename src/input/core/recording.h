/*
 * Recordings of perf that are a directory, as perf record --threads and --kcore write them.
 *
 * The file "data" in it is a recording with a header. "data.0", "data.1" and so on, if there are
 * any, are the records of one buffer each, without a header. Source: tools/perf/util/data.c and
 * the feature HEADER_DIR_FORMAT of tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef INPUT_CORE_RECORDING_H
#define INPUT_CORE_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

/* Returns true if bytes at the start of a file are those of a recording with a header. */
bool recording_is_start(struct slice bytes);

/* Returns true if the path is such a directory. */
bool recording_is_directory(const char *path);

/*
 * Opens "data" of an open directory if it begins as a recording does. Returns -1 if it does not;
 * the directory stays open.
 */
int recording_open_data(int directory);

/* The further files of a recording. */
struct recording_files {
    struct arena memory;
    const char *directory;
    VEC(const char *) paths; /* in the order of their numbers */
    uint64_t missing;        /* numbers below the last one without a file */
};

/*
 * Lists the further files of the recording at `path`, a directory or the file "data" in it.
 * Returns false if the directory cannot be read. Release the list in either case.
 */
bool recording_list(struct recording_files *files, const char *path);
void recording_files_release(struct recording_files *files);

#endif
