/*
 * The types of a chunk: what its metadata says about events and constants.
 *
 * Every chunk of a recording describes all of its types, events included, as a
 * tree of elements: classes with fields, each of another class, perhaps many
 * of it, perhaps the number of a constant in its stead. So a reader knows no
 * layout, only names: it asks for the fields it wants and steps over the rest.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_TYPE_H
#define INPUT_FORMATS_JAVA_JFR_TYPE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/formats/java/jfr_bytes.h"

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

void jfr_type_init(struct jfr_types *t);
void jfr_type_release(struct jfr_types *t);

/* Reads the metadata event whose payload stands at `b`. False where it is none. */
bool jfr_type_read(struct jfr_types *t, struct jfr_bytes *b);

/* The index of the type with an id, or a name; JFR_NO_TYPE. */
uint32_t jfr_type_find(const struct jfr_types *t, uint64_t id);
uint32_t jfr_type_named(const struct jfr_types *t, const char *name);
/* A field of a type, or NULL. */
const struct jfr_field *jfr_type_field(const struct jfr_types *t, uint32_t type, const char *name);

/* Steps over a value of a type. */
void jfr_type_skip(struct jfr_types *t, struct jfr_bytes *b, uint32_t type);

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
void jfr_type_want_init(struct jfr_want *w, const struct jfr_types *t, uint32_t type,
                        const char *const *names, size_t count);
void jfr_type_want_release(struct jfr_want *w);

/* Reads a value of the wanted type; `values` has an entry for each name. */
void jfr_type_want_read(const struct jfr_want *w, struct jfr_types *t, struct jfr_bytes *b,
                        struct jfr_value *values);

#endif
