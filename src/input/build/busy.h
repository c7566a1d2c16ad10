/*
 * How long an accelerator was busy: the facts that readers of its recordings state.
 *
 * Work comes in the order of its begins; time in which several pieces of work ran counts once.
 *
 *     busy_pass(&gpu, begin, end);
 *     busy_pass(&stream, begin, end);      // of a piece of work
 *     busy_begin(&fact, &gpu, length);     // of the recording
 *     busy_stream(&fact, SLICE("stream 7"), &stream);
 *     busy_end(&fact, profile, SLICE("GPU 0"));
 *
 * The fact "GPU 0 busy" is then "3.1% of 8.2 ms (stream 7 3.1%)".
 */
#ifndef INPUT_BUILD_BUSY_H
#define INPUT_BUILD_BUSY_H

#include "profile/profile.h"

struct busy {
    bool seen;
    int64_t until;
    uint64_t ns;
};

struct busy_fact {
    struct buf value;
    uint64_t length;
    unsigned streams;
};

/* Adds the time from `begin` to `end`. */
void busy_pass(struct busy *b, int64_t begin, int64_t end);

/* Begins the fact about a device in a recording of `length` ns. */
void busy_begin(struct busy_fact *f, const struct busy *b, uint64_t length);
/* Adds a stream of it; after a few, they are only counted. */
void busy_stream(struct busy_fact *f, struct slice name, const struct busy *b);
/* Adds the fact to the profile. */
void busy_end(struct busy_fact *f, struct profile *p, struct slice device);

/* Whether a kernel is one of NCCL or RCCL, which send data to other devices. */
bool busy_is_communication(struct slice kernel);
/* Adds the share of these kernels as a fact, if there are any. */
void busy_communication(struct profile *p, uint64_t part, uint64_t total);

#endif
