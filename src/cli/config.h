/*
 * Reads flamepress.yml, the settings of a directory of profiles.
 *
 *     title: Week 42
 *     searches:
 *       allocation: ^(malloc|free)$
 *     profiles:
 *       - match: "*.perf"
 *         title: On the processor
 *
 * A top-level key is the long name of an option whose scope allows it
 * (options/table.h); the command line takes precedence. `searches` are named
 * regular expressions. `profiles` is a list of rules; the first rule whose glob
 * matches a profile's path below the directory sets options for that profile.
 * `services` is a list of rules with the keys match, name, owner and link, which
 * group profiles (batch/grouping.h).
 *
 * `compare` has the options of comparisons with '_' in place of '-', and `rename`, a mapping
 * of regular expressions to texts, as --rename, for names as they are compared. `budgets` is a
 * list of limits: service; function, search or total; max_share in percent; max_growth in points,
 * or in percent for a total.
 * `accepted` is a list of changes that are expected (service, function, until, reason); one that
 * has expired is an error.
 *
 * A settings file found in a directory of profiles may come from somebody
 * else. Its paths must lead below that directory, and it may name no file that is
 * written; the command line and the file named by --config may name any.
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
#include "batch/grouping.h"
#include "batch/plan.h"
#include "compare/comparison.h"
#include "options/table.h"

/* One option set by a rule; the value has been checked. */
struct setting {
    const struct option_row *row;
    const char *value;
};

struct profile_rule {
    const char *match; /* glob over the path below the directory; '*' also matches slashes */
    VEC(struct setting) settings;
    struct diag_place place;
    /* Of the profiles that the rule matches; config_finish() sets them. */
    struct options options;
    struct plan plan;
};

/* A budget as the settings state it; its search is found in config_comparison(). */
struct budget_rule {
    struct compare_budget budget;
    const char *search; /* NULL: of a function or a total */
    struct diag_place place;
};

struct config {
    struct arena memory;
    struct slice text;  /* of the settings file; settings_read() keeps it */
    struct slice today; /* "2026-11-22": what is accepted must not end before; empty: unknown */
    VEC(struct profile_rule) rules;
    struct service_rules services;
    struct rename_list renames;
    struct compare_acceptances accepted;
    VEC(struct budget_rule) budget_rules;
    struct compare_budgets budgets; /* filled by config_comparison() */
    struct codeowners codeowners;   /* settings_read() reads them */
    struct profile_rule others;     /* without settings: profiles that no rule matches */
};

void config_release(struct config *c);

/*
 * Reads settings into `c` and, except options that the command line gives, into
 * `o`. Paths must lead below `directory`, or anywhere if it is NULL. Returns
 * false after reporting errors to `diag`, whose path is the file's.
 */
bool config_read(struct config *c, struct slice text, const char *directory, struct options *o,
                 struct diag *diag);
/* As config_read(), from what yaml_flatten() wrote. */
bool config_read_events(struct config *c, struct slice events, const char *directory,
                        struct options *o, struct diag *diag);

/*
 * Reads entries of a list of the settings ("budgets", "accepted") that options give: mappings
 * without braces. Returns false after reporting errors to `diag`, whose path is the option.
 */
bool config_read_entries(struct config *c, const char *section, const struct strings *entries,
                         struct options *o, struct diag *diag);

/*
 * Makes the plans of the rules, and of profiles that no rule matches, once `o` has all that the
 * command line and the settings say. The report's own title and subtitle are left out. Returns
 * false after reporting to `diag`, whose path is the file's, options of a rule that do not go
 * together or patterns that are no regular expressions. The plans borrow from `o` and `c`.
 */
bool config_finish(struct config *c, const struct options *o, struct diag *diag);

/*
 * Fills `settings` from the settings file; `settings` borrows from `c`. `searches` are the named
 * searches of the report. Returns false after reporting a budget of a search that does not exist.
 */
bool config_comparison(struct config *c, const struct search_list *searches,
                       struct compare_settings *settings, struct diag *diag);

/* The plan for a profile, by its path below the directory: of the first rule that matches. */
const struct plan *config_plan(const struct config *c, const char *path);

#endif
