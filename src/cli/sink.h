/*
 * Writes one result to standard output, or to a file that appears only when complete.
 */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stdbool.h>

#include "base/file.h"
#include "base/slice.h"
#include "cli/console.h"

enum sink_result {
    SINK_WRITTEN,
    SINK_GONE,   /* the reader of standard output closed it: not a failure, but write no more */
    SINK_FAILED, /* the error has been reported */
};

/* A result that is written in pieces. If `path` is NULL, it goes to standard output. */
struct sink {
    struct console *console;
    const char *path;
    struct file_draft draft;
    bool is_open; /* the draft is open */
    enum sink_result result;
};

void sink_begin(struct sink *sink, struct console *console, const char *path);
/* Returns false if writing failed or the reader closed standard output: add nothing more. */
bool sink_add(struct sink *sink, struct slice bytes);
/* Puts the file into place, unless something failed. */
enum sink_result sink_end(struct sink *sink);

/*
 * Writes `bytes` to `path`, or to standard output if it is NULL. On a terminal,
 * control characters are escaped.
 */
enum sink_result sink_write(struct console *console, const char *path, struct slice bytes);

/* Returns true if the result would go to a terminal. */
bool sink_is_terminal(const char *path);

#endif
