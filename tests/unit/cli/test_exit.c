#include <criterion/criterion.h>

#include "cli/exit.h"

Test(cli_exit, table)
{
    static const struct {
        struct outcome outcome;
        enum exit_status status;
    } rows[] = {
        {{.written = true}, EXIT_ALL_GOOD},
        {{.written = true, .failed = 2}, EXIT_SOME_FAILED},
        {{.failed = 2}, EXIT_NOTHING_WRITTEN},
        {{0}, EXIT_NOTHING_WRITTEN},
        {{.usage = true}, EXIT_USAGE},
        {{.usage = true, .written = true}, EXIT_USAGE},
        {{.written = true, .worse = true, .failed = 1, .undecided = true}, EXIT_WORSE},
        {{.written = true, .failed = 1, .undecided = true}, EXIT_SOME_FAILED},
        {{.written = true, .undecided = true}, EXIT_UNDECIDED},
        {{.worse = true}, EXIT_NOTHING_WRITTEN},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(exit_status(&rows[i].outcome), rows[i].status, "row %zu", i);
}
