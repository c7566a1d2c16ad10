/*
 * Makes the plan that the options ask for: how to read, prepare and draw.
 */
#ifndef OPTIONS_MAKE_H
#define OPTIONS_MAKE_H

#include <stdbool.h>

#include "base/diag.h"
#include "options/options.h"

/*
 * Makes the plan of o->command. The plan borrows the texts and lists of `o`. Returns false after
 * reporting, at `place` in the file that `diag` is about, options that cannot be combined, patterns
 * that are not regular expressions, or a period that ends before it begins. Release the plan with
 * plan_release() in either case.
 */
bool options_make_plan(struct plan *plan, const struct options *o, struct diag_place place,
                       struct diag *diag);

/* Sets `settings` from the options for comparing weeks. */
void options_make_comparison(struct compare_settings *settings, const struct options *o);

#endif
