#include "cli/pruning.h"

#include "base/file.h"
#include "base/release.h"

bool pruning_init(struct pruning *p, const struct history *h, unsigned keep, struct slice spared,
                  struct console *console, struct diag *diag)
{
    size_t count = h->labels.count;

    *p = (struct pruning){0};
    for (size_t i = 0; keep && i + keep < count; i++) {
        const struct history_label *label = &h->labels.items[i];
        struct pruned_label pruned = {.label = label, .first = p->files.count};

        if (!label->has_stacks || slice_equal(label->name, spared))
            continue;
        if (!history_list_stacks(label, &p->memory, &p->files, diag))
            return false;
        pruned.count = p->files.count - pruned.first;
        *vec_add(&p->labels) = pruned;
    }
    vec_each (const char *const, path, &p->files)
        broker_add_removable(&console->broker, *path);
    return true;
}

/* Returns whether the label keeps its tables if its stacks are removed. */
static bool has_tables(const struct history_label *label, const struct command_job *job,
                       struct diag *diag)
{
    struct function_tables tables;
    bool ok = history_read_tables(label, job->options->plan.reading.limits.max_size, &tables, diag);

    compare_tables_release(&tables);
    if (!ok)
        diag_error(diag, "%s: stacks are kept, because the label has no tables of functions",
                   label->path);
    return ok;
}

static bool remove_stacks(const struct pruning *p, const struct pruned_label *pruned,
                          const struct command_job *job, struct diag *diag)
{
    struct buf why = {0};
    bool ok = has_tables(pruned->label, job, diag);

    for (size_t i = 0; ok && i < pruned->count; i++) {
        const char *path = p->files.items[pruned->first + i];

        ok = broker_remove(&job->console->broker, path, &why) ||
             diag_error(diag, "%s: %s", path, buf_string(&why));
    }
    buf_release(&why);
    return ok;
}

bool pruning_run(const struct pruning *p, const struct command_job *job, struct diag *diag)
{
    size_t removed = 0;

    vec_each (const struct pruned_label, pruned, &p->labels)
        removed += remove_stacks(p, pruned, job, diag);
    if (removed)
        console_say(job->console, "removed the stacks of %zu label%s; their tables are kept",
                    removed, removed == 1 ? "" : "s");
    return removed == p->labels.count;
}

void pruning_release(struct pruning *p)
{
    release_all(p, vec, labels, files);
    arena_release(&p->memory);
}
