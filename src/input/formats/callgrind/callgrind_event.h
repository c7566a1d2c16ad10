/*
 * The events of callgrind's files, and what they count.
 *
 * Valgrind's tools have a fixed set of short names. Other programs that write
 * the format put the unit behind the name: "Time_(10ns)", "cpu(nanoseconds)".
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALLGRIND_EVENT_H
#define INPUT_FORMATS_CALLGRIND_CALLGRIND_EVENT_H

#include "base/slice.h"
#include "profile/unit.h"

struct callgrind_event {
    struct slice name; /* without the unit */
    struct unit unit;
};

/* `xdebug`: the file is Xdebug's, whose older versions write "Time" and mean microseconds. */
struct callgrind_event callgrind_event(struct slice word, bool xdebug);

#endif
