/*
 * Writes a comparison as data: flamepress-comparison/1.
 *
 * Shares, changes and intervals are percentages and percentage points with four decimals; p and q
 * are probabilities. What is not known is null. Weights are strings, in the service's unit.
 */
#ifndef REPORT_VERDICTS_JSON_H
#define REPORT_VERDICTS_JSON_H

#include "base/json_writer.h"
#include "compare/comparison.h"

/* Writes the comparison as a value of an object or list that is open, or as the outermost value. */
void verdicts_json_put(struct json_writer *w, const char *key, const struct comparison *c);

/* Appends a file that contains the comparison. */
void verdicts_json_write(const struct comparison *c, struct buf *out);

#endif
