/*
 * Python's pickles that hold nothing but data: None, numbers, texts, lists, tuples, dictionaries.
 *
 * A pickle is a program, and most of its power is not data: it imports functions and calls them.
 * None of that exists here. Only the opcodes are known that make the values above, of the protocols
 * 2 to 5; any other ends the reading with an error that names it and its place. Nothing is ever
 * made of what a file names.
 *
 * Of a dictionary, the values of known keys are kept, of which the last one counts, as in Python.
 * A value that is used several times is one value. It may contain itself, so a reader follows a
 * path of fixed length and never all that there is.
 *
 * Source: Lib/pickletools.py of CPython.
 */
#ifndef INPUT_FORMATS_DEVICE_PICKLE_H
#define INPUT_FORMATS_DEVICE_PICKLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"

enum pickle_type {
    PICKLE_OTHER, /* None, fractions, negative numbers and those beyond 64 bits */
    PICKLE_NUMBER,
    PICKLE_TEXT,
    PICKLE_LIST, /* or a tuple */
    PICKLE_DICTIONARY,
};

struct pickle_value {
    uint64_t number; /* or the offset of the text, or the index of the box */
    uint32_t length; /* of the text */
    uint32_t type;   /* enum pickle_type */
};

struct pickle_item {
    struct pickle_value value;
    uint32_t key; /* index of a known key */
    uint32_t next;
};

/* What a list or a dictionary contains. */
struct pickle_box {
    uint32_t first, last; /* items, or PICKLE_NONE */
    uint32_t note;        /* for the reader; 0 at first */
};

#define PICKLE_NONE UINT32_MAX

struct pickle {
    struct slice bytes;
    const struct slice *keys;
    uint32_t key_count;
    struct diag *diag;
    VEC(struct pickle_value) stack, memo;
    VEC(size_t) marks; /* heights of the stack */
    VEC(struct pickle_box) boxes;
    VEC(struct pickle_item) items;
    size_t at; /* of the opcode */
};

void pickle_release(struct pickle *p);

/*
 * Reads the pickle that `bytes` begin with, which must outlive `p`, and returns its value. Returns
 * false after reporting an error.
 */
bool pickle_read(struct pickle *p, struct slice bytes, const struct slice *keys, uint32_t count,
                 struct diag *diag, struct pickle_value *value);

/* The first item of a list, or PICKLE_NONE; that of any other value. */
static inline uint32_t pickle_first(const struct pickle *p, const struct pickle_value *list)
{
    return list->type == PICKLE_LIST ? p->boxes.items[list->number].first : PICKLE_NONE;
}

/* For each item of a list: pickle_each (item, p, &list) ... */
#define pickle_each(item, p, list)                                                                 \
    for (uint32_t item##_id = pickle_first(p, list); item##_id != PICKLE_NONE;                     \
         item##_id = (p)->items.items[item##_id].next)                                             \
        for (const struct pickle_value *item = &(p)->items.items[item##_id].value; item;           \
             item = NULL)

/* The value of a key; of type PICKLE_OTHER if there is none. */
struct pickle_value pickle_get(const struct pickle *p, const struct pickle_value *dictionary,
                               uint32_t key);
uint64_t pickle_number(const struct pickle *p, const struct pickle_value *dictionary, uint32_t key);
struct slice pickle_text(const struct pickle *p, const struct pickle_value *dictionary,
                         uint32_t key);

#endif
