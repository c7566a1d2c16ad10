/*
 * Finds the reports below a folder, and reads their entries for an index.
 *
 * A report is a directory with a report.json; directories within a report are not searched. Links
 * to directories are not followed. The files may be hostile: their size, the memory for them, the
 * depth and the number of directories are bounded.
 */
#ifndef BATCH_REPORT_LIST_H
#define BATCH_REPORT_LIST_H

#include "base/diag.h"
#include "input/core/options.h"
#include "report/index_pages.h"

enum { REPORT_LIST_DEPTH = 5, REPORT_LIST_MOST = 20000 };

/*
 * Adds the reports below `folder` to the index, the newest first. Warns in `diag` of those that
 * cannot be read and are left out. Returns false after reporting that the folder cannot be read.
 */
bool report_list_read(struct report_index *index, const char *folder,
                      const struct input_limits *limits, struct diag *diag);

#endif
