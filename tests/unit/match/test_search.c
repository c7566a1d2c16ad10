#include "match/search.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

/*
 * Returns 1 if the pattern matches the name, 0 if not, -1 for a bad pattern, -2 if the work was
 * given up.
 */
static int matches(struct slice pattern, struct slice name, bool ignore_case, struct buf *why)
{
    struct search *s = search_new(pattern, ignore_case ? SEARCH_IGNORE_CASE : 0, why);
    struct search_matcher *m;
    enum search_match result;

    if (!s)
        return -1;
    m = search_matcher_new(s);
    result = search_match(m, name);
    search_matcher_free(m);
    search_free(s);
    return result == SEARCH_GIVEN_UP ? -2 : result == SEARCH_HIT;
}

/*
 * The first lines of search.tsv explain its rows. tests/browser/test_search.js
 * runs the same table in the browser.
 */
static const char table[] = "tests/unit/match/search.tsv";

enum { LEAST_ROWS = 170 };

/* Appends a cell in which characters replace {U+HHHH}. */
static void write_cell(struct slice cell, struct buf *out)
{
    const struct slice mark = SLICE("{U+");

    buf_clear(out);
    while (cell.len) {
        size_t plain = slice_search(cell, mark);
        uint64_t c;

        buf_add_slice(out, slice_take(cell, plain));
        cell = slice_skip(cell, plain + mark.len);
        if (!cell.len)
            break;
        cr_assert(num_parse_hex(slice_take(cell, slice_find(cell, '}')), &c));
        utf8_encode(out, (uint32_t)c);
        cell = slice_skip(cell, slice_find(cell, '}') + 1);
    }
}

static int value(struct slice cell)
{
    return cell.ptr[0] == '-' ? -1 : cell.ptr[0] - '0';
}

/* Returns whether the program accepts the pattern. */
static bool expect_row(struct slice row)
{
    struct slice pattern, name, plain, ignoring;
    struct buf p = {0}, n = {0}, why = {0};
    int got;

    cr_assert(slice_cut(&row, '\t', &pattern) && slice_cut(&row, '\t', &name) &&
              slice_cut(&row, '\t', &plain) && slice_cut(&row, '\t', &ignoring));
    write_cell(pattern, &p);
    write_cell(name, &n);
    got = matches(buf_slice(&p), buf_slice(&n), false, &why);
    cr_expect_eq(got, value(plain), "/%s/u on '%s': %d %s", buf_string(&p), buf_string(&n), got,
                 buf_string(&why));
    got = matches(buf_slice(&p), buf_slice(&n), true, &why);
    cr_expect_eq(got, value(ignoring), "/%s/iu on '%s': %d %s", buf_string(&p), buf_string(&n), got,
                 buf_string(&why));
    buf_release(&p);
    buf_release(&n);
    buf_release(&why);
    return value(plain) >= 0;
}

Test(match_search, means_what_javascript_means)
{
    struct slice rest, row;
    struct buf text = {0}, why = {0};
    size_t rows = 0;

    cr_assert(file_read(table, 1 << 20, &text, &why), "%s", buf_string(&why));
    rest = buf_slice(&text);
    while (slice_line(&rest, &row)) {
        if (slice_starts(row, SLICE("#")))
            continue;
        rows += expect_row(row);
    }
    cr_expect_geq(rows, LEAST_ROWS);
    buf_release(&text);
    buf_release(&why);
}

struct fault {
    const char *pattern, *why;
};

#define REFERENCE "unsupported reference: its group may not have matched here"
#define COUNT "a count in {} must be from 1 to 65535"

