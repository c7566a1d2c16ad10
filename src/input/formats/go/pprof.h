/*
 * What all forms of a pprof profile share: frames, values, labels and facts
 * (pprof_values.c, pprof_frames.c), and, for the older forms, stacks of
 * addresses that are resolved at the end of the file.
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
#include "input/build/addresses.h"
#include "input/build/builder.h"
#include "input/build/frame.h"
#include "profile/profile.h"
#include "profile/unit.h"

/* ---- frames -------------------------------------------------------------------------------- */

/*
 * Maps the ids of locations, functions and mappings to indexes of our arrays.
 *
 * Nearly all profiles count ids up from 1, but an id may be any number: small
 * ids index an array, the others are hashed.
 */
#define PPROF_IDS_NONE UINT32_MAX

struct pprof_ids {
    VEC(uint32_t) small; /* by id: the index + 1, or 0 if there is none */
    VEC(uint64_t) all;   /* by index: the id */
    struct map large;
};

void pprof_ids_release(struct pprof_ids *ids);

/* Gives `id` the next index. An id that has one already keeps it. */
void pprof_ids_add(struct pprof_ids *ids, uint64_t id);

uint32_t pprof_ids_find_large(const struct pprof_ids *ids, uint64_t id);

/* Returns the index of an id, or PPROF_IDS_NONE. */
static inline uint32_t pprof_ids_find(const struct pprof_ids *ids, uint64_t id)
{
    if (id < ids->small.count)
        return ids->small.items[id] - 1;
    return pprof_ids_find_large(ids, id);
}

/*
 * Makes the frame of a named function. The ending of `file`, which may be
 * empty, tells the language and so how the name is cleaned.
 */
struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line);

/* A range of addresses that a file is mapped to. */
struct pprof_map {
    uint64_t start, limit; /* 0 if unknown */
    uint64_t offset;       /* of `start` in the file */
    struct slice file;
};

/* The part of the file that was mapped. */
static inline struct binary_part pprof_map_part(const struct pprof_map *m)
{
    uint64_t size = m->limit > m->start ? m->limit - m->start : 0;

    return (struct binary_part){m->offset, size};
}

/*
 * Makes the frame of an address without a function, named by module and file
 * offset, as addr2line takes it: "libc-2.15.so+0x1f2e". Without `map` (NULL)
 * the name is "0x7f2e"; address 0 means unknown and gives "[libc-2.15.so]".
 * The name is written to `text` and valid until `text` changes.
 */
struct frame pprof_frame_address(struct buf *text, const struct pprof_map *map, uint64_t address);

/* ---- values -------------------------------------------------------------------------------- */

/*
 * The values of a sample, one column for each sample type, as in
 * "samples/count cpu/nanoseconds".
 *
 * Each type becomes a series. The profile's default type is the first series;
 * a profile without a default shows the last type first, as pprof does. A
 * value of 0 adds no sample to its series. A negative value, which differences
 * of profiles have, turns the series into a pair of base and new.
 *
 * A record is the sum of all samples with its stack. The column "samples/count" says how many they
 * are; without one, the number of samples of the other columns is unknown.
 */
struct pprof_column {
    struct slice name; /* event of the series; unique among the columns */
    struct unit unit;
    uint32_t series; /* of samples without process or thread; SERIES_NONE with --split */
};

/* A value whose stack has not been looked up yet. */
struct pprof_value {
    uint32_t path; /* index in pprof_columns.paths */
    uint32_t series;
    int64_t value;    /* sum of all `samples` */
    uint64_t samples; /* 0 if their number is unknown */
};

/* A stack of the profile, found by a text of the input. */
struct pprof_known {
    struct slice text; /* empty in a free place */
    uint32_t stack;
};

/* Where to store the stack of a waiting sample, and under which text. */
struct pprof_note {
    struct pprof_known *place; /* or NULL */
    struct slice text;
};

/* The unit of a type; its name may say what it counts: "310 objects" instead of "310 samples". */
struct unit pprof_value_unit(struct slice name, struct slice unit);

/*
 * Adds a value to a stack of the profile; `v->path` is ignored. Returns false after reporting an
 * error.
 */
bool pprof_value_add(struct builder *b, uint32_t stack, const struct pprof_value *v);

struct pprof_columns {
    struct arena names;
    struct intern taken; /* names of the columns */
    VEC(struct pprof_column) items;
    size_t first;  /* index of the default column */
    bool chosen;   /* the profile named `first` as its default */
    size_t counts; /* index + 1 of the column "samples/count", or 0 */
    /* Samples wait until there are STACK_PATHS_MOST: their stacks are looked up together. */
    struct stack_path paths[STACK_PATHS_MOST];
    struct pprof_note notes[STACK_PATHS_MOST];
    uint32_t waiting;
    VEC(uint32_t) symbols; /* of all `paths`, concatenated */
    VEC(struct pprof_value) values;
};

