#include "report/markdown.h"

#include <cmark.h>

#include "report/html.h"
#include "unit/support/test.h"

static const struct {
    const char *name, *text, *as_text, *as_code, *in_table;
} escapes[] = {
    {"empty", "", "", "", ""},
    {"plain", "main", "main", "`main`", "`main`"},
    {"right to left", "\xd7\xa9\xd7\x9c|", "\xe2\x81\xa8\xd7\xa9\xd7\x9c\\|\xe2\x81\xa9",
     "\xe2\x81\xa8`\xd7\xa9\xd7\x9c|`\xe2\x81\xa9",
     "\xe2\x81\xa8`\xd7\xa9\xd7\x9c\\|`\xe2\x81\xa9"},
    {"isolated already", "a \xe2\x81\xa8\xd7\xa9\xe2\x81\xa9", "a \xe2\x81\xa8\xd7\xa9\xe2\x81\xa9",
     "`a \xe2\x81\xa8\xd7\xa9\xe2\x81\xa9`", "`a \xe2\x81\xa8\xd7\xa9\xe2\x81\xa9`"},
    {"angle", "a<b>", "a\\<b\\>", "`a<b>`", "`a<b>`"},
    {"bar", "operator|", "operator\\|", "`operator|`", "`operator\\|`"},
    {"backslash before a bar", "a\\|b", "a\\\\\\|b", "`a\\|b`", "<code>a&#92;&#124;b</code>"},
    {"backslash", "a\\b", "a\\\\b", "`a\\b`", "`a\\b`"},
    {"backtick", "a`b", "a\\`b", "``a`b``", "``a`b``"},
    {"backticks at the ends", "`a``", "\\`a\\`\\`", "``` `a`` ```", "``` `a`` ```"},
    {"blanks at the ends", " a ", " a ", "`  a  `", "`  a  `"},
    {"emphasis", "*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~", "`*a* _b_ ~c~`", "`*a* _b_ ~c~`"},
    {"link", "[a](b)", "\\[a\\](b)", "`[a](b)`", "`[a](b)`"},
    {"entity", "&lt;", "\\&lt;", "`&lt;`", "`&lt;`"},
    {"heading", "# a #", "\\# a \\#", "`# a #`", "`# a #`"},
    {"bullet", "- a", "\\- a", "`- a`", "`- a`"},
    {"no bullet", "-fno-plt", "-fno-plt", "`-fno-plt`", "`-fno-plt`"},
    {"rule", "---", "\\---", "`---`", "`---`"},
    {"underline", "===", "\\===", "`===`", "`===`"},
    {"number", "12. a", "12\\. a", "`12. a`", "`12. a`"},
    {"no list", "12.34 %", "12.34 %", "`12.34 %`", "`12.34 %`"},
    {"number alone", "3)", "3\\)", "`3)`", "`3)`"},
    {"lines", "a\n# b\r\nc", "a \\# b  c", "`a # b  c`", "`a # b  c`"},
    {"braces", "{{x}}", "\\{\\{x\\}\\}", "`{{x}}`", "`{{x}}`"},
};

static void check(const char *name, const char *text, enum markdown_style style, const char *want)
{
    struct buf out = {0};

    markdown_escape(&out, slice_str(text), REPORT_PAGE, style);
    cr_expect_str_eq(buf_string(&out), want, "%s, style %d: '%s' instead of '%s'", name, (int)style,
                     buf_string(&out), want);
    buf_release(&out);
}

Test(report_markdown, escapes)
{
    for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
        check(escapes[i].name, escapes[i].text, MARKDOWN_TEXT, escapes[i].as_text);
        check(escapes[i].name, escapes[i].text, MARKDOWN_CODE, escapes[i].as_code);
        check(escapes[i].name, escapes[i].text, MARKDOWN_CODE_TABLE, escapes[i].in_table);
    }
}

