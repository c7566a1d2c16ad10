/*
 * The filtering and grouping options, applied to a profile that was read.
 */
#ifndef CLI_SHAPE_H
#define CLI_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "profile/profile.h"

/*
 * Applies them to all series. Patterns that match nothing are told as
 * warnings; false, told, where the profile cannot be grouped.
 */
bool shape_profile(const struct options *o, struct profile *p, struct diag *diag);

/* Whether the options left nothing of a series that had weight; a note tells which did. */
bool shape_is_empty(const struct profile *p, uint32_t series, struct diag *diag);

/* Both for the one series of a command: told on the console; false where there is no graph. */
bool shape_series(const struct options *o, struct console *console, struct profile *p,
                  uint32_t series, struct outcome *outcome);

#endif
