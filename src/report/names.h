/*
 * Names graphs after the paths of their inputs.
 *
 * A name is readable, safe on any file system and in any URL (ASCII letters,
 * digits, '.', '_' and '-'; no leading punctuation, no device name of Windows;
 * at most NAMES_MAX_LENGTH bytes), and unique, ignoring case. It never contains
 * '@', so "NAME@2x.png" collides with nothing.
 *
 * The name of an input is its path below the directory without the endings for
 * compression and format: "db/mysql.perf.gz" is "db-mysql". If two inputs would
 * share a name, each keeps its format's ending ("mysql-perf", "mysql-folded"),
 * then also the compression's, and at last gets a hash of its path. Names
 * depend on the set of paths, not on their order.
 */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include <stddef.h>

#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"

enum { NAMES_MAX_LENGTH = 120 };

struct names {
    struct arena memory;
    VEC(struct slice) paths; /* as given */
    VEC(struct slice) stems; /* the name of each path */
    struct intern folded;    /* the stems in lower case */
};

/* Returns the path without the ending of a compression. */
struct slice names_unpacked(struct slice path);

/* Names all inputs of a report. Copies the paths. */
void names_init(struct names *n, const struct slice *paths, size_t count);
void names_release(struct names *n);

/*
 * Fills `out`, which has room for `count`, with the names of the graphs of
 * input `file`. One graph has the input's name; several have the event after
 * it ("mysql-page-faults"). Allocates the texts in `memory`. Threads may share
 * `n`.
 */
void names_graphs(const struct names *n, size_t file, const struct slice *events, size_t count,
                  struct arena *memory, struct slice *out);

#endif
