/*
 * Reads which labels a history has before the run enters its sandbox: the labels decide what the
 * sandbox has to allow. Another process in a sandbox of its own parses the files.
 */
#ifndef CLI_LABELS_H
#define CLI_LABELS_H

#include "batch/history.h"
#include "options/options.h"

/*
 * As history_read(), or history_read_sound() if `sound` is true. Also returns false after reporting
 * that the other process failed. With --no-sandbox there is none.
 */
bool labels_read(struct history *h, const char *directory, struct slice replaced, bool sound,
                 const struct options *o, struct diag *diag);

/*
 * Replaces "DIRECTORY:LABEL" by the path of the label, for label_read(); leaves anything else as it
 * is. Returns false after reporting that the history has no such label. `path` is in the memory
 * of `o`.
 */
bool labels_resolve(const char **path, struct options *o, struct diag *diag);

#endif
