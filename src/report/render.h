/*
 * A template filled with data.
 *
 * Data is plain structs; a record lists the names under which a template
 * reaches their members. A name is looked up in the innermost record first.
 * Since records are tables, every name of a template can be checked before
 * there is any data: render_check() walks all of it, sections that would be
 * skipped as well.
 *
 * A template is written in a language, which decides how values are escaped.
 * The partial {{> x}} is the template "x.mustache", in the same language, or
 * else "x.md.mustache" or "x.html.mustache"; where only the HTML form is there,
 * it is nothing in Markdown. Where a Markdown template is on
 * its way to HTML (render.blocks is set), the HTML form is rendered into a
 * block of its own and a line RENDER_MARK number RENDER_MARK stands for it.
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "report/report.h"
#include "report/templates.h"

/* U+FDD0, a noncharacter: display_text() and commentaries let none through. */
#define RENDER_MARK "\xef\xb7\x90"

enum field_kind {
    FIELD_TEXT,     /* struct slice: text for people */
    FIELD_CODE,     /* struct slice: a function, path or command; a code span in Markdown */
    FIELD_LINK,     /* struct slice: a relative link, percent-encoded */
    FIELD_MARKDOWN, /* struct slice: Markdown made safe; only in Markdown templates */
    FIELD_HTML,     /* struct slice: text escaped for HTML, also in Markdown templates */
    FIELD_QUOTED,   /* struct slice: text as a string of JSON and YAML, quotes included */
    FIELD_UNSIGNED, /* unsigned */
    FIELD_COUNT,    /* uint64_t, with thousands */
    FIELD_SIZE,     /* VEC: how many items, with thousands */
    FIELD_FLAG,     /* bool */
    FIELD_ANY,      /* VEC: true where it is not empty */
    FIELD_LIST,     /* VEC of records */
};

struct record;

struct field {
    struct slice name;
    enum field_kind kind;
    size_t offset;
    const struct record *record; /* of a list's items */
};

struct record {
    const char *what; /* for messages: "a graph" */
    size_t size;
    const struct field *fields;
    size_t count;
};

enum render_language { RENDER_MARKDOWN, RENDER_HTML };

/* An object and the names it is reached by; without an object, names alone are checked. */
struct scope {
    const struct record *record;
    const void *object;
};

/* HTML set aside, by number; the caller releases each and the list. */
struct render_blocks VEC_OF(struct buf);

struct render {
    const struct templates *templates;
    enum render_language language;
    enum report_site site;        /* whose Markdown it is */
    struct render_blocks *blocks; /* NULL where the Markdown is the result */
    struct scope scopes[2];       /* what the template starts with, outermost first */
    unsigned scope_count;
};

/* Appends the filled template called `name`. False, with `d` told, where it is wrong. */
bool render_template(const struct render *r, struct slice name, struct buf *out, struct diag *d);

/* The same without objects and without output: are all names known? */
bool render_check(const struct render *r, struct slice name, struct diag *d);

#endif