static const struct fault faults[] = {
    {"^(a", "missing closing parenthesis at offset 3"},
    {"^foo(bar", "missing closing parenthesis at offset 8"},
    {"^a)", "unmatched closing parenthesis at offset 2"},
    {"^*a", "nothing to repeat at offset 1"},
    {"^a++", "nothing to repeat at offset 3"},
    {"a|*", "nothing to repeat at offset 2"},
    {"(?=a)*", "nothing to repeat at offset 5"},
    {"^*", "nothing to repeat at offset 1"},
    {"\\b+", "nothing to repeat at offset 2"},
    {"a{2}{3}", "a brace that is no repeat must be escaped at offset 4"},
    {"a{2,1}", "numbers out of order in {} at offset 1"},
    {"^a{x}", "a brace that is no repeat must be escaped at offset 2"},
    {"a{70000}", COUNT " at offset 1"},
    {"x(?:(a)){2,65536}", COUNT " at offset 8"},
    {"a{70000,69999}", COUNT " at offset 1"},
    {"a{99999999999999999999,}", COUNT " at offset 1"},
    {"(?:ab){65535}", "regular expression is too large at offset 13"},
    {"a{0}", COUNT " at offset 1"},
    {"a{0,0}", COUNT " at offset 1"},
    {"^x[]", "unsupported empty class at offset 2"},
    {"[^]", "unsupported empty class at offset 0"},
    {"^{", "a brace that is no repeat must be escaped at offset 1"},
    {"^ab}", "an unmatched bracket must be escaped at offset 3"},
    {"^]", "an unmatched bracket must be escaped at offset 1"},
    {"^x[a", "missing ] for the character class at offset 2"},
    {"^[a-", "missing ] for the character class at offset 1"},
    {"^[b-a]", "range out of order in character class at offset 2"},
    {"[\\d-z]", "a set cannot be the end of a range at offset 1"},
    {"a\\", "\\ at the end of the pattern at offset 1"},
    {"\\A", "unknown or unsupported escape at offset 0"},
    {"\\Qa\\E", "unknown or unsupported escape at offset 0"},
    {"\\0", "unknown or unsupported escape at offset 0"},
    {"\\01", "unknown or unsupported escape at offset 0"},
    {"\\cJ", "unknown or unsupported escape at offset 0"},
    {"\\k<x>", "unknown or unsupported escape at offset 0"},
    {"\\x4", "\\x needs two hexadecimal digits at offset 0"},
    {"\\u12", "\\u needs four digits or {digits} at offset 0"},
    {"\\u{110000}", "\\u needs four digits or {digits} at offset 0"},
    {"\\ud83d", "unsupported surrogate at offset 0"},
    {"[\\u{dfff}]", "unsupported surrogate at offset 1"},
    {"(?<name>b)", "unsupported group name at offset 0"},
    {"(?<1a>b)", "unsupported group name at offset 0"},
    {"(?i)a", "unknown kind of group at offset 0"},
    {"a(?>b)", "unknown kind of group at offset 1"},
    {"^(*ACCEPT)", "nothing to repeat at offset 2"},
    {"\\p{Greek}", "unknown or unsupported property at offset 0"},
    {"\\p{Script=Greek}", "unknown or unsupported property at offset 0"},
    {"\\pL", "unknown or unsupported property at offset 0"},
#if PCRE2_MAJOR > 10 || PCRE2_MINOR >= 43 /* looks behind by a bounded length */
    {"x(?<=a*)b", "length of lookbehind assertion is not limited at offset 1"},
#else
    {"x(?<=a*)b", "lookbehind assertion is not fixed length at offset 1"},
    {"(?<=x|(?:a|bc)d)e", "lookbehind assertion is not fixed length at offset 0"},
#endif
    /* The browser and PCRE2 may have captured different texts, or none. */
    {"a\\1", REFERENCE " at offset 1"},
    {"(a)\\2", REFERENCE " at offset 3"},
    {"(a)\\99999999999", REFERENCE " at offset 3"},
    {"\\1(a)", REFERENCE " at offset 0"},
    {"(a\\1)", REFERENCE " at offset 2"},
    {"(a)?\\1", REFERENCE " at offset 4"},
    {"(a)+\\1", REFERENCE " at offset 4"},
    {"(a)|\\1", REFERENCE " at offset 4"},
    {"(?:(a)|b)\\1", REFERENCE " at offset 9"},
    {"(?:(a)|b)*\\1", REFERENCE " at offset 10"},
    {"(?:(a)?b)+\\1", REFERENCE " at offset 10"},
    {"(?:(a))\\1", REFERENCE " at offset 7"},
    {"(a|)+\\1", REFERENCE " at offset 5"},
    {"(?!(a))\\1", REFERENCE " at offset 7"},
    {"(?:(?!(a))\\1b)+", REFERENCE " at offset 10"},
    {"(?=((?:|a)*))\\1", REFERENCE " at offset 13"},
    {"(?<=\\1(a))", REFERENCE " at offset 4"},
    {"(?<=(a)\\1)", REFERENCE " at offset 7"},
    {"(?<=(.){2})\\1", REFERENCE " at offset 11"},
    {"a\xff", "the pattern is not valid UTF-8"},
};

Test(match_search, says_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct buf why = {0};

        cr_expect_eq(matches(slice_str(faults[i].pattern), SLICE("a"), false, &why), -1,
                     "/%s/ compiles", faults[i].pattern);
        cr_expect_str_eq(buf_string(&why), faults[i].why, "/%s/ gives '%s'", faults[i].pattern,
                         buf_string(&why));
        buf_release(&why);
    }
}

