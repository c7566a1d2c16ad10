/*
 * Whose samples perf script's are, where --process, --thread or --split ask.
 *
 * The name that perf prints is the thread's and may change, so a process is
 * known by its number, and called as its main thread was called last. A file
 * that is split by process must therefore be read in one piece.
 */
#ifndef INPUT_FORMATS_PERF_PERF_ORIGIN_H
#define INPUT_FORMATS_PERF_PERF_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/formats/perf/perf_event.h"

/* A process that was met. */
struct perf_process {
    struct slice name; /* in `names` */
    bool is_main;      /* it is that of the main thread */
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
    struct intern pids;
    VEC(struct perf_process) processes; /* by id of pids */
    VEC(struct perf_part) parts;
};

void perf_origins_init(struct perf_origins *o, struct profile *profile,
                       const struct input_options *options, struct diag *diag);
void perf_origins_release(struct perf_origins *o);

/* True where samples must be told apart by process or thread. */
static inline bool perf_origins_needed(const struct input_options *options)
{
    return options->process_count || options->thread_count || options->split_process ||
           options->split_thread || options->split_cpu;
}

/* The series of a sample, or BUILDER_LEFT_OUT where the options leave it out. */
uint32_t perf_origins_series(struct perf_origins *o, const struct perf_event *e, struct unit unit);

/* All is read: calls the series after their processes. */
void perf_origins_end(struct perf_origins *o);

#endif
