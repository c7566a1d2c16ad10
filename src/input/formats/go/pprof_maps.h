/*
 * Which file an address belongs to: the memory map that pprof's older formats
 * end with, as text.
 *
 *     MAPPED_LIBRARIES:                       or: --- Memory map: ---
 *     7f5e53883000-7f5e53a31000 r-xp 00001000 fd:01 1234  /lib/libc-2.15.so
 *       00400000-00fcb000: /usr/bin/server
 *     build=/srv/build                        for "$build" in the paths behind it
 */
#ifndef INPUT_FORMATS_GO_PPROF_MAPS_H
#define INPUT_FORMATS_GO_PPROF_MAPS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "input/formats/go/pprof_frame.h"

struct pprof_maps {
    struct arena texts;
    VEC(struct pprof_map) items;
    struct slice build;
};

void pprof_maps_init(struct pprof_maps *m);
void pprof_maps_release(struct pprof_maps *m);

/* Whether the line is the heading of a map. */
bool pprof_maps_begins(struct slice line);
/* Takes a line of the map; what holds no code, or is no such line, is left alone. */
void pprof_maps_add(struct pprof_maps *m, struct slice line);
/* To be called when all lines are there. */
void pprof_maps_sort(struct pprof_maps *m);

/* The map that holds an address, or NULL. */
const struct pprof_map *pprof_maps_find(const struct pprof_maps *m, uint64_t address);

#endif
