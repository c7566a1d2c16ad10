/*
 * Reads the comparison back that an earlier report has in its report.json, and finds its pictures.
 *
 * Only what report/verdicts.h and report/digest.h need is read: labels, services, findings,
 * warnings and budgets. The file may be hostile: its size and the memory for it are
 * bounded by the limits of reading, and pictures are taken from the directory of the report only.
 */
#ifndef BATCH_REPORT_FILE_H
#define BATCH_REPORT_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compare/comparison.h"
#include "input/core/options.h"

/* A picture of a finding. */
struct report_picture_file {
    struct slice service, function, scope;
    const char *path;
};

struct report_file_content {
    struct comparison comparison;
    VEC(struct report_picture_file) pictures; /* in the order of the cards */
    struct arena memory;
};

/* Whether a schema is that of a report.json. */
bool report_file_is_schema(struct slice schema);

/* Whether a path of the file leads to a picture of its report: graphs/NAME.png. */
bool report_file_is_picture(struct slice path);

struct json_value;

/*
 * Reads a comparison, whose verdicts follow from its findings and reasons, into an empty one.
 * Returns false if its schema is not known.
 */
bool report_file_comparison(struct comparison *c, const struct json_value *v);

/* Whether `directory` contains a report. */
bool report_file_exists(const char *directory);

/*
 * Reads the comparison of the report in `directory`, which `diag` is about. Returns false after
 * reporting that the report has no comparison or is damaged. Release `out` in either case.
 */
bool report_file_read(struct report_file_content *out, const char *directory,
                      const struct input_limits *limits, struct diag *diag);
void report_file_release(struct report_file_content *c);

#endif
