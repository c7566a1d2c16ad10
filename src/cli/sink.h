/*
 * Where a single result goes: a file that appears whole, or standard output.
 */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stdbool.h>

#include "base/file.h"
#include "base/slice.h"
#include "cli/console.h"

enum sink_result {
    SINK_WRITTEN,
    SINK_GONE,   /* whoever read standard output has had enough: no failure, but an end */
    SINK_FAILED, /* and reported */
};

/* A result that is written piece by piece; path NULL is standard output. */
struct sink {
    struct console *console;
    const char *path;
    struct file_draft draft;
    bool is_open; /* the draft */
    enum sink_result result;
};

void sink_begin(struct sink *sink, struct console *console, const char *path);
/* Returns false once nothing more is wanted. */
bool sink_add(struct sink *sink, struct slice bytes);
/* The file appears, unless something failed. */
enum sink_result sink_end(struct sink *sink);

/*
 * Writes `bytes` to `path`; NULL is standard output. What goes to a terminal is
 * text, and its control characters are written so that they can be read.
 */
enum sink_result sink_write(struct console *console, const char *path, struct slice bytes);

/* Whether the result would go to a terminal. */
bool sink_is_terminal(const char *path);

#endif
