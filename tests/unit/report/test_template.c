#include "report/render.h"

#include "unit/support/test.h"

/* The values for the templates of these tests. */
struct item {
    struct slice word;
};

struct sample {
    struct slice plain, code, link, markdown, empty;
    unsigned number;
    uint64_t count;
    bool yes, no;
    VEC(struct item) items;
    VEC(struct item) none;
};

#define FIELD(kind, name, member)                                                                  \
    {                                                                                              \
        SLICE(name), FIELD_##kind, offsetof(struct sample, member), NULL                           \
    }

static const struct field item_fields[] = {
    {SLICE("."), FIELD_TEXT, offsetof(struct item, word), NULL},
    {SLICE("word"), FIELD_TEXT, offsetof(struct item, word), NULL},
    {SLICE("plain"), FIELD_TEXT, offsetof(struct item, word), NULL},
};
static const struct record item_record = {"an item", sizeof(struct item), item_fields, 3};

static const struct field sample_fields[] = {
    FIELD(TEXT, "plain", plain),
    FIELD(CODE, "code", code),
    FIELD(LINK, "link", link),
    FIELD(MARKDOWN, "markdown", markdown),
    FIELD(TEXT, "empty", empty),
    FIELD(UNSIGNED, "number", number),
    FIELD(COUNT, "count", count),
    FIELD(FLAG, "yes", yes),
    FIELD(FLAG, "no", no),
    FIELD(ANY, "has_items", items),
    FIELD(SIZE, "item_count", items),
    {SLICE("items"), FIELD_LIST, offsetof(struct sample, items), &item_record},
    {SLICE("none"), FIELD_LIST, offsetof(struct sample, none), &item_record},
};
static const struct record sample_record = {"the sample", sizeof(struct sample), sample_fields,
                                            sizeof(sample_fields) / sizeof(*sample_fields)};

static int by_name(const void *a, const void *b)
{
    return slice_compare(((const struct template *)a)->name, ((const struct template *)b)->name);
}

/* "main" is filled; the other templates are partials for it. */
struct set {
    struct template templates[4];
    struct templates all;
};

static bool parse(struct set *s, const char *main, const char *const *others, struct diag *d)
{
    static const struct record *const whole[] = {&sample_record};
    size_t count = 0;
    bool good = true;

    *s = (struct set){0};
    for (; others && others[2 * count]; count++) {
        s->templates[count].name = slice_str(others[2 * count]);
        s->templates[count].source = slice_str(others[2 * count + 1]);
    }
    s->templates[count].name = SLICE("main");
    s->templates[count++].source = slice_str(main);
    qsort(s->templates, count, sizeof(*s->templates), by_name);
    s->all.items.items = s->templates;
    s->all.items.count = count;
    for (size_t i = 0; good && i < count; i++) {
        s->templates[i].path = s->templates[i].name;
        good = template_parse(&s->templates[i], d);
    }
    templates_prepare(&s->all, whole, 1);
    return good;
}

static void release(struct set *s)
{
    for (size_t i = 0; i < s->all.items.count; i++)
        template_release(&s->templates[i]);
    lookup_release(&s->all.lookup);
}

/* Fills `main` and writes the result and all blocks, or else the messages, to `out`. */
static bool fill(const char *main, const char *const *others, enum render_language language,
                 struct render_blocks *blocks, struct buf *out)
{
    static struct item words[] = {{SLICE("one")}, {SLICE("<two>")}};
    struct sample sample = {
        .plain = SLICE("a<b & *c*"),
        .code = SLICE("f|<g>"),
        .link = SLICE("a b/c#d.png"),
        .markdown = SLICE("**m**"),
        .number = 7,
        .count = 1234567,
        .yes = true,
    };
    struct diag d;
    struct set set;
    struct render r = {.templates = &set.all,
                       .language = language,
                       .blocks = blocks,
                       .scopes = {{&sample_record, &sample}},
                       .scope_count = 1};
    bool good;

    sample.items.items = words;
    sample.items.count = 2;
    diag_init(&d, SLICE(""));
    *out = (struct buf){0};
    good = parse(&set, main, others, &d) && render_check(&r, SLICE("main"), &d) &&
           render_template(&r, SLICE("main"), out, &d);
    for (size_t i = 0; good && blocks && i < blocks->items.count; i++)
        good = render_block(&r, i, out, &d);
    if (!good) {
        buf_clear(out);
        diag_write(&d, out, false);
    }
    release(&set);
    diag_release(&d);
    return good;
}

