/*
 * Writes what history_read() found as bytes, and reads them back, so that another process can
 * read a history (cli/labels.h).
 */
#ifndef BATCH_HISTORY_PACK_H
#define BATCH_HISTORY_PACK_H

#include "batch/history.h"

/* Appends a history, whether it could be read, and the messages about it. */
void history_pack(const struct history *h, bool ok, const struct diag *messages, struct buf *out);

/*
 * Reads `bytes`, which may be anything, into `h` and `diag`: a label is a directory below
 * `directory`, whatever the bytes say. Returns whether the history could be read. Release it in
 * either case.
 */
bool history_pack_read(struct history *h, const char *directory, struct slice bytes,
                       struct diag *diag);

#endif