Test(match_search, gives_up_on_endless_work)
{
    enum { LONG = 100000 };
    static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "^(a|b|c)*c$", "(a*)*c"};
    char *name = xmalloc(LONG + 2);

    patience(20);
    memset(name, 'a', LONG);
    name[LONG] = 'b';
    name[LONG + 1] = '\0';
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct buf why = {0};
        int got;

        got = matches(slice_str(patterns[i]), slice_str(name), false, &why);
        cr_expect(got == 0 || got == -2, "/%s/: %d %s", patterns[i], got, buf_string(&why));
        buf_release(&why);
    }
    free(name);
}

/* Fills a name with `count` times `piece`, and `end`. */
static void repeat(struct buf *name, size_t count, const char *piece, const char *end)
{
    buf_clear(name);
    while (count-- > 0)
        buf_add_str(name, piece);
    buf_add_str(name, end);
}

/* Each name alone takes little work, but there are many. */
Test(match_search, gives_up_on_many_names)
{
    enum { NAMES = 100000, LENGTH = 18 };
    struct search_matcher *m;
    struct search *s;
    struct buf name = {0}, why = {0};
    unsigned misses = 0;

    patience(20);
    repeat(&name, LENGTH, "a", "b");
    s = search_new(SLICE("^(a+)+$"), false, &why);
    cr_assert(s, "%s", buf_string(&why));
    m = search_matcher_new(s);
    while (misses < NAMES && search_match(m, buf_slice(&name)) == SEARCH_MISS)
        misses++;
    cr_expect_gt(misses, 10);
    cr_expect_lt(misses, NAMES);
    cr_expect_eq(search_match(m, SLICE("aaa")), SEARCH_GIVEN_UP);
    search_matcher_free(m);
    search_free(s);
    buf_release(&why);
    buf_release(&name);
}

/* PCRE2 alone would take hours: its limit of matching does not count the work of ".*". */
Test(match_search, gives_up_on_the_work_within_one_step)
{
    static const char *const patterns[] = {"s.*o.*t.*a.*f.*d$", "std::.*foo<[0-9]+>.*end$"};
    enum { PIECES = 200, NAMES = 2000 };
    struct buf name = {0}, why = {0};

    patience(60);
    repeat(&name, PIECES, "std::allocator<foo<17>>::", "bar");
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct search *s = search_new(slice_str(patterns[i]), false, &why);
        struct search_matcher *m;
        unsigned misses = 0;

        cr_assert(s, "%s", buf_string(&why));
        m = search_matcher_new(s);
        while (misses < NAMES && search_match(m, buf_slice(&name)) == SEARCH_MISS)
            misses++;
        cr_expect_lt(misses, 100, "/%s/: %u names", patterns[i], misses);
        search_matcher_free(m);
        search_free(s);
    }
    buf_release(&why);
    buf_release(&name);
}

/* Long names and patterns that people write take far less work than the limit. */
Test(match_search, completes_searches_of_long_names)
{
    enum { PIECES = 200 };
    /*
     * The second tries every pair of "std::" and "foo<17>": a fifth of a second for each name. The
     * last takes more steps than a search has, but few for each byte.
     */
    static const struct {
        const char *pattern;
        unsigned names;
    } rows[] = {{"foo.*bar", 2000},
                {"std::.*foo<[0-9]+>.*end$", 2},
                {"(a|s)+d", 2000},
                {"x$", 2000},
                {"[^x]r$", 12000}};
    struct buf name = {0}, why = {0};

    repeat(&name, PIECES, "std::allocator<foo<17>>::", "bar");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct search *s = search_new(slice_str(rows[i].pattern), false, &why);
        struct search_matcher *m;
        unsigned done = 0;

        cr_assert(s, "%s", buf_string(&why));
        m = search_matcher_new(s);
        while (done < rows[i].names && search_match(m, buf_slice(&name)) != SEARCH_GIVEN_UP)
            done++;
        cr_expect_eq(done, rows[i].names, "/%s/ was given up after %u names", rows[i].pattern,
                     done);
        search_matcher_free(m);
        search_free(s);
    }
    buf_release(&why);
    buf_release(&name);
}

Test(match_search, a_quoted_name_matches_only_itself)
{
    static const char *const names[] = {"std::vector<int>::at(size_t) const", "a.b",
                                        "x^$\\*+?[]{}|/", "(anonymous app.js:1)"};
    struct buf pattern = {0}, why = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        buf_clear(&pattern);
        search_quote(&pattern, slice_str(names[i]));
        for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
            cr_expect_eq(matches(buf_slice(&pattern), slice_str(names[k]), false, &why), i == k);
    }
    cr_expect_eq(matches(SLICE("^a\\.b$"), SLICE("a.bc"), false, &why), 0);
    buf_release(&why);
    buf_release(&pattern);
}
