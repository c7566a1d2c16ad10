#include "match/search.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "unit/support/patience.h"

/* Whether the pattern matches the name; -1 for an error in the pattern, -2 for work given up. */
static int matches(struct slice pattern, struct slice name, bool ignore_case, struct buf *why)
{
    struct search *s = search_new(pattern, ignore_case, why);
    struct search_matcher *m;
    enum search_match result;

    if (!s)
        return -1;
    m = search_matcher_new(s);
    result = search_match(m, name);
    search_matcher_free(m);
    search_free(s);
    return result == SEARCH_EXHAUSTED ? -2 : result == SEARCH_HIT;
}

/*
 * search.tsv, which says itself how its rows are read, is the table of the browser too:
 * tests/browser/test_search.js.
 */
static const char table[] = "tests/unit/match/search.tsv";

enum { LEAST_ROWS = 170 };

/* A cell with its characters {U+HHHH} put in. */
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

static void expect_row(struct slice row)
{
    struct slice pattern, name, plain, ignoring;
    struct buf p, n, why;
    int got;

    buf_init(&p);
    buf_init(&n);
    buf_init(&why);
    cr_assert(slice_cut(&row, '\t', &pattern) && slice_cut(&row, '\t', &name) &&
              slice_cut(&row, '\t', &plain) && slice_cut(&row, '\t', &ignoring));
    write_cell(pattern, &p);
    write_cell(name, &n);
    got = matches(buf_slice(&p), buf_slice(&n), false, &why);
    cr_expect_eq(got, plain.ptr[0] - '0', "/%s/u on '%s': %d %s", p.ptr, n.ptr, got, why.ptr);
    got = matches(buf_slice(&p), buf_slice(&n), true, &why);
    cr_expect_eq(got, ignoring.ptr[0] - '0', "/%s/iu on '%s': %d %s", p.ptr, n.ptr, got, why.ptr);
    buf_release(&p);
    buf_release(&n);
    buf_release(&why);
}

Test(match_search, means_what_javascript_means)
{
    struct slice rest, row;
    struct buf text, why;
    size_t rows = 0;

    buf_init(&text);
    buf_init(&why);
    cr_assert(file_read(table, 1 << 20, &text, &why), "%s", why.ptr);
    rest = buf_slice(&text);
    while (slice_line(&rest, &row)) {
        if (slice_starts(row, SLICE("#")))
            continue;
        expect_row(row);
        rows++;
    }
    cr_expect_geq(rows, LEAST_ROWS);
    buf_release(&text);
    buf_release(&why);
}

struct fault {
    const char *pattern, *why;
};

#define UNSURE "a repeat may change what this refers to"

