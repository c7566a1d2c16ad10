/*
 * Reads the attributes that a user gives to functions: links, tooltips, classes.
 *
 * A line of the file is a function, a tab, and "key=value" attributes parted by
 * tabs, as for flamegraph.pl's --nameattr. Nothing that could run a script is
 * accepted: keys come from a list, and an address is relative or has a scheme
 * that runs nothing. The writers escape the values.
 */
#ifndef OUTPUT_ATTRIBUTES_H
#define OUTPUT_ATTRIBUTES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

enum attribute {
    ATTRIBUTE_TITLE,  /* the tooltip, in place of name and weight */
    ATTRIBUTE_CLASS,  /* of the frame's group */
    ATTRIBUTE_HREF,   /* makes the frame a link */
    ATTRIBUTE_TARGET, /* of the link */
    ATTRIBUTE_KEYS,
};

extern const char *const attributes_keys[ATTRIBUTE_KEYS];

/* The values of one function; empty if it lacks that attribute. */
struct attribute_set {
    struct slice name;
    struct slice values[ATTRIBUTE_KEYS];
};

struct attributes {
    struct arena memory;
    struct map index; /* by name */
    VEC(struct attribute_set) items;
};

void attributes_release(struct attributes *a);

/* Reads the lines of a file. Returns false after reporting each line that is refused. */
bool attributes_read(struct attributes *a, struct slice text, struct diag *diag);

/* Returns the attributes of a function, or NULL. `name` is without the suffix of its class. */
const struct attribute_set *attributes_find(const struct attributes *a, struct slice name);

#endif
