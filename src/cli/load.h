/*
 * From the paths of the command line to one profile and one graph of it, for graph, fold, top and
 * diff: reads the inputs, prepares them (prepare/prepare.h) and prints what came of it.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "profile/profile.h"

/* The reading options that follow from the others. `annotate` tells classes apart. */
struct input_options load_input_options(const struct options *o, bool annotate);

/* The number of threads to use. */
unsigned load_threads(const struct options *o);

/*
 * Reads all paths, standard input if there is none, merges them into `p`, which is initialised, and
 * prepares the graph `*series`. Returns false after reporting that there is none; failures are
 * counted in `outcome`.
 */
bool load_graph(const struct options *o, bool annotate, struct console *console, struct profile *p,
                uint32_t *series, struct outcome *outcome);

/* Likewise for two paths, side by side, as one differential graph whose base is the first one. */
bool load_two(const struct options *o, struct console *console, struct profile *p, uint32_t *series,
              struct outcome *outcome);

/* How weights of the series are shown, with --countname and --factor applied. */
static inline struct unit_scale load_scale(const struct options *o, const struct profile *p,
                                           uint32_t series)
{
    return recipe_scale(o->recipe, p, series);
}

#endif
