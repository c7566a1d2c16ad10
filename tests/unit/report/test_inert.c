#include "report/inert.h"

#include "base/buf.h"

#include "unit/support/test.h"

/* The words that are live in a text, each in brackets. */
static const struct {
    const char *text, *live;
} texts[] = {
    {"", ""},
    {"main", ""},
    {"@person", "[@person]"},
    {"a @person b", "[@person]"},
    {"a@b.c malloc@@GLIBC_2.2.5", "[a@b.c][malloc@@GLIBC_2.2.5]"},
    {"@ @. a@", ""},
    {"#1 #a # org/repo#12 {closure#0}", "[#1][org/repo#12][{closure#0}]"},
    {"GH-1 gh-23 GH- GH-x eGH-1", "[GH-1][gh-23]"},
    {"ABC-1 A1_B-2 (ABC-1) aBC-1 A-1 2026-11-28", "[ABC-1][A1_B-2][(ABC-1)]"},
    {"!1 !a a!=b &1 &a && $1 $x", "[!1][&1][$1]"},
    {"~a ~\"a b\" ~1 Foo::~Foo %v1 %\"a 5 % 5%", "[~a][~\"a][Foo::~Foo][%v1][%\"a]"},
    {"http://a (x://y) a:// std::b", "[http://a][(x://y)]"},
    {"www.a WWW.b www.", "[www.a][WWW.b]"},
    {"[[a b]] [a] x[[", "[[[a]"},
    {"[vulnerability:1] *iteration:x [a:1]", "[[vulnerability:1]][*iteration:x]"},
    {"fixes #1, GH-2; see http://a. 5d41402", "[#1][GH-2][http://a]"},
    {"a|@b|c\t@d\n@e", "[@b][@d][@e]"},
};

Test(report_inert, finds_live_words)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct slice text = slice_str(texts[i].text);
        struct buf found = {0};
        size_t first, end = 0;

        while (inert_find(text, end, &first, &end))
            buf_printf(&found, "[%.*s]", (int)(end - first), text.ptr + first);
        cr_expect_str_eq(buf_string(&found), texts[i].live, "%s: %s", texts[i].text,
                         buf_string(&found));
        buf_release(&found);
    }
}

static const struct {
    const char *word;
    bool address;
} words[] = {
    {"https://a.example/b/c_d?e=f#g", true},
    {"https://a.example/b/c_d?e=f#1", false},
    {"https://a.example/b&1", false},
    {"http://a", true},
    {"https://@a", false},
    {"ftp://a", false},
    {"(http://a", false},
    {"http://a<@b", false},
    {"www.a.example", false},
};

Test(report_inert, knows_addresses)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        cr_expect(inert_is_address(slice_str(words[i].word)) == words[i].address, "%s",
                  words[i].word);
}
