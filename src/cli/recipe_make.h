/*
 * The recipe that the options ask for.
 */
#ifndef CLI_RECIPE_MAKE_H
#define CLI_RECIPE_MAKE_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "prepare/recipe.h"

/*
 * Makes the recipe of `command`; its texts are those of `o`. Returns false after reporting, at
 * `place` in the file that `diag` is about, what is wrong: a pattern that is no regular expression,
 * a period that ends before it begins. The recipe is to be released in either case.
 */
bool recipe_make(struct recipe *r, const struct options *o, enum command_id command,
                 struct diag_place place, struct diag *diag);

/*
 * Adds the named searches, which all graphs of a run share. Returns false after reporting those
 * that are no regular expressions.
 */
bool recipe_make_searches(struct recipe *r, const struct options *o, struct diag *diag);

#endif
