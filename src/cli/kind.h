/*
 * What a graph is of: time on the CPU, off it, memory, locks, ...
 *
 * A kind is a row of one table: what the picture is called, which palette it
 * has, what its weights are where the input does not say. It is recognised
 * from the format, the event and the unit of a series, or named by --kind;
 * what the user sets by other options wins over what a kind sets. A new kind
 * is a row, and a row for each way of recognising it.
 */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"
#include "cli/options.h"
#include "profile/profile.h"

struct kind {
    const char *name;    /* as --kind has it */
    const char *title;   /* of the picture, before " Flame Graph"; empty for nothing */
    const char *palette; /* layout/palette.h */
    const char *unit;    /* of weights that are mere samples; NULL leaves them so */
    const char *about;   /* one line */
    uint64_t each;       /* bytes behind each thing that was counted, 0 where that means nothing */
    bool waits;          /* its threads are off the CPU: waiting is what it shows */
};

/* The table, ended by a row without a name; the first row is that of no special kind. */
extern const struct kind kinds[];

/* The kind of that name, or NULL. */
const struct kind *kind_find(struct slice name);

/* Whether there is one of that name; else `why` gets the names there are. */
bool kind_check(const char *name, struct buf *why);

/* What a series is by itself; the first row where nothing is recognised. */
const struct kind *kind_recognise(const struct profile *p, uint32_t series);

/* Whether --kind asks for a heat map (layout/heat.h) in place of a flame graph. */
bool kind_is_heatmap(const struct options *o);

/* Whether --kind asks for a graph of two counters (cli/counters.h). */
bool kind_joins_counters(const struct options *o);

/* What it is drawn as: two counters, or what --kind says, or what is recognised. */
const struct kind *kind_of(const struct options *o, const struct profile *p, uint32_t series);

/*
 * Whether some series of the input is recognised as the kind that --kind
 * names: then these are meant and no others, else it is the kind of all.
 */
bool kind_selects(const struct options *o, const struct profile *p);

/* Whether the input has what --kind needs; false, told, where not. Comes before the next. */
bool kind_check_input(const struct options *o, const struct profile *p, struct diag *diag);

/*
 * Checks that, and gives series the units of their kinds, where the input has not said them and
 * the user has not (--countname). False, told, where weights in the new unit
 * do not fit in 64 bits, or the input lacks what --kind needs.
 */
bool kind_apply(const struct options *o, struct profile *p, struct diag *diag);

/* "Off-CPU Time Flame Graph", or "... Icicle Graph" where the options invert it. */
struct slice kind_title(const struct kind *k, const struct options *o, bool differential,
                        struct arena *memory);

#endif
