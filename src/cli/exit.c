#include "cli/exit.h"

#include "options/table.h"

const struct exit_meaning exit_meanings[] = {
    [EXIT_ALL_GOOD] = {COMMANDS_ALL, "success"},
    [EXIT_SOME_FAILED] = {COMMANDS_ALL, "some inputs failed, and the rest was written"},
    [EXIT_USAGE] = {COMMANDS_ALL, "wrong usage: an unknown option, a wrong value or setting"},
    [EXIT_NOTHING_WRITTEN] = {COMMANDS_ALL, "nothing was written"},
    [EXIT_WORSE] = {COMMAND_CHECK | COMMAND_REPORT,
                    "only check and report --fail-on: something is worse, or a budget is broken"},
    [EXIT_UNDECIDED] =
        {COMMAND_CHECK,
         "only check --strict: a service is undecided: it has too few runs or samples"},
    [EXIT_NOTHING_COMPARED] = {COMMAND_CHECK | COMMAND_DIFF | COMMAND_REPORT,
                               "only check, diff of directories and report --fail-on: nothing was "
                               "compared, because no service has runs on both sides"},
    [EXIT_ONE_SIDED] =
        {COMMAND_CHECK,
         "only check --strict: only one side has runs of a service, which may be one "
         "under another name"},
};

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
