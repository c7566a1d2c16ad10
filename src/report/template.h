/*
 * Parses a Mustache template (mustache.github.io/mustache.5.html).
 *
 *     {{name}}              the value, escaped for the output's language
 *     {{{name}}} {{&name}}  the value as it is
 *     {{#name}}...{{/name}} the text for each item of a list, or once if the
 *                           value is true or not empty
 *     {{^name}}...{{/name}} the text if the value is false or empty
 *     {{.}}                 the item itself, in a list of texts
 *     {{> name}}            another template
 *     {{! comment}}
 *
 * If a section tag, a partial or a comment is alone on its line, the complete
 * line is removed. Each line of an indented partial is indented. Delimiters
 * cannot be changed, and there are no dotted names.
 *
 * A template is parsed once into a flat list of nodes. A section's node has the
 * index of its end. Texts point into the source, which the caller keeps.
 */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"

/* The deepest nesting of sections, and of partials. */
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

/* A partial has one form for both languages, or one for each. */
enum template_form { TEMPLATE_BOTH, TEMPLATE_MARKDOWN, TEMPLATE_HTML, TEMPLATE_FORMS };

struct template_node {
    enum template_kind kind;
    struct slice text;   /* the literal, or the name */
    struct slice indent; /* that of a partial alone on its line */
    uint32_t line;
    uint32_t end;  /* of a section: the index of its TEMPLATE_END */
    uint32_t name; /* of a value or section: the number that templates.c gives its name */
    const struct template *forms[TEMPLATE_FORMS]; /* of a partial; NULL for what it lacks */
};

struct template
{
    struct slice name; /* "report.mustache" */
    struct slice path; /* for messages */
    struct slice source;
    VEC(struct template_node) nodes;
};

/* Parses t->source. Returns false after reporting the first error in `d`. */
bool template_parse(struct template *t, struct diag *d);
void template_release(struct template *t);

/* Reports an error at a line of the template. Returns false. */
bool template_error(const struct template *t, uint32_t line, struct diag *d, const char *format,
                    ...) DIE_PRINTF(4, 5);

#endif
