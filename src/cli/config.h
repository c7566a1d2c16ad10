/*
 * Settings that belong to a set of profiles: flamepress.yml.
 *
 *     title: Week 42
 *     searches:
 *       allocation: ^(malloc|free)$
 *     profiles:
 *       - match: "*.perf"
 *         title: On the processor
 *
 * A top-level key is the long name of an option that may stand in settings
 * (cli/options.h); the command line wins over it. `searches` are named regular
 * expressions. `profiles` is a list of rules; the first whose glob matches a
 * profile's path below the directory sets options for that profile alone.
 *
 * Anything else (an unknown key, a wrong type, a value out of range, a key
 * given twice) is an error with line and column.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "cli/options.h"

/* One option set by a rule; the value has been checked. */
struct setting {
    const struct option_row *row;
    const char *value;
};

struct profile_rule {
    const char *match; /* glob over the path below the directory, '*' stops at no slash */
    VEC(struct setting) settings;
    struct diag_place place;
    struct recipe recipe; /* of the profiles that it matches, from config_finish() on */
};

struct config {
    struct arena memory;
    VEC(struct profile_rule) rules;
};

void config_init(struct config *c);
void config_release(struct config *c);

/*
 * Reads settings text into `c` and, where the command line has not spoken,
 * into `o`. Returns false when something is wrong, all told to `diag`, whose
 * path is the file's.
 */
bool config_read(struct config *c, struct slice text, struct options *o, struct diag *diag);

/*
 * Makes the recipes of the rules, once `o` has all that the command line and the settings say.
 * Returns false after reporting to `diag`, whose path is the file's, options of a rule that do not
 * go together or patterns that are no regular expressions.
 */
bool config_finish(struct config *c, const struct options *o, struct diag *diag);

/*
 * Fills `own` with the options for one profile: a copy of `o` with the first
 * matching rule applied. The report's own title and subtitle are left out.
 * `own` borrows everything from `o` and `c` except its lists; release it with
 * options_release().
 */
void config_options(const struct config *c, const struct options *o, const char *path,
                    struct options *own);

#endif
