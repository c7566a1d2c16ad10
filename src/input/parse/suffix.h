/*
 * Suffixes that profilers, compilers and linkers append to a function's name.
 *
 *     +0x1f, +0x1f/0x80, +31      where in the function (bpftrace writes it in decimal)
 *     @GLIBC_2.2.5, @@Base        the version of a library's symbol
 *     .isra.0 .constprop.0 .part.1 .cold .lto_priv.0 .llvm.123
 *     [clone .cold] (.llvm.123)   copies made by optimizers, as demanglers write them
 *
 * None of them distinguishes functions of the source, and most change from build to build.
 */
#ifndef INPUT_PARSE_SUFFIX_H
#define INPUT_PARSE_SUFFIX_H

#include <stdbool.h>

#include "base/slice.h"

/* `symbol` without a trailing "+0x1f". */
struct slice suffix_strip_offset(struct slice symbol);

/* `symbol` without a trailing "+31". */
struct slice suffix_strip_decimal_offset(struct slice symbol);

/* Removes all suffixes. `*stub` says whether "@plt" was one of them: the symbol is a stub. */
struct slice suffix_strip(struct slice symbol, bool *stub);

#endif
