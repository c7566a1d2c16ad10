/*
 * Events of hybrid processors. A processor with cores of several kinds has a counting unit for each
 * kind, and perf names one event after each: "cpu_core/cycles/P" and "cpu_atom/cycles/P". They are
 * one event, and their sum is the graph that is drawn.
 */
#ifndef PREPARE_HYBRID_H
#define PREPARE_HYBRID_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Adds up the series of one event that several kinds of cores counted, and reports each sum. It is
 * called "cycles", and "cycles:u" if the modifiers say more than how exact the addresses are. An
 * event that the input lists for several kinds is called so even if one kind alone has samples, so
 * that runs of a program are of one event wherever it ran. The series of an event stay apart if the
 * recipe names one of them. Returns false after reporting that a sum does not fit in 64 bits.
 */
bool hybrid_join(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
