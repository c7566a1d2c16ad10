/*
 * The key of a symbol: equal keys of base and new runs are one function.
 *
 * A key is the name without the parts that differ between builds or runs (compare/names.h). If the
 * profiles do not say which frames are processes or threads, first frames of stacks may be such
 * names, and their numbers are removed. So all profiles are read once before the first key.
 */
#ifndef COMPARE_KEYS_H
#define COMPARE_KEYS_H

#include "base/buf.h"
#include "base/intern.h"
#include "profile/profile.h"

struct compare_keys {
    struct intern deep; /* names that are certainly functions: not only first frames */
};

/* Reads the names of a profile. A zeroed struct is empty. */
void compare_keys_learn(struct compare_keys *keys, const struct profile *p);
void compare_keys_release(struct compare_keys *keys);

/* Whether a symbol is a function; else it is the name of a process or thread. */
bool compare_keys_is_function(const struct compare_keys *keys, const struct symbols *symbols,
                              uint32_t symbol);

/* Appends the key of a symbol. */
void compare_keys_add(const struct compare_keys *keys, const struct symbols *symbols,
                      uint32_t symbol, struct buf *out);

#endif
