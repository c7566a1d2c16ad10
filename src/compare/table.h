/*
 * Tables of functions: the self and total weight of each function of a service in each run, without
 * the stacks. A comparison needs nothing else of a label of a history, and tables are read faster.
 *
 *     # flamepress-functions: version=1
 *     # service: name=orders event=cpu-clock unit=ns decimals=0 exact=no owner=team-orders
 *     # run: weight=2250000000 name=orders.1.perf.gz samples=1125 effective=1125 .hostname=web1
 *     # run: weight=2260000000 name=orders.2.perf.gz samples=1130 effective=1130
 *     main = orders u 0 2250000000 0 2260000000
 *     parse parse.isra.0 orders u 12000000 30000000 0 28000000
 *
 * A file has the services of one label. A line has the name of the function as it is compared
 * (compare/names.h), the name as the profile has it, the module, the class, and self and total
 * weight of each run; "=" repeats the name, or means no module. Classes are u (user), k (kernel),
 * w (waker), h (on-CPU) and c (off-CPU). Lines are in the order of names. Texts have the escapes of
 * base/key_value.h. Facts that all runs share are those of each run.
 */
#ifndef COMPARE_TABLE_H
#define COMPARE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "match/rename.h"
#include "profile/service.h"

struct table_function {
    struct slice key, name, module; /* the module is empty if unknown */
    enum symbol_class class;
};

/* One service of one label. */
struct function_table {
    struct slice service, event, owner;
    struct unit unit;
    unsigned decimals;
    bool exact;
    struct runs runs;      /* without series */
    VEC(uint64_t) weights; /* by run: of all stacks */
    VEC(struct table_function) functions;
    VEC(uint64_t) counts; /* by function, then run: self and total */
};

/* The services of one label. */
struct function_tables {
    struct arena memory;
    struct buf text; /* what was read; texts without escapes are parts of it */
    VEC(struct function_table) items;
};

/* Adds the table of a service. */
void compare_tables_add(struct function_tables *t, const struct service *s);
void compare_tables_release(struct function_tables *t);

/*
 * Returns true if the tables have all runs of the services (the same names, samples, durations,
 * weights, and self weights of functions), and there is at least one run.
 */
bool compare_tables_hold(const struct function_tables *t, const struct service *services,
                         size_t count);

/* Appends the text. */
void compare_tables_write(const struct function_tables *t, struct buf *out);

/*
 * Reads what compare_tables_write() wrote, and takes over `text`. Returns false after appending to
 * `why` what is wrong. Release the tables in either case.
 */
bool compare_tables_read(struct function_tables *t, struct buf *text, struct buf *why);

/*
 * Renames functions by their names in profiles, and adds up functions that get one name. A total is
 * capped at the weight of its run: stacks with several of these functions would count twice.
 */
void compare_tables_rename(struct function_tables *t, const struct rename_list *renames);

/* Returns the self, or with `total` the total weight of a function in a run. */
static inline uint64_t function_table_count(const struct function_table *t, size_t function,
                                            size_t run, bool total)
{
    return t->counts.items[(function * t->runs.count + run) * 2 + total];
}

#endif
