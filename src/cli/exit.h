/*
 * How a run ended, and the one place that turns it into an exit status.
 */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <stdbool.h>

enum exit_status {
    EXIT_ALL_GOOD = 0,
    EXIT_SOME_FAILED = 1, /* some inputs failed and the rest was written */
    EXIT_USAGE = 2,       /* unknown option, bad settings file, no input named */
    EXIT_NOTHING_WRITTEN = 3,
    EXIT_OVER_BUDGET = 4,
};

/* What happened, added up over a run. */
struct outcome {
    bool usage;      /* the command line or the settings are wrong */
    unsigned failed; /* inputs that could not be used, outputs that could not be written */
    bool written;    /* the output is in place */
};

enum exit_status exit_status(const struct outcome *outcome);

#endif
