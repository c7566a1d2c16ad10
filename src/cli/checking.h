/*
 * The settings, plans and baseline of a command that compares runs with earlier ones and draws no
 * report: check and digest.
 */
#ifndef CLI_CHECKING_H
#define CLI_CHECKING_H

#include "batch/inputs.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/comparison_inputs.h"

struct checking {
    struct options options; /* with the settings file's values */
    struct plan plan;
    struct config config;
    struct inputs inputs; /* for the settings beside them */
    struct compare_settings settings;
    struct strings base;
    char today[16];
};

/* Copies the options. Release it. */
void checking_init(struct checking *c, const struct options *options);

/*
 * Reads the settings of `c->options`, before the run enters its sandbox. Returns false after
 * reporting wrong usage in `diag` or on the console.
 */
bool checking_open(struct checking *c, const struct command_job *job, struct diag *diag);
/* Makes the plans, in the sandbox. Returns false as checking_open() does. */
bool checking_plan(struct checking *c, const struct command_job *job, struct diag *diag);
void checking_release(struct checking *c);

/* Returns what is compared, and how. */
struct comparison_request checking_request(const struct checking *c);

#endif