/* Markdown that site generators read differently; tests/valid runs the generators. */
static const struct {
    const char *name, *text;
    enum report_site site;
    const char *as_text, *in_table;
} site_escapes[] = {
    {"quotes", "\"a\" 'b'", REPORT_HUGO, "\\\"a\\\" \\'b\\'", "`\"a\" 'b'`"},
    {"dashes", "a --json -x", REPORT_HUGO, "a \\-\\-json -x", "`a --json -x`"},
    {"dots", "a... 1.5", REPORT_HUGO, "a\\.\\.\\. 1.5", "`a... 1.5`"},
    {"ticked box", "x", REPORT_HUGO, "&#120;", "`x`"},
    {"shortcode", "{{<x>}}", REPORT_HUGO, "\\{\\{\\<x\\>\\}\\}", "`{`{`<x>}}`"},
    {"shortcode of Markdown", "{{%x", REPORT_HUGO, "\\{\\{%x", "`{`{`%x`"},
    {"closure", "{{closure}}", REPORT_HUGO, "\\{\\{closure\\}\\}", "`{{closure}}`"},
    {"divider", "<!--more-->", REPORT_HUGO, "\\<!\\-\\-more\\-\\-\\>", "`<`!`--more-->`"},
    {"several of these", "a{{%b{{<c", REPORT_HUGO, "a\\{\\{%b\\{\\{\\<c", "`a{`{`%b{`{`<c`"},
    {"bar", "a|b", REPORT_HUGO, "a\\|b", "`a\\|b`"},
    {"quotes", "\"a\"", REPORT_MKDOCS, "\"a\"", "`\"a\"`"},
    {"bar", "a|b", REPORT_MKDOCS, "a&#124;b", "`a|b`"},
    {"backslash before a bar", "a\\|b", REPORT_MKDOCS, "a&#92;&#124;b", "`a\\|b`"},
    {"angle", "a<b>", REPORT_MKDOCS, "a&#60;b&#62;", "`a<b>`"},
    {"reference", "a & b&&c", REPORT_MKDOCS, "a &#38; b&#38;&#38;c", "a &#38; b&#38;&#38;c"},
    {"both", "a&&", REPORT_MKDOCS, "a&#38;&#38;", "`a&&`"},
    {"emphasis", "*a* ~b~", REPORT_MKDOCS, "&#42;a&#42; &#126;b&#126;", "`*a* ~b~`"},
    {"underscore", "_a_b_ c__d", REPORT_MKDOCS, "&#95;a_b&#95; c&#95;&#95;d", "`_a_b_ c__d`"},
    {"rule", "===", REPORT_MKDOCS, "&#61;==", "`===`"},
    {"expression", "{{ a }}", REPORT_MKDOCS, "&#123;&#123; a &#125;&#125;", "`{`{ `a }}`"},
    {"only its beginning", "a{{", REPORT_MKDOCS, "a&#123;&#123;", "`a{`{"},
    {"closure", "{{closure}}", REPORT_JEKYLL, "&#123;&#123;closure&#125;&#125;",
     "<code>&#123;&#123;closure&#125;&#125;</code>"},
    {"tag", "{% raw %}", REPORT_JEKYLL, "&#123;% raw %&#125;",
     "<code>&#123;&#37; raw &#37;&#125;</code>"},
    {"bar", "a|b_c", REPORT_JEKYLL, "a&#124;b_c", "<code>a&#124;b&#95;c</code>"},
    {"quotes", "\"a\" --b", REPORT_JEKYLL, "&#34;a&#34; &#45;&#45;b", "`\"a\" --b`"},
    {"element", "Vec<T>{}", REPORT_DOCUSAURUS, "Vec&#60;T\\>&#123;&#125;", "`Vec<T>{}`"},
    {"module", "import x", REPORT_DOCUSAURUS, "&#105;mport x", "`import x`"},
    {"module", "export x: y", REPORT_DOCUSAURUS, "&#101;xport x\\: y", "`export x: y`"},
    {"bar", "a|b", REPORT_DOCUSAURUS, "a\\|b", "`a\\|b`"},
    {"emoji", ":a: {{b}}", REPORT_VITEPRESS, "\\:a\\: &#123;&#123;b&#125;&#125;", "`:a: {{b}}`"},
    {"role", "{a}`b`", REPORT_SPHINX, "\\{a\\}\\`b\\`", "`` {a}`b` ``"},
    {"comment", "% (a)=", REPORT_SPHINX, "\\% (a)=", "`% (a)=`"},
    {"target", "(a)=", REPORT_SPHINX, "\\(a)=", "`(a)=`"},
    {"shortcode", "{{ a() }}", REPORT_ZOLA, "&#123;&#123; a() &#125;&#125;",
     "<code>&#123;&#123; a&#40;&#41; &#125;&#125;</code>"},
    {"closure", "{{closure}}", REPORT_GITHUB_WIKI, "\\{\\{closure\\}\\}", "`{{closure}}`"},
};

