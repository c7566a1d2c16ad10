
#include "unit/support/claim.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

Test(input_phpspy, samples)
{
    golden_text("samples", "phpspy",
                "0 usleep <internal>:-1\n1 A\\B::run /srv/my app/job.php:42\n# uri = /x\n\n"
                "0 usleep <internal>:-1\n1 A\\B::run /srv/my app/job.php:42\n"
                "0 {closure} /srv/job.php:7\n",
                NULL, "A\\B::run;usleep 2\n{closure} 1\n", "");
}

Test(input_phpspy, bad_lines_are_told)
{
    struct input_options options = input_options_default();

    options.srcline = true;
    golden_text("told", "phpspy", "0 f a.php:1\n1 g a.php:2\n\n0 f a.php:1\n", &options,
                "f:a.php:1 1\ng:a.php:2;f:a.php:1 1\n", "");
    golden_text("cut", "phpspy", "0 f a.php:1\n1 g a.php:2\n\n", NULL, "g;f 1\n", "");
}

Test(input_phpspy, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"0 f a.php:1\n1 g a.php:2\n", true},  {"# comment\n0 f a.php:1\n\n0 f a.php:1\n", true},
        {"0 f a.php:1\n2 g a.php:2\n", false}, {"0 f a.php:1\n", false},
        {"0 f a.php:1\ntext\n", false},        {"main;f 1\n", false},
        {"0 1 2:3\n4 5 6:7\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_phpspy, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}
