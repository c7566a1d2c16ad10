
#include "base/budget.h"
#include "base/die.h"
#include "cli/exit.h"
#include "unit/support/test.h"

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
        {{.written = true, .apart = true}, EXIT_NOTHING_COMPARED},
        {{.written = true, .apart = true, .undecided = true}, EXIT_UNDECIDED},
        {{.written = true, .apart = true, .worse = true}, EXIT_WORSE},
        {{.written = true, .one_sided = true, .apart = true, .undecided = true}, EXIT_ONE_SIDED},
        {{.written = true, .one_sided = true, .failed = 1}, EXIT_SOME_FAILED},
        {{.written = true, .one_sided = true, .worse = true}, EXIT_WORSE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(exit_status(&rows[i].outcome), rows[i].status, "row %zu", i);
}

/* A report that another process made gives the status of that process; a signal is a failure. */
Test(cli_exit, takes_over_the_status_of_another_process)
{
    static const struct {
        int of_process;
        enum exit_status status;
    } rows[] = {{0, EXIT_ALL_GOOD},
                {1, EXIT_SOME_FAILED},
                {2, EXIT_USAGE},
                {4, EXIT_WORSE},
                {3, EXIT_NOTHING_WRITTEN},
                {5, EXIT_UNDECIDED},
                {6, EXIT_NOTHING_COMPARED},
                {7, EXIT_ONE_SIDED},
                {8, EXIT_SOME_FAILED},
                {139, EXIT_SOME_FAILED},
                {-1, EXIT_NOTHING_WRITTEN}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct outcome outcome = {.worse = true};

        exit_take_over(&outcome, rows[i].of_process);
        cr_expect_eq(exit_status(&outcome), rows[i].status, "row %zu", i);
    }
}

Test(cli_exit, only_an_option_that_does_not_fit_is_wrong_usage)
{
    struct outcome outcome = {0};
    struct budget budget, *before;
    struct diag diag;
    char *bytes;

    diag_init(&diag, SLICE(""));
    diag_error(&diag, "the input has no series with samples");
    exit_count_failure(&outcome, &diag);
    cr_expect_eq(exit_status(&outcome), EXIT_NOTHING_WRITTEN);
    outcome = (struct outcome){0};
    budget_init(&budget, "drawing", 1, UINT64_MAX);
    before = budget_enter(&budget);
    bytes = xmalloc(4096);
    cr_expect_not(budget_allows(&diag, DIAG_AT_FILE));
    xfree(bytes);
    budget_leave(before);
    exit_count_failure(&outcome, &diag);
    cr_expect_eq(exit_status(&outcome), EXIT_NOTHING_WRITTEN);
    cr_expect_not(diag_misuse(&diag, "option --event: no such event"));
    exit_count_failure(&outcome, &diag);
    cr_expect_eq(exit_status(&outcome), EXIT_USAGE);
    diag_release(&diag);
}