void pprof_columns_release(struct pprof_columns *c);

/* Adds a column; `first` makes it the default. */
void pprof_columns_add(struct pprof_columns *c, struct slice name, struct slice unit, bool first);
/* Makes the column called `name` the default, if there is one. */
void pprof_columns_prefer(struct pprof_columns *c, struct slice name);

/* Creates the series, the default first. Call it after the last column was added. */
void pprof_columns_open(struct pprof_columns *c, struct builder *b);

/*
 * Adds `times` samples of the builder's current stack, with one value for each
 * column. `origin` may be NULL; its event is ignored. The samples may wait
 * until pprof_columns_settle(). Returns false after reporting an error.
 */
bool pprof_columns_sample(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                          const int64_t *values, uint64_t times);
/* Adds `times` samples of a stack of the profile, as pprof_columns_sample() does. */
bool pprof_columns_sample_at(struct pprof_columns *c, struct builder *b,
                             const struct origin *origin, const int64_t *values, uint64_t times,
                             uint32_t stack);
/* Stores text and stack of the sample added last in `place`, once the stack is known. */
void pprof_columns_note(struct pprof_columns *c, struct pprof_known *place, struct slice text);
/* Adds all waiting samples; call it after the last one. Returns false after reporting an error. */
bool pprof_columns_settle(struct pprof_columns *c, struct builder *b);

/* An amount as pprof prints it: "1.50s", "512kB", "37". */
struct pprof_amount {
    bool negative;
    uint64_t value;    /* in nanoseconds, bytes or the text's own unit, rounded */
    uint64_t rounding; /* largest error of `value`: pprof prints at most two decimals */
    struct unit unit;  /* its noun points into the text */
};

/* Reads a number directly followed by its unit. Returns false for any other text. */
bool pprof_amount_parse(struct slice text, struct pprof_amount *out);

/* ---- labels and facts ---------------------------------------------------------------------- */

/* What the value of a label names. */
enum pprof_role { PPROF_ROLE_NONE, PPROF_PROCESS, PPROF_PID, PPROF_THREAD, PPROF_TID };

struct pprof_label_use {
    enum pprof_role role;
    bool needed;    /* by --tag or --split-tag */
    uint64_t count; /* of samples with the label */
};

/*
 * Labels of samples: some name a process or thread, options may ask for others, and the rest is
 * only counted.
 */
struct pprof_labels {
    const struct input_options *options;
    struct intern texts; /* of pprof_labels_next() */
    struct intern keys;
    VEC(struct pprof_label_use) uses; /* by key */
};

void pprof_labels_release(struct pprof_labels *l);

/*
 * Counts a label of a sample and, if the label names a process or thread or
 * options ask for it, stores its value in `origin`. The value is not copied.
 */
void pprof_labels_take(struct pprof_labels *l, struct slice key, struct slice value,
                       struct origin *origin);

/* pprof_labels_take() in steps: once for each key, */
uint32_t pprof_labels_key(struct pprof_labels *l, struct slice key);
/* for each label of `times` samples, which returns whether its value is needed, */
bool pprof_labels_count(struct pprof_labels *l, uint32_t key, uint64_t times);
/* and then for its value. */
void pprof_labels_put(const struct pprof_labels *l, uint32_t key, struct slice value,
                      struct origin *origin);

/*
 * Takes `"endpoint":"/a b"` or `endpoint: "/a b"` off the labels that Go prints between braces. The
 * texts are as Go quotes them or bare, and valid as long as `l`. Returns false at the end of the
 * labels, and for anything else.
 */
bool pprof_labels_next(struct pprof_labels *l, struct slice *rest, struct slice *key,
                       struct slice *value);

/* Adds a fact that counts the labels without a use: "bytes (4661), trace (12)". */
void pprof_labels_tell(const struct pprof_labels *l, struct profile *profile);

/* Adds a fact; `value` may be any bytes. An empty value adds nothing. */
void pprof_facts_add(struct profile *p, const char *key, struct slice value);

/* Sets when the recording began, in nanoseconds since 1970, and adds it as a fact. 0: unknown. */
void pprof_facts_captured(struct profile *p, uint64_t ns);

/* Appends a period, "0.01 s of cpu"; `of` may be empty. */
void pprof_facts_write_period(struct buf *out, uint64_t period, struct slice unit, struct slice of);
/* Sets the sampling period, and adds it as a fact: "0.01 s of cpu"; `of` may be empty. */
void pprof_facts_period(struct profile *p, uint64_t period, struct slice unit, struct slice of);

/* Gives all series their time range, in nanoseconds. */
void pprof_facts_times(struct profile *p, uint64_t start, uint64_t duration);

