/*
 * The constants of a chunk: what events refer to by number.
 *
 * Names, classes, methods, threads and whole stacks stand in checkpoint events,
 * in pools by type. Only their places are kept; they are read when an event
 * refers to them, and what came of it is kept beside them.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_CONSTANT_H
#define INPUT_FORMATS_JAVA_JFR_CONSTANT_H

#include "input/build/builder.h"
#include "input/formats/java/jfr_type.h"

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

void jfr_constant_init(struct jfr_chunk *c, const char *bytes, size_t size, bool fixed);
void jfr_constant_release(struct jfr_chunk *c);

/* Reads from a place of the chunk on. */
struct jfr_bytes jfr_constant_at(const struct jfr_chunk *c, size_t at);

/* Adds the constants of the checkpoint whose payload stands at `b`; false where it is none. */
bool jfr_constant_add(struct jfr_chunk *c, struct jfr_bytes *b);

/* A constant, or NULL. */
struct jfr_constant *jfr_constant_find(struct jfr_chunk *c, uint32_t type, uint64_t id);

/*
 * Appends the text of a constant with one field (a symbol), or of a field of
 * type String at `at`. Nothing where there is none.
 */
void jfr_constant_symbol(struct jfr_chunk *c, uint32_t type, uint64_t id, struct buf *out);
void jfr_constant_text(struct jfr_chunk *c, size_t at, struct buf *out);

#endif
