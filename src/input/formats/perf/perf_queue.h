/*
 * Puts the records of a recording in the order of time.
 *
 * perf writes the buffers of the CPUs one after the other. A record that says that a round is
 * finished promises that later records are not older than the newest one of the round before. So
 * records wait in the queue for two rounds at most. A record without a time does not wait.
 * Records of equal time keep the order of the recording.
 */
#ifndef INPUT_FORMATS_PERF_PERF_QUEUE_H
#define INPUT_FORMATS_PERF_PERF_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "input/formats/perf/perf_record.h"

struct perf_waiting {
    uint64_t time_ns, number, offset;
    size_t at; /* of the bytes in `bytes` */
    uint32_t type;
    uint16_t misc;
    uint32_t size;
};

struct perf_queue {
    struct buf bytes, spare;
    size_t given;                   /* bytes at the start of `bytes` whose records were given out */
    VEC(struct perf_waiting) items; /* a heap: the oldest is first */
    uint64_t count;                 /* records added so far */
    uint64_t newest, round;         /* the latest time of all records; of those before this round */
    bool (*take)(void *context, const struct perf_record *r); /* false ends the reading */
    void *context;
};

void perf_queue_init(struct perf_queue *q, bool (*take)(void *context, const struct perf_record *r),
                     void *context);
void perf_queue_release(struct perf_queue *q);

/*
 * These return false if take() has. perf_queue_until() gives out what is not younger: the caller
 * knows that no older record is to come.
 */
bool perf_queue_add(struct perf_queue *q, const struct perf_record *r, uint64_t time_ns);
bool perf_queue_round(struct perf_queue *q);
bool perf_queue_until(struct perf_queue *q, uint64_t time_ns);
bool perf_queue_end(struct perf_queue *q);

#endif
