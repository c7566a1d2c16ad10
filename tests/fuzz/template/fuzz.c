/*
 * Parses any bytes as a template, checks it against the names of a report and, if
 * it is valid, fills it in both languages. Parts after a line "%%" are the partials
 * "a" and "b".
 */
#include <stddef.h>
#include <stdint.h>

#include "report/fields.h"
#include "report/render.h"
#include "report/report.h"

/* Lists within lists multiply, so their number is limited. */
enum { MOST_SECTIONS = 12 };

static size_t count_sections(struct slice text)
{
    size_t count = 0;

    for (size_t at; (at = slice_search(text, SLICE("{{#"))) < text.len; count++)
        text = slice_skip(text, at + 1);
    return count;
}

static void add_graph(struct report *r, const char *title)
{
    struct report_graph g = {0};

    g.name = g.title = slice_str(title);
    g.commentary = SLICE("*text*");
    *vec_add(&g.facts) = (struct report_fact){SLICE("key"), SLICE("a|`b`")};
    report_add_graph(r, &g);
    report_graph_release(&g);
}

/* Splits the input into "main" and its partials. */
static size_t cut(struct slice text, struct template *templates)
{
    static const char *const names[] = {"a.html.mustache", "b.mustache", "main"};
    struct slice parts[3];
    size_t count = 0;

    while (count < 3) {
        size_t end = count < 2 ? slice_search(text, SLICE("\n%%\n")) : text.len;

        parts[count++] = slice_take(text, end);
        text = slice_skip(text, end + 4);
    }
    for (size_t i = 0; i < count; i++) {
        templates[i] = (struct template){
            .name = slice_str(names[i]), .path = slice_str(names[i]), .source = parts[(i + 1) % 3]};
    }
    return count;
}

static void fill(const struct templates *all, const struct report *report,
                 enum render_language language, bool aside, struct diag *d)
{
    struct render_blocks blocks = {0};
    struct render r = {.templates = all,
                       .language = language,
                       .blocks = aside ? &blocks : NULL,
                       .scopes = {{&fields_report, report}},
                       .scope_count = 1};
    struct buf out = {0};

    if (render_check(&r, SLICE("main"), d) && !render_template(&r, SLICE("main"), &out, d))
        BUG("a template that was checked cannot be filled");
    for (size_t i = 0; i < blocks.items.count; i++)
        if (!render_block(&r, i, &out, d))
            BUG("a template that was checked cannot be filled");
    render_blocks_release(&blocks);
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct record *const whole[] = {&fields_report};
    struct template items[3];
    struct templates all = {.items = {.items = items}};
    struct report report;
    struct diag d;
    bool good = true;

    if (count_sections(slice_make((const char *)data, size)) > MOST_SECTIONS)
        return 0;
    diag_init(&d, SLICE(""));
    report_init(&report, SLICE("title"), SLICE("1"), SLICE(""));
    add_graph(&report, "one");
    add_graph(&report, "<two>");
    all.items.count = cut(slice_make((const char *)data, size), items);
    for (size_t i = 0; good && i < all.items.count; i++)
        good = template_parse(&items[i], &d);
    if (good) {
        templates_prepare(&all, whole, 1);
        fill(&all, &report, RENDER_HTML, false, &d);
        fill(&all, &report, RENDER_MARKDOWN, false, &d);
        fill(&all, &report, RENDER_MARKDOWN, true, &d);
    }
    for (size_t i = 0; i < all.items.count; i++)
        template_release(&items[i]);
    lookup_release(&all.lookup);
    report_release(&report);
    diag_release(&d);
    return 0;
}
