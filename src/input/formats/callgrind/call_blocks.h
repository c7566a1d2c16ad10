/*
 * A call tree out of blocks, one for each call, callees before their callers.
 *
 * Xdebug's profiler writes what a call cost when it returns, and names the
 * calls it made. So a call belongs to the latest block of that function that
 * no caller has claimed, and the tree is exact. A file that was not written in
 * this order has calls without a block: then the blocks say nothing.
 *
 * A block costs a few words, but for the commonest: further leaves of one
 * caller that are the same function are joined at once. The blocks of a run
 * that is over are added up by stack: a file may hold thousands of runs.
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
    uint32_t child;   /* the last one claimed, or none; in a free block the next free one */
    uint32_t sibling; /* of the same caller; of an unclaimed block the one before it of its name */
    int64_t costs[CALL_BLOCKS_EVENTS];
};

/* What the blocks of one stack cost, of runs that are over. */
struct call_sums {
    int64_t costs[CALL_BLOCKS_EVENTS][2]; /* what is not negative, and what is */
    uint64_t counts[CALL_BLOCKS_EVENTS][2];
};

struct call_blocks {
    VEC(struct call_block) blocks; /* the first is no block */
    VEC(uint32_t) unclaimed;       /* by function: its latest, or 0 */
    VEC(uint32_t) returned;        /* functions that may have one */
    VEC(bool) is_returned;         /* by function: it is among these */
    VEC(bool) was_root;            /* by function: it had one when a run was over */
    VEC(uint32_t) leaf;            /* by function: the child of the open block to join with */
    VEC(uint32_t) joined;          /* functions with an entry in `leaf` */
    struct stacks over;            /* of functions, of runs that are over */
    VEC(struct call_sums) sums;    /* by stack */
    uint32_t open, free;
    bool broken; /* a call had no block, or the costs of a block do not fit */
};

void call_blocks_init(struct call_blocks *c);
void call_blocks_release(struct call_blocks *c);

/* A block of a function begins; what follows is about it. */
void call_blocks_open(struct call_blocks *c, uint32_t function);
void call_blocks_add_cost(struct call_blocks *c, uint32_t event, int64_t cost);
void call_blocks_add_call(struct call_blocks *c, uint32_t function);

/* The run is over: calls that come are none of its functions'. */
void call_blocks_end_run(struct call_blocks *c);

/* Whether a call of the function has no caller. */
bool call_blocks_is_root(const struct call_blocks *c, uint32_t function);

/*
 * Adds all stacks: `frames` has the builder's entry of each function, `series`
 * the series of each event. False where told.
 */
bool call_blocks_add_stacks(struct call_blocks *c, struct builder *b, const uint32_t *frames,
                            const uint32_t *series, uint32_t events);

#endif
