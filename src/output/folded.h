/*
 * Folded stacks out: "root;...;leaf weight", a line per distinct stack.
 *
 * Lines come in the bytewise order of the stacks' text, so the output is the
 * same whatever order the samples came in, and reading it back takes the fast
 * way for ascending lines. A class is written as its suffix ("_[k]"). Text
 * that would break a line apart (';', line ends) is replaced. The writer never
 * recurses and never holds more than one path and its open siblings.
 */
#ifndef OUTPUT_FOLDED_H
#define OUTPUT_FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/profile.h"

/* Takes a block of output; returns false to stop. */
typedef bool folded_sink(void *context, struct slice bytes);

/*
 * Writes one series, or both columns (base, new) of a differential profile,
 * for which `series` is ignored. Returns false where the sink did.
 */
bool folded_write(const struct profile *p, uint32_t series, folded_sink *sink, void *context);

#endif
