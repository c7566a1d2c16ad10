/*
 * A history: a directory with a directory for each label (batch/label.h).
 *
 *     history/index.json                     all labels in order: derived, for other programs
 *     history/LABEL/meta.json                date, commit, note, services and runs of the label
 *     history/LABEL/functions.zst            functions with their weights (compare/table.h)
 *     history/LABEL/SERVICE.EVENT.runs.zst   the exact stacks of the runs (output/runs.h)
 *
 * Labels are read from the directories alone, not from the index, so that git can merge histories
 * of two branches; the next archive writes the index again. A label is added as a whole or not at
 * all (batch/stage.h). Labels are in the order of their dates, then names, in which numbers count
 * by their values; those without a date come first.
 */
#ifndef BATCH_HISTORY_H
#define BATCH_HISTORY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "batch/label.h"
#include "batch/stage.h"
#include "compare/table.h"

struct history_label {
    struct slice name;
    struct slice date, commit, note; /* empty if unknown */
    const char *path;                /* of its directory, for label_read() */
    bool has_stacks;                 /* false if only tables of functions are kept */
};

struct history {
    struct arena memory;
    VEC(struct history_label) labels;
    VEC(struct slice) damaged;  /* names of labels that history_read_sound() left out */
    VEC(struct slice) unlisted; /* paths of directories with content of a label, but no meta.json */
};

/*
 * Reads which labels a history has; a directory that does not exist has none. Returns false after
 * reporting an error: a label that is damaged, or files of a version that is not known. The label
 * `replaced`, which is empty or about to be written again, may be damaged. Release the history in
 * either case.
 */
bool history_read(struct history *h, const char *directory, struct slice replaced,
                  struct diag *diag);
/* As history_read(), but labels that are damaged are left out; each is reported as an error. */
bool history_read_sound(struct history *h, const char *directory, struct diag *diag);
void history_release(struct history *h);
/* Warns of labels that are left out because they have lost their meta.json. */
void history_warn(const struct history *h, struct diag *diag);

/* Returns a label by its name, or NULL. */
const struct history_label *history_find(const struct history *h, struct slice name);

struct history_files VEC_OF(const char *);

/*
 * Appends the paths of the files with the stacks of a label, copied to `memory`. Returns false
 * after reporting an error.
 */
bool history_list_stacks(const struct history_label *label, struct arena *memory,
                         struct history_files *paths, struct diag *diag);

/*
 * Splits the name of a base, "DIRECTORY[:LABEL]". Without LABEL, or if it is "last", the base is
 * the newest label. Sets `directory` to a copy in `memory`, and `label`. Returns false if `text` is
 * not about a history: profiles and reports are named by their paths alone.
 */
bool history_split(const char *text, struct arena *memory, const char **directory,
                   struct slice *label);

/* Adds a label, or replaces the one of its name. Copies the texts. */
void history_set(struct history *h, const struct history_label *label);

/* Appends the content of index.json. */
void history_write_index(const struct history *h, struct buf *out);

/* True if `name` can be a label: letters, digits, '.', '-' and '_', but no '.' at the start. */
bool history_name_is_valid(struct slice name);

/*
 * Reads the tables of functions of a label. Returns false if the label has none, or after reporting
 * that they are damaged. Release the tables in either case.
 */
bool history_read_tables(const struct history_label *label, uint64_t max_size,
                         struct function_tables *tables, struct diag *diag);

/* Writes the files of a label to the stage. Returns false if the stage failed. */
bool history_stage(struct stage *stage, const struct history_label *label,
                   const struct services *services);

#endif
