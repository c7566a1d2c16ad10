/*
 * Inputs that end early: reports it and counts it in the ledger, so that a report says that
 * something is missing.
 */
#ifndef INPUT_CORE_CUT_OFF_H
#define INPUT_CORE_CUT_OFF_H

#include "base/diag.h"
#include "profile/profile.h"

/*
 * Adds a warning that an input is cut or damaged at a place, or seems to be, and counts it. `x` is
 * a pointer to a struct content, text or builder; the format is a literal.
 */
#define cut_off(x, place, ...)                                                                     \
    (diag_add((x)->diag, DIAG_WARNING, (place), __VA_ARGS__),                                      \
     profile_note((x)->profile, SERIES_NONE, NOTE_INPUT_CUT, 1))

#endif
