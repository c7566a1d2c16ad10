/*
 * The dictionary of OpenTelemetry's profiles: tables of strings, attributes, functions, locations
 * and stacks, which refer to each other by number. Entry 0 of each table is empty and means "not
 * set"; no entry is there twice, and each is referred to.
 *
 * A stack of the profile may begin with a process or thread, its root, which is an attribute here
 * and no frame.
 */
#ifndef CONVERT_OTLP_TABLES_H
#define CONVERT_OTLP_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "convert/otlp_out.h"
#include "profile/profile.h"

struct otlp_tables {
    const struct profile *profile;
    struct intern strings;
    /* The entries as bytes: a string's number, struct function, location and attribute. */
    struct intern mappings, functions, locations, attributes;
    VEC(uint32_t) roots; /* symbols */
    uint32_t *root;      /* by node: 1 + the place of its root, or 0 */
    uint32_t *below;     /* by node: what is below its root, in `trie` */
    struct stacks trie;
    uint32_t *stack;    /* by node of `trie`: 0, or its number in the table */
    uint32_t *location; /* by symbol in use */
    struct buf text;
};

/* Release with otlp_tables_release(). */
void otlp_tables_init(struct otlp_tables *t, const struct profile *p);
void otlp_tables_release(struct otlp_tables *t);

uint32_t otlp_tables_string(struct otlp_tables *t, struct slice text);
/* Return the number of an attribute, which is added if it is new. */
uint32_t otlp_tables_text(struct otlp_tables *t, struct slice key, struct slice value);
uint32_t otlp_tables_integer(struct otlp_tables *t, struct slice key, uint64_t value);

/* Says that a sample has the stack of a node. */
void otlp_tables_use(struct otlp_tables *t, uint32_t node);
/* Numbers the stacks in use, and adds what they refer to. */
void otlp_tables_number(struct otlp_tables *t);

/* Returns the number of the stack of a node in use. */
static inline uint32_t otlp_tables_stack(const struct otlp_tables *t, uint32_t node)
{
    return t->stack[t->below[node]];
}

/* Writes the value of an attribute, which is a number if `text` is NULL. */
void otlp_tables_write_value(struct otlp_out *o, const struct slice *text, uint64_t number);
void otlp_tables_write(const struct otlp_tables *t, struct otlp_out *o);

#endif
