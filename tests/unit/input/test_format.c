#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/test.h"

Test(input_format, rows_are_complete)
{
    for (size_t i = 0; i < registry_count; i++) {
        const struct format *f = registry_formats[i];

        cr_assert_null(registry_lacks(f), "%s lacks %s", f->name, registry_lacks(f));
        cr_expect(*f->name && *f->description && *f->recognised && *f->example, "%s: texts",
                  f->name);
        cr_expect(f->read || !f->text.line + !f->text.lines + !f->text.ahead == 2,
                  "%s: one way of taking text apart", f->name);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(f->name, registry_formats[k]->name);
    }
    cr_expect_str_eq(registry_formats[registry_count - 1]->name, "folded",
                     "folded stacks are asked last");
}

Test(input_format, what_a_format_lacks_is_named)
{
    struct format f = format_gdb;
    struct text_readahead ahead;

    f.claims = NULL;
    cr_expect_str_eq(registry_lacks(&f), "claims()");
    f = format_gdb;
    f.text.line = NULL;
    cr_expect_not_null(strstr(registry_lacks(&f), "text.line()"));
    f = format_gdb;
    f.text.state_size = 0;
    cr_expect_str_eq(registry_lacks(&f), "text.state_size");
    f = format_folded;
    cr_assert_not_null(f.text.ahead);
    ahead = *f.text.ahead;
    f.text.ahead = &ahead;
    cr_expect_null(registry_lacks(&f));
    ahead.take = NULL;
    cr_expect_not_null(strstr(registry_lacks(&f), "take()"));
    f = format_jfr;
    f.read = NULL;
    cr_expect_not_null(strstr(registry_lacks(&f), "read()"));
}

Test(input_format, families_have_titles_and_members)
{
    for (enum format_family family = FORMAT_ANY; family < FORMAT_FAMILIES; family++) {
        size_t members = 0;

        for (size_t i = 0; i < registry_count; i++)
            members += registry_formats[i]->family == family;
        cr_expect_not_null(registry_family_title(family));
        cr_expect_gt(members, 0, "%s", registry_family_title(family));
    }
}

Test(input_format, refusals_can_be_counted_off)
{
    const char *hint = refused_hints(0);
    size_t count = 0;

    cr_assert_not_null(hint);
    while ((hint = refused_hints(count)) && count < 1000) {
        cr_expect(*hint, "refusal %zu", count);
        count++;
    }
    cr_expect_geq(count, 10);
    cr_expect_lt(count, 1000);
}

Test(input_format, nothing_claims_nothing)
{
    cr_expect_null(claim_find(slice_make(NULL, 0), true));
    cr_expect_null(claim_find(SLICE("\n\n"), true));
    cr_expect_null(claim_find(SLICE("<html>\n"), true));
    cr_expect_null(claim_find(SLICE("{\"a\": 1}\n"), true));
    cr_expect_null(claim_refused(slice_make(NULL, 0), true));
    cr_expect_null(claim_refused(SLICE("main;foo 1\n"), true));
}
