#include "cli/exit.h"

#include "base/die.h"

enum exit_status exit_status(const struct outcome *outcome)
{
    if (outcome->usage)
        return EXIT_USAGE;
    if (!outcome->written)
        return EXIT_NOTHING_WRITTEN;
    return outcome->failed ? EXIT_SOME_FAILED : EXIT_ALL_GOOD;
}
