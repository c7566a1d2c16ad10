/*
 * Names of events, as perf writes them: "cycles:ppp", "block:block_rq_issue".
 */
#ifndef PROFILE_EVENT_H
#define PROFILE_EVENT_H

#include "base/slice.h"

/* Returns the part of `name` before the modifiers: "cycles" of "cycles:ppp". */
struct slice event_base(struct slice name);

#endif
