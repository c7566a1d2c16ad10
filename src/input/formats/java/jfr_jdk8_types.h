/*
 * What a chunk of version 0.9 says about its events, and values by it.
 *
 * The metadata of a chunk has, for each producer, structures (lists of fields), event types and
 * content types, which are the types of constants. All texts point into the chunk.
 *
 * Values have a fixed layout: jfr_jdk8_types_take() walks through the fields of a structure and
 * keeps those that are asked for. Reading beyond the end sets `failed` of the bytes.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_JDK8_TYPES_H
#define INPUT_FORMATS_JAVA_JFR_JDK8_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/parse/bytes.h"

#define JFR_JDK8_NONE UINT32_MAX

/* Types of fields and of keys. */
enum {
    JFR_JDK8_BYTE = 1,
    JFR_JDK8_LONG = 7,
    JFR_JDK8_UTF8 = 11,
    JFR_JDK8_STRUCT = 14,
    JFR_JDK8_STRUCTS = 15
};

struct jfr_jdk8_field {
    struct slice name;
    unsigned type;
    uint32_t content;   /* id of a content type; 0 for none */
    uint32_t structure; /* of a structure or an array of such: place in `structures` */
};

struct jfr_jdk8_structure {
    uint32_t first, count; /* of `fields` */
};

struct jfr_jdk8_event {
    uint32_t id, structure;
    struct slice path;
    bool has_start, has_thread, has_stack;
};

struct jfr_jdk8_content {
    uint32_t id, structure;
    unsigned key; /* type of its keys */
};

struct jfr_jdk8_types {
    VEC(struct jfr_jdk8_field) fields;
    VEC(struct jfr_jdk8_structure) structures;
    VEC(struct jfr_jdk8_event) events;     /* ascending ids */
    VEC(struct jfr_jdk8_content) contents; /* ascending ids */
    uint64_t start_ms, start_ticks, ticks; /* ticks per second */
};

/* Reads the metadata, after its size and type. Returns false if it is malformed. */
bool jfr_jdk8_types_read(struct jfr_jdk8_types *t, struct bytes *b);
void jfr_jdk8_types_release(struct jfr_jdk8_types *t);

const struct jfr_jdk8_event *jfr_jdk8_types_event(const struct jfr_jdk8_types *t, uint32_t id);
const struct jfr_jdk8_content *jfr_jdk8_types_content(const struct jfr_jdk8_types *t, uint32_t id);

/* A field that was asked for. */
struct jfr_jdk8_value {
    bool present;
    uint32_t content;
    uint64_t number;   /* of a number; of an array, the count */
    struct slice text; /* of a text */
    struct bytes rest; /* of an array of structures: its elements */
    uint32_t structure;
};

/* Takes a number of a type. */
uint64_t jfr_jdk8_types_number(struct bytes *b, unsigned type);

/* Takes the fields of a structure and keeps those with these names. */
void jfr_jdk8_types_take(const struct jfr_jdk8_types *t, uint32_t structure, struct bytes *b,
                         const char *const *names, struct jfr_jdk8_value *values, size_t count);

#endif
