#include "base/percent.h"

#include <math.h>

#include "unit/support/test.h"

Test(base_percent, shares_are_rounded_as_percentages_are)
{
    static const unsigned decimals[] = {PERCENT_CAPTION, PERCENT_TABLE, PERCENT_EXACT};
    struct buf exact = {0}, share = {0};

    for (uint64_t whole = 1; whole <= 800; whole += whole < 100 ? 1 : 50)
        for (uint64_t part = 0; part <= whole; part++)
            for (size_t i = 0; i < 3; i++) {
                buf_clear(&exact);
                buf_clear(&share);
                num_write_percent(&exact, part, whole, decimals[i]);
                percent_write(&share, (double)part / (double)whole, decimals[i]);
                cr_expect_str_eq(buf_string(&share), buf_string(&exact), "%u of %u", (unsigned)part,
                                 (unsigned)whole);
            }
    buf_release(&exact);
    buf_release(&share);
}

Test(base_percent, changes_of_shares)
{
    static const struct {
        double now, before;
        const char *text;
    } rows[] = {
        {1.0 / 800, 0, "+0.13"},       {0, 1.0 / 800, "-0.13"},
        {0.25125, 0.25, "+0.13"},      {0.3, 0.29995, "+0.01"},
        {0.29995, 0.3, "-0.01"},       {0.5, 0.5, "+0.00"},
        {12345.678, 0, "+1234567.80"}, {0.2, 0.2000001, "-0.00"},
        {1, 0.99995001, "+0.00"},      {HUGE_VAL, 0, "+92233720368547758.07"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf out = {0};

        percent_write_points(&out, rows[i].now - rows[i].before, PERCENT_TABLE);
        cr_expect_str_eq(buf_string(&out), rows[i].text);
        buf_release(&out);
    }
}

/* Rounded twice, 11.24497 would be 11.25. */
Test(base_percent, exact_shares_are_rounded_as_the_share_is)
{
    static const struct {
        long double share;
        const char *text;
    } rows[] = {{0.1124497L, "11.24497"},
                {0.112450L, "11.2450"},
                {0.11L, "11.0000"},
                {-0.1124497L, "-11.24497"},
                {0.1234567L, "12.3457"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf out = {0};

        percent_write_exact(&out, rows[i].share);
        cr_expect_str_eq(buf_string(&out), rows[i].text);
        buf_release(&out);
    }
}
