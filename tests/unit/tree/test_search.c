#include "tree/search.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "input/read.h"
#include "unit/support/graph.h"

/* Whether the pattern matches the name; -1 for an error in the pattern, -2 for work given up. */
static int matches(const char *pattern, const char *name, bool ignore_case, struct buf *why)
{
    struct search *s = search_new(slice_str(pattern), ignore_case, why);
    struct symbols symbols;
    uint32_t exhausted;
    bool hit = false;

    if (!s)
        return -1;
    symbols_init(&symbols);
    symbols_add(&symbols, slice_str(name), SYMBOL_USER);
    exhausted = search_symbols(s, &symbols, &hit);
    symbols_release(&symbols);
    search_free(s);
    return exhausted ? -2 : hit;
}

struct match {
    const char *pattern, *name;
    int plain, ignoring; /* what new RegExp(pattern, "u") and "iu" say in Node.js 20 */
};

static const struct match match_rows[] = {
    {"foo", "a foo b", 1, 1},
    {"foo", "FOO", 0, 1},
    {"^foo$", "foo", 1, 1},
    {"^foo$", "foo\n", 0, 0},
    {"^b", "a\nb", 0, 0},
    {"^ext4_", "ext4_read", 1, 1},
    {"", "anything", 1, 1},
    {"a|b", "xbx", 1, 1},
    {"(a|b){2}c", "abc", 1, 1},
    {"std::", "std::vector", 1, 1},
    {"a.c", "a\nc", 0, 0},
    {"a.c",
     "a\xe2\x80\xa8"
     "c",
     0, 0},
    {"a.c", "a\vc", 1, 1},
    {"a.c",
     "a\xc2\x85"
     "c",
     1, 1},
    {"a.c",
     "a\xf0\x9f\x98\x80"
     "c",
     1, 1},
    {"^.$", "\xc3\xa9", 1, 1},
    {"\\u00e9", "\xc3\xa9", 1, 1},
    {"\\u{1F600}", "\xf0\x9f\x98\x80", 1, 1},
    {"\\uD83D\\uDE00", "\xf0\x9f\x98\x80", 1, 1},
    {"\\uD83D", "\xf0\x9f\x98\x80", 0, 0},
    {"\\x41", "A", 1, 1},
    {"\\x41", "a", 0, 1},
    {"\\cJ", "\n", 1, 1},
    {"\\v", "\v", 1, 1},
    {"\\v", "\n", 0, 0},
    {"\\s", "\xc2\xa0", 1, 1},
    {"\\s", "\xef\xbb\xbf", 1, 1},
    {"\\s", "\xe2\x80\x8b", 0, 0},
    {"\\S", "\xe2\x80\x8b", 1, 1},
    {"[\\s]", "\xe3\x80\x80", 1, 1},
    {"[^\\S]", "\xc2\xa0", 1, 1},
    {"[\\S]", "\xc2\xa0", 0, 0},
    {"\\d", "\xd9\xa3", 0, 0},
    {"\\w", "\xc3\xa9", 0, 0},
    {"\\W", "\xc3\xa9", 1, 1},
    {"\\bfoo\\b", "a foo b", 1, 1},
    {"\\bfoo\\b", "foo_", 0, 0},
    {"o\\B", "foo", 1, 1},
    {"[]", "a", 0, 0},
    {"[]?", "a", 1, 1},
    {"[^]", "\n", 1, 1},
    {"a[^]b", "a\nb", 1, 1},
    {"[a-c]", "B", 0, 1},
    {"[^a-c]", "b", 0, 0},
    {"[\\]]", "]", 1, 1},
    {"[-a]", "-", 1, 1},
    {"[a\\-c]", "b", 0, 0},
    {"[\\b]", "\b", 1, 1},
    {"[[:alpha:]", "a", 1, 1},
    {"[[:alpha:]", "z", 0, 0},
    {"[\\d-]", "-", 1, 1},
    {"[\\u0000-\\uffff]", "\xf0\x9f\x98\x80", 0, 0},
    {"(?=foo)f", "foo", 1, 1},
    {"f(?!oo)", "foo", 0, 0},
    {"(?<=a)b", "ab", 1, 1},
    {"(?<!a)b", "ab", 0, 0},
    {"(?<x>a)\\k<x>", "aa", 1, 1},
    {"(a)\\1", "aa", 1, 1},
    {"\\1(a)", "a", 1, 1},
    {"(?:(a)|b)\\1c", "bc", 1, 1},
    {"(?<\xc3\xa9>a)", "a", 1, 1},
    {"(?:a)b", "ab", 1, 1},
    {"a{2}", "aa", 1, 1},
    {"a{2,}b", "aaab", 1, 1},
    {"^a{1,2}?$", "aaa", 0, 0},
    {"a{0,100000}b", "aab", 1, 1},
    {"a*?b", "aab", 1, 1},
    {"\\/", "/", 1, 1},
    {"/", "a/b", 1, 1},
    {"\\.\\*\\+\\?", ".*+?", 1, 1},
    {"\\^\\$\\(\\)\\[\\]\\{\\}\\|", "^$()[]{}|", 1, 1},
    {"a b#c", "a b#c", 1, 1},
    {"\\p{L}", "\xc3\xa9", 1, 1},
    {"\\p{Letter}", "1", 0, 0},
    {"\\P{L}", "1", 1, 1},
    {"\\p{Lu}", "A", 1, 1},
    {"\\p{gc=Nd}", "7", 1, 1},
    {"\\p{Script=Greek}", "\xce\xb1", 1, 1},
    {"\\p{sc=Greek}", "a", 0, 0},
    {"[\\p{L}\\d]", "7", 1, 1},
    {"\\p{Assigned}", "a", 1, 1},
    {"\xc3\x89", "\xc3\xa9", 0, 1},
    {"\xe2\x84\xaa", "k", 0, 1},
    {"\xc3\x9f", "ss", 0, 0},
};

