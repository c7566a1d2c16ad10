/*
 * Samples of perf on their way into a profile, whichever reader finds them: the one of perf
 * script's text or the one of perf.data.
 *
 * A reader opens a sample with its event, pushes its frames leaf first and closes it. Every
 * event is a series. A sample without frames keeps its weight on the process alone. From the
 * scheduler's events the time off the CPU is computed as well (perf_sched.h), and from other
 * events bytes and times (perf_derived.h). Which of them an input has is found in text->start,
 * which for text is the first bytes of the input, and else names the events as event lines do.
 *
 * The functions that return bool return false after reporting an error.
 */
#ifndef INPUT_FORMATS_PERF_PERF_SAMPLES_H
#define INPUT_FORMATS_PERF_PERF_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "input/core/text.h"
#include "input/formats/perf/perf_deferred.h"
#include "input/formats/perf/perf_frame.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_derived.h"
#include "input/formats/perf/perf_origin.h"
#include "input/formats/perf/perf_sched.h"

struct perf_samples {
    struct text *text;
    struct perf_frames frames[2]; /* [1] for Java processes, whose reference names differ */
    struct perf_frames *in_use;   /* by the process of the open sample */
    struct perf_comms comms;
    uint32_t *stack; /* symbols of the open sample, leaf first */
    size_t depth, cap;
    bool open;     /* a sample is open: frames belong to it */
    bool skipped;  /* the options leave it out */
    bool cut;      /* it had more frames than the limit */
    bool lacks;    /* frames of it are not known, which has been reported */
    bool waits;    /* its user call chain comes later, with `cookie` */
    bool is_chain; /* it is no sample, but the user call chain of samples of `tid` */
    uint64_t tid, cookie;
    struct perf_deferred deferred;
    uint32_t comm, series;
    bool by_origin; /* samples are split or selected by process or thread */
    struct perf_origins origins;
    bool scheduling; /* the input has the scheduler's events */
    struct perf_sched sched;
    struct perf_derived made;
    uint64_t weight, time_ns; /* of the open sample */
    bool has_time;
    struct diag_place place; /* of its event */
    uint64_t latest_ns;      /* the latest time of an event that times are computed from */
};

void perf_samples_init(struct perf_samples *s, struct text *text);
void perf_samples_release(struct perf_samples *s);

/* Closes the open sample, if any, and opens one of the event. */
bool perf_samples_open(struct perf_samples *s, const struct perf_event *e, struct diag_place place);

/*
 * Says that the user call chain of the open sample comes later: as the one of a thread with this
 * cookie.
 */
void perf_samples_defer(struct perf_samples *s, uint64_t tid, uint64_t cookie);

/*
 * Closes the open sample, if any, and opens the user call chain of the samples of a thread that
 * wait for it. Of the event only the process is used.
 */
bool perf_samples_open_deferred(struct perf_samples *s, const struct perf_event *e, uint64_t tid,
                                uint64_t cookie, struct diag_place place);

/* Pushes frames of the open sample, leaf first, up to the limit of --max-frames. */
void perf_samples_push_all(struct perf_samples *s, const uint32_t *symbols, uint32_t count);

static inline void perf_samples_push(struct perf_samples *s, uint32_t symbol)
{
    if (s->depth < s->cap)
        s->stack[s->depth++] = symbol;
    else
        perf_samples_push_all(s, &symbol, 1);
}

/* Puts the open sample, if any, into the profile. */
bool perf_samples_close(struct perf_samples *s);

/* Ends the input, with its open sample. */
bool perf_samples_end(struct perf_samples *s);

#endif
