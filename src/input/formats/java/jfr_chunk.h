/*
 * A chunk of a JFR recording: its types, and the constants that its events refer to.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_CHUNK_H
#define INPUT_FORMATS_JAVA_JFR_CHUNK_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/formats/java/jfr_bytes.h"

/* ---- types --------------------------------------------------------------------------------- */

/*
 * The types of a chunk, as its metadata defines them.
 *
 * Every chunk describes all of its types, events included, as a tree of
 * elements: a class has fields; a field has a class, may be an array, and may
 * hold the id of a constant instead of a value. So a reader does not depend on
 * the layout: it asks for fields by name and skips the others.
 */

#define JFR_NO_TYPE UINT32_MAX

enum jfr_kind {
    JFR_STRUCT, /* fields */
    JFR_BYTE,   /* one byte: boolean, byte */
    JFR_SHORT,  /* short or char */
    JFR_INT,
    JFR_LONG,
    JFR_FLOAT,  /* four bytes, big-endian */
    JFR_DOUBLE, /* eight bytes, big-endian */
    JFR_STRING,
};

struct jfr_field {
    struct slice name;
    uint64_t type_id;
    uint32_t type; /* index, or JFR_NO_TYPE if it is not described */
    bool constant; /* holds the id of a constant */
    bool many;
    unsigned number_size; /* most bytes of a field that is a single number; else 0 */
};

struct jfr_type {
    struct slice name;
    uint64_t id;
    enum jfr_kind kind;
    bool event;
    size_t first, end; /* fields */
};

struct jfr_types {
    struct arena memory;
    VEC(struct jfr_type) types;
    VEC(struct jfr_field) fields;
    struct map by_id;
    uint64_t steps; /* values without bytes that may still be skipped */
};

/* Reads the metadata event whose payload begins at `b`. Returns false if it is malformed. */
bool jfr_chunk_type_read(struct jfr_types *t, struct jfr_bytes *b);

/* Returns the index of the type with an id or a name, or JFR_NO_TYPE. */
uint32_t jfr_chunk_type_find(const struct jfr_types *t, uint64_t id);
uint32_t jfr_chunk_type_named(const struct jfr_types *t, const char *name);
/* Returns a field of a type, or NULL. */
const struct jfr_field *jfr_chunk_type_field(const struct jfr_types *t, uint32_t type,
                                             const char *name);

/* The value of a field that was asked for; of an array, its first element. */
struct jfr_value {
    bool present;
    uint64_t number; /* an integer, or the id of a constant */
    size_t at;       /* offset of the field in the chunk */
};

enum { JFR_WANTED_MOST = 8 };

/* The wanted fields of a type, looked up once: for each field its index in `names`, or -1. */
struct jfr_want {
    uint32_t type;
    size_t count;
    VEC(signed char) slots;
};

/* `type` may be JFR_NO_TYPE: then every value is absent. */
void jfr_chunk_want_init(struct jfr_want *w, const struct jfr_types *t, uint32_t type,
                         const char *const *names, size_t count);
void jfr_chunk_want_release(struct jfr_want *w);

/* Reads a value of the wanted type; `values` has one element for each name. */
void jfr_chunk_want_read(const struct jfr_want *w, struct jfr_types *t, struct jfr_bytes *b,
                         struct jfr_value *values);

/* ---- constants ----------------------------------------------------------------------------- */

/*
 * The constants of a chunk, which events refer to by id.
 *
 * Checkpoint events hold names, classes, methods, threads and whole stacks, in
 * pools by type. Only their offsets are kept; a constant is read when an event
 * first refers to it, and `made` keeps the result.
 */

struct jfr_constant {
    uint64_t id;
    uint32_t type;
    uint32_t made; /* what the reader made of it, or JFR_NOT_MADE */
    size_t at;     /* offset of its fields in the chunk */
};

#define JFR_NOT_MADE UINT32_MAX

/* A chunk with its types and constants. */
struct jfr_chunk {
    const char *bytes;
    size_t size;
    bool fixed;
    struct jfr_types types;
    VEC(struct jfr_constant) constants;
    struct map index;
};

void jfr_chunk_init(struct jfr_chunk *c, const char *bytes, size_t size, bool fixed);
void jfr_chunk_release(struct jfr_chunk *c);

/* Returns a cursor at an offset of the chunk. */
struct jfr_bytes jfr_chunk_at(const struct jfr_chunk *c, size_t at);

/*
 * Adds the constants of the checkpoint whose payload begins at `b`. Returns false if it is
 * malformed.
 */
bool jfr_chunk_add(struct jfr_chunk *c, struct jfr_bytes *b);

/* Returns a constant, or NULL. */
struct jfr_constant *jfr_chunk_find(struct jfr_chunk *c, uint32_t type, uint64_t id);

/*
 * Append the string of a constant with one field (a symbol), or of a String
 * field at offset `at`. They append nothing if there is none.
 */
void jfr_chunk_symbol(struct jfr_chunk *c, uint32_t type, uint64_t id, struct buf *out);
void jfr_chunk_text(struct jfr_chunk *c, size_t at, struct buf *out);

#endif
