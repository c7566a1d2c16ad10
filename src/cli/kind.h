/*
 * Kinds of graph in options.
 */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include <stdbool.h>

#include "base/buf.h"

/* Returns true if a kind is called `name`; else `why` says so and lists the kinds. */
bool kind_check(const char *name, struct buf *why);

#endif
