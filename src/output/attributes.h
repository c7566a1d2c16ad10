/*
 * Attributes that users give to functions: links, tooltips, classes.
 *
 * A line of the file is a function, a tab, and attributes "key=value" with
 * tabs between, as flamegraph.pl's --nameattr has it. What could run a script
 * is refused: the keys are those of a list, and an address is relative or of a
 * scheme that only names a place. Values are escaped where they are written.
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
    ATTRIBUTE_TITLE,  /* instead of name and weight when pointed at */
    ATTRIBUTE_CLASS,  /* of the frame's group */
    ATTRIBUTE_HREF,   /* makes the frame a link */
    ATTRIBUTE_TARGET, /* of the link */
    ATTRIBUTE_KEYS,
};

extern const char *const attributes_keys[ATTRIBUTE_KEYS];

/* The values of one function; empty for those it has not. */
struct attribute_set {
    struct slice name;
    struct slice values[ATTRIBUTE_KEYS];
};

struct attributes {
    struct arena memory;
    struct map index; /* by name */
    VEC(struct attribute_set) items;
};

void attributes_init(struct attributes *a);
void attributes_release(struct attributes *a);

/* Reads the lines of a file. False, told with line and reason, where one is refused. */
bool attributes_read(struct attributes *a, struct slice text, struct diag *diag);

/* Those of a function, by its name without the suffix of its class; or NULL. */
const struct attribute_set *attributes_find(const struct attributes *a, struct slice name);

#endif