/* ---- stacks of addresses ------------------------------------------------------------------- */

/*
 * The memory map that ends pprof's older formats: which file contains an address.
 *
 *     MAPPED_LIBRARIES:                       or: --- Memory map: ---
 *     7f5e53883000-7f5e53a31000 r-xp 00001000 fd:01 1234  /lib/libc-2.15.so
 *       00400000-00fcb000: /usr/bin/server
 *     build=/srv/build                        replaces "$build" in the following paths
 */
struct pprof_maps {
    struct arena texts;
    VEC(struct pprof_map) items;
    struct slice build;
};

void pprof_maps_release(struct pprof_maps *m);

/* Whether the line is the heading of a map. */
bool pprof_maps_begins(struct slice line);
/* Adds a line of the map. Ranges without code and other lines are ignored. */
void pprof_maps_add(struct pprof_maps *m, struct slice line);
/* Call it after the last line and before pprof_maps_find(). */
void pprof_maps_sort(struct pprof_maps *m);

/* Returns the range that contains an address, or NULL. */
const struct pprof_map *pprof_maps_find(const struct pprof_maps *m, uint64_t address);

struct pprof_name {
    struct slice name, file;
    uint64_t line;
    enum frame_kind kind;
};

/*
 * Addresses and their frames, for pprof's older formats. Their stacks are
 * numbers whose meaning follows after the last stack: a memory map or, from
 * Java, a list of names:
 *
 *     0x000001d com.example.Server.run (Server.java:29)
 *
 * So frames are made when all of the file has been read. An address of a map is named by its
 * binary, if that has a symbol at it. An address with neither is its own name (see
 * pprof_frame_address()).
 */
struct pprof_addresses {
    struct builder *builder;
    struct pprof_maps maps;
    struct arena texts;
    struct pprof_ids named;
    VEC(struct pprof_name) names; /* by index in `named` */
    struct pprof_ids known;
    VEC(uint32_t) entries; /* by index in `known`; PPROF_IDS_NONE until it is pushed */
    struct addresses binaries;
    struct buf name;
};

void pprof_addresses_init(struct pprof_addresses *a, struct builder *builder);
void pprof_addresses_release(struct pprof_addresses *a);

/* Names an address. An address that has a name keeps it. */
void pprof_addresses_name(struct pprof_addresses *a, uint64_t address, struct pprof_name name);
/* Names an address by a line of Java's list. Returns false if the line is none. */
bool pprof_addresses_java(struct pprof_addresses *a, struct slice line);

/* Returns the index of an address, counted from 0; it needs less memory than the address. */
uint32_t pprof_addresses_place(struct pprof_addresses *a, uint64_t address);

/* Pushes the frame of such an address, after all names and maps were read. */
void pprof_addresses_push_place(struct pprof_addresses *a, uint32_t place);

/* Takes "0x1f2e" or "1f2e" off `*rest`. Returns false if the next word is no address. */
bool pprof_addresses_next(struct slice *rest, uint64_t *address);

enum { PPROF_ROWS_VALUES = 4 };

struct pprof_row {
    size_t first, count;             /* in pprof_rows.stacks */
    size_t first_entry, entry_count; /* in pprof_rows.entries; if any, the addresses are ignored */
    int64_t values[PPROF_ROWS_VALUES];
    uint64_t times;           /* how many records it stands for, all alike; 1 until it is changed */
    struct slice thread, tid; /* empty if unknown */
    struct slice tag;         /* as in struct origin */
    enum origin_tags tags;
};

/* The samples of an older format, kept until their addresses can be resolved. */
struct pprof_rows {
    struct builder builder;
    struct pprof_columns columns;
    struct pprof_addresses addresses;
    VEC(struct pprof_row) items;
    VEC(uint64_t) stacks;  /* addresses of all rows, leaf first */
    VEC(uint32_t) entries; /* the builder's, of all rows, leaf first */
};

void pprof_rows_init(struct pprof_rows *r, struct profile *profile,
                     const struct input_options *options, struct diag *diag);
void pprof_rows_release(struct pprof_rows *r);

/* Adds a row, valid until the next one is added. */
struct pprof_row *pprof_rows_add(struct pprof_rows *r);
/* Append to the stack of the row added last: an address, or a frame. */
void pprof_rows_push(struct pprof_rows *r, uint64_t address);
void pprof_rows_push_entry(struct pprof_rows *r, uint32_t entry);

/* Appends all addresses of a text, each plus `offset`. Returns false at any other word. */
bool pprof_rows_push_all(struct pprof_rows *r, struct slice rest, uint64_t offset);

/*
 * Adds all rows to the profile. Call it at the end of the input, after the
 * columns were added. Returns false after reporting an error.
 */
bool pprof_rows_end(struct pprof_rows *r);

#endif
