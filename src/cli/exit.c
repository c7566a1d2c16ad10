#include "cli/exit.h"

#include "base/die.h"

void exit_count_failure(struct outcome *outcome, const struct diag *diag)
{
    if (diag->misused)
        outcome->usage = true;
    else
        outcome->failed++;
}

void exit_take_over(struct outcome *outcome, int status)
{
    *outcome = (struct outcome){
        .usage = status == EXIT_USAGE,
        .written = status >= 0 && status != EXIT_USAGE && status != EXIT_NOTHING_WRITTEN,
        .failed = status < 0 || status == EXIT_SOME_FAILED || status > EXIT_ONE_SIDED,
        .worse = status == EXIT_WORSE,
        .undecided = status == EXIT_UNDECIDED,
        .one_sided = status == EXIT_ONE_SIDED,
        .apart = status == EXIT_NOTHING_COMPARED,
    };
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
    if (outcome->one_sided)
        return EXIT_ONE_SIDED;
    if (outcome->undecided)
        return EXIT_UNDECIDED;
    return outcome->apart ? EXIT_NOTHING_COMPARED : EXIT_ALL_GOOD;
}