static const struct {
    const char *name, *template, *html;
} filled[] = {
    {"literal", "x { y } z\n", "x { y } z\n"},
    {"value", "{{plain}}", "a&lt;b &amp; *c*"},
    {"value with blanks", "{{  plain\t}}", "a&lt;b &amp; *c*"},
    {"raw, three braces", "{{{ plain }}}", "a<b & *c*"},
    {"raw, ampersand", "{{& plain }}", "a<b & *c*"},
    {"link", "{{link}}", "a%20b/c%23d.png"},
    {"numbers", "{{number}} {{count}} {{item_count}}", "7 1,234,567 2"},
    {"comment", "a{{! no {one} reads this }}b", "ab"},
    {"comment over lines", "a{{! one\ntwo }}b", "ab"},
    {"comment alone", "a\n  {{! x }}\nb\n", "a\nb\n"},
    {"list", "{{#items}}({{word}}){{/items}}", "(one)(&lt;two&gt;)"},
    {"item itself", "{{#items}}[{{.}}]{{/items}}", "[one][&lt;two&gt;]"},
    {"inner name wins", "{{#items}}{{plain}} {{/items}}", "one &lt;two&gt; "},
    {"outer name", "{{#items}}{{number}}{{/items}}", "77"},
    {"list in a list", "{{#items}}{{#items}}{{word}},{{/items}};{{/items}}",
     "one,&lt;two&gt;,;one,&lt;two&gt;,;"},
    {"empty list", "{{#none}}x{{/none}}{{^none}}y{{/none}}", "y"},
    {"inverted full list", "{{^items}}x{{/items}}", ""},
    {"any", "{{#has_items}}x{{/has_items}}", "x"},
    {"true", "{{#yes}}x{{/yes}}{{^yes}}y{{/yes}}", "x"},
    {"false", "{{#no}}x{{/no}}{{^no}}y{{/no}}", "y"},
    {"text as section", "{{#plain}}x{{/plain}}{{#empty}}y{{/empty}}{{^empty}}z{{/empty}}", "xz"},
    {"number as section", "{{#number}}x{{/number}}", "x"},
    {"standalone section", "a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"},
    {"standalone, indented", "a\n  {{#yes}}  \nb\n\t{{/yes}}\nc\n", "a\nb\nc\n"},
    {"standalone with CR LF", "a\r\n{{#yes}}\r\nb\r\n{{/yes}}\r\nc\r\n", "a\r\nb\r\nc\r\n"},
    {"standalone at the end", "{{#yes}}\na\n{{/yes}}", "a\n"},
    {"standalone at the start", "{{#no}}\n{{/no}}\na", "a"},
    {"not standalone: two tags", "{{#yes}}{{/yes}}\na", "\na"},
    {"not standalone: text", "a {{#yes}}\nb{{/yes}}\n", "a \nb\n"},
    {"not standalone: a value", "a\n {{number}} \nb", "a\n 7 \nb"},
    {"blank lines stay", "a\n\n{{#yes}}\n\nb\n{{/yes}}\n\nc", "a\n\n\nb\n\nc"},
    {"partial", "a{{> p}}b", "a(7)b"},
    {"partial alone on its line", "a\n{{> p}}\nb", "a\n(7)b"},
    {"partial, indented", "  {{> lines}}\n.", "  x\n  y a&lt;b &amp; *c*\n."},
    {"partial of a partial", "{{> q}}", "<(7)>"},
    {"partial in a list", "{{#items}}{{> r}}{{/items}}", "one!&lt;two&gt;!"},
};

static const char *const html_partials[] = {"lines.html.mustache",
                                            "x\ny {{plain}}\n",
                                            "p.html.mustache",
                                            "({{number}})",
                                            "q.html.mustache",
                                            "<{{> p}}>",
                                            NULL};
static const char *const item_partials[] = {"r.html.mustache", "{{#items}}{{/items}}{{plain}}!",
                                            NULL};

Test(report_template, fills)
{
    for (size_t i = 0; i < sizeof(filled) / sizeof(*filled); i++) {
        const char *const *partials =
            strstr(filled[i].template, "> r}") ? item_partials : html_partials;
        struct buf out;

        fill(filled[i].template, partials, RENDER_HTML, NULL, &out);
        cr_expect_str_eq(buf_string(&out), filled[i].html, "%s: '%s' instead of '%s'",
                         filled[i].name, buf_string(&out), filled[i].html);
        buf_release(&out);
    }
}

static const struct {
    const char *name, *template, *message;
} broken[] = {
    {"unknown value", "a\nb {{titel}}\n", "main:2: error: unknown name 'titel'; the sample has "},
    {"unknown in an empty list", "{{#none}}\n{{wrod}}{{/none}}",
     "main:2: error: unknown name 'wrod'; an item has ., word, plain"},
    {"unknown in a false section", "{{#no}}{{x}}{{/no}}", "main:1: error: unknown name 'x'"},
    {"unknown section", "\n\n{{#x}}{{/x}}", "main:3: error: unknown name 'x'"},
    {"unknown inverted", "{{^x}}{{/x}}", "main:1: error: unknown name 'x'"},
    {"unknown partial", "\n{{> x}}", "main:2: error: there is no template 'x.html.mustache'"},
    {"unknown in a partial", "{{> bad}}", "bad.html.mustache:2: error: unknown name 'nope'"},
    {"inner name outside", "{{word}}", "main:1: error: unknown name 'word'"},
    {"list as value", "{{items}}",
     "main:1: error: 'items' has no text, use it as a section: {{#items}}"},
    {"flag as value", "{{yes}}", "main:1: error: 'yes' has no text"},
    {"Markdown in HTML", "{{{markdown}}}", "main:1: error: 'markdown' is Markdown and cannot"},
    {"open tag", "a\n{{x", "main:2: error: tag without closing \"}}\""},
    {"open triple tag", "{{{plain}} }", "main:1: error: tag without closing \"}}}\""},
    {"open section", "\n{{#yes}}\na", "main:2: error: section {{#yes}} is not closed"},
    {"close without open", "{{/yes}}", "main:1: error: {{/yes}} closes no open section"},
    {"crossed sections", "{{#yes}}\n{{#no}}\n{{/yes}}{{/no}}",
     "main:3: error: expected {{/no}}, which closes line 2, not {{/yes}}"},
    {"no name", "{{}}", "main:1: error: invalid name ''"},
    {"two names", "{{a b}}", "main:1: error: invalid name 'a b', expected one word"},
    {"delimiters", "{{=<% %>=}}", "main:1: error: cannot change delimiters"},
    {"includes itself", "{{> self}}",
     "self.html.mustache:1: error: templates include each other deeper than 32"},
    {"doubles itself", "{{> twice}}", "twice.html.mustache:1: error: templates include each"},
};

