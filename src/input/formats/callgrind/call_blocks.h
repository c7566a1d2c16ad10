/*
 * A call tree made from blocks, one for each call, callees before callers.
 *
 * When a call returns, Xdebug's profiler writes a block with its costs and the
 * calls it made. So a call is the latest block of its function that no caller
 * has claimed yet, and the tree is exact. If a call has no such block, the file
 * is not in this order and the blocks are unusable (`broken`).
 *
 * To save memory, further leaves of one caller that are the same function are
 * joined, and the blocks of a finished run are added up by stack: a file may
 * contain thousands of runs.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALL_BLOCKS_H
#define INPUT_FORMATS_CALLGRIND_CALL_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/build/builder.h"
#include "profile/stack.h"

enum { CALL_BLOCKS_EVENTS = 2 }; /* time and memory */

struct call_block {
    uint32_t function;
    uint32_t child;   /* last child, or 0; in a free block the next free one */
    uint32_t sibling; /* next child of its caller; if unclaimed, the function's previous block */
    int64_t costs[CALL_BLOCKS_EVENTS];
};

/* The costs of a stack in finished runs. */
struct call_sums {
    int64_t costs[CALL_BLOCKS_EVENTS][2]; /* sums of costs that are >= 0, and of those < 0 */
    uint64_t counts[CALL_BLOCKS_EVENTS][2];
};

struct call_blocks {
    VEC(struct call_block) blocks; /* block 0 is unused */
    VEC(uint32_t) unclaimed;       /* by function: its latest unclaimed block, or 0 */
    VEC(uint32_t) returned;        /* functions that may have unclaimed blocks */
    VEC(bool) is_returned;         /* by function: it is in `returned` */
    VEC(bool) was_root;            /* by function: it was a root of a finished run */
    VEC(uint32_t) leaf;            /* by function: leaf of the open block to join with, or 0 */
    VEC(uint32_t) joined;          /* functions with an entry in `leaf` */
    struct stacks over;            /* stacks of functions in finished runs */
    VEC(struct call_sums) sums;    /* by stack in `over` */
    uint32_t open, free;           /* the current block; the first free block; or 0 */
    bool broken;                   /* a call had no block, or a cost exceeded 63 bits */
};

void call_blocks_init(struct call_blocks *c);
void call_blocks_release(struct call_blocks *c);

/* Begins a block; the following costs and calls are its. */
void call_blocks_open(struct call_blocks *c, uint32_t function);
void call_blocks_add_cost(struct call_blocks *c, uint32_t event, int64_t cost);
void call_blocks_add_call(struct call_blocks *c, uint32_t function);

/* Ends a run: later calls cannot refer to its blocks. */
void call_blocks_end_run(struct call_blocks *c);

/* Whether the function has a call without a caller. */
bool call_blocks_is_root(const struct call_blocks *c, uint32_t function);

/*
 * Adds all stacks. `frames` has the builder's entry of each function, `series`
 * the series of each event. Returns false after reporting an error.
 */
bool call_blocks_add_stacks(struct call_blocks *c, struct builder *b, const uint32_t *frames,
                            const uint32_t *series, uint32_t events);

#endif
