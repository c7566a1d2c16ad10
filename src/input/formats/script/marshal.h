/*
 * Python's marshal format: values in memory, read one after the other.
 *
 * A value is None, a number, a text, a tuple or a dictionary; the reader of pstats needs no
 * others. Texts point into the content. A value may be a reference to one that came before.
 * Values stay valid as long as the reader, but dictionaries only until the next value, unless the
 * file may refer to them.
 *
 *     marshal_begin(&m);                        // the dictionary that is the whole content
 *     while (marshal_next(&m, &key, &value)) ...
 *     if (m.failed) ...                         // at m.bytes
 *
 * Source: Python/marshal.c of CPython, versions 2 to 4 of the format.
 */
#ifndef INPUT_FORMATS_SCRIPT_MARSHAL_H
#define INPUT_FORMATS_SCRIPT_MARSHAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/parse/bytes.h"

enum marshal_type { MARSHAL_NONE, MARSHAL_NUMBER, MARSHAL_TEXT, MARSHAL_TUPLE, MARSHAL_DICT };

/* Files have millions of them: 16 bytes, which are returned in registers. */
struct marshal_value {
    enum marshal_type type;
    uint32_t count; /* items of a tuple; pairs of a dictionary; bytes of a text */
    union {
        uint32_t first; /* of those items or pairs */
        double number;
        const char *text;
    };
};

static inline struct slice marshal_text(struct marshal_value v)
{
    return slice_make(v.text, v.count);
}

struct marshal_pair {
    struct marshal_value key, value;
};

struct marshal {
    struct bytes bytes;
    bool failed;
    VEC(struct marshal_value) items;   /* of tuples */
    VEC(struct marshal_pair) pairs;    /* of dictionaries */
    size_t pairs_kept;                 /* of those that the file may refer to */
    VEC(struct marshal_value) objects; /* that the file may refer to */
    VEC(struct marshal_value) words;   /* interned texts of Python 2 */
};

void marshal_init(struct marshal *m, struct slice content);
void marshal_release(struct marshal *m);

/* Takes the start of the dictionary. Returns false if the content begins with another value. */
bool marshal_begin(struct marshal *m);
/* Returns false at the end of the dictionary, or if `m` failed. */
bool marshal_next(struct marshal *m, struct marshal_value *key, struct marshal_value *value);

/* The item of a tuple; None if the index is past its end or the value is no tuple. */
struct marshal_value marshal_item(const struct marshal *m, const struct marshal_value *tuple,
                                  uint32_t index);

#endif
