/*
 * The command line of reports that several machines make: --part and --stitch.
 */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/part.h"
#include "batch/stitch.h"
#include "options/options.h"

/* The part that a run makes, or the parts that it puts together; at most one is used. */
struct report_parts {
    struct part part;
    struct stitch stitch;
    struct part_words words, paths; /* of the command line, for PART_NAME */
};

/*
 * Prepares for --part: makes the directory of all parts, and the part's place the output of `o`.
 * For --stitch: reads the parts, and gives `o` the options and operands that they were made with;
 * those of report_parts_repeat() must be in `o` already.
 * Returns false after reporting an error; call report_parts_release() then, too.
 */
bool report_parts_init(struct report_parts *p, struct options *o, struct diag *diag);
/*
 * True for an option, "--NAME" or "--NAME=VALUE", that says which files the report of the parts is
 * made with. Parts alone cannot say that, so --stitch needs it again.
 */
bool report_parts_repeat(const char *word);

void report_parts_release(struct report_parts *p);

#endif
