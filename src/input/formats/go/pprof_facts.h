/*
 * What pprof's profiles, in all their forms, say about themselves.
 */
#ifndef INPUT_FORMATS_GO_PPROF_FACTS_H
#define INPUT_FORMATS_GO_PPROF_FACTS_H

#include <stdint.h>

#include "base/slice.h"
#include "profile/profile.h"

/* A fact whose value may be any bytes; none where it is empty. */
void pprof_facts_add(struct profile *p, const char *key, struct slice value);

/* "0.01 s of cpu", the amount between two samples; `of` may be empty. */
void pprof_facts_period(struct profile *p, uint64_t period, struct slice unit, struct slice of);

/* All series are of that time, in nanoseconds. */
void pprof_facts_times(struct profile *p, uint64_t start, uint64_t duration);

#endif
