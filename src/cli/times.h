/*
 * The options that look at samples in time: --from, --to, --flamechart and the heat map.
 */
#ifndef CLI_TIMES_H
#define CLI_TIMES_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "profile/profile.h"

/* Whether reading must keep the samples one by one. */
bool times_are_wanted(const struct options *o);

/* False, told, where --from is behind --to. */
bool times_check(const struct options *o, struct diag *diag);

/*
 * Brings a profile's samples into the order of time and leaves those from --from to --to. False,
 * told, where the input has no times, or none of them is in between.
 */
bool times_apply(const struct options *o, struct profile *p, struct diag *diag);

#endif
