/*
 * A template in the language of Mustache (mustache.github.io/mustache.5.html).
 *
 *     {{name}}              the value, escaped for what is written
 *     {{{name}}} {{&name}}  the value as it is
 *     {{#name}}...{{/name}} the text for each item of a list, or once where the
 *                           value is true or not empty
 *     {{^name}}...{{/name}} the text where it is false or empty
 *     {{.}}                 the item itself, in a list of texts
 *     {{> name}}            another template
 *     {{! comment}}
 *
 * A line that holds a section tag, a partial or a comment alone disappears
 * with the tag; an indented partial is indented throughout. Delimiters cannot
 * be changed, dotted names are not there.
 *
 * A template is parsed once into a flat list of nodes; sections know where they
 * end. Texts point into the source, which the caller keeps.
 */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"

/* Sections inside sections; partials inside partials. */
enum { TEMPLATE_MAX_DEPTH = 32 };

enum template_kind {
    TEMPLATE_TEXT,
    TEMPLATE_VALUE,
    TEMPLATE_RAW,
    TEMPLATE_SECTION,
    TEMPLATE_INVERTED,
    TEMPLATE_END,
    TEMPLATE_PARTIAL,
};

struct template_node {
    enum template_kind kind;
    struct slice text;   /* the literal, or the name */
    struct slice indent; /* of a standalone partial */
    uint32_t line;
    uint32_t end; /* of a section: the index of its end */
};

struct template
{
    struct slice name; /* "report.mustache" */
    struct slice path; /* for messages */
    struct slice source;
    VEC(struct template_node) nodes;
};

/* Parses t->source. False, with the first error told, where it is not well formed. */
bool template_parse(struct template *t, struct diag *d);
void template_release(struct template *t);

/* Tells an error at a line of the template, as its path; returns false. */
bool template_error(const struct template *t, uint32_t line, struct diag *d, const char *format,
                    ...) DIE_PRINTF(4, 5);

#endif
