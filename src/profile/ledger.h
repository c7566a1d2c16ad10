/*
 * What of an input is not in its graphs, in numbers: for the ledger that every
 * report and picture shows, so that nothing is lost without a word.
 */
#ifndef PROFILE_LEDGER_H
#define PROFILE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

/* What an option took out of a series, for the ledger. */
struct removal {
    const char *option; /* "--focus" */
    uint64_t weight;
    bool stayed; /* the weight is there still, in stacks with fewer frames */
};

/* What reading could not use, for the ledger of the report. Counts of records. */
struct read_ledger {
    uint64_t lines;          /* lines or records looked at */
    uint64_t unreadable;     /* lines that the grammar does not know, skipped with a warning */
    uint64_t distributions;  /* stacks and maps with histograms instead of sums, left out */
    uint64_t without_frames; /* samples that carry no stack */
    uint64_t truncated;      /* stacks cut at the depth limit or by the profiler */
    uint64_t lost;           /* events that the profiler says it lost */
    uint64_t left_out;       /* samples that the options leave out */
    uint64_t wakers_looped;  /* chains of wakers that came back to a thread that was in them */
    uint64_t wakers_cut;     /* that were longer than is followed */
    uint64_t locks_nested;   /* locks taken by threads that had them, and held once */
    uint64_t locks_kept;     /* locks taken whose release is not in the recording */
    uint64_t locks_unseen;   /* locks released that were not taken in it */
    uint64_t frees_unpaired; /* frees of what was not allocated in the recording */
    uint64_t frees_unseen;   /* allocations given out again that were not freed in it */
    uint64_t calls_unpaired; /* allocations whose call, with the size, is not in it */
};

#endif
