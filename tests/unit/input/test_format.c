#include "input/format.h"
#include "unit/support/claim.h"

#include <criterion/criterion.h>

Test(input_format, rows_are_complete)
{
    for (size_t i = 0; i < format_count; i++) {
        const struct format *f = formats[i];

        cr_assert_not_null(f->name);
        cr_expect(f->family > FORMAT_NO_FAMILY && f->family < FORMAT_FAMILIES, "%s: family",
                  f->name);
        cr_expect(f->description && *f->description, "%s: description", f->name);
        cr_expect(f->recognised && *f->recognised, "%s: recognised", f->name);
        cr_expect(f->example && *f->example, "%s: example", f->name);
        cr_expect_not_null(f->claims, "%s: claims", f->name);
        cr_expect(!f->reader != !f->read, "%s: one way of reading", f->name);
        cr_expect(!f->reader || (f->reader->begin && f->reader->end), "%s: reader", f->name);
        cr_expect(!f->reader || !f->reader->line + !f->reader->lines + !f->reader->ahead == 2,
                  "%s: one way of taking text apart", f->name);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(f->name, formats[k]->name);
    }
    cr_expect_str_eq(formats[format_count - 1]->name, "folded", "folded stacks are asked last");
}

Test(input_format, families_have_titles_and_members)
{
    for (enum format_family family = FORMAT_ANY; family < FORMAT_FAMILIES; family++) {
        size_t members = 0;

        for (size_t i = 0; i < format_count; i++)
            members += formats[i]->family == family;
        cr_expect_not_null(format_family_title(family));
        cr_expect_gt(members, 0, "%s", format_family_title(family));
    }
}

Test(input_format, refusals_can_be_counted_off)
{
    const char *hint = format_refusal(0);
    size_t count = 0;

    cr_assert_not_null(hint);
    while ((hint = format_refusal(count)) && count < 1000) {
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
