/*
 * The order of the series of a recording of events, whichever of them happened first: the first
 * series is the one that is drawn if no event is named.
 *
 * If the recording lists its events (struct profile, events), their order is that of the list.
 * Else clocks, cycles and instructions are first, and the others are in the order of their names,
 * those that end something ("block:block_rq_complete") last.
 * Series that are computed from trace points and probes ("off-cpu", "malloc bytes") come before the
 * events that they are computed from.
 */
#ifndef INPUT_BUILD_EVENT_ORDER_H
#define INPUT_BUILD_EVENT_ORDER_H

#include "profile/profile.h"

void event_order_apply(struct profile *p);

/* Orders the series by the names of their events alone. */
void event_order_by_name(struct profile *p);

#endif
