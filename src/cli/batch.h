/*
 * The profiles of a report, each read, drawn and described on its own.
 *
 * A job is one input: it is read once, and each of its series becomes a
 * picture in the stage and a graph of the report. Jobs run side by side; what
 * one writes depends on its input and the options alone. A graph that cannot be
 * drawn leaves its messages and no files. Once the stage has failed, the jobs
 * that are left do nothing.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "base/diag.h"
#include "base/vec.h"
#include "cli/batch_scale.h"
#include "cli/config.h"
#include "cli/console.h"
#include "batch/inputs.h"
#include "cli/options.h"
#include "draw/resources.h"
#include "batch/stage.h"
#include "input/read.h"
#include "report/build.h"
#include "report/names.h"
#include "text/fonts.h"

struct job {
    enum input_result result;
    bool drawn;                      /* at least one graph is in the stage */
    struct diag diag;                /* about the input */
    struct diag commentary;          /* about its Markdown file */
    VEC(struct report_graph) graphs; /* taken over by the report */
    struct color_map colors;         /* of names that the file of colours has not */
};

/* What all jobs share; nothing of it changes while they run but the stage and the caches. */
struct batch {
    const struct options *options;
    const struct config *config;
    const struct inputs *inputs;
    const struct names *names;
    const struct report_query *queries;
    size_t query_count;
    const struct resources *resources;
    struct batch_scale scale; /* empty where each graph has its own */
    struct fonts *fonts;
    struct stage *stage; /* NULL where the report is a single file: pictures go into it */
    struct console *console;
    struct job *jobs; /* by input */
};

/* Runs all jobs; afterwards batch->jobs[i] says what became of input i. */
void batch_run(struct batch *b);
void batch_release(struct batch *b);

#endif
