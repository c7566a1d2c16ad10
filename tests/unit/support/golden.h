/* Readings of texts and files compared with the folded stacks that are wanted. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include "unit/support/reading.h"

/*
 * Reads `text`, which must be read as `format`, and compares all its series,
 * folded and sorted, with `want`. In `want` a series that has a name begins
 * with the line "[NAME]". NULL options are the default ones. `messages`, where
 * it is not NULL, is what the user must see.
 */
void golden_text(const char *name, const char *format, const char *text,
                 const struct input_options *options, const char *want, const char *messages);

/*
 * The first series of a file of the corpus in reference names against a file of
 * expected lines. The second leaves out samples without a stack, which most
 * converters lose.
 */
void golden_reference(const char *file, const char *expected);
void golden_reference_without_root(const char *file, const char *expected);

#endif
