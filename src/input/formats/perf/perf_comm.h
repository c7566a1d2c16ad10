/*
 * The first frames of perf script's stacks: the processes, each distinct text
 * named once.
 */
#ifndef INPUT_FORMATS_PERF_PERF_COMM_H
#define INPUT_FORMATS_PERF_PERF_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "input/core/options.h"
#include "input/formats/perf/perf_event.h"
#include "profile/profile.h"

enum { PERF_COMMS = 256 }; /* remembered; a power of two */

/* A process that was met: its text in the event line, and its symbol. */
struct perf_comm {
    struct slice text; /* empty where nothing is remembered; in `texts` */
    uint32_t symbol;
    bool java; /* the reference names its functions by the rule for Java */
};

struct perf_comms {
    struct perf_comm comms[PERF_COMMS];
    struct arena texts;
    struct buf name;
};

void perf_comms_init(struct perf_comms *c);
void perf_comms_release(struct perf_comms *c);

/* The process that an event line names; valid until the next call. */
const struct perf_comm *perf_comms_find(struct perf_comms *c, const struct perf_event *e,
                                        struct profile *profile,
                                        const struct input_options *options);

#endif
