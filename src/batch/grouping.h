/*
 * Groups inputs into services by their paths.
 *
 * Files of one directory are runs of one service if their names, without the ending of a
 * compression, differ in one number or date only: "orders.1.perf.gz" and "orders.2.perf". The host
 * after '@' ("orders@web3.perf") never separates runs. A number stands alone between '.', '-', '_',
 * '@' and the ends of the name, perhaps after "run": the numbers of "http2", "v2" and "x86_64"
 * belong to a word, and those of "1.2.3" to a version. If a name has several numbers, its run is
 * the number in which it differs from the most other names, or the last such number.
 *
 * Rules of the settings come first: all files that match a rule with a name are one service.
 *
 * Whether the files of a group can be added up (format, event, unit) is decided when they are read.
 */
#ifndef BATCH_GROUPING_H
#define BATCH_GROUPING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"
#include "report/names.h"

/* A rule of the settings. Members that it does not set are empty. */
struct service_rule {
    const char *match; /* glob over the path below the directory; '*' also matches slashes */
    struct slice name, owner, link;
    struct diag_place place;
};

struct service_rules VEC_OF(struct service_rule);

struct group {
    /* The path without the numbers of runs, "db/orders.perf.gz". It is unique. */
    struct slice path;
    struct slice name;        /* by a rule; or empty */
    struct slice owner, link; /* by a rule; or empty */
    VEC(size_t) members;      /* indices of the paths, in their order */
};

struct grouping {
    struct arena memory;
    VEC(struct group) items; /* in the order of their first members */
};

/*
 * Groups the paths. Paths, which end in NUL, and rules must outlive the grouping. If `each` is set,
 * every path is a group of its own, with its own name; rules then only set owners and links.
 */
void grouping_init(struct grouping *g, const struct slice *paths, size_t count,
                   const struct service_rules *rules, bool each);
void grouping_release(struct grouping *g);

/* Names services after their groups: by a rule, or "db-orders" of "db/orders.1.perf.gz". */
void grouping_names(const struct grouping *g, struct names *names);

/* Returns the host that the file's name gives after '@', or an empty slice. */
struct slice grouping_host(struct slice path);
/* Returns the date in the file's name, as it is written there, or an empty slice. */
struct slice grouping_date(struct slice path);

#endif
