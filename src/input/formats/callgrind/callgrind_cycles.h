/*
 * The cycles that a run under callgrind would have taken, estimated from what
 * its simulation counted, as one more event.
 *
 * The estimate is the one that KCachegrind shows as "CEst" (GlobalConfig::knownFormula in
 * its libcore): a cycle for each instruction, 10 more for each branch that was
 * mispredicted and each miss of a first-level cache, 20 for each global bus
 * event, 100 for each miss of the second or last level.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALLGRIND_CYCLES_H
#define INPUT_FORMATS_CALLGRIND_CALLGRIND_CYCLES_H

#include "input/formats/callgrind/callgrind_file.h"

/* What the event is called. */
#define CALLGRIND_CYCLES "estimated cycles"

/*
 * Adds the event where the file has instructions and misses to make it of. Warns, and adds
 * nothing, where costs do not fit.
 */
void callgrind_cycles_add(struct callgrind_file *f, struct text *t);

#endif
