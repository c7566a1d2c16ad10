/*
 * From the paths of the command line to one profile and one graph of it: what
 * graph, fold and top have in common.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "profile/profile.h"

/* The reading options that follow from the drawing ones. `annotate` tells classes apart. */
struct input_options load_input_options(const struct options *o, bool annotate);

/* The number of threads to use. */
unsigned load_threads(const struct options *o);

/*
 * Reads all paths (standard input where there is none) and merges them into
 * `p`, which is initialised. What fails is told and counted in `outcome`;
 * returns false where nothing could be read.
 */
bool load_profiles(const struct options *o, bool annotate, struct console *console,
                   struct profile *p, struct outcome *outcome);

/* Makes a pair what --normalize and --negate say; false, told, where that cannot be. */
bool load_pair(const struct options *o, struct profile *p, uint32_t series, struct diag *diag);

/*
 * A differential profile of which only one column is asked for ("base" or
 * "new" as an event) becomes an ordinary one that holds both as series; the
 * pairs that are left go through load_pair().
 */
bool load_pairs(const struct options *o, struct profile *p, struct diag *diag);

/*
 * Reads two inputs, side by side, into one profile and its series `series`,
 * whose base is the first one. Returns false after telling what is wrong.
 */
bool load_two(const struct options *o, struct console *console, struct profile *p, uint32_t *series,
              struct outcome *outcome);

/* Units as the kinds of the series have them; false, told, where weights do not fit. */
bool load_units(const struct options *o, struct console *console, struct profile *p,
                struct outcome *outcome);

/* The same, but that counts stay what was counted: for stacks that other programs read. */
bool load_as_counted(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome);

/* False, told, where --kind asks for a picture of which nothing can be printed. */
bool load_is_text(const struct options *o, struct console *console, struct outcome *outcome);

/*
 * The series that the user asked for: the first one, of the kind where
 * --kind selects, where no event is named (the others are told on stderr), the
 * sum of them where several are. Returns SERIES_NONE after telling what is wrong.
 */
uint32_t load_choose(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome);
/* The same, and what the profile holds is filtered and grouped (cli/shape.h). */
uint32_t load_series(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome);

/*
 * True where --event asks for the series: its event or itself is named, "all"
 * is, or nothing is. "cycles" means "cycles:u" where there is no other.
 */
bool load_wants(const struct options *o, const struct profile *p, const struct series *s);

/* How weights of the series are shown, with --countname and --factor applied. */
struct unit_scale load_scale(const struct options *o, const struct profile *p, uint32_t series);

#endif
