/*
 * Calendar dates in texts: "2026-11-21". As texts such dates are in the order of time.
 */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <stdbool.h>

#include "base/slice.h"

/* Returns true if `text` is a day that exists, of the form YYYY-MM-DD. */
bool date_is_day(struct slice text);

/*
 * Returns the day that `text` begins with, "2026-11-21" of "2026-11-21T06:00" or of
 * "2026-11-21 06:00", or an empty slice.
 */
struct slice date_day(struct slice text);

#endif
