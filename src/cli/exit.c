#include "cli/exit.h"

#include "base/die.h"

void exit_count_failure(struct outcome *outcome, const struct diag *diag)
{
    if (diag->misused)
        outcome->usage = true;
    else
        outcome->failed++;
}

enum exit_status exit_status(const struct outcome *outcome)
{
    if (outcome->usage)
        return EXIT_USAGE;
    if (!outcome->written)
        return EXIT_NOTHING_WRITTEN;
    if (outcome->worse)
        return EXIT_WORSE;
    if (outcome->failed)
        return EXIT_SOME_FAILED;
    return outcome->undecided ? EXIT_UNDECIDED : EXIT_ALL_GOOD;
}
