/*
 * The states of threads that --state chooses by.
 *
 * Each system names them in its own way: the scheduler of Linux with a letter,
 * "D" or "R+", Java and Go with a word. A state is chosen by its own name, in
 * either case but for single letters, or by a word for those of Linux:
 * "uninterruptible" is D.
 */
#ifndef INPUT_BUILD_THREAD_STATE_H
#define INPUT_BUILD_THREAD_STATE_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether `wanted`, a value of --state, means the state. */
bool thread_state_is(struct slice state, struct slice wanted);

#endif