static const struct fault faults[] = {
    {"(a", "missing closing parenthesis at offset 2"},
    {"foo(bar", "missing closing parenthesis at offset 7"},
    {"a)", "unmatched closing parenthesis at offset 1"},
    {"*a", "nothing to repeat at offset 0"},
    {"a++", "nothing to repeat at offset 2"},
    {"a|*", "nothing to repeat at offset 2"},
    {"(?=a)*", "nothing to repeat at offset 5"},
    {"^*", "nothing to repeat at offset 1"},
    {"\\b+", "nothing to repeat at offset 2"},
    {"a{2}{3}", "a brace that is no repeat must be escaped at offset 4"},
    {"a{2,1}", "numbers out of order in {} at offset 1"},
    {"a{x}", "a brace that is no repeat must be escaped at offset 1"},
    {"(a){70000}", "a count above 65535 for a group that captures at offset 3"},
    {"x(?:(a)){2,65536}", "a count above 65535 for a group that captures at offset 8"},
    {"a{2000000}", "number too big in {} at offset 1"},
    {"(?:ab){70000}", "regular expression is too large at offset 13"},
    {"a{0}", "a repeat of no times at offset 1"},
    {"a{0,0}", "a repeat of no times at offset 1"},
    {"{", "a brace that is no repeat must be escaped at offset 0"},
    {"ab}", "an unmatched bracket must be escaped at offset 2"},
    {"]", "an unmatched bracket must be escaped at offset 0"},
    {"x[a", "missing ] for the character class at offset 1"},
    {"[a-", "missing ] for the character class at offset 0"},
    {"[b-a]", "range out of order in character class at offset 1"},
    {"[\\d-z]", "a set cannot be the end of a range at offset 1"},
    {"a\\", "\\ at the end of the pattern at offset 1"},
    {"\\A", "unknown escape at offset 0"},
    {"a\\-", "unknown escape at offset 1"},
    {"\\Qa\\E", "unknown escape at offset 0"},
    {"\\01", "unknown escape at offset 0"},
    {"\\x4", "\\x needs two hexadecimal digits at offset 0"},
    {"\\u12", "\\u needs four digits or {digits} at offset 0"},
    {"\\u{110000}", "\\u needs four digits or {digits} at offset 0"},
    {"a\\1", "there is no group of this number at offset 1"},
    {"\\k<x>", "there is no group of this name at offset 0"},
    {"\\k", "\\k needs <name> at offset 0"},
    {"(?<1a>b)", "invalid group name at offset 0"},
    {"(?<a>b)(?<a>c)", "group name is there already at offset 7"},
    {"(?i)a", "unknown kind of group at offset 0"},
    {"a(?>b)", "unknown kind of group at offset 1"},
    {"(*ACCEPT)", "nothing to repeat at offset 1"},
    {"\\p{Greek}", "unknown property at offset 0"},
    {"\\pL", "unknown property at offset 0"},
    {"x(?<=a*)b", "lookbehind assertion is not fixed length at offset 1"},
    {"(?<=x|(?:a|bc)d)e", "lookbehind assertion is not fixed length at offset 0"},
    /* What the browser and PCRE2 may have captured differently. */
    {"(?:(a)|b)*\\1", UNSURE " at offset 10"},
    {"(?:(a)|b)+\\1", UNSURE " at offset 10"},
    {"(?:(a)?b)+\\1", UNSURE " at offset 10"},
    {"(?:x(a)?b)+\\1", UNSURE " at offset 11"},
    {"(a|)+\\1", UNSURE " at offset 5"},
    {"(?:(?!(a))\\1b)+", UNSURE " at offset 10"},
    {"(?:(?<n>a)*b\\k<n>)*", UNSURE " at offset 12"},
    {"(?=((?:|a)*))\\1", UNSURE " at offset 13"},
    {"(?<=(.){2})\\1", UNSURE " at offset 11"},
    {"a\xff", "the pattern is not valid UTF-8"},
};

Test(match_search, says_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct buf why;

        buf_init(&why);
        cr_expect_eq(matches(slice_str(faults[i].pattern), SLICE("a"), false, &why), -1,
                     "/%s/ compiles", faults[i].pattern);
        cr_expect_str_eq(why.ptr, faults[i].why, "/%s/ gives '%s'", faults[i].pattern, why.ptr);
        buf_release(&why);
    }
}

/* Where a pattern counts beyond what PCRE2 does, it counts exactly. */
Test(match_search, counts_beyond_65535)
{
    static const struct {
        const char *pattern;
        size_t len;
        bool found;
    } cases[] = {
        {"^a{70000}$", 70000, true},       {"^a{70000}$", 69999, false},
        {"^a{70000}$", 70001, false},      {"^a{70000,}$", 69999, false},
        {"^a{70000,}$", 200000, true},     {"^a{0,140000}$", 140000, true},
        {"^a{0,140000}$", 140001, false},  {"^[ab]{0,70000}$", 70000, true},
        {"^a{3,70000}$", 2, false},        {"^a{3,70000}$", 70001, false},
        {"^a{65535}$", 65535, true},       {"^a{65536}$", 65536, true},
        {"^a{65536}$", 65535, false},      {"^a{66000,70000}$", 65999, false},
        {"^a{66000,70000}$", 66000, true},
    };
    char *name = xmalloc(200001);

    memset(name, 'a', 200000);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf why;
        int got;

        buf_init(&why);
        got = matches(slice_str(cases[i].pattern), slice_make(name, cases[i].len), false, &why);
        cr_expect_eq(got, cases[i].found, "%s of %zu: %d %s", cases[i].pattern, cases[i].len, got,
                     why.ptr);
        buf_release(&why);
    }
    free(name);
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
        struct buf why;
        int got;

        buf_init(&why);
        got = matches(slice_str(patterns[i]), slice_str(name), false, &why);
        cr_expect(got == 0 || got == -2, "/%s/: %d %s", patterns[i], got, why.ptr);
        buf_release(&why);
    }
    free(name);
}