static const char *const bad_partials[] = {"bad.html.mustache", "\n{{nope}}", NULL};
static const char *const self_partials[] = {"self.html.mustache", "{{> self}}", NULL};
static const char *const twice_partials[] = {"twice.html.mustache", "{{> twice}}{{> twice}}", NULL};

Test(report_template, refuses)
{
    for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
        const char *text = broken[i].template;
        const char *const *partials = strstr(text, "> bad")     ? bad_partials
                                      : strstr(text, "> self")  ? self_partials
                                      : strstr(text, "> twice") ? twice_partials
                                                                : NULL;
        struct buf out;

        cr_expect_not(fill(text, partials, RENDER_HTML, NULL, &out), "%s", broken[i].name);
        cr_expect(slice_starts(buf_slice(&out), slice_str(broken[i].message)),
                  "%s: '%s' instead of '%s'", broken[i].name, buf_string(&out), broken[i].message);
        buf_release(&out);
    }
}

Test(report_template, nests_to_its_limit)
{
    struct buf deep = {0}, out;

    for (int depth = TEMPLATE_MAX_DEPTH; depth <= TEMPLATE_MAX_DEPTH + 1; depth++) {
        for (int i = 0; i < depth; i++)
            buf_add_str(&deep, "{{#yes}}");
        for (int i = 0; i < depth; i++)
            buf_add_str(&deep, "{{/yes}}");
        cr_expect_eq(fill(buf_string(&deep), NULL, RENDER_HTML, NULL, &out),
                     depth == TEMPLATE_MAX_DEPTH, "depth %d: %s", depth, buf_string(&out));
        buf_release(&out);
        buf_release(&deep);
    }
}

static const struct {
    const char *name, *template, *markdown;
} languages[] = {
    {"text", "{{plain}}", "a\\<b \\& \\*c\\*"},
    {"code", "{{code}}", "`f|<g>`"},
    {"code in a table", "| {{code}} |", "| `f\\|<g>` |"},
    {"code in a table's second line", "x\n| {{number}} | {{code}} |", "x\n| 7 | `f\\|<g>` |"},
    {"Markdown", "{{markdown}}{{{markdown}}}", "**m****m**"},
    {"raw", "{{{plain}}}", "a<b & *c*"},
    {"shared partial", "{{> shared}}", "shared 7"},
    {"partial of the language", "{{> two}}", "md"},
    {"partial with an HTML form only", "a\n{{> only}}\nb", "a\nb"},
};

Test(report_template, writes_markdown)
{
    static const char *const partials[] = {"only.html.mustache",
                                           "<b>",
                                           "shared.mustache",
                                           "shared {{number}}",
                                           "two.md.mustache",
                                           "md",
                                           NULL};

    for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++) {
        struct buf out;

        fill(languages[i].template, partials, RENDER_MARKDOWN, NULL, &out);
        cr_expect_str_eq(buf_string(&out), languages[i].markdown, "%s: '%s'", languages[i].name,
                         buf_string(&out));
        buf_release(&out);
    }
}

Test(report_template, sets_html_aside)
{
    static const char *const partials[] = {"only.html.mustache",
                                           "<b>{{plain}}</b>\n",
                                           "two.html.mustache",
                                           "2",
                                           "two.md.mustache",
                                           "md",
                                           NULL};
    struct render_blocks blocks = {0};
    struct buf out;

    cr_assert(fill("a\n{{> only}}\n{{> two}}\n", partials, RENDER_MARKDOWN, &blocks, &out));
    cr_expect_str_eq(buf_string(&out),
                     "a\n\n" RENDER_MARK "0" RENDER_MARK "\n\n\n" RENDER_MARK "1" RENDER_MARK "\n\n"
                     "<b>a&lt;b &amp; *c*</b>\n"
                     "2");
    cr_expect_eq(blocks.items.count, 2);
    render_blocks_release(&blocks);
    buf_release(&out);
}
