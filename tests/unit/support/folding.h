/*
 * Small inputs of a reader, held to what they fold to.
 */
#ifndef SUPPORT_FOLDING_H
#define SUPPORT_FOLDING_H

#include "unit/support/reading.h"

struct folding {
    const char *what, *input;
    /* Sorted lines; of several series, each behind "[name]". NULL where reading has to fail. */
    const char *folded;
    /* Part of the messages; NULL where there must be none. */
    const char *told;
};

/* Reads each with the options (NULL: the default ones) as `format` and compares. */
void folding_check(const char *format, const struct folding *cases, size_t count,
                   const struct input_options *options);

/*
 * Reads a file of the collection; the lines of another one there, in any
 * order, must be what its first series folds to.
 */
void folding_check_file(const char *path, const char *expected,
                        const struct input_options *options);
/* The same where the other has not all stacks, or other weights; lines of weight 0 are no lines. */
void folding_check_stacks(const char *path, const char *expected,
                          const struct input_options *options);

#endif
