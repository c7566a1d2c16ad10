/*
 * A profile: the content of one input, independent of its format.
 *
 * Readers add frames and samples; all other code reads them. A profile has
 * symbols, stacks, and one or more series. A series is an event, a counter, a
 * sample type or a map, and becomes a graph. It keeps one entry per distinct
 * stack, so the cost of later stages depends on stacks, not on samples.
 *
 * Weights are exact integers: a uint64_t counts units of 10^-decimals of the
 * series' unit. `decimals` is one number for the whole profile; it is 0 at first
 * and rises when a reader adds a fraction. Sums are checked: a function that
 * would make a total exceed 64 bits fails.
 *
 * The profile owns all its data. One thread fills a profile; profile_merge()
 * joins profiles that several threads filled.
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
#include "profile/timed_sample.h"
#include "profile/stack.h"
#include "profile/reported.h"
#include "profile/symbol.h"
#include "profile/unit.h"

#define SERIES_NONE UINT32_MAX

struct series {
    struct slice name;  /* unique: the event, then any thread, CPU, ... that it was split by */
    struct slice event; /* the event's name: "cycles", "page-faults" */
    struct slice kind;  /* of graph (prepare/kind.h), if the input states it; else empty */
    struct unit unit;
    uint64_t each;      /* weights are counts times this number; 0 if they are as read */
    struct unit things; /* the unit of these counts, if `each` is not 0 */
    uint32_t base;      /* in a differential graph the base series; else SERIES_NONE */
    bool before;        /* this is the base of another series and not a graph of its own */
    uint8_t pair;       /* what the base measures: enum pair_kind of profile/pair.h */
    bool of_samples;    /* one of two counters: counts samples whose periods are not known */
    bool uncounted; /* records are sums of samples, or parts of calls: their number says nothing */
    struct slice records; /* what the records are, if not samples: "waits"; profile_records() */
    bool unitless;        /* the input does not say what the weights count */
    uint32_t column;      /* its place among the columns of a pprof profile, from 1; else 0 */
    uint32_t *stack;      /* distinct stacks, in the order in which they were first added */
    uint64_t *weight;     /* by entry of `stack`, in units of 10^-decimals */
    uint32_t count, cap;
    uint32_t *slots; /* hash index from stack to entry over the entries below `indexed` */
    uint32_t mask, indexed;
    uint64_t key;                 /* of the hashes in `slots` */
    uint32_t highest;             /* the highest stack id with an entry: a higher one is new */
    uint64_t total;               /* sum of all weights */
    unsigned __int128 squares;    /* sum of the squares of the weights of all samples */
    uint64_t latest;              /* the weight added last, for profile_count() */
    uint64_t unscaled;            /* the total without pair_normalize(); 0 if it was not called */
    struct slice input;           /* in a pair of two inputs, the name of this side's; else empty */
    uint64_t samples;             /* records read: raw samples for perf */
    uint64_t without_frames;      /* samples without a stack; the profile's ledger has them, too */
    uint64_t truncated;           /* samples with a cut stack; the profile's ledger has them, too */
    uint64_t notes[LEDGER_NOTES]; /* of this series; the profile's ledger does not have them */
    uint64_t first_ns, last_ns;   /* the range of time stamps; first > last if there are none */
    VEC(struct removal) removals;
    struct reported reported;   /* totals of functions by the input, where stacks are estimated */
    struct timed_samples timed; /* empty unless the profile has keep_timed */
};

/* A statement of the input about the recording: "host", "command", "captured on". */
struct fact {
    struct slice key, value;
};

/* A sample for each `count` units of what is measured: 10000000 nanoseconds of cpu. */
struct sampling_period {
    uint64_t count; /* 0 if it is not known */
    struct slice of, unit;
};

/* One recording of a program, and its facts. */
struct run {
    struct slice name; /* of the file, without the directories that all runs share */
    uint32_t series;
    uint64_t samples;     /* 0 if the number is unknown */
    double effective;     /* samples of equal weight that know as much; 0 if `samples` is unknown */
    uint64_t duration_ns; /* 0 if it is unknown */
    uint64_t lost;        /* events that the profiler reports as lost */
    VEC(struct fact) facts;
};

struct runs VEC_OF(struct run);

