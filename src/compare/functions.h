/*
 * The functions of the runs that are compared, and how many samples of each run they have.
 *
 * Runs may come from several profiles. A function is one row in all of them: its name, without
 * what differs between builds (compare/names.h), and whether it is the kernel's. Frames of
 * processes, separators and unresolved functions are no functions; their samples are in the totals
 * of runs. Self and total are counted as tree/top.h counts them: a total is a union over stacks.
 *
 * Rows exist for functions that are large enough to be tested. Counts are samples: parts of the
 * weight of a run, times the number of its samples. Rows are in the order of names, and nothing
 * depends on the order of profiles, stacks or threads. The profiles must outlive the table.
 */
#ifndef COMPARE_FUNCTIONS_H
#define COMPARE_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "compare/kernel.h"
#include "match/rename.h"
#include "profile/profile.h"
#include "stats/design.h"

#define FUNCTION_NONE UINT32_MAX

enum { FUNCTIONS_MOST = 20000 }; /* rows; the heaviest if there are more */

#define FUNCTIONS_NO_ROWS 2.0 /* a share that no function has */

struct function_table;

struct compare_run {
    const struct profile *profile; /* NULL: a run of the history that has a table only */
    uint32_t series;               /* of the profile, or the column of the table */
    const struct function_table *table;
    struct slice event; /* with its modifiers */
    uint64_t apart;     /* weight that is not compared (rights.h) */
    double samples;     /* of equal weight; the weight itself if it is exact */
    double seconds;     /* of duration; 0: unknown */
    double requests;    /* that were served; 0: unknown */
    int exponent;       /* of the unit of weights */
    struct stats_run run;
};

/* Returns the weight of all stacks of a run. */
uint64_t compare_run_whole(const struct compare_run *run);

/* Returns the weight of a run that is compared. */
uint64_t compare_run_weight(const struct compare_run *run);

/* Returns the samples that one unit of weight of a run stands for. */
double compare_run_scale(const struct compare_run *run);

struct function {
    struct slice key;          /* the name as it is compared */
    struct slice name;         /* as the newest run with the function has it */
    struct slice other;        /* another name that has this key, if there is one */
    struct slice module;       /* empty if unknown */
    struct slice file;         /* of the source, in the newest run that knows it; or empty */
    uint32_t line;             /* a line of the function in it; 0 if unknown */
    struct slice renamed_from; /* its name in the base, if that is another */
    enum symbol_class class;
    uint32_t row;          /* FUNCTION_NONE: too small to be tested */
    bool machine;          /* it is not the program's (machine.h) */
    bool inlined;          /* one side has it as part of another function (inlines.h) */
    uint32_t inlined_into; /* that function, or the largest of several */
    enum stats_side apart; /* the side that has it apart */
    double samples;        /* its own there */
};

/* A profile of the runs, and the function of each of its nodes. */
struct functions_part {
    const struct profile *profile;
    uint32_t *function; /* by node; FUNCTION_NONE: not a function */
    uint32_t *frames;   /* `function` before inlined functions were joined; NULL: none are */
    uint32_t *leaf;     /* by node: the function that has the self weight of the node */
    bool *outermost;    /* by node: none of its callers is the same function */
    bool *apart;        /* by node: stacks that end there are not compared; NULL: all are */
    bool *hidden;       /* by node: its samples are its caller's; NULL: none are */
};

/* A table of the runs, and the function of each of its lines. */
struct functions_listing {
    const struct function_table *table;
    uint32_t *function;
};

struct functions {
    struct arena memory;
    struct intern keys; /* by function */
    VEC(struct function) items;
    VEC(struct functions_part) parts;
    VEC(struct functions_listing) listings;
    const struct compare_run *runs; /* borrowed */
    size_t run_count;
    enum kernel_use kernel;
    uint32_t *rows; /* functions with a row */
    size_t row_count;
    double *self, *total; /* [row * run_count + run] */
    double interrupts[2]; /* part of the samples of base and new in interrupts */
    double unknown[2];    /* part of the samples of base and new in unresolved functions */
};

/*
 * Makes a row for each function with a share of `least_share` on both sides together. `renames`
 * are applied to the keys. What is left out by `kernel` is `apart` in the runs.
 */
void functions_init(struct functions *f, const struct compare_run *runs, size_t count,
                    enum kernel_use kernel, double least_share, const struct rename_list *renames);
void functions_release(struct functions *f);

/* Fills self and total with the weights of a run, by function. */
void functions_weights(const struct functions *f, size_t run, uint64_t *self, uint64_t *total);

/*
 * Fills total[row * run_count + run] with the samples whose leaf is not `outside` (by function).
 * Leaves runs that have only a table at 0: they belong to the history, which does not need it.
 */
void functions_total_inside(const struct functions *f, const bool *outside, double *total);

/*
 * Returns the weight of a run in stacks with a function for which `chosen` is set, each stack
 * counted once. Stacks that are not compared count, too, and
 * inlined functions are themselves.
 */
uint64_t functions_weight(const struct functions *f, size_t run, const bool *chosen);

/* Makes the row of `gone`, which only base runs have, a part of the row of `now`. */
void functions_join(struct functions *f, uint32_t gone, uint32_t now);

/*
 * Makes the frames of `inlined` those of the functions that call it, or, if they are `beside` it,
 * those of `into`. Rows have the samples after functions_recount(); those of runs that have only a
 * table are then all in the row of `into`.
 */
void functions_inline(struct functions *f, uint32_t inlined, uint32_t into, bool beside,
                      enum stats_side with);
void functions_recount(struct functions *f);

/* Returns the sum of the counts of the runs of a side; `counts` has one for each run. */
double functions_sum_side(const struct functions *f, const double *counts, enum stats_side side);

/* Returns the weight of entry `i` of a series that is compared. */
static inline uint64_t functions_part_weight(const struct functions_part *part,
                                             const struct series *s, uint32_t i)
{
    return part->apart && part->apart[s->stack[i]] ? 0 : s->weight[i];
}

/* Returns the part of a run. Requires that the run has a profile. */
const struct functions_part *functions_part_of(const struct functions *f, size_t run);

#endif
