/*
 * Times in traces and profiles of browsers: microseconds, often with decimals.
 *
 * They are kept in nanoseconds, so that differences are exact, and weigh in
 * microseconds. What is finer than a nanosecond comes from doubles and means
 * nothing; it is rounded half up.
 */
#ifndef INPUT_PARSE_TRACE_TIME_H
#define INPUT_PARSE_TRACE_TIME_H

#include "input/parse/json.h"
#include "profile/unit.h"

/*
 * Converts a number of microseconds, or a string that contains one, to nanoseconds. Returns
 * false if the value is neither.
 */
bool trace_time_get(const struct json_value *v, int64_t *ns);

/* The weight of a time that has passed, in trace_time_unit. */
struct decimal trace_time_weight(uint64_t ns);
extern const struct unit trace_time_unit;

#endif
