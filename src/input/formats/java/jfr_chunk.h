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
 * The types of a chunk: what its metadata says about events and constants.
 *
 * Every chunk of a recording describes all of its types, events included, as a
 * tree of elements: classes with fields, each of another class, perhaps many
 * of it, perhaps the number of a constant in its stead. So a reader knows no
 * layout, only names: it asks for the fields it wants and steps over the rest.
 */

#define JFR_NO_TYPE UINT32_MAX

enum jfr_kind {
    JFR_STRUCT, /* fields */
    JFR_BYTE,   /* one byte: boolean, byte */
    JFR_SHORT,  /* short, char */
    JFR_INT,
    JFR_LONG,
    JFR_FLOAT,  /* four bytes as they are */
    JFR_DOUBLE, /* eight */
    JFR_STRING,
};

struct jfr_field {
    struct slice name;
    uint64_t type_id;
    uint32_t type; /* index, JFR_NO_TYPE where it is not described */
    bool constant; /* the number of one stands here */
    bool many;
    unsigned number_size; /* what stands here is a number of that many bytes at most; or 0 */
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
    uint64_t steps; /* that may still be made through types without fields */
};

void jfr_chunk_type_init(struct jfr_types *t);
void jfr_chunk_type_release(struct jfr_types *t);

/* Reads the metadata event whose payload stands at `b`. False where it is none. */
bool jfr_chunk_type_read(struct jfr_types *t, struct jfr_bytes *b);

/* The index of the type with an id, or a name; JFR_NO_TYPE. */
uint32_t jfr_chunk_type_find(const struct jfr_types *t, uint64_t id);
uint32_t jfr_chunk_type_named(const struct jfr_types *t, const char *name);
/* A field of a type, or NULL. */
const struct jfr_field *jfr_chunk_type_field(const struct jfr_types *t, uint32_t type,
                                             const char *name);

/* Steps over a value of a type. */
void jfr_chunk_type_skip(struct jfr_types *t, struct jfr_bytes *b, uint32_t type);

/* A value that was asked for: of the first or only one of a field. */
struct jfr_value {
    bool present;
    uint64_t number; /* a whole number, or that of a constant */
    size_t at;       /* where the field begins */
};

enum { JFR_WANTED_MOST = 8 };

/* Which fields of a type are wanted, looked up once: by field, an index into names, or -1. */
struct jfr_want {
    uint32_t type;
    size_t count;
    VEC(signed char) slots;
};

/* `type` may be JFR_NO_TYPE: then nothing is there. */
void jfr_chunk_want_init(struct jfr_want *w, const struct jfr_types *t, uint32_t type,
                         const char *const *names, size_t count);
void jfr_chunk_want_release(struct jfr_want *w);

/* Reads a value of the wanted type; `values` has an entry for each name. */
void jfr_chunk_want_read(const struct jfr_want *w, struct jfr_types *t, struct jfr_bytes *b,
                         struct jfr_value *values);

/* ---- constants ----------------------------------------------------------------------------- */

/*
 * The constants of a chunk: what events refer to by number.
 *
 * Names, classes, methods, threads and whole stacks stand in checkpoint events,
 * in pools by type. Only their places are kept; they are read when an event
 * refers to them, and what came of it is kept beside them.
 */

struct jfr_constant {
    uint64_t id;
    uint32_t type;
    uint32_t made; /* what was made of it, or JFR_NOT_MADE */
    size_t at;     /* its fields, in the chunk */
};

#define JFR_NOT_MADE UINT32_MAX

/* A chunk, and what is known of it. */
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

/* Reads from a place of the chunk on. */
struct jfr_bytes jfr_chunk_at(const struct jfr_chunk *c, size_t at);

/* Adds the constants of the checkpoint whose payload stands at `b`; false where it is none. */
bool jfr_chunk_add(struct jfr_chunk *c, struct jfr_bytes *b);

/* A constant, or NULL. */
struct jfr_constant *jfr_chunk_find(struct jfr_chunk *c, uint32_t type, uint64_t id);

/*
 * Appends the text of a constant with one field (a symbol), or of a field of
 * type String at `at`. Nothing where there is none.
 */
void jfr_chunk_symbol(struct jfr_chunk *c, uint32_t type, uint64_t id, struct buf *out);
void jfr_chunk_text(struct jfr_chunk *c, size_t at, struct buf *out);

#endif
