/*
 * Fills a template with data.
 *
 * Data is plain structs; a record lists the names by which a template reaches
 * their members. A name is looked up in the innermost record first. Records are
 * tables, so every name of a template can be checked before there is data:
 * render_check() walks the complete template, skipped sections included.
 *
 * The language of a template decides how values are escaped. The partial
 * {{> x}} is the template "x.mustache" in the same language, else
 * "x.md.mustache" or "x.html.mustache". If only the HTML form exists, the
 * partial is empty in Markdown. If the Markdown is to become HTML
 * (render.blocks is set), the Markdown gets a line "RENDER_MARK number RENDER_MARK"
 * in its place, and render_block() renders the HTML form later: a report may have
 * more blocks than should be in memory at once.
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

/* U+FDD0, a noncharacter, which display_text() and commentaries never contain. */
#define RENDER_MARK "\xef\xb7\x90"

enum field_kind {
    FIELD_TEXT,     /* struct slice: text for people */
    FIELD_CODE,     /* struct slice: a function, path or command; a code span in Markdown */
    FIELD_LINK,     /* struct slice: a relative link, percent-encoded */
    FIELD_FILE,     /* struct slice: the path of a file of the report; a link from this page */
    FIELD_GRAPH,    /* two struct slices: a graph's name and anchor; a link from this page */
    FIELD_OPEN,     /* the same two: what begins a link to the graph in Markdown, before its text */
    FIELD_CLOSE,    /* the same two: what ends that link */
    FIELD_BEFORE,   /* a graph's anchor, as the site generator expects it before the heading, */
    FIELD_INSIDE,   /* in it before the title, */
    FIELD_AFTER,    /* or after it; nothing if it is expected elsewhere */
    FIELD_MARKDOWN, /* struct slice: safe Markdown; only in Markdown templates */
    FIELD_HTML,     /* struct slice: text escaped for HTML, also in Markdown templates */
    FIELD_QUOTED,   /* struct slice: text as a JSON and YAML string, quotes included */
    FIELD_UNSIGNED, /* unsigned */
    FIELD_COUNT,    /* uint64_t, with thousands separators */
    FIELD_SIZE,     /* VEC: the number of items, with thousands separators */
    FIELD_FLAG,     /* bool */
    FIELD_ANY,      /* VEC: true if it is not empty */
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

/* Rows of a record's table: the member that a name stands for, and a list of records. */
#define RENDER_FIELD(kind, type, name, member)                                                     \
    {                                                                                              \
        SLICE(name), FIELD_##kind, offsetof(struct type, member), NULL                             \
    }
#define RENDER_LIST(type, alias, member, items)                                                    \
    {                                                                                              \
        SLICE(alias), FIELD_LIST, offsetof(struct type, member), &items                            \
    }
#define RENDER_RECORD(what, type, fields)                                                          \
    {                                                                                              \
        what, sizeof(struct type), fields, sizeof(fields) / sizeof(fields[0])                      \
    }

/*
 * Defines struct NAME, struct NAME_list and the record NAME_record by a list of members, for what
 * one page alone shows:
 *
 *     #define LABEL(M, N, S) M(S, TEXT, date) M(S, LIST(run), runs) N(S, ANY, runs, "has_runs")
 *     RENDER_VIEW(label, "a label", LABEL)
 *
 * M is a member, which templates know by its name; N is one more name of a member.
 */
#define RENDER_VIEW(name, what, members)                                                           \
    struct name {                                                                                  \
        members(RENDER_MEMBER, RENDER_NOTHING, name)                                               \
    };                                                                                             \
    struct name##_list VEC_OF(struct name);                                                        \
    static const struct field name##_fields[] = {members(RENDER_ROW, RENDER_NAME, name)};          \
    static const struct record name##_record = RENDER_RECORD(what, name, name##_fields);
#define RENDER_NOTHING(...)
#define RENDER_MEMBER(S, KIND, member) RENDER_TYPE_##KIND member;
#define RENDER_ROW(S, KIND, member) RENDER_NAME(S, KIND, member, #member)
#define RENDER_NAME(S, KIND, member, alias)                                                        \
    {.name = SLICE(alias), .offset = offsetof(struct S, member), .kind = RENDER_KIND_##KIND},
#define RENDER_TYPE_TEXT struct slice
#define RENDER_TYPE_LINK struct slice
#define RENDER_TYPE_UNSIGNED unsigned
#define RENDER_TYPE_COUNT uint64_t
#define RENDER_TYPE_FLAG bool
#define RENDER_TYPE_LIST(item) struct item##_list
#define RENDER_KIND_TEXT FIELD_TEXT
#define RENDER_KIND_LINK FIELD_LINK
#define RENDER_KIND_UNSIGNED FIELD_UNSIGNED
#define RENDER_KIND_COUNT FIELD_COUNT
#define RENDER_KIND_FLAG FIELD_FLAG
#define RENDER_KIND_ANY FIELD_ANY
#define RENDER_KIND_LIST(item) FIELD_LIST, .record = &item##_record

enum render_language { RENDER_MARKDOWN, RENDER_HTML };

/* An object and its names. `object` is NULL while names are checked. */
struct scope {
    const struct record *record;
    const void *object;
};

/* An HTML form that is left for later, and what its names mean. */
struct render_block {
    const struct template *template;
    struct slice indent; /* before each of its lines */
    unsigned depth;      /* nesting of partials */
    size_t first, count; /* its scopes, outermost first */
};

/* HTML blocks by number. They refer to the templates and to the data. */
struct render_blocks {
    VEC(struct render_block) items;
    VEC(struct scope) scopes;
};

void render_blocks_release(struct render_blocks *blocks);

struct render {
    const struct templates *templates;
    enum render_language language;
    const struct report *report;  /* NULL while names are checked */
    struct render_blocks *blocks; /* NULL if the Markdown is the result */
    bool inside;                  /* the text is that of such a page */
    struct scope scopes[3];       /* those of the whole template, outermost first */
    unsigned scope_count;
};

/* Appends a path for an address: percent-encodes all but unreserved characters and '/'. */
void render_link(struct buf *out, struct slice link);

/* Appends the filled template called `name`. Returns false after reporting an error in `d`. */
bool render_template(const struct render *r, struct slice name, struct buf *out, struct diag *d);

/* Appends a block of r->blocks. Returns false after reporting an error in `d`. */
bool render_block(const struct render *r, size_t number, struct buf *out, struct diag *d);

/* Checks that the template `name` uses known names only. Returns false after an error in `d`. */
bool render_check(const struct render *r, struct slice name, struct diag *d);

#endif
