/*
 * Lists the directories in which the loader looks for shared libraries, so that a
 * run in the sandbox can open those that few runs need (text/hb.c).
 */
#ifndef CLI_LIBRARY_PLACES_H
#define CLI_LIBRARY_PLACES_H

#include "base/arena.h"
#include "options/options.h"

/* Appends the places, which need not exist; `memory` owns new paths. */
void library_places_add(struct strings *places, struct arena *memory);

#endif
