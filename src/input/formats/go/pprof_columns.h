/*
 * The values of a sample, a column for each type: "samples/count cpu/nanoseconds".
 *
 * Every type becomes a series. The one that a profile names as its default
 * comes first; where it names none, the last one does, as pprof shows it. A
 * value of 0 says that the sample is none of that type and is left out; a
 * negative one, as differences of profiles have them, makes a series a pair.
 */
#ifndef INPUT_FORMATS_GO_PPROF_COLUMNS_H
#define INPUT_FORMATS_GO_PPROF_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "input/build/builder.h"

struct pprof_column {
    struct slice name; /* of the series' event, different for each column */
    struct unit unit;
    uint32_t series; /* of samples of nobody in particular; SERIES_NONE with --split */
};

/* A value that waits for its stack. */
struct pprof_value {
    uint32_t path; /* index among those that wait */
    uint32_t series;
    int64_t value; /* of all samples together */
    uint64_t samples;
};

/* A stack that is known by a text of the input. */
struct pprof_known {
    struct slice text; /* empty where none is known */
    uint32_t stack;
};

/* Where it is noted that a stack that waits is known by a text. */
struct pprof_note {
    struct pprof_known *place; /* or NULL */
    struct slice text;
};

struct pprof_columns {
    struct arena names;
    struct intern taken; /* the names of the columns */
    VEC(struct pprof_column) items;
    size_t first; /* the default */
    bool chosen;  /* by the profile, and not for being the last */
    /* Samples wait until there are some, for their stacks to be looked up side by side. */
    struct stack_path paths[STACK_PATHS_MOST];
    struct pprof_note notes[STACK_PATHS_MOST];
    uint32_t waiting;
    VEC(uint32_t) symbols; /* of all of `paths`, one after the other */
    VEC(struct pprof_value) values;
};

void pprof_columns_init(struct pprof_columns *c);
void pprof_columns_release(struct pprof_columns *c);

/* Adds a column, and makes it the default where it is one. */
void pprof_columns_add(struct pprof_columns *c, struct slice name, struct slice unit, bool first);
/* The column called `name` becomes the default, if there is one. */
void pprof_columns_prefer(struct pprof_columns *c, struct slice name);

/* Makes the series, the default first. */
void pprof_columns_open(struct pprof_columns *c, struct builder *b);

/*
 * Adds a value for each column to the stack in hand, as often as `times` says. `origin` (its event
 * is not looked at) may be NULL. Some samples wait for the next ones, or for
 * pprof_columns_settle() after the last. False where told.
 */
bool pprof_columns_sample(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                          const int64_t *values, uint64_t times);
/* The same for a stack of the profile. */
bool pprof_columns_sample_at(struct pprof_columns *c, struct builder *b,
                             const struct origin *origin, const int64_t *values, uint32_t stack);
/* When the stack of the sample added last is found, the place is set to it and the text. */
void pprof_columns_note(struct pprof_columns *c, struct pprof_known *place, struct slice text);
bool pprof_columns_settle(struct pprof_columns *c, struct builder *b);

#endif
