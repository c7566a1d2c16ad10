/*
 * The rows of pprof's older formats: stacks of addresses, leaf first, with
 * their values, kept until what the addresses stand for is known as well.
 */
#ifndef INPUT_FORMATS_GO_PPROF_H
#define INPUT_FORMATS_GO_PPROF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/build/frame.h"
#include "profile/profile.h"
#include "profile/unit.h"

/*
 * Frames as pprof's profiles have them, whatever form they are written in.
 *
 * They name functions of any language and say of each only its source file, so
 * that one's ending decides how a name is read. What has no name is an address
 * in a mapping and is called after both: "libc-2.15.so+0x1f2e", the offset in
 * the file, which addr2line takes, or "0x7f2e" where no mapping holds it. Address
0 says that there is none: "[libc-2.15.so]".
 */

/*
 * Ids that a profile gives its things, to their places in our arrays.
 *
 * Ids count up from 1 in nearly all profiles and may be anything: small ones
 * index an array, the others are hashed.
 */

#define PPROF_IDS_NONE UINT32_MAX

struct pprof_ids {
    VEC(uint32_t) small; /* by id: the place + 1, 0 where there is none */
    VEC(uint64_t) all;   /* by place */
    struct map large;
};

void pprof_ids_init(struct pprof_ids *ids);
void pprof_ids_release(struct pprof_ids *ids);

/* Gives `id` the next place. Where it has one already, that one stays. */
void pprof_ids_add(struct pprof_ids *ids, uint64_t id);

uint32_t pprof_ids_find_large(const struct pprof_ids *ids, uint64_t id);

/* The place of an id, or PPROF_IDS_NONE. */
static inline uint32_t pprof_ids_find(const struct pprof_ids *ids, uint64_t id)
{
    if (id < ids->small.count)
        return ids->small.items[id] - 1;
    return pprof_ids_find_large(ids, id);
}

/* A function of a source file, which may be empty. */
struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line);

/* A piece of memory that a file is mapped to. */
struct pprof_map {
    uint64_t start, limit; /* 0 where it is not known */
    uint64_t offset;       /* in the file, of `start` */
    struct slice file;
};

/* An address without a name; `map` may be NULL. The name is written to `text`. */
struct frame pprof_frame_address(struct buf *text, const struct pprof_map *map, uint64_t address);

/*
 * Amounts as pprof writes them: "1.50s", "512kB", "37".
 */

/*
 * The values of a sample, a column for each type: "samples/count cpu/nanoseconds".
 *
 * Every type becomes a series. The one that a profile names as its default
 * comes first; where it names none, the last one does, as pprof shows it. A
 * value of 0 says that the sample is none of that type and is left out; a
 * negative one, as differences of profiles have them, makes a series a pair.
 */

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

/*
 * Labels of samples: which name a thread or a process, and how many there are
 * of the others.
 */

/* What a label says. */
enum pprof_role { PPROF_ROLE_NONE, PPROF_PROCESS, PPROF_PID, PPROF_THREAD, PPROF_TID };

struct pprof_label_use {
    enum pprof_role role;
    uint64_t count; /* of samples */
};

struct pprof_labels {
    struct intern keys;
    VEC(struct pprof_label_use) uses; /* by key */
};

void pprof_labels_init(struct pprof_labels *l);
void pprof_labels_release(struct pprof_labels *l);

/*
 * A label of a sample: counts it, and puts its value into `origin` where it
 * says whose sample it is. The value is not copied.
 */
void pprof_labels_take(struct pprof_labels *l, struct slice key, struct slice value,
                       struct origin *origin);

/* The same in three steps: the key's number, then for each label whether its value matters. */
uint32_t pprof_labels_key(struct pprof_labels *l, struct slice key);
bool pprof_labels_count(struct pprof_labels *l, uint32_t key);
void pprof_labels_put(const struct pprof_labels *l, uint32_t key, struct slice value,
                      struct origin *origin);

/* A fact about those that are not used: "bytes (4661), trace (12)". */
void pprof_labels_tell(const struct pprof_labels *l, struct profile *profile);

/*
 * What pprof's profiles, in all their forms, say about themselves.
 */

/* A fact whose value may be any bytes; none where it is empty. */
void pprof_facts_add(struct profile *p, const char *key, struct slice value);

