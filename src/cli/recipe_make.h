/*
 * Makes a recipe from the options.
 */
#ifndef CLI_RECIPE_MAKE_H
#define CLI_RECIPE_MAKE_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "prepare/recipe.h"

/*
 * Makes the recipe of `command`; it borrows the texts of `o`. Returns false after reporting, at
 * `place` in the file that `diag` is about, a pattern that is not a regular expression or a period
 * that ends before it begins. Release the recipe in either case.
 */
bool recipe_make(struct recipe *r, const struct options *o, enum command_id command,
                 struct diag_place place, struct diag *diag);

/*
 * Adds the named searches, which all graphs of a run share. Returns false after reporting searches
 * that are not regular expressions.
 */
bool recipe_make_searches(struct recipe *r, const struct options *o, struct diag *diag);

#endif
