#include "report/sparkline.h"

#include "unit/support/test.h"

#define KNOWN(part)                                                                                \
    {                                                                                              \
        .share = (part), .samples = 100                                                            \
    }
#define GAP                                                                                        \
    {                                                                                              \
        .samples = 0                                                                               \
    }

Test(report_sparkline, lines)
{
    static const struct {
        const char *what;
        struct compare_level levels[4];
        size_t count;
        const char *path, *about;
    } rows[] = {
        {"nothing", {{.samples = 0}}, 0, "", ""},
        {"one label", {KNOWN(0.1), GAP}, 2, "", ""},
        {"a rise fills the box",
         {KNOWN(0.1), KNOWN(0.1), KNOWN(0.3)},
         3,
         "M0.0 18.5L50.0 18.5L100.0 1.5",
         "10.00 % to 30.00 % in 3 labels"},
        {"less than a point does not",
         {KNOWN(0.100), KNOWN(0.105)},
         2,
         "M0.0 14.2L100.0 5.8",
         "10.00 % to 10.50 % in 2 labels"},
        {"a gap begins a new line",
         {KNOWN(0.1), GAP, KNOWN(0.3), KNOWN(0.3)},
         4,
         "M0.0 18.5M66.7 1.5L100.0 1.5",
         "10.00 % to 30.00 % in 3 labels"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct buf path = {0}, about = {0};

        sparkline_write(&path, rows[i].levels, rows[i].count, 100, 20);
        sparkline_describe(&about, rows[i].levels, rows[i].count);
        cr_expect_str_eq(buf_string(&path), rows[i].path, "%s: %s", rows[i].what,
                         buf_string(&path));
        cr_expect_str_eq(buf_string(&about), rows[i].about, "%s: %s", rows[i].what,
                         buf_string(&about));
        buf_release(&path);
        buf_release(&about);
    }
}
