/*
 * A profile: what one input holds, whatever its format was.
 *
 * Readers push frames and samples into it; everything else reads it. It holds
 * the symbols, the stacks, and one or more series: an event, a counter, a
 * sample type or a map, each of which becomes a graph. A series keeps one
 * entry per distinct stack, so what follows costs by these, not by samples.
 *
 * Weights are exact: uint64_t in the series' unit times 10^decimals, the
 * power being one for the whole profile. It starts at 0 and rises when a
 * reader meets a fraction. Sums are checked; a profile whose weights do not
 * fit in 64 bits is refused by name.
 *
 * The profile owns everything it refers to. It is filled by one thread;
 * profile_merge() joins what several threads read.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/num.h"
#include "base/vec.h"
#include "profile/ledger.h"
#include "profile/moment.h"
#include "profile/stack.h"
#include "profile/symbol.h"
#include "profile/unit.h"

#define SERIES_NONE UINT32_MAX

struct series {
    struct slice name;  /* unique: the event, and what it was split by; empty for the only one */
    struct slice event; /* the event's name: "cycles", "page-faults" */
    struct unit unit;
    uint32_t base;    /* of a differential graph: the series before; else SERIES_NONE */
    bool before;      /* is the base of another series and not a graph of its own */
    uint8_t pair;     /* what that base is: enum pair_kind of profile/pair.h */
    uint32_t *stack;  /* distinct stacks, in the order of first sight */
    uint64_t *weight; /* of each, in units of 10^-decimals */
    uint32_t count, cap;
    uint32_t *slots; /* hash index from stack to entry over the entries below `indexed` */
    uint32_t mask, indexed;
    uint64_t key;               /* of the hashes in `slots` */
    uint32_t highest;           /* the highest stack id with an entry: a higher one is new */
    uint64_t total;             /* sum of all weights */
    uint64_t unscaled;          /* what that was before it was scaled (profile/pair.h); else 0 */
    uint64_t samples;           /* records read: raw samples for perf, lines for folded stacks */
    uint64_t first_ns, last_ns; /* time stamps met; first > last where there are none */
    VEC(struct removal) removals;
    struct moments moments; /* where the profile keeps them */
};

/* Something the input says about itself: "host", "command", "captured on". */
struct fact {
    struct slice key, value;
};

struct profile {
    struct arena strings;
    struct symbols symbols;
    struct stacks stacks;
    VEC(struct series) series;
    struct map series_index; /* by name */
    VEC(struct fact) facts;
    unsigned decimals; /* weights are in units of 10^-decimals */
    uint32_t inputs;   /* that were merged into it; 0 where it is one alone */
    struct read_ledger ledger;
    bool has_processes, has_threads, has_cpus; /* samples say whose they are */
    bool has_states;                           /* and what their threads were doing */
    bool keep_moments;  /* the samples, one by one, for what shows them in time */
    bool in_order;      /* they are in the order of time, also those without times */
    uint64_t start_ns;  /* the first time of all, once parts were taken out */
    const char *format; /* the reader's name: "folded", "perf-script" */
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* The series called `name`, added with that unit if it is new. The id is its index. */
uint32_t profile_series(struct profile *p, struct slice name, struct unit unit);
/* The same where the name is not the event's alone. */
uint32_t profile_series_of(struct profile *p, struct slice name, struct slice event,
                           struct unit unit);
/* The same for the new series of a differential graph, whose base is called `before`. */
uint32_t profile_series_pair(struct profile *p, struct slice before, struct slice name,
                             struct unit unit);
/* Calls a series otherwise; the caller sees to it that the name is unique. */
void profile_rename_series(struct profile *p, uint32_t series, struct slice name);
/* The id of a series, or SERIES_NONE. */
uint32_t profile_find_series(const struct profile *p, struct slice name);

/*
 * Adds a sample's weight, already in units of 10^-decimals, to a stack of a
 * series, and counts it as one more of the series' `samples`. Returns false,
 * changing nothing, where the series' total would leave 64 bits.
 */
bool profile_add(struct profile *p, uint32_t series, uint32_t stack, uint64_t weight);
/*
 * The same for a weight with its own number of decimals; rescales the whole
 * profile when it has more than the profile so far. False also where that
 * rescaling, of this series or another, would leave 64 bits.
 */
bool profile_add_decimal(struct profile *p, uint32_t series, uint32_t stack, struct decimal weight);

/*
 * Makes weights finer, so that they have at least this many decimals. Returns
 * false, changing nothing, where a total would leave 64 bits.
 */
bool profile_rescale(struct profile *p, unsigned decimals);

/* Widens first_ns and last_ns to take in the time of a sample, which is added next. */
void profile_add_time(struct profile *p, uint32_t series, uint64_t ns);
/* The same for the moment alone that is kept of it, which widens nothing. */
void profile_add_moment(struct profile *p, uint32_t series, uint64_t ns);

/*
 * Puts the series in the order of what `rank`, 0 and up, says of each, those of
 * one rank staying as they are. Ids given out before are void; no series may be a pair.
 */
void profile_order_series(struct profile *p, unsigned (*rank)(const struct series *s));

/* Copies both texts. A key that is there already keeps its first value. */
void profile_add_fact(struct profile *p, struct slice key, struct slice value);
/* The value of a fact, or an empty slice. */
struct slice profile_fact(const struct profile *p, struct slice key);

/*
 * Adds everything of `from`, which is left as it was: symbols, stacks, series
 * by name, facts, ledger. The result does not depend on how the samples were
 * spread over the two as long as the order of the parts is kept. Returns false,
 * leaving `p` as it was, where a total would leave 64 bits; the caller sees to
 * it that the stacks of both together stay within STACKS_MOST.
 */
bool profile_merge(struct profile *p, const struct profile *from);

#endif
