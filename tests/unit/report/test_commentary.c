#include "report/commentary.h"
#include "unit/support/patience.h"

#include "unit/support/test.h"

static const struct {
    const char *name, *text, *heading, *markdown;
    const char *told; /* text that the first message contains; "" for no message */
} texts[] = {
    {"empty", "", "", "", ""},
    {"paragraph", "one\ntwo\n", "", "one\ntwo", ""},
    {"title", "# A *title*\n\nrest\n", "A title", "rest", ""},
    {"title, underlined", "Title\n=====\n\nrest", "Title", "rest", ""},
    {"byte order mark", "\xef\xbb\xbf# T\n\nx", "T", "x", ""},
    {"no title", "text\n\n# H\n", "", "text\n\n### H", ""},
    {"levels", "## a\n\n### b\n\n##### c\n\n###### d", "",
     "### a\n\n#### b\n\n###### c\n\n###### d", ""},
    {"open fence", "```\ncode", "", "``` \ncode\n```", ""},
    {"reference link", "[a][r]\n\n[r]: http://x.y \"t\"\n", "", "[a](http://x.y \"t\")", ""},
    {"raw block", "a\n\n<div>\n\nb", "", "a\n\nb", "c.md:3: warning: raw HTML is left out"},
    {"raw inline", "a <b>b</b>", "", "a b", "c.md:1: warning: raw HTML is left out"},
    {"open comment", "a\n\n<!-- never closed\n\nb", "", "a", ""},
    {"script", "<script>alert(1)</script>", "", "", "c.md:1: warning: raw HTML"},
    {"script link", "[a](javascript:alert(1)) ![b](VBScript:x)", "", "[a]() ![b]()", ""},
    {"image from elsewhere", "![a](https://x.y/i.png \"t\") ![](//x.y/i) ![c](<\\\\/x.y>)", "",
     "[a](https://x.y/i.png \"t\") [//x.y/i](//x.y/i) [c](\\\\/x.y)", ""},
    {"image of a site", "![a](i.png) ![b](/p/i.png) ![c](i.png?a=b:c) ![d](./a:b.png)", "",
     "![a](i.png) ![b](/p/i.png) ![c](i.png?a=b:c) ![d](./a:b.png)", ""},
    {"image from elsewhere in a link", "[![a](http://x.y/i.png)](http://z)", "", "[*a*](http://z)",
     ""},
    {"image from elsewhere by reference", "\\!![a][r]\n\n[r]: <http://x.y/i>", "",
     "\\![a](http://x.y/i)", ""},
    {"data link", "[a](data:text/html,x)", "", "[a]()", ""},
    {"pipe table", "| a | b |\n| - | - |\n| 1 | 2 |", "", "| a | b |\n| - | - |\n| 1 | 2 |", ""},
    {"control by entity", "a&#1;b&#xFDD0;c", "",
     "a\xef\xbf\xbd"
     "b\xef\xbf\xbd"
     "c",
     ""},
    {"ill-formed",
     "a\xff"
     "b",
     "",
     "a\xef\xbf\xbd"
     "b",
     ""},
};

Test(report_commentary, reads)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct commentary c;
        struct arena memory = {0};
        struct diag d;
        struct buf told = {0};

        diag_init(&d, SLICE("c.md"));
        commentary_read(&c, slice_str(texts[i].text), 3, &memory, &d);
        diag_write(&d, &told, false);
        cr_expect(slice_equal(c.heading, slice_str(texts[i].heading)), "%s: heading '%.*s'",
                  texts[i].name, SLICE_ARG(c.heading));
        cr_expect(slice_equal(c.markdown, slice_str(texts[i].markdown)), "%s: '%.*s'",
                  texts[i].name, SLICE_ARG(c.markdown));
        cr_expect(slice_starts(buf_slice(&told), slice_str(texts[i].told)) &&
                      (told.len == 0) == (texts[i].told[0] == '\0'),
                  "%s: told '%s'", texts[i].name, buf_string(&told));
        diag_release(&d);
        buf_release(&told);
        arena_release(&memory);
    }
}

Test(report_commentary, lists_its_headings)
{
    struct commentary c;
    struct arena memory = {0};
    struct diag d;

    diag_init(&d, SLICE("c.md"));
    commentary_read(&c, SLICE("# t\n## one `two`\n\nx\n\n### *three*\n"), 2, &memory, &d);
    cr_expect(slice_equal(c.headings, SLICE("one two\nthree\n")), "%.*s", SLICE_ARG(c.headings));
    diag_release(&d);
    arena_release(&memory);
}

