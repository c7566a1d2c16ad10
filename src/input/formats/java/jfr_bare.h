/*
 * Events of Java Flight Recorder without a stack, whose type is not among those that are samples
 * without one, too: they are in no graph, and are counted.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_BARE_H
#define INPUT_FORMATS_JAVA_JFR_BARE_H

#include "input/build/builder.h"

struct jfr_bare {
    struct intern types;
    VEC(uint64_t) counts; /* by type: events that have no duration */
    uint64_t lasting;     /* events that have one */
    uint32_t first;       /* the type of the first of them */
};

void jfr_bare_release(struct jfr_bare *bare);

/* Counts an event; `lasts` says that it has a duration. Returns true. */
bool jfr_bare_add(struct jfr_bare *bare, struct slice type, bool lasts);

/*
 * Reports the events, after all were read. Those without a duration, of types of which no event has
 * a stack, such as settings, are no samples.
 */
void jfr_bare_end(const struct jfr_bare *bare, const struct builder *b);

#endif
