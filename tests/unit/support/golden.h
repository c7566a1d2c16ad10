/*
 * Compares readings of texts and files with the expected folded stacks.
 */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include "unit/support/reading.h"

/*
 * Reads `text`, which must be recognised as `format`, and compares all its series, folded and
 * sorted, with `want`. In `want` a series that has a name begins with the line "[NAME]". If
 * `options` is NULL, takes the default ones. `messages` is the expected output for the user, or
 * NULL if any is accepted.
 */
void golden_text(const char *name, const char *format, const char *text,
                 const struct input_options *options, const char *want, const char *messages);

/*
 * Compares the first series of a file of the corpus, read with reference names, with a file of
 * expected lines. The second function leaves out samples without a stack, which most converters
 * drop.
 */
void golden_reference(const char *file, const char *expected);
void golden_reference_without_root(const char *file, const char *expected);

#endif
