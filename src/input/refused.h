/*
 * Contents that the program knows and does not read, with a hint what to do.
 *
 * They are asked for before any format, so each test holds only if the content
 * cannot be anything else.
 */
#ifndef INPUT_REFUSED_H
#define INPUT_REFUSED_H

#include "input/parse/head.h"

/*
 * What the content is and what to run instead, or NULL: "a recording of perf
 * itself; run: perf script -i FILE | flamepress graph".
 */
const char *refused_hint(const struct head *head);

/*
 * What the content is if it commonly lies beside profiles, as the recorded program does, or NULL.
 * It fails an input only if that was named.
 */
const char *refused_beside(const struct head *head);

/* All these hints, by number from 0; NULL after the last. */
const char *refused_hints(size_t number);

#endif
