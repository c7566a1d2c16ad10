/*
 * Reads the labels of both sides of a comparison, and compares them.
 */
#ifndef CLI_COMPARISON_INPUTS_H
#define CLI_COMPARISON_INPUTS_H

#include <stdbool.h>

#include "batch/label.h"
#include "cli/command.h"
#include "cli/config.h"
#include "compare/comparison.h"

struct comparison_inputs {
    VEC(struct label) labels; /* in the order of time: of the history, the base, the new one */
    VEC(struct compare_label) sides;      /* of each label */
    VEC(struct function_tables *) tables; /* of each label; NULL if it is not of a history */
    struct services *base, *new;
    struct services pooled; /* the base if several labels are */
    const char *earlier;    /* directory of the label that confirms findings, or NULL */
    size_t earlier_label;   /* its index */
    struct arena memory;
    struct comparison comparison;
    bool compared;
};

/* What is compared, and how; all of it must outlive the call. */
struct comparison_request {
    const struct options *options;
    const struct config *config; /* NULL: without settings for single files */
    const struct plan *plan;
    const struct strings *base, *new; /* a base of one path may be a history (batch/history.h) */
    bool new_is_known;                /* messages about the new files are shown elsewhere */
    struct services *read; /* the new services if they are read already, to be moved; or NULL */
    struct compare_settings settings;
};

/*
 * Reads and compares. Prints messages, and counts failures in the outcome. Returns false after
 * reporting that there is nothing to compare. Release in either case.
 */
bool comparison_inputs_init(struct comparison_inputs *w, const struct comparison_request *request,
                            const struct command_job *job);
void comparison_inputs_release(struct comparison_inputs *w);

/* Decides what the comparison means for the exit status. */
void comparison_inputs_judge(const struct comparison *c, const struct options *o,
                             struct outcome *outcome);

#endif
