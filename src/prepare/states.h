/*
 * Makes one function of what differs only in how a virtual machine ran it.
 *
 * Readers of a JVM's or of V8's profiles know whether a function was interpreted, compiled or
 * inlined, and pictures show it by colours. It is the same function nevertheless: it gets the
 * state in which it has most weight, and its frames are merged, as `fold` has them. --jit keeps
 * states apart, as do folded stacks that name them ("_[j]").
 */
#ifndef PREPARE_STATES_H
#define PREPARE_STATES_H

#include "profile/profile.h"

/* Joins symbols of one name whose classes are in p->symbols.states, or which have no class. */
void states_join(struct profile *p);

#endif