Test(tree_search, means_what_javascript_means)
{
    for (size_t i = 0; i < sizeof(match_rows) / sizeof(match_rows[0]); i++) {
        const struct match *row = &match_rows[i];
        struct buf why;
        int got;

        buf_init(&why);
        got = matches(row->pattern, row->name, false, &why);
        cr_expect_eq(got, row->plain, "/%s/u on '%s': %d %s", row->pattern, row->name, got,
                     why.ptr);
        got = matches(row->pattern, row->name, true, &why);
        cr_expect_eq(got, row->ignoring, "/%s/iu on '%s': %d %s", row->pattern, row->name, got,
                     why.ptr);
        buf_release(&why);
    }
}

struct fault {
    const char *pattern, *why;
};

Test(tree_search, says_what_is_wrong_and_where)
{
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
        {"a{70000}", "number too big in {} at offset 1"},
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
        {"a\xff", "the pattern is not valid UTF-8"},
    };

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct buf why;

        buf_init(&why);
        cr_expect_eq(matches(faults[i].pattern, "a", false, &why), -1, "/%s/ compiles",
                     faults[i].pattern);
        cr_expect_str_eq(why.ptr, faults[i].why, "/%s/ gives '%s'", faults[i].pattern, why.ptr);
        buf_release(&why);
    }
}

Test(tree_search, gives_up_on_endless_work)
{
    enum { LONG = 100000 };
    static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "^(a|b|c)*c$", "(a*)*c"};
    char *name = xmalloc(LONG + 2);

    alarm(20);
    memset(name, 'a', LONG);
    name[LONG] = 'b';
    name[LONG + 1] = '\0';
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct buf why;
        int got;

        buf_init(&why);
        got = matches(patterns[i], name, false, &why);
        cr_expect(got == 0 || got == -2, "/%s/: %d %s", patterns[i], got, why.ptr);
        buf_release(&why);
    }
    free(name);
}

Test(tree_search, counts_what_it_gave_up)
{
    struct buf folded, why;
    struct search *s;
    struct search_result result;
    struct graph g;

    buf_init(&folded);
    buf_init(&why);
    for (int i = 0; i < 5000; i++)
        buf_add_char(&folded, 'a');
    buf_add_str(&folded, "b;x 3\naaa 4\n");
    graph_init(&g, buf_slice(&folded));
    s = search_new(SLICE("^(a+)+$"), false, &why);
    cr_assert(s, "%s", why.ptr);
    search_run(s, &g.tree, &result);
    cr_expect_eq(result.exhausted, 1);
    cr_expect_eq(result.symbols, 1);
    cr_expect_eq(result.weight, 4);
    search_free(s);
    graph_release(&g);
    buf_release(&folded);
    buf_release(&why);
}

struct run {
    const char *folded, *pattern;
    uint64_t weight, base;
    uint32_t symbols;
};

