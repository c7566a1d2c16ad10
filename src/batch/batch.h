/*
 * Runs the jobs of a report: each reads, draws and describes one input.
 *
 * The files of a service (batch/grouping.h) are read one after the other and merged; each of their
 * series becomes a picture in the stage, a file with the exact stacks of the runs, and a graph of
 * the report. Services are made in parallel, and if they are few, the graphs of each as well; the
 * files of a service depend only on its inputs and the options. A graph that cannot be drawn leaves
 * messages and no files. After the stage has failed, the remaining jobs do nothing.
 */
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include <stdatomic.h>

#include "base/diag.h"
#include "base/vec.h"
#include "batch/admission.h"
#include "batch/gather.h"
#include "batch/grouping.h"
#include "batch/inputs.h"
#include "batch/plan.h"
#include "batch/scale.h"
#include "batch/stage.h"
#include "draw/resources.h"
#include "input/core/dependencies.h"
#include "input/read.h"
#include "report/build.h"
#include "report/names.h"
#include "text/fonts.h"

struct part;
struct reuse;
struct stitch;

struct job {
    bool read;                       /* the input is a profile */
    bool drawn;                      /* at least one graph is in the stage */
    bool taken;                      /* its graphs are those of the earlier report */
    bool has_runs;                   /* the input is a sum of runs (output/runs.h) */
    struct diag diag;                /* about the input */
    struct diag commentary;          /* about its Markdown file */
    struct diag meta;                /* about its meta file */
    VEC(struct report_graph) graphs; /* assemble_report() moves them into the report */
    struct buf files;        /* of graphs that were drawn: paths, each with a NUL after it */
    struct color_map colors; /* of names that are not in the file of colours */
    struct dependencies
        dependencies; /* beside the input, if `reuse` is set; until it has been kept */
};

/* Data that all jobs share; only the stage and the caches change while jobs run. */
struct batch {
    const struct inputs *inputs;
    const struct plan *const *plans; /* by input */
    const struct plan *merged;       /* of the graphs of all inputs merged */
    const struct plan *plan;         /* of the report: merging, named searches, the SVGs' script */
    bool each_run;                   /* a graph for each file: no services */
    const struct service_rules *rules; /* of the settings; may be NULL */
    bool common_scale;                 /* the heaviest graph of a unit fills the width */
    unsigned threads;
    const struct names *names;
    const struct resources *resources;
    struct batch_scale scale;   /* empty if each graph has its own */
    struct admission admission; /* batch_run() makes it */
    struct reuse *reuse;        /* what to take over from an earlier report; or NULL */
    struct part *part;          /* make only the groups of this part; or NULL */
    struct stitch *stitch;      /* take all groups from parts; or NULL. Both need `reuse` */
    struct fonts *fonts;
    struct stage *stage; /* NULL if the report is a single file, which contains the pictures */
    /* Called after each input, by any thread; may be NULL. */
    void (*progress)(void *context, const char *name, uint64_t bytes);
    void *progress_context;
    bool keep;                  /* keep the services of all groups, for a comparison */
    struct services *kept;      /* by group, if `keep` is set */
    struct job *jobs;           /* by input; batch_run() makes them */
    struct grouping grouping;   /* of the inputs */
    struct names group_names;   /* of the graphs, by group */
    struct names service_names; /* by group; they do not depend on the number of runs */
    atomic_size_t made;         /* graphs that were made or taken over */
};

/* Runs all jobs. Afterwards b->jobs[i] has the result of input i. */
void batch_run(struct batch *b);
void batch_release(struct batch *b);

/*
 * Moves the services that were kept to `out`, by group. Returns false, with `out` empty, if there
 * are none or the runs are not known: inputs were merged, or an input is a sum of runs.
 */
bool batch_take_services(struct batch *b, struct services *out);

/*
 * Counts a graph that was made or taken over, and returns whether it stays complete in memory: in a
 * report with as many graphs as one page shows, every graph does.
 */
bool batch_keeps_whole(struct batch *b);

/* Reports why no graph was drawn although no input failed; returns false. */
bool batch_report_nothing(const struct batch *b, struct diag *diag);

/*
 * Reads input `index` by its plan into `p`, which must be initialised. `diag` is about the input.
 * Call admission_leave() when the profile is not needed any more.
 */
enum input_result batch_read(struct batch *b, size_t index, struct profile *p, struct diag *diag);

#endif
