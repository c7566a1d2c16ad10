/*
 * Compares what small inputs of a reader fold to with what is expected.
 */
#ifndef SUPPORT_FOLDING_H
#define SUPPORT_FOLDING_H

#include "unit/support/reading.h"

struct folding {
    const char *what, *input;
    /* Sorted lines; if there are several series, after a line "[name]". NULL if reading fails. */
    const char *folded;
    /* Part of the messages; NULL if none are expected. */
    const char *told;
};

/* Reads each case as `format` and compares. If `options` is NULL, takes the default ones. */
void folding_check(const char *format, const struct folding *cases, size_t count,
                   const struct input_options *options);

/* Reads a small file, so that a test can change its bytes. Release the bytes. */
void folding_load(const char *path, struct buf *bytes);

/*
 * Reads the bytes. `folded` has the lines of all series, each after a line "--"; `message` is a
 * part of the messages, or NULL if none are expected.
 */
void folding_check_bytes(struct slice bytes, const char *folded, const char *message);

/*
 * Reads a file of the collection and compares its first series with the lines of another file
 * there, which may be in any order.
 */
void folding_check_file(const char *path, const char *expected,
                        const struct input_options *options);
/* Expects each stack of the other file whose weight is not 0, with any weight. */
void folding_check_stacks(const char *path, const char *expected,
                          const struct input_options *options);

#endif
