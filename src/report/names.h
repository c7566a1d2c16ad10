/*
 * Names of graphs, from the paths of their inputs.
 *
 * A name is readable, safe on any file system and in any URL (ASCII letters,
 * digits, '.', '_' and '-'; no leading punctuation, no device names of Windows;
 * at most NAMES_MAX_LENGTH bytes), and unique without regard to case. It never
 * holds '@', so "NAME@2x.png" collides with nothing.
 *
 * The name of an input is its path below the directory without the endings
 * that say how it was packed and made: "db/mysql.perf.gz" is "db-mysql". Where
 * two inputs would share a name, each gets its ending back ("mysql-perf",
 * "mysql-folded"), where that is not enough the packing's too, and at last a
 * hash of its path.
 * Names depend on the set of paths, not on their order.
 */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

enum { NAMES_MAX_LENGTH = 120 };

struct names {
    struct arena memory;
    VEC(struct slice) paths; /* as given */
    VEC(struct slice) stems; /* the name of each */
};

/* Names for all inputs of a report. The paths are copied. */
void names_init(struct names *n, const struct slice *paths, size_t count);
void names_release(struct names *n);

/*
 * The names of the graphs of input `file`: its own where there is one graph,
 * else with each graph's event behind it ("mysql-page-faults"). `out` has room
 * for `count`; the texts are allocated in `memory`. Threads may share `n`.
 */
void names_graphs(const struct names *n, size_t file, const struct slice *events, size_t count,
                  struct arena *memory, struct slice *out);

#endif
