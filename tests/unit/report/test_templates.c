#include "report/templates.h"

#include <stdlib.h>

#include "base/file.h"
#include "report/fields.h"
#include "unit/support/test.h"

Test(report_templates, the_embedded_ones_are_good)
{
    struct templates t;
    struct diag d;
    struct buf told = {0};

    diag_init(&d, SLICE(""));
    cr_expect(templates_init(&t, NULL, &d));
    diag_write(&d, &told, false);
    cr_expect_str_eq(buf_string(&told), "");
    cr_expect(templates_find(&t, SLICE("report.mustache")));
    cr_expect(templates_find(&t, SLICE("page.mustache")));
    cr_expect(templates_find(&t, SLICE("page.css")));
    cr_expect_null(templates_find(&t, SLICE("nothing.mustache")));
    templates_release(&t);
    diag_release(&d);
    buf_release(&told);
}

/* A user's directory with one file, and the message about it; "" if it is valid. */
static const struct {
    const char *file, *content, *told;
} directories[] = {
    {"page.mustache", "{{{content}}}", ""},
    {"page.css", "body { color: red }", ""},
    {"README", "{{ not a template", ""},
    {".page.mustache.swp", "{{", ""},
    {"report.mustache", "# {{title}}\n{{> mine}}\n", "report.mustache:2: error: there is no"},
    {"graph.mustache", "\n{{titel}}\n", "graph.mustache:2: error: unknown name 'titel'; a graph"},
    {"page.mustache", "{{introduction}}", "page.mustache:1: error: 'introduction' is Markdown"},
    {"summary.html.mustache", "{{#graphs}}", "summary.html.mustache:1: error: section {{#"},
    {"grpah.mustache", "x", "grpah.mustache:1: error: no template includes this file"},
};

Test(report_templates, override)
{
    for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
        char directory[] = "/tmp/templates-XXXXXX";
        struct buf path = {0}, told = {0}, want = {0};
        struct templates t;
        struct diag d;
        bool good;

        cr_assert(mkdtemp(directory));
        buf_printf(&path, "%s/%s", directory, directories[i].file);
        cr_assert(file_create(buf_string(&path), slice_str(directories[i].content), &told));
        diag_init(&d, SLICE(""));
        good = templates_init(&t, directory, &d);
        diag_write(&d, &told, false);
        if (directories[i].told[0])
            buf_printf(&want, "%s/%s", directory, directories[i].told);
        cr_expect_eq(good, !want.len, "%s: %s", directories[i].file, buf_string(&told));
        cr_expect(slice_starts(buf_slice(&told), buf_slice(&want)), "%s: %s", directories[i].file,
                  buf_string(&told));
        templates_release(&t);
        diag_release(&d);
        cr_assert(file_remove_tree(directory, &told));
        buf_release(&path);
        buf_release(&told);
        buf_release(&want);
    }
}

Test(report_templates, a_directory_that_is_not_there)
{
    struct templates t;
    struct diag d;
    struct buf told = {0};

    diag_init(&d, SLICE(""));
    cr_expect_not(templates_init(&t, "/does/not/exist", &d));
    diag_write(&d, &told, false);
    cr_expect_str_eq(
        buf_string(&told),
        "error: cannot open the directory of templates '/does/not/exist': No such file "
        "or directory\n");
    templates_release(&t);
    diag_release(&d);
    buf_release(&told);
}

/* Says whether `text` has `name` as code: `name`, `{{.}}`. */
static bool is_documented(struct slice text, struct slice name)
{
    struct buf code = {0};
    bool found;

    buf_printf(&code, slice_equal(name, SLICE(".")) ? "`{{%.*s}}`" : "`%.*s`", SLICE_ARG(name));
    found = slice_search(text, buf_slice(&code)) < text.len;
    buf_release(&code);
    return found;
}

static void expect_documented(struct slice text, const struct record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];

        cr_expect(is_documented(text, field->name), "'%.*s' of %s is not in templates/README.md",
                  SLICE_ARG(field->name), record->what);
        if (field->record)
            expect_documented(text, field->record);
    }
}

Test(report_templates, every_name_is_documented)
{
    struct buf text = {0}, why = {0};

    cr_assert(file_read("templates/README.md", 1 << 20, &text, &why), "%s", buf_string(&why));
    expect_documented(buf_slice(&text), &fields_report);
    expect_documented(buf_slice(&text), &fields_page);
    cr_expect_not(is_documented(buf_slice(&text), SLICE("no_such_name")));
    buf_release(&text);
    buf_release(&why);
}
