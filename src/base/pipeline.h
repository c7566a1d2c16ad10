/*
 * Pieces of a stream that several threads work on, each in its turn at both ends.
 *
 * Threads read pieces one after the other, work on them at the same time, and take the
 * results in the order in which they were read, never two at a time. So whatever take()
 * makes does not depend on the number of threads. The thread that has worked on the piece
 * whose turn it is also takes it.
 */
#ifndef BASE_PIPELINE_H
#define BASE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

/* A piece is on its way in a slot, which is memory of the caller, and used again. */
struct pipeline {
    void *context;
    void **slots;
    size_t slot_count; /* two for each lane, so that a thread goes on while another is late */
    /* Reads the next piece. Returns false if there is none; it is not called again then. */
    bool (*read)(void *context, void *slot);
    void (*work)(void *context, void *slot, size_t lane);
    /* Returns false after reporting an error; no piece is read or taken then. */
    bool (*take)(void *context, void *slot);
};

/* Returns false if take() did. Uses one thread for each lane, including the caller's. */
bool pipeline_run(const struct pipeline *t, size_t lanes);

#endif