/* "0.01 s of cpu", the amount between two samples; `of` may be empty. */
void pprof_facts_period(struct profile *p, uint64_t period, struct slice unit, struct slice of);

/* All series are of that time, in nanoseconds. */
void pprof_facts_times(struct profile *p, uint64_t start, uint64_t duration);

struct pprof_amount {
    bool negative;
    uint64_t value;    /* in nanoseconds, bytes, or as it stands, to the nearest one */
    uint64_t rounding; /* by how much it may be off, as two decimals are written at most */
    struct unit unit;  /* its noun is part of the text */
};

/* A number and the unit behind it, without a blank between them; false where it is none. */
bool pprof_amount_parse(struct slice text, struct pprof_amount *out);

/*
 * Which file an address belongs to: the memory map that pprof's older formats
 * end with, as text.
 *
 *     MAPPED_LIBRARIES:                       or: --- Memory map: ---
 *     7f5e53883000-7f5e53a31000 r-xp 00001000 fd:01 1234  /lib/libc-2.15.so
 *       00400000-00fcb000: /usr/bin/server
 *     build=/srv/build                        for "$build" in the paths behind it
 */

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

/*
 * Addresses to frames, for pprof's older formats: their stacks are numbers,
 * and what these stand for follows behind the last stack. It is a memory map,
 * or, of Java, a list of names:
 *
 *     0x000001d com.example.Server.run (Server.java:29)
 *
 * Stacks are therefore kept as numbers until all is read. An address that
 * neither names is called after itself (input/formats/go/pprof.h).
 */

struct pprof_name {
    struct slice name, file;
    uint64_t line;
    enum frame_kind kind;
};

struct pprof_addresses {
    struct builder *builder;
    struct pprof_maps maps;
    struct arena texts;
    struct pprof_ids named;
    VEC(struct pprof_name) names; /* by place in `named` */
    struct pprof_ids known;
    VEC(uint32_t) entries; /* by place in `known`; PPROF_IDS_NONE as long as it was not pushed */
    struct buf name;
};

void pprof_addresses_init(struct pprof_addresses *a, struct builder *builder);
void pprof_addresses_release(struct pprof_addresses *a);

/* Gives an address a name; the first one stays. */
void pprof_addresses_name(struct pprof_addresses *a, uint64_t address, struct pprof_name name);
/* The same from a line as above; false, where it is none. */
bool pprof_addresses_java(struct pprof_addresses *a, struct slice line);

/* A number for an address, counted from 0, that takes less room. */
uint32_t pprof_addresses_place(struct pprof_addresses *a, uint64_t address);

/* Pushes the frame of an address, when all names and maps are there; the same of its number. */
void pprof_addresses_push(struct pprof_addresses *a, uint64_t address);
void pprof_addresses_push_place(struct pprof_addresses *a, uint32_t place);

/* Takes "0x1f2e" or "1f2e" off `*rest`; false, where the next word is none. */
bool pprof_addresses_next(struct slice *rest, uint64_t *address);

enum { PPROF_ROWS_VALUES = 4 };

struct pprof_row {
    size_t first, count;             /* of the addresses */
    size_t first_entry, entry_count; /* of frames that are known by name; they go before */
    int64_t values[PPROF_ROWS_VALUES];
    struct slice thread, tid; /* where the row is a thread's */
};

struct pprof_rows {
    struct builder builder;
    struct pprof_columns columns;
    struct pprof_addresses addresses;
    VEC(struct pprof_row) items;
    VEC(uint64_t) stacks;
    VEC(uint32_t) entries;
};

void pprof_rows_init(struct pprof_rows *r, struct profile *profile,
                     const struct input_options *options, struct diag *diag);
void pprof_rows_release(struct pprof_rows *r);

/* A new row; what is pushed from now on is its stack. It moves with the next one. */
struct pprof_row *pprof_rows_add(struct pprof_rows *r);
void pprof_rows_push(struct pprof_rows *r, uint64_t address);
/* Where a row has frames of this kind, its addresses are not looked at. */
void pprof_rows_push_entry(struct pprof_rows *r, uint32_t entry);

/* Takes addresses off `*rest`, adding `offset` to each; false, where another word comes. */
bool pprof_rows_push_all(struct pprof_rows *r, struct slice rest, uint64_t offset);

/* When all is read: adds the samples. The columns have been named. False where told. */
bool pprof_rows_end(struct pprof_rows *r);

#endif
