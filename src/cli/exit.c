#include "cli/exit.h"

#include "base/die.h"

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
