#include "compare/codeowners.h"

#include "base/buf.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

static const char text[] = "# everything else\n"
                           "*            @all\n"
                           "*.js         @web\n"
                           "/docs/       @writers writers@example.com # the handbook\n"
                           "src/tax      @tax\n"
                           "apps/**/test @testers\n"
                           "build?.c     @build\n"
                           "/src/\\*.c   @star\n"
                           "two\\ words   @words\n"
                           "/secret/\n"
                           "[Section]\n"
                           "!*.c         @nobody\n"
                           "^[Optional]  @nobody\n"
                           "\n";

Test(compare_codeowners, the_last_matching_line_counts)
{
    static const struct {
        const char *path, *owners;
    } rows[] = {
        {"main.c", "@all"},
        {"web/main.js", "@web"},
        {"docs/a/b.js", "@writers writers@example.com"},
        {"web/docs/a.c", "@all"}, /* anchored */
        {"src/tax/rates.c", "@tax"},
        {"src/tax", "@tax"},
        {"src/taxes.c", "@all"},
        {"lib/src/tax/rates.c", "@all"},
        {"apps/test/a.c", "@testers"},
        {"apps/x/y/test/a.c", "@testers"},
        {"apps/x/testing/a.c", "@all"},
        {"lib/build1.c", "@build"},
        {"lib/build12.c", "@all"},
        {"src/*.c", "@star"},
        {"src/a.c", "@all"},
        {"two words", "@words"},
        {"secret/key.c", ""},
        /* where it was built: any last part of the path may be that in the repository */
        {"/build/repo/src/tax/rates.c", "@tax"},
        {"/build/docs/a.c", "@writers writers@example.com"},
        {"../../docs/a.c", "@writers writers@example.com"},
        {"./docs/a.c", "@writers writers@example.com"},
        {"file:///srv/docs/a.js", "@writers writers@example.com"},
        {"webpack://app/src/tax/a.js", "@tax"},
        {"", ""},
    };
    struct codeowners c;

    codeowners_init(&c, slice_str(text));
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct slice owners = codeowners_find(&c, slice_str(rows[i].path));

        cr_expect(slice_equal(owners, slice_str(rows[i].owners)), "%s: '%.*s'", rows[i].path,
                  SLICE_ARG(owners));
    }
    codeowners_release(&c);
}

/* The time for a pattern of many stars grows with the product of the lengths, not exponentially. */
Test(compare_codeowners, hostile_patterns_are_bounded)
{
    struct codeowners c;
    struct buf rules = {0}, path = {0};

    patience(20);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 60; k++)
            buf_add_str(&rules, "a*b*");
        buf_add_str(&rules, "c @x\n");
    }
    buf_add_char(&rules, '/');
    for (int k = 0; k < 300; k++)
        buf_add_char(&rules, 'd');
    buf_add_str(&rules, " @long\n");
    for (int i = 0; i < 2000; i++)
        buf_add_str(&path, "ab");
    codeowners_init(&c, buf_slice(&rules));
    cr_expect_eq(c.rules.count, 20);
    cr_expect_eq(codeowners_find(&c, buf_slice(&path)).len, 0);
    for (int i = 0; i < 2000; i++)
        buf_add_str(&path, "ab");
    cr_expect_eq(codeowners_find(&c, buf_slice(&path)).len, 0);
    codeowners_release(&c);
    buf_release(&rules);
    buf_release(&path);
}
