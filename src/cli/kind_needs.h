/*
 * What a kind of graph needs of an input, and whether the input has it.
 *
 * --kind says what the input does not. Where the input says itself what its
 * events are, and none is what the kind is of, the two contradict each other.
 */
#ifndef CLI_KIND_NEEDS_H
#define CLI_KIND_NEEDS_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "profile/profile.h"

/* False, told with what is missing and what there is, where --kind names what the input has not. */
bool kind_needs_check(const struct options *o, const struct profile *p, struct diag *diag);

/* False, told, where --kind asks for a picture that has no stacks which could be printed. */
bool kind_needs_no_picture(const struct options *o, struct diag *diag);

#endif
