/*
 * The first line of pprof's older texts, which says what the rows are.
 *
 *     heap profile: 1: 96 [4: 384] @ heapz_v2/524288
 *     goroutine profile: total 7
 *     --- contentionz 1 ---    --- contention:    --- mutex:    --- heapz 1 ---
 */
#ifndef INPUT_FORMATS_GO_PPROF_HEADING_H
#define INPUT_FORMATS_GO_PPROF_HEADING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum pprof_kind { PPROF_HEAP, PPROF_CONTENTION, PPROF_COUNT, PPROF_JAVA_HEAP };

enum { PPROF_HEAP_NUMBERS = 4 };

struct pprof_heading {
    enum pprof_kind kind;
    struct slice name; /* of what is counted: "goroutine" */
    bool all;          /* a heap with what was allocated besides what is in use */
    uint64_t period;   /* bytes between samples of a heap; 1 where nothing was sampled */
    int64_t declared[PPROF_HEAP_NUMBERS]; /* sums of the numbers of all rows */
};

/* Reads a line without blanks at its ends; false where it is not one of these. */
bool pprof_heading_parse(struct slice line, struct pprof_heading *out);

/* Takes `count` whole numbers, with blanks and any of ":[]" between them and nothing else. */
bool pprof_heading_numbers(struct slice text, int64_t *numbers, size_t count);

#endif