Test(report_markdown, escapes_for_generators_of_sites)
{
    for (size_t i = 0; i < sizeof(site_escapes) / sizeof(*site_escapes); i++) {
        struct slice text = slice_str(site_escapes[i].text);
        struct buf as_text = {0}, in_table = {0};

        markdown_escape(&as_text, text, site_escapes[i].site, MARKDOWN_TEXT);
        markdown_escape(&in_table, text, site_escapes[i].site, MARKDOWN_CODE_TABLE);
        cr_expect_str_eq(buf_string(&as_text), site_escapes[i].as_text, "%s: %s",
                         site_escapes[i].name, buf_string(&as_text));
        cr_expect_str_eq(buf_string(&in_table), site_escapes[i].in_table, "%s: %s",
                         site_escapes[i].name, buf_string(&in_table));
        buf_release(&as_text);
        buf_release(&in_table);
    }
}

/* Texts that a Markdown reader must return unchanged. */
static const char *const texts[] = {
    "main",
    "std::vector<int, std::allocator<int> >::push_back(int&&)",
    "operator|",
    "a\\|b",
    "`x`",
    "``",
    "*",
    "**a**",
    "_a_",
    "[x](javascript:y)",
    "![x](y)",
    "<script>alert(1)</script>",
    "&amp;",
    "&#60;",
    "]]>",
    "-->",
    "# a",
    "#",
    "- a",
    "+ a",
    "1. a",
    "1)",
    "---",
    "===",
    "***",
    "> a",
    "~~~",
    "```",
    "a\\",
    "\\",
    "a  b",
    "{{closure}}",
    "$x$",
    "http://example.org/a_b",
    "<http://example.org>",
    "[a]: b",
    "[^1]",
    "\"a\" 'b'",
    "a@b.c",
    ":b:",
    "| a |",
    "\xe2\x81\xa8\xd8\xa7\xe2\x81\xa9",
};

/* The text's HTML inside `before` and `after`, as cmark makes it. */
static void check_round_trip(const char *text, enum markdown_style style, const char *before,
                             const char *after)
{
    struct buf markdown = {0}, want = {0};
    char *html;

    markdown_escape(&markdown, slice_str(text), REPORT_PAGE, style);
    html = cmark_markdown_to_html(buf_string(&markdown), markdown.len, CMARK_OPT_DEFAULT);
    buf_add_str(&want, before);
    for (const char *c = text; *c; c++) {
        /* cmark leaves apostrophes as they are. */
        if (*c == '\'')
            buf_add_char(&want, *c);
        else
            html_escape(&want, slice_make(c, 1));
    }
    buf_add_str(&want, after);
    cr_expect_str_eq(html, buf_string(&want), "'%s' became '%s', by way of '%s'", text, html,
                     buf_string(&markdown));
    free(html);
    buf_release(&markdown);
    buf_release(&want);
}

Test(report_markdown, reads_back_as_it_was)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        check_round_trip(texts[i], MARKDOWN_TEXT, "<p>", "</p>\n");
        check_round_trip(texts[i], MARKDOWN_CODE, "<p><code>", "</code></p>\n");
    }
}

static const struct {
    const char *heading, *anchor;
} anchors[] = {
    {"PostgreSQL under pgbench", "postgresql-under-pgbench"},
    {"mysql-page-faults", "mysql-page-faults"},
    {"A: b, c & d", "a-b-c--d"},
    {"snake_case (x)", "snake_case-x"},
    {"v1.2", "v12"},
    {"\xc3\x84pfel \xe2\x80\x93 \xe2\x86\x92", "\xc3\xa4pfel--"},
    {"\xd0\x9f\xd1\x80\xd0\xbe\xd0\xb1\xd0\xb0", "\xd0\xbf\xd1\x80\xd0\xbe\xd0\xb1\xd0\xb0"},
    {"\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82", "\xe4\xb8\xad\xe6\x96\x87"},
};

Test(report_markdown, anchors)
{
    for (size_t i = 0; i < sizeof(anchors) / sizeof(*anchors); i++) {
        struct buf out = {0};

        markdown_anchor(&out, slice_str(anchors[i].heading));
        cr_expect_str_eq(buf_string(&out), anchors[i].anchor, "'%s': '%s'", anchors[i].heading,
                         buf_string(&out));
        buf_release(&out);
    }
}
