/*
 * Reads one input, or several that become one profile.
 *
 * All commands and the library read through here, so several inputs are always merged in one way:
 * added up, under root frames, or as the sides of a hot/cold graph.
 */
#ifndef BATCH_MERGING_H
#define BATCH_MERGING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "compare/align_runs.h"
#include "input/core/options.h"
#include "prepare/recipe.h"

struct merging {
    struct profile *whole;       /* gets all inputs; initialised by the caller */
    const struct recipe *recipe; /* how the inputs are merged */
    size_t count;                /* of the inputs */
    unsigned threads;
    size_t read; /* inputs that were added */
    struct align_runs names;
};

struct merging_input {
    const char *path; /* NULL: `bytes` is the content */
    struct slice bytes;
    const struct input_options *reading;
    const struct recipe *own; /* the recipe of this input, whose kind is lost by merging; or NULL */
    size_t side;              /* in a hot/cold graph, if the input does not state its side */
    struct slice name;        /* of the root frame that the recipe puts below this input, if any */
};

/*
 * Reads an input and adds it. The memory limit of the input includes the inputs added before.
 * Returns false after a message, perhaps only a note, that says why.
 */
bool merging_add(struct merging *m, const struct merging_input *in, struct diag *diag);

/* Gives generated functions one name in all inputs, and releases what was learnt of them. */
void merging_end(struct merging *m);

#endif
