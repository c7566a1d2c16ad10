/*
 * The collection of real profiles, which is too large to be part of the project.
 * Tests that need the collection are skipped, with a message, if it is missing. The
 * environment variable CORPUS names its directory.
 */
#ifndef SUPPORT_CORPUS_H
#define SUPPORT_CORPUS_H

#include <stdbool.h>

#include "base/buf.h"

/* Skips the calling test if the collection is missing. */
void corpus_need(void);

/* Returns the path of a file of the collection. It is valid until the next call. */
const char *corpus_path(struct buf *path, const char *name);

#endif
