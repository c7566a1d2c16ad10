/*
 * What GHC's two profiles, text and JSON, have in common: how long a tick is,
 * and where a cost centre stands in the source.
 */
#ifndef INPUT_FORMATS_SCRIPT_GHC_H
#define INPUT_FORMATS_SCRIPT_GHC_H

#include <stdint.h>

#include "input/build/frame.h"
#include "profile/unit.h"

/*
 * The unit of a tick of so many microseconds: time where that is a power of
 * ten, as it is by default, so that weights stay the ticks of the file; else
 * "ticks".
 */
struct unit ghc_tick_unit(uint64_t microseconds);

/* "src/Lib.hs:(14,1)-(15,41)", "app/Main.hs:6:1-11" to file and line; "<built-in>" is neither. */
void ghc_set_source(struct frame *f, struct slice source);

#endif
