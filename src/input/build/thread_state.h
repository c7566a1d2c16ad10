/*
 * The states of threads that --state selects by.
 *
 * Each system names states in its own way: the Linux scheduler by a letter, "D" or "R+",
 * Java and Go by a word. A state is selected by its own name (case matters only for single
 * letters) or by the word for a Linux state: "uninterruptible" is D.
 */
#ifndef INPUT_BUILD_THREAD_STATE_H
#define INPUT_BUILD_THREAD_STATE_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether `wanted`, a value of --state, means the state. */
bool thread_state_is(struct slice state, struct slice wanted);

#endif
