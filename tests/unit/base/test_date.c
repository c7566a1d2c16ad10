#include "base/date.h"

#include "unit/support/test.h"

Test(base_date, days_exist)
{
    static const struct {
        const char *text, *day;
    } rows[] = {
        {"2026-11-21", "2026-11-21"},
        {"2024-02-29", "2024-02-29"},
        {"2026-11-21T06:00:00Z", "2026-11-21"},
        {"2026-11-21 06:00", "2026-11-21"},
        {"2026-02-29", ""},
        {"2026-13-01", ""},
        {"2026-00-10", ""},
        {"2026-06-31", ""},
        {"2026-1-5", ""},
        {"2026-w47", ""},
        {"2026-11-2x", ""},
        {"2026/11/21", ""},
        {"2026-11-210", ""},
        {"+026-11-21", ""},
        {"2026-11-2", ""},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct slice text = slice_str(rows[i].text), day = date_day(text);

        cr_expect(slice_equal(day, slice_str(rows[i].day)), "%s", rows[i].text);
        cr_expect_eq(date_is_day(text), day.len && day.len == text.len, "%s", rows[i].text);
    }
}
