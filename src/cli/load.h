/*
 * Reads the inputs of graph, fold, top and diff, prepares them (prepare/prepare.h) and prints the
 * messages about them.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "profile/profile.h"

/* Returns the options of reading. If `annotate` is set, readers also classify frames. */
struct input_options load_input_options(const struct options *o, bool annotate);

/* Returns the number of threads to use: --threads, or the number of CPUs. */
unsigned load_threads(const struct options *o);

/*
 * Reads all paths, or standard input if there is none, merges them into `p`, which must be
 * initialised, prepares one graph and sets `*series` to it. Returns false after reporting that
 * there is no graph. Counts failures in `outcome`.
 */
bool load_graph(const struct options *o, bool annotate, struct console *console, struct profile *p,
                uint32_t *series, struct outcome *outcome);

/*
 * Reads two paths at the same time and prepares them as one differential graph, whose base is the
 * first path. Results are those of load_graph().
 */
bool load_two(const struct options *o, struct console *console, struct profile *p, uint32_t *series,
              struct outcome *outcome);

/* Returns how to show weights of the series, with --countname and --factor applied. */
static inline struct unit_scale load_scale(const struct options *o, const struct profile *p,
                                           uint32_t series)
{
    return recipe_scale(o->recipe, p, series);
}

#endif
