/*
 * The bytes of a recording at any place: read from the file in pieces if it is a plain one, else
 * loaded as a whole, for its header may point to what follows the records. A recording in a
 * directory has further files, which are plain.
 */
#ifndef INPUT_FORMATS_PERF_PERF_INPUT_H
#define INPUT_FORMATS_PERF_PERF_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "input/parse/content.h"

struct perf_input {
    struct source *source;
    struct diag *diag;
    bool plain;
    size_t ahead;     /* bytes read at a time */
    struct buf bytes; /* all of them, or those from `at` on */
    uint64_t at, size;
};

/* Returns false after reporting an error. */
bool perf_input_init(struct perf_input *in, struct content *content);

/* Takes a plain file, which is read in small pieces: there may be one for each CPU. */
void perf_input_init_plain(struct perf_input *in, struct source *source, struct diag *diag);
void perf_input_release(struct perf_input *in);

/*
 * Returns `len` bytes at an offset, fewer if the recording ends there, and none if an error was
 * reported. They are valid until the next call.
 */
struct slice perf_input_get(struct perf_input *in, uint64_t offset, size_t len);

#endif