struct profile {
    struct arena strings;
    struct symbols symbols;
    struct stacks stacks;
    VEC(struct series) series;
    struct map series_index;  /* by name */
    VEC(struct slice) events; /* as the input lists them, up to a limit; empty if it does not */
    VEC(struct fact) facts;
    struct runs runs;  /* that the input consists of; empty if it is one run */
    unsigned decimals; /* weights are in units of 10^-decimals */
    uint32_t inputs;   /* the number of inputs merged; 0 if nothing was merged */
    struct read_ledger ledger;
    bool has_processes, has_threads, has_cpus; /* samples name their process, thread, CPU */
    bool has_cgroups;                          /* samples name their control group */
    bool has_states;                           /* samples have the state of their thread */
    bool has_tags;                             /* samples may have labels */
    bool has_split_tag;                        /* samples have the label that splits them */
    bool exact;           /* weights count all events; false if the format's name says so */
    bool keep_timed;      /* keep each sample (profile/timed_sample.h) */
    bool in_order;        /* samples were read in the order of time, even those without a time */
    bool counted;         /* the input states the number of samples of each series */
    uint64_t duration_ns; /* of the recording, if a file beside the input states it; else 0 */
    uint64_t captured_ns; /* the time of the recording, if a field states it; else 0 */
    struct sampling_period period; /* if fields state it */
    uint64_t start_ns;             /* the first time before period_select() removed any; else 0 */
    const char *format;            /* the reader's name: "folded", "perf-script" */
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* Returns about how many bytes the stacks of a profile and their weights take, without indexes. */
size_t profile_memory(const struct profile *p);

/* Returns the index of the series `name`, which is added with `unit` if it is new. */
uint32_t profile_series(struct profile *p, struct slice name, struct unit unit);
/* Returns the series `name` as profile_series() does; a new one measures `event`. */
uint32_t profile_series_of(struct profile *p, struct slice name, struct slice event,
                           struct unit unit);
/* Adds the series `before` and `name` as a pair if they are new. Returns the id of `name`. */
uint32_t profile_series_pair(struct profile *p, struct slice before, struct slice name,
                             struct unit unit);
/* Renames a series. The caller ensures that `name` is unique. */
void profile_rename_series(struct profile *p, uint32_t series, struct slice name);
/* Removes all samples of a series, which makes no graph from then on. */
void profile_empty_series(struct profile *p, uint32_t series);
/* Returns the id of the series `name`, or SERIES_NONE. */
uint32_t profile_find_series(const struct profile *p, struct slice name);

/*
 * Adds a sample to a stack of a series and counts it in `samples`; `weight` is in
 * units of 10^-decimals. Returns false and changes nothing if the total of the
 * series would exceed 64 bits.
 */
bool profile_add(struct profile *p, uint32_t series, uint32_t stack, uint64_t weight);
/*
 * Adds a sample whose weight has its own number of decimals. Rescales the whole
 * profile if the weight has more decimals than the profile. Returns false if
 * any total would exceed 64 bits.
 */
bool profile_add_decimal(struct profile *p, uint32_t series, uint32_t stack, struct decimal weight);

/*
 * Rescales all weights to at least `decimals` decimals. Returns false and
 * changes nothing if a total would exceed 64 bits.
 */
bool profile_rescale(struct profile *p, unsigned decimals);

/*
 * Returns the number of samples of a series; 0 if it is not known because the records of the input
 * are sums of samples or parts of calls, or because stacks are estimated.
 */
uint64_t profile_samples(const struct profile *p, uint32_t series);
/* Returns what profile_samples() counts, for messages: "samples", "threads", "waits", "events". */
struct slice profile_records(const struct profile *p, uint32_t series);
/*
 * Appends " in 12 dumps" for threads that several dumps show, as the fact "dumps" of the input
 * says. Appends nothing if the number is not known, as for merged inputs.
 */
void profile_add_dumps(const struct profile *p, uint32_t series, struct buf *out);
/* Says what the records of a series are. Does nothing if there is no such series. */
void profile_call_records(struct profile *p, uint32_t series, struct slice noun);
/* Says that the records of a series are parts of calls. Does nothing if there is no such series. */
void profile_uncount(struct profile *p, uint32_t series);
/* Combines what the records of two series are when `from` is added to `to`. */
void profile_join_records(struct profile *p, struct series *to, const struct series *from);
/*
 * Returns how many samples of equal weight know as much as the samples of a series: (sum w)^2 /
 * sum w^2 (Kish, Survey Sampling, 1965). Returns 0 if profile_samples() does.
 */
double profile_effective_samples(const struct profile *p, uint32_t series);

/*
 * Returns the weight of a sample, or, if samples differ, sum w^2 / sum w: the variance of a weight
 * over the weight, if samples are random. Filters do not change it. Returns 0 if the input has no
 * samples, or only sums of them.
 */
double profile_sample_weight(const struct profile *p, uint32_t series);

/* Counts `more` samples whose weight is part of the weight that was added last. */
void profile_count(struct profile *p, uint32_t series, uint64_t more);

/* Counts `count` samples of a series that have no stack. */
static inline void profile_note_without_frames(struct profile *p, uint32_t series, uint64_t count)
{
    p->ledger.without_frames += count;
    p->ledger.without_frames_of_series += count;
    p->series.items[series].without_frames += count;
}

/* Counts `count` samples of a series whose stacks are cut and are in the ledger already. */
static inline void profile_note_truncated(struct profile *p, uint32_t series, uint64_t count)
{
    p->ledger.truncated_of_series += count;
    p->series.items[series].truncated += count;
}

/* Counts `count` records for a series, or for the input if `series` is SERIES_NONE. */
static inline void profile_note(struct profile *p, uint32_t series, enum ledger_note note,
                                uint64_t count)
{
    uint64_t *notes = series == SERIES_NONE ? p->ledger.notes : p->series.items[series].notes;

    notes[note] += count;
}

/* Sets the time of the sample that is added next and widens first_ns and last_ns to include it. */
void profile_add_time(struct profile *p, uint32_t series, uint64_t ns);
/* Sets the time of the timed sample that is added next; leaves first_ns and last_ns unchanged. */
void profile_set_time(struct profile *p, uint32_t series, uint64_t ns);
/* Adds a span (profile/timed_sample.h) of `ns` nanoseconds as profile_add() does. */
bool profile_add_span(struct profile *p, uint32_t series, uint32_t stack, uint64_t since_ns,
                      uint64_t ns);

/* Puts the series in an order: its ids from before, each once. No series may be paired. */
void profile_arrange_series(struct profile *p, const uint32_t *order);

/*
 * Sorts the series by `rank`, which returns 0 to 64; series of equal rank keep
 * their order. Earlier series ids become invalid. No series may be paired.
 */
void profile_order_series(struct profile *p, unsigned (*rank)(const struct series *s));

/* Adds an event to the list of the input's events, if it is new and the list has room. */
void profile_list_event(struct profile *p, struct slice name);

/* The message if weights cannot be added up, in profile_add() or a reader's own sums. */
#define PROFILE_TOO_HEAVY "the sum of the weights does not fit in 64 bits"

/* Adds a fact; copies both texts. An existing key keeps its first value. */
void profile_add_fact(struct profile *p, struct slice key, struct slice value);
/* Adds a fact whose value is printed. */
void profile_print_fact(struct profile *p, struct slice key, const char *format, ...)
    DIE_PRINTF(3, 4);
/* Adds a fact, or replaces its value; copies both texts. */
void profile_set_fact(struct profile *p, struct slice key, struct slice value);
/* Returns the value of the fact `key`, or an empty slice. */
struct slice profile_fact(const struct profile *p, struct slice key);

/*
 * Adds the symbols, stacks, series (by name), facts and ledger of `from` to `p`, not its runs.
 * If an input is read in parts and these are merged in order, the result does
 * not depend on where the input was split. Returns false and leaves `p`
 * unchanged if a total would exceed 64 bits. The caller ensures that the two
 * profiles together have at most STACKS_MOST stacks.
 */
bool profile_merge(struct profile *p, const struct profile *from);

void profile_release_runs(struct runs *runs);
/* Adds the facts that all the runs share. */
void profile_share_facts(struct profile *p, const struct runs *runs);

/* True if the weights count all events, by the input's own word or by its format. */
bool profile_is_exact(const struct profile *p);

/* True if the stacks are estimated: the file has calls, not stacks. */
static inline bool profile_is_estimated(const struct profile *p)
{
    return profile_fact(p, SLICE("estimated")).len > 0;
}

#endif
