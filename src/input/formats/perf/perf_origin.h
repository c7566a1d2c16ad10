/*
 * The origin of perf script's samples: the first frame of a stack and, if the options
 * select or split by process or thread, the series.
 */
#ifndef INPUT_FORMATS_PERF_PERF_ORIGIN_H
#define INPUT_FORMATS_PERF_PERF_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/core/options.h"
#include "input/formats/perf/perf_line.h"
#include "profile/profile.h"

/* ---- first frames ---------------------------------------------------------------------------- */

/*
 * The first frames of perf script's stacks: the processes, each distinct text
 * named once.
 */

enum { PERF_COMMS = 256 }; /* remembered; a power of two */

/* A process that was met, with its numbers if names have them, and its symbol. */
struct perf_comm {
    struct slice comm; /* empty if nothing is remembered; in `texts` */
    int64_t pid, tid;
    uint32_t symbol;
    bool java; /* the reference names its functions by the rule for Java */
};

struct perf_comms {
    struct perf_comm comms[PERF_COMMS];
    struct arena texts;
    struct buf name;
};

void perf_comms_release(struct perf_comms *c);

/* The process that an event line names; valid until the next call. */
const struct perf_comm *perf_comms_find(struct perf_comms *c, const struct perf_event *e,
                                        struct profile *profile,
                                        const struct input_options *options);

/* ---- origins --------------------------------------------------------------------------------- */

/*
 * Origins, needed only for --process, --thread and --split.
 *
 * perf prints the name of the thread, which may change. So a process is identified by its
 * number and named as its main thread was named last. A file that is split by process must
 * therefore be read in one piece.
 */

/* A process that was met. */
struct perf_process {
    struct slice name; /* in `names` */
};

/* A series that holds the samples of one process, to be called after it. */
struct perf_part {
    uint32_t series, process;
};

struct perf_origins {
    struct input_options options; /* without the filters, which are applied before */
    const struct input_options *asked;
    struct builder series;
    struct arena names;
    struct buf numbers; /* of the current sample, as text */
    struct intern pids;
    VEC(struct perf_process) processes; /* by id of pids */
    VEC(struct perf_part) parts;
};

void perf_origins_init(struct perf_origins *o, struct profile *profile,
                       const struct input_options *options, struct diag *diag);
void perf_origins_release(struct perf_origins *o);

/* Returns whether samples must be split or selected by process or thread. */
static inline bool perf_origins_needed(const struct input_options *options)
{
    return options->process_count || options->thread_count || options->split_process ||
           options->split_thread || options->split_cpu || options->split_cgroup;
}

/* Returns the series of a sample, or BUILDER_LEFT_OUT if the options exclude it. */
uint32_t perf_origins_series(struct perf_origins *o, const struct perf_event *e, struct unit unit);

/* Ends the input: names the series after their processes. */
void perf_origins_end(struct perf_origins *o);

#endif
