/*
 * Names of events, as perf writes them: "cycles:ppp", "block:block_rq_issue", and with the unit of
 * hardware that counts, "cpu_core/cycles/P".
 */
#ifndef PROFILE_EVENT_H
#define PROFILE_EVENT_H

#include <stdbool.h>

#include "base/slice.h"

/* "cpu_core", "cycles" and "P" of "cpu_core/cycles/P". */
struct event_parts {
    struct slice unit, event, modifiers;
};

/*
 * Takes a name apart. Returns false if it names no unit that counts what a core does, or an event
 * by its code, "cpu/event=0x3c/", which means something else in another unit.
 */
bool event_take_apart(struct slice name, struct event_parts *parts);

/* Returns `name` without modifiers: "cycles" of "cycles:ppp", "cpu_core/cycles/" of the above. */
struct slice event_base(struct slice name);

/* Returns the modifiers of a name: "ppp" of "cycles:ppp"; empty if it has none. */
struct slice event_modifiers(struct slice name);

/* Returns `name` without unit and modifiers: "cycles" of both. */
struct slice event_counted(struct slice name);

#endif
