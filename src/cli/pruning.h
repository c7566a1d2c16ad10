/*
 * Removes the stacks of old labels from a history, whose tables of functions stay: trends and the
 * noise between runs need no more.
 *
 * The stacks of a label are removed only if its tables can be read; no label disappears. What is
 * removed is chosen before the sandbox is entered; afterwards the broker removes these files and
 * no others.
 */
#ifndef CLI_PRUNING_H
#define CLI_PRUNING_H

#include "base/vec.h"
#include "batch/history.h"
#include "cli/command.h"

/* The stacks of a label. */
struct pruned_label {
    const struct history_label *label;
    size_t first, count; /* of the files */
};

struct pruning {
    VEC(struct pruned_label) labels;
    struct history_files files;
    struct arena memory;
};

/*
 * Chooses the stacks of all labels but the newest `keep` and the one called `spared`, and lets the
 * broker remove them. `keep` 0 chooses nothing. Returns false after reporting an error. The history
 * must outlive the pruning; release it in either case.
 */
bool pruning_init(struct pruning *p, const struct history *h, unsigned keep, struct slice spared,
                  struct console *console, struct diag *diag);

/* Removes what was chosen. Returns false after reporting an error; the rest is removed. */
bool pruning_run(const struct pruning *p, const struct command_job *job, struct diag *diag);
void pruning_release(struct pruning *p);

#endif
