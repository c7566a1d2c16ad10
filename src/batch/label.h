/*
 * A label: the services of one week, build or commit, with all their runs.
 *
 * A label is read from profiles (files or a directory, grouped by batch/grouping.h), from an
 * earlier report (its files graphs/NAME.runs.zst) or from the directory of a label in a history.
 * The plans prepare and filter the runs, as they do for the graphs of a report. Services are
 * in the order of their names and events; no two have the same name, event and unit. Files are read
 * by several threads; the result does not depend on their number.
 */
#ifndef BATCH_LABEL_H
#define BATCH_LABEL_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/gather.h"
#include "batch/inputs.h"
#include "batch/plan.h"

struct label_options {
    const struct plan *plan; /* of all files, unless `plan_of` returns another */
    /* Returns the plan of a file by its path below the directory; may be NULL. */
    const struct plan *(*plan_of)(const void *context, const char *shown);
    const void *context;
    const struct service_rules *rules; /* may be NULL */
    const char *const *excluded;       /* globs of inputs that are left out */
    size_t excluded_count;
    bool apart; /* services are named by the paths below each directory, not below all of them */
    unsigned threads;
};

struct label {
    struct services services;
    struct inputs inputs;
    struct diag *diags; /* about each input, after reading */
    struct diag *metas; /* about the meta file of each input (batch/meta.h) */
    size_t failed;      /* inputs and meta files that could not be read */
    struct arena memory;
};

/*
 * Reads the label of `paths`. Returns false after reporting in `diag` that a path cannot be used or
 * that no file is a profile; l->diags has the errors of single files. Release `l` in either case.
 */
bool label_read(struct label *l, const char *const *paths, size_t count,
                const struct label_options *options, struct diag *diag);
void label_release(struct label *l);

#endif
