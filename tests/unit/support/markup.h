/*
 * A strict reader of the XML that we write, for tests: elements in document
 * order, their attributes and the text directly in them. It knows elements,
 * attributes in double quotes, the five entities, CDATA and the declaration;
 * anything else, a tag that is not closed, or text that XML forbids, is an
 * error.
 */
#ifndef SUPPORT_MARKUP_H
#define SUPPORT_MARKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

struct markup_attribute {
    struct slice name, value; /* the value without entities */
};

struct markup_element {
    struct slice name;
    uint32_t parent; /* index; its own for the root */
    uint32_t depth;  /* 0 for the root */
    uint32_t attribute, attributes;
    struct slice text; /* all text directly in it */
};

struct markup {
    struct arena memory;
    VEC(struct markup_element) elements;
    VEC(struct markup_attribute) attributes;
};

/* Reads a document. Returns false, with `why`, if it is not well-formed. */
bool markup_init(struct markup *m, struct slice document, struct buf *why);
void markup_release(struct markup *m);

/* Returns an attribute's value; its ptr is NULL if the element has no such attribute. */
struct slice markup_get(const struct markup *m, const struct markup_element *e, const char *name);
/* Returns an attribute's value as a number, 0 if there is none. */
double markup_number(const struct markup *m, const struct markup_element *e, const char *name);

/* The first child of that name, or NULL. */
const struct markup_element *markup_child(const struct markup *m, const struct markup_element *e,
                                          const char *name);

#endif
