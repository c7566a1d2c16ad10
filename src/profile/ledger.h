/*
 * Counts what is in an input but not in its graphs, and what its graphs do not
 * tell apart.
 *
 * Every report and picture shows these numbers, so that no data is left out
 * without a notice.
 */
#ifndef PROFILE_LEDGER_H
#define PROFILE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

/* The weight that an option removed from a series. */
struct removal {
    const char *option; /* "--focus"; "" if the program, not the reader, chose the stacks */
    uint64_t weight;
    bool stayed; /* only frames were removed: the weight is still in the series */
};

/*
 * What a reader counts of records that it uses in part or not at all. The numbers belong to the
 * series whose graph would have them, or to the input if that series is not known.
 */
enum ledger_note {
    NOTE_WAKERS_LOOPED,  /* chains of wakers that contain a thread twice */
    NOTE_WAKERS_CUT,     /* chains of wakers longer than the limit */
    NOTE_LOCKS_NESTED,   /* locks taken again by their holder; counted as held once */
    NOTE_LOCKS_KEPT,     /* locks taken whose release is not in the recording */
    NOTE_LOCKS_UNSEEN,   /* locks released whose taking is not in the recording */
    NOTE_FREES_UNPAIRED, /* frees whose allocation is not in the recording */
    NOTE_FREES_UNSEEN,   /* addresses allocated again whose free is not in the recording */
    NOTE_CALLS_UNPAIRED, /* allocations whose call, which has the size, is not in it */
    NOTE_INPUT_CUT,      /* places where an input ends early or is damaged */
    LEDGER_NOTES
};

/* Numbers of records that reading could not use as they were. */
struct read_ledger {
    uint64_t lines;           /* lines or records read; of a text, all lines (input/core/text.h) */
    uint64_t unreadable;      /* malformed lines, skipped with a warning */
    double unreadable_weight; /* of those whose weight could be read, in units, not 10^-decimals */
    uint64_t distributions;   /* stacks and maps with histograms instead of sums, left out */
    uint64_t without_frames;  /* samples without a stack */
    uint64_t truncated;       /* stacks cut at the depth limit or by the profiler */
    uint64_t without_frames_of_series; /* of `without_frames`, those that a series counts */
    uint64_t truncated_of_series;      /* of `truncated`, those that a series counts */
    uint64_t unwound;                  /* samples whose stacks are unwound with binaries */
    uint64_t lost;                     /* events that the profiler reports as lost */
    uint64_t left_out;                 /* samples that options leave out */
    uint64_t notes[LEDGER_NOTES];      /* those that belong to no series */
    uint64_t off_ns;                   /* time of threads off the CPU, by the scheduler's events */
    uint64_t preempted_ns;             /* the part of off_ns in which the thread could have run */
};

#endif
