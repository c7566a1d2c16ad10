/*
 * A collection of real profiles that is too large to be part of the project.
 * Tests that need it skip, and say so, where it is not there. CORPUS in the
 * environment names another place for it.
 */
#ifndef SUPPORT_CORPUS_H
#define SUPPORT_CORPUS_H

#include <stdbool.h>

#include "base/buf.h"

/* Skips the test that calls it where the collection is missing. */
void corpus_need(void);

/* The path of a file in it, ready to open; valid until the next call. */
const char *corpus_path(struct buf *path, const char *name);

#endif
