#include <fnmatch.h>

#include "base/glob.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

static const struct {
    const char *glob, *matched; /* a path that the glob matches; NULL: the glob is refused */
} rows[] = {
    {"*", "a/b"},   {"*.perf", "x.perf"}, {"[a-c]?", "bz"},      {"[]]", "]"},     {"[!]]", "a"},
    {"[^]a]", "b"}, {"[[:digit:]]", "7"}, {"[[:digit:]x]", "x"}, {"[[.].]]", "]"}, {"[[]", "["},
    {"[\\]]", "]"}, {"\\[", "["},         {"a]", "a]"},          {"", NULL},       {"[", NULL},
    {"[]", NULL},   {"[!]", NULL},        {"a[b", NULL},         {"[\\]", NULL},   {"[a-", NULL},
    {"a\\", NULL},
};

Test(base_glob, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf why = {0};

        cr_expect_eq(glob_check(rows[i].glob, &why), rows[i].matched != NULL, "'%s': %s",
                     rows[i].glob, buf_string(&why));
        cr_expect_eq(why.len == 0, rows[i].matched != NULL, "'%s'", rows[i].glob);
        cr_expect(!rows[i].matched || glob_matches(rows[i].glob, rows[i].matched), "'%s'",
                  rows[i].glob);
        cr_expect(!rows[i].matched || fnmatch(rows[i].glob, rows[i].matched, 0) == 0, "'%s'",
                  rows[i].glob);
        buf_release(&why);
    }
}

/* Every pattern of four characters against every path of four gives what fnmatch() says. */
Test(base_glob, agrees_with_fnmatch)
{
    static const char pattern_letters[] = "a*?/", path_letters[] = "ab/";

    for (unsigned i = 0; i < 4 * 4 * 4 * 4; i++)
        for (unsigned j = 0; j < 3 * 3 * 3 * 3; j++) {
            const char glob[] = {pattern_letters[i % 4], pattern_letters[i / 4 % 4],
                                 pattern_letters[i / 16 % 4], pattern_letters[i / 64], '\0'};
            const char path[] = {path_letters[j % 3], path_letters[j / 3 % 3],
                                 path_letters[j / 9 % 3], path_letters[j / 27], '\0'};

            cr_assert_eq(glob_matches(glob, path), fnmatch(glob, path, 0) == 0, "'%s' '%s'", glob,
                         path);
        }
}

Test(base_glob, cost_is_longest_part)
{
    cr_expect_eq(glob_cost(""), 1);
    cr_expect_eq(glob_cost("***"), 1);
    cr_expect_eq(glob_cost("*a*a*a"), 2);
    cr_expect_eq(glob_cost("ab*orders*"), 7);
    cr_expect_eq(glob_cost("*.folded"), 8);
}

/* fnmatch() does not end here. */
Test(base_glob, many_stars_take_few_steps)
{
    char glob[401], path[1001];

    patience(20);
    for (size_t i = 0; i < 400; i++)
        glob[i] = i % 2 ? 'a' : '*';
    memcpy(glob + 399, "b", 2);
    memset(path, 'a', 1000);
    path[1000] = '\0';
    cr_expect_not(glob_matches(glob, path));
}
