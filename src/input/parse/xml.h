/*
 * XML, read as a stream: elements as they open and as they close.
 *
 * A document is read in blocks and never held whole; a reader keeps what it needs of an
 * element until the element closes. Names, attributes and texts are valid during the call
 * only. An element's text is its own text, without that of elements inside it.
 *
 * Entities that the document defines are refused, because they can expand enormously. If
 * the document ends in the middle, the closed elements have been passed on and a warning
 * is added; any other damage is an error with its line.
 */
#ifndef INPUT_PARSE_XML_H
#define INPUT_PARSE_XML_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"
#include "input/parse/content.h"

/* The deepest nesting that is read; deeper is an error. */
enum { XML_MOST_DEPTH = 10000 };

/* An element; `attributes` is names and values in turn, ended by NULL. */
struct xml_element {
    struct slice name;
    const char *const *attributes;
    const struct xml_reader *reader;
};

struct xml_handler {
    void *context;
    bool without_texts; /* the texts of elements are not needed; they are passed as empty */
    /* Returning false from either function, after reporting an error, ends the reading. */
    bool (*open)(void *context, const struct xml_element *e);
    bool (*close)(void *context, struct slice name, struct slice text);
};

/* Reads the content. Returns false after the reader or this function has reported an error. */
bool xml_read(struct content *c, const struct xml_handler *handler);

/* Line of an element that opens; counted on request. */
uint64_t xml_line(const struct xml_element *e);

/* The value of an attribute, or an empty slice. Inline, so that constant names compare fast. */
static inline struct slice xml_attribute(const struct xml_element *e, const char *name)
{
    for (const char *const *a = e->attributes; *a; a += 2)
        if (**a == *name && strcmp(*a, name) == 0)
            return slice_str(a[1]);
    return slice_make(NULL, 0);
}

#endif