static void expect_left_out(struct buf *text, const char *why)
{
    struct commentary c;
    struct arena memory = {0};
    struct diag d;
    struct buf told = {0};

    diag_init(&d, SLICE("c.md"));
    commentary_read(&c, buf_slice(text), 2, &memory, &d);
    diag_write(&d, &told, false);
    cr_expect_eq(c.markdown.len, 0);
    cr_expect(strstr(buf_string(&told), why), "%s", buf_string(&told));
    diag_release(&d);
    buf_release(&told);
    arena_release(&memory);
}

Test(report_commentary, is_bounded)
{
    struct buf text = {0};

    patience(20);
    for (int i = 0; i < 100000; i++)
        buf_add_str(&text, "> ");
    buf_add_str(&text, "x");
    expect_left_out(&text, "nests deeper than 64");
    while (text.len <= COMMENTARY_MAX_SIZE)
        buf_add_str(&text, "long ");
    expect_left_out(&text, "longer than 1048576 bytes");
    buf_release(&text);
}

/* A link that is relative to the report leads there from a page below it, too. */
Test(report_commentary, relative_links_are_moved)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"", ""},
        {"[a](notes.html) and [b](sub/x.md#y)", "[a](../notes.html) and [b](../sub/x.md#y)"},
        {"![a](plot.png \"t\")", "![a](../plot.png \"t\")"},
        {"[![a](plot.png)](x)", "[![a](../plot.png)](../x)"},
        {"[a]\n\n[a]: ../up.html", "[a](../../up.html)"},
        {"[a](#here) [b](?q) [c](/top) [d]()", "[a](#here) [b](?q) [c](/top) [d]()"},
        {"[a](https://e.org/x) [b](//e.org) [c](mailto:x@e.org)",
         "[a](https://e.org/x) [b](//e.org) [c](mailto:x@e.org)"},
        {"`[a](b)` and \\[c\\](d)", "`[a](b)` and \\[c\\](d)"},
        {"- [a](b)\n", "  - [a](../b)"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        buf_clear(&out);
        commentary_write_below(&out, slice_str(cases[i].in), "../");
        cr_expect_str_eq(buf_string(&out), cases[i].out, "%s: %s", cases[i].in, buf_string(&out));
    }
    buf_release(&out);
}

