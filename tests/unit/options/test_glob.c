#include <fnmatch.h>

#include "options/glob.h"
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

Test(options_glob, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf why = {0};

        cr_expect_eq(options_check_glob(rows[i].glob, &why), rows[i].matched != NULL, "'%s': %s",
                     rows[i].glob, buf_string(&why));
        cr_expect_eq(why.len == 0, rows[i].matched != NULL, "'%s'", rows[i].glob);
        cr_expect(!rows[i].matched || fnmatch(rows[i].glob, rows[i].matched, 0) == 0, "'%s'",
                  rows[i].glob);
        buf_release(&why);
    }
}
