/*
 * What profilers, compilers and linkers hang behind a function's name.
 *
 *     +0x1f, +0x1f/0x80, +31      where in the function (bpftrace writes it in decimal)
 *     @GLIBC_2.2.5, @@Base        the version of a library's symbol
 *     .isra.0 .constprop.0 .part.1 .cold .lto_priv.0 .llvm.123
 *     [clone .cold] (.llvm.123)   the copies that optimizers make, as demanglers write them
 *
 * None of it tells functions of the source apart, and most of it changes from
 * build to build.
 */
#ifndef INPUT_PARSE_SUFFIX_H
#define INPUT_PARSE_SUFFIX_H

#include <stdbool.h>

#include "base/slice.h"

/* `symbol` without a trailing "+0x1f". */
struct slice suffix_strip_offset(struct slice symbol);

/* Without all of it. `*stub` says that it was a stub, "malloc@plt", which is stripped too. */
struct slice suffix_strip(struct slice symbol, bool *stub);

#endif