static const struct {
    enum report_site site;
    const char *in, *out;
} for_generators[] = {
    {REPORT_MKDOCS, "", ""},
    {REPORT_MKDOCS, "plain *text*", "plain *text*"},
    {REPORT_MKDOCS, "a \\< b \\<= c", "a &lt; b &lt;= c"},
    {REPORT_MKDOCS, "\\<", "&lt;"},
    {REPORT_MKDOCS, "x\\<", "x&lt;"},
    {REPORT_MKDOCS, "R\\&D, AT & T, &amp;lt;", "R&amp;D, AT &amp; T, &amp;lt;"},
    {REPORT_MKDOCS, "\\= x = y", "&#61; x = y"},
    {REPORT_MKDOCS, "`a<b && c`", "`a<b && c`"},
    {REPORT_MKDOCS, "    a < b\n", "``` \na < b\n```"},
    {REPORT_MKDOCS, "[a \\< b](x \"t\")", "[a &lt; b](x \"t\")"},
    {REPORT_MKDOCS, "- **\\<b**\n", "  - **&lt;b**"},
    {REPORT_JEKYLL, "{{ a }} {% b %} c|d",
     "&#123;&#123; a &#125;&#125; &#123;% b %&#125; c&#124;d"},
    {REPORT_JEKYLL, "`{{ a }}`", "<code>&#123;&#123; a &#125;&#125;</code>"},
    {REPORT_JEKYLL, "    {{ a }}\n    b\n", "<code>&#123;&#123; a &#125;&#125;</code>  \n`b`"},
    {REPORT_JEKYLL, "[a]({{b}})", "[a](%7B%7Bb%7D%7D)"},
    {REPORT_HUGO, "`{{< a >}}`", "`{`{`< a >}}`"},
    {REPORT_HUGO, "{{% a %}}", "&#123;&#123;% a %}}"},
    {REPORT_HUGO, "[{{% a %}}](x '{{% a %}} \"&\"')",
     "[&#123;&#123;% a %}}](x \"&#123;&#123;% a %&#125;&#125; &quot;&amp;&quot;\")"},
    {REPORT_JEKYLL, "![a](x \"{{ 6 | times: 7 }}\")",
     "![a](x \"&#123;&#123; 6 | times: 7 &#125;&#125;\")"},
    {REPORT_ZOLA, "[a](x \"{{ a() }}\")", "[a](x \"&#123;&#123; a() &#125;&#125;\")"},
    {REPORT_HUGO, "    {{< a >}}\n", "`{`{`< a >}}`"},
    {REPORT_DOCUSAURUS, "import {a}", "&#105;mport &#123;a&#125;"},
    {REPORT_DOCUSAURUS, "an import", "an import"},
    {REPORT_DOCUSAURUS, "<https://example.org/>",
     "[https&#58;//example.org/](https://example.org/)"},
    {REPORT_DOCUSAURUS, "    {a}\n", "``` text\n{a}\n```"},
    {REPORT_DOCUSAURUS, "- a\n\n<!-- end list -->\n\n- b", "  - a\n\n{/* end of list */}\n\n  - b"},
    {REPORT_SPHINX, "``` {include}\na\n```", "``` \na\n```"},
    {REPORT_SPHINX, "{a}`b` [c](#d)", "&#123;a&#125;`b` <a href=\"#d\">c</a>"},
    {REPORT_SPHINX, "[a](../b) ![c](/d) [e](f) ![g](h/i)",
     "<a href=\"../b\">a</a> <a href=\"/d\">c</a> [e](f) ![g](h/i)"},
    {REPORT_DOCUSAURUS, "[a](@site/b) ![c](%2e./d) [e](./f)",
     "<a href=\"@site/b\">a</a> <a href=\"%2e./d\">c</a> [e](./f)"},
    {REPORT_VITEPRESS, "[a](../b) ![c](../d)", "[a](../b) [c](../d)"},
    {REPORT_SPHINX, "[a](../../b) ![c](../../../d)", "[a](../../b) <a href=\"../../../d\">c</a>"},
    {REPORT_VITEPRESS, "\\<!--@include: a--> `<!--@include: a-->`",
     "`<`!`--@include:` a--\\> `<`!`--@include: a-->`"},
    {REPORT_MKDOCS, "{{ a }} `{{ a }}` `--8<-- a`",
     "&#123;&#123; a &#125;&#125; `{`{ `a }}` `-`-`8<-- a`"},
    {REPORT_MKDOCS, "`<!-- a` `b</div`", "`<`!`-- a` `b<`/`div`"},
    {REPORT_VITEPRESS, "    ::::::::::\n", "`:`:`:`:`:`:`:`:`::`"},
    {REPORT_ZOLA, "`{{ a() }}`", "<code>&#123;&#123; a&#40;&#41; &#125;&#125;</code>"},
};

/* tests/valid checks what the generators make of the text. */
Test(report_commentary, generators_get_entities)
{
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(for_generators) / sizeof(*for_generators); i++) {
        buf_clear(&out);
        commentary_write_for_site(&out, slice_str(for_generators[i].in), for_generators[i].site,
                                  SLICE("../../"));
        cr_expect_str_eq(buf_string(&out), for_generators[i].out, "%s: %s", for_generators[i].in,
                         buf_string(&out));
    }
    buf_release(&out);
}

/* Nobody is notified, and no issue is named; addresses may be links. */
static const struct {
    const char *in, *out;
} inert[] = {
    {"@a *b#1* [c@d](x) &#64;e\\@f `@g`", "`@a` *`b#1`* [`c@d`](x) `@e@f` `@g`"},
    {"fixes #1, GH-1, #x ``@`` ![@h](i)", "fixes `#1`, `GH-1`, \\#x `@` ![`@h`](i)"},
    {"https://a.b/c?d (https://e) https://f#1", "<https://a.b/c?d> `(https://e)` `https://f#1`"},
    {"https://a.b/c_d#e, [https://a.b/c_d](x)", "<https://a.b/c_d#e>, [https://a.b/c\\_d](x)"},
};

Test(report_commentary, is_inert_on_forges)
{
    for (size_t i = 0; i < sizeof(inert) / sizeof(*inert); i++) {
        struct buf out = {0};

        commentary_write_for_site(&out, slice_str(inert[i].in), REPORT_PAGE, SLICE(""));
        cr_expect_str_eq(buf_string(&out), inert[i].out, "%s: %s", inert[i].in, buf_string(&out));
        buf_release(&out);
    }
}
