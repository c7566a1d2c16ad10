/*
 * Makes the graphs that a recipe asks for from profiles as they were read.
 *
 * The order is the same for all commands: check the input against the kind;
 * give weights the units of their kinds; make pairs of the two weights of a
 * stack and of two counters; scale and swap the sides of changes; choose series;
 * join the states of functions; apply times, idle stacks, filters and groups. The weight
 * that options remove is recorded in the removals of each series.
 *
 * Nothing here prints: errors and warnings go to a diag, and other facts for the
 * user are in struct prepared.
 */
#ifndef PREPARE_PREPARE_H
#define PREPARE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/diag.h"
#include "prepare/choose.h"
#include "prepare/recipe.h"

/* The graphs of a profile. The ids are valid as long as the profile. */
struct prepared {
    struct series_ids graphs; /* in the order of the input; one if the recipe asks for one */
    bool empty;               /* the options removed everything; a note in the diag says so */
    /* Graphs of the input not taken because no event was named, and how to name one; or empty. */
    struct buf others;
    uint32_t base; /* of two inputs: the series of the base, in its own profile */
};

static inline void prepared_init(struct prepared *made)
{
    *made = (struct prepared){0};
}

static inline void prepared_release(struct prepared *made)
{
    vec_release(&made->graphs);
    buf_release(&made->others);
}

/*
 * Adds `part`, the profile of one input, to `whole`. `index` counts the inputs from 0; it decides
 * the side in a hot/cold graph if the input does not state its side. `name` is the root frame, if
 * the recipe asks for one. May change `part`. Returns false after reporting why it cannot be added.
 */
bool prepare_add(struct profile *whole, struct profile *part, const struct recipe *r, size_t index,
                 struct slice name, struct diag *diag);

/*
 * Changes `p` as the recipe asks and fills `made`. Returns false after reporting that the recipe
 * cannot be applied to the input. If the options removed everything, returns true, sets
 * made->empty, and a note in `diag` says which option removed most.
 */
bool prepare(struct profile *p, const struct recipe *r, struct prepared *made, struct diag *diag);

/* One of two inputs. Messages show `path`; a kind may be recognised from its last part. */
struct prepare_input {
    struct profile *profile;
    struct slice path;
};

/*
 * Prepares two inputs as one differential graph, or as a graph of two counters. The recipe chooses
 * the series of `after` and of `before`, its base. If the recipe names no event, the base is the
 * series of the same name, or the only series of `before`. The result is in `after`.
 */
bool prepare_two(const struct prepare_input *before, const struct prepare_input *after,
                 const struct recipe *r, struct prepared *made, struct diag *diag);

/*
 * Returns the bytes that drawing may take beside the profile. Graphs that are drawn at the same
 * time share them. Visits all series, so call it once for all graphs of a profile.
 */
uint64_t prepare_memory_limit(const struct recipe *r, const struct profile *p);

/*
 * Returns how many of `threads` graphs of a profile may be drawn at the same time in
 * `memory_limit`.
 */
unsigned prepare_beside(uint64_t memory_limit, const struct profile *p, unsigned threads);

/*
 * Begins the budget of drawing in `memory_limit` and charges the tree of the profile; the rest is
 * for the layout and for further trees. Call budget_enter() next.
 */
void prepare_budget(const struct recipe *r, uint64_t memory_limit, const struct profile *p,
                    struct budget *b);

/* Charges the memory of a further tree's numbers to the thread's budget. */
void prepare_charge_tree(uint32_t nodes);

#endif
