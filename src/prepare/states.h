/*
 * Joins the states of a function: interpreted, compiled and inlined by a virtual machine.
 *
 * Readers of a JVM's or of V8's profiles know whether a function was interpreted, compiled or
 * inlined, and pictures show it by colours. All its frames get the state in which the function
 * has most weight, so that they are merged, as `fold` merges them. --jit keeps states apart, and so
 * do folded stacks that name states ("_[j]").
 */
#ifndef PREPARE_STATES_H
#define PREPARE_STATES_H

#include "profile/profile.h"

/* Joins symbols of one name whose classes are in p->symbols.states, or which have no class. */
void states_join(struct profile *p);

#endif
