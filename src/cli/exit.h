/*
 * The outcome of a run, and the exit status that follows from it.
 */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <stdbool.h>

#include "base/diag.h"

enum exit_status {
    EXIT_ALL_GOOD = 0,
    EXIT_SOME_FAILED = 1, /* some inputs failed and the rest was written */
    EXIT_USAGE = 2,       /* unknown option, bad settings file, no input named */
    EXIT_NOTHING_WRITTEN = 3,
    EXIT_WORSE = 4,            /* a finding, or a broken budget */
    EXIT_UNDECIDED = 5,        /* --strict: a service is undecided */
    EXIT_NOTHING_COMPARED = 6, /* no service has runs on both sides */
    EXIT_ONE_SIDED = 7,        /* --strict: only one side has runs of a service */
};

/* What a status means, for users. */
struct exit_meaning {
    unsigned commands; /* enum command_id: those that can end with it */
    const char *meaning;
};

/* By status. */
extern const struct exit_meaning exit_meanings[EXIT_ONE_SIDED + 1];

/* Failures and success, added up over a run. */
struct outcome {
    bool usage;      /* the command line or the settings are wrong */
    unsigned failed; /* number of inputs that could not be used and outputs not written */
    bool written;    /* the output is in place */
    bool worse;      /* a finding counts, or a budget is broken */
    bool undecided;  /* a service is undecided, and that is to be a failure */
    bool one_sided;  /* only one side has runs of a service, and that is to be a failure */
    bool apart;      /* no service has runs on both sides, and that is to be a failure */
};

/*
 * Counts that a graph could not be made from inputs that were read: as wrong usage if an option
 * does not fit them (diag_misuse()), otherwise as a failure of the inputs.
 */
void exit_count_failure(struct outcome *outcome, const struct diag *diag);

/* Sets the outcome of a run that another process made; `status` is that of a shell, or negative. */
void exit_take_over(struct outcome *outcome, int status);

/* Returns the exit status for an outcome. */
enum exit_status exit_status(const struct outcome *outcome);

#endif
