/*
 * Warns of what was recorded otherwise on the two sides: the event and its modifiers, functions of
 * the kernel, the sampling rate, how stacks were unwound, and where they were cut off.
 */
#ifndef COMPARE_RECORDED_H
#define COMPARE_RECORDED_H

#include "compare/trial.h"
#include "compare/warnings.h"

/* Adds a sentence for each such difference. `runs` are those of the trial. */
void recorded_add(struct compared_service *s, const struct sided_run *runs, const struct trial *t,
                  struct arena *memory);

#endif
