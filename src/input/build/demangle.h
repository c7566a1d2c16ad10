/*
 * Linkers' names back to the source's: C++, Rust and D.
 *
 * A mangled name may come from anywhere and its meaning may be exponentially
 * longer than itself, so both are bounded: what is longer stays as it is.
 */
#ifndef INPUT_BUILD_DEMANGLE_H
#define INPUT_BUILD_DEMANGLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends what a mangled name means, arguments included. Returns false, having
 * appended nothing, for any other text.
 */
bool demangle_add(struct buf *out, struct slice name);

#endif