Test(tree_search, sums_the_union)
{
    static const struct run runs[] = {
        {"main;a;b 3\nmain;b 4\nmain;c 5\n", "^b$", 7, 0, 1},
        {"a;a;a 3\n", "a", 3, 0, 1},
        {"a;x;b;y;a 3\na 2\nb;a 1\n", "[ab]", 6, 0, 2},
        {"main;a 3\n", "nothing", 0, 0, 0},
        {"main;a 3\nb 2\n", "", 5, 0, 3},
        {"read_[k];x 3\nread;x 4\n", "read", 7, 0, 2},
        {"read_[k];x 3\n", "\\[k\\]", 0, 0, 0},
        {"a;b 1 2\nc 4 8\nc;b 0 16\n", "b", 18, 1, 1},
        {"a;b 0\nc 1\n", "b", 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        struct search_result result;
        struct graph g;
        struct buf why;
        struct search *s;

        buf_init(&why);
        graph_init(&g, slice_str(runs[i].folded));
        s = search_new(slice_str(runs[i].pattern), false, &why);
        cr_assert(s, "%s", why.ptr);
        search_run(s, &g.tree, &result);
        cr_expect_eq(result.weight, runs[i].weight, "row %zu: %llu", i,
                     (unsigned long long)result.weight);
        cr_expect_eq(result.base, runs[i].base, "row %zu", i);
        cr_expect_eq(result.symbols, runs[i].symbols, "row %zu", i);
        search_free(s);
        graph_release(&g);
        buf_release(&why);
    }
}

/* ---- against a count over raw samples -------------------------------------------------------- */

/* The weight of the stacks of a series that have a matching frame, stack by stack. */
static uint64_t brute_force(const struct profile *p, const struct search *s, uint32_t series)
{
    bool *hit = xcalloc(symbols_count(&p->symbols), sizeof(*hit));
    const struct series *from = &p->series.items[series];
    uint64_t sum = 0;

    search_symbols(s, &p->symbols, hit);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t id = from->stack[i];

        while (id != STACK_ROOT && !hit[p->stacks.symbol[id]])
            id = p->stacks.parent[id];
        sum += id != STACK_ROOT ? from->weight[i] : 0;
    }
    free(hit);
    return sum;
}

static void expect_brute_force(const struct profile *p, const char *name)
{
    static const char *const patterns[] = {
        "a", "^sys_|read", "[A-Z]", "::", "^$", "alloc|free", "java|main", "\\d+"};

    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct search_result forward, reversed;
        struct search *s;
        struct tree t;
        struct buf why;

        buf_init(&why);
        s = search_new(slice_str(patterns[i]), i % 2 == 1, &why);
        cr_assert(s, "%s", why.ptr);
        tree_init(&t, p, (uint32_t)p->series.count - 1, &(struct tree_options){0});
        search_run(s, &t, &forward);
        cr_expect_eq(forward.weight, brute_force(p, s, t.series), "%s, /%s/", name, patterns[i]);
        if (t.base)
            cr_expect_eq(forward.base, brute_force(p, s, 0), "%s, /%s/, base", name, patterns[i]);
        tree_release(&t);
        tree_init(&t, p, (uint32_t)p->series.count - 1, &(struct tree_options){.reverse = true});
        search_run(s, &t, &reversed);
        cr_expect_eq(reversed.weight, forward.weight, "%s, /%s/, reversed", name, patterns[i]);
        cr_expect_eq(reversed.symbols, forward.symbols, "%s, /%s/, reversed", name, patterns[i]);
        tree_release(&t);
        search_free(s);
        buf_release(&why);
    }
}

Test(tree_search, equals_a_count_over_random_stacks)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct buf folded;
        struct graph g;

        graph_random(&folded, seed, 200, 10, 30);
        graph_init(&g, buf_slice(&folded));
        expect_brute_force(&g.profile, "random");
        graph_release(&g);
        buf_release(&folded);
    }
}

static unsigned expect_directory(const char *path)
{
    DIR *directory = opendir(path);
    unsigned files = 0;
    struct dirent *entry;

    if (!directory)
        return 0;
    while ((entry = readdir(directory))) {
        struct input_options options = input_options_default();
        struct profile p;
        struct diag diag;
        struct buf name;

        buf_init(&name);
        buf_printf(&name, "%s/%s", path, entry->d_name);
        profile_init(&p);
        diag_init(&diag, buf_slice(&name));
        if (file_kind(name.ptr) == FILE_REGULAR &&
            input_read(name.ptr, &options, 1, &p, &diag) == INPUT_READ) {
            expect_brute_force(&p, name.ptr);
            files++;
        }
        diag_release(&diag);
        profile_release(&p);
        buf_release(&name);
    }
    closedir(directory);
    return files;
}

Test(tree_search, equals_a_count_over_real_stacks)
{
    unsigned files = expect_directory("../shared/corpus/folded") +
                     expect_directory("../shared/corpus/folded-diff") + expect_directory("samples");

    if (!files)
        cr_skip_test("no real profiles here: neither samples nor ../shared/corpus");
}
