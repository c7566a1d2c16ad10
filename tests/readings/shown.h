/*
 * What a reader makes of a file, as text in parts.
 *
 * Stacks are sorted; "+3" stands for the first three frames of the stack above. Numbers and flags
 * that are 0 or off are left out.
 */
#ifndef READINGS_SHOWN_H
#define READINGS_SHOWN_H

#include "base/buf.h"
#include "input/core/options.h"

/* Facts and series; their stacks; their moments; what is known of symbols; messages. */
enum part { ABOUT, STACKS, MOMENTS, SYMBOLS, MESSAGES, PARTS };

/* Ways to read: plain, annotated, split, waking, chosen. */
enum { WAYS = 5 };

/* Returns the name of a way. */
const char *show_way(unsigned way);

/* Returns tight limits, of which one is met by most files: which, and how tight, `number` says. */
struct input_limits show_limits(unsigned number);

/*
 * Reads a file, or `bytes` if `path` is NULL, and appends to each part. Takes the default limits if
 * `limits` is NULL. Ends the program if the reading contradicts itself.
 */
void show_reading(const char *path, struct slice bytes, unsigned way,
                  const struct input_limits *limits, struct buf parts[PARTS]);

#endif
