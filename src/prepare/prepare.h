/*
 * From profiles as they were read to the graphs that a recipe asks for.
 *
 * One order for all commands: what the input has is checked against the kind;
 * weights get the units of their kinds; two weights of a stack and two
 * counters become pairs; changes are scaled and turned round; series are
 * chosen; then come times, idle stacks, and filters and groups. What options
 * take out is in the removals of the series.
 *
 * Nothing here prints: what is wrong goes to a diag, what is worth saying is
 * in struct prepared.
 */
#ifndef PREPARE_PREPARE_H
#define PREPARE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/choose.h"
#include "prepare/recipe.h"

/* The graphs of a profile. Zeroed it is empty; the ids are good as long as the profile. */
struct prepared {
    struct series_ids graphs; /* in the order of the input; one if the recipe asks for one */
    bool empty;               /* the options left nothing of them, as a note in the diag says */
    struct buf others; /* graphs of the input not taken because no event was named; may be empty */
};

static inline void prepared_init(struct prepared *made)
{
    *made = (struct prepared){0};
    buf_init(&made->others);
}

static inline void prepared_release(struct prepared *made)
{
    vec_release(&made->graphs);
    buf_release(&made->others);
}

/*
 * Adds what was read of an input to those before. `index` counts the inputs from 0 and says which
 * side of a hot/cold graph one is that does not say so itself; `name` is its root frame, if the
 * recipe asks for one. May change `part`. Returns false after reporting why it cannot be added.
 */
bool prepare_add(struct profile *whole, struct profile *part, const struct recipe *r, size_t index,
                 struct slice name, struct diag *diag);

/*
 * Makes `p` what the recipe asks for. Returns false after reporting what is wrong: the recipe and
 * the input do not go together. If the options left nothing, it returns true and a note in `diag`
 * says which option took most.
 */
bool prepare(struct profile *p, const struct recipe *r, struct prepared *made, struct diag *diag);

/* One of two inputs; `path` is shown in messages, and its last part may say what was counted. */
struct prepare_input {
    struct profile *profile;
    struct slice path;
};

/*
 * Prepares two inputs as one differential graph, or as a graph of two counters. The recipe chooses
 * the series of `after`; its base is the series of `before` that the recipe chooses or, if it names
 * no event, the one of the same name, or the only one. The result is in `after`.
 */
bool prepare_two(const struct prepare_input *before, const struct prepare_input *after,
                 const struct recipe *r, struct prepared *made, struct diag *diag);

#endif
