/*
 * The stacks that can be estimated from a call graph.
 *
 * The graph is expanded from the functions that nobody calls: of what reaches
 * a function, a callee gets the part that its calls have in all that the
 * function costs. A function that is on the way already is not entered again;
 * what carries less than one part in CALL_ESTIMATE_PARTS of the whole is not
 * followed.
 *
 * That gives the proportions only. What a function cost itself is then dealt
 * out, in whole numbers by largest remainders, to the places where it came to
 * stand; so each function's own cost, and the sum of all, are exactly those of
 * the input, whatever was cut. A function that came to stand nowhere (too
 * little reached it) goes below its most expensive caller.
 *
 * Negative costs count as nothing in proportions and are dealt out with their
 * sign.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALL_ESTIMATE_H
#define INPUT_FORMATS_CALLGRIND_CALL_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "input/build/builder.h"
#include "input/formats/callgrind/call_graph.h"

enum {
    CALL_ESTIMATE_PARTS = 10000,
    CALL_ESTIMATE_PLACES = 1 << 20, /* of all functions; with more, callees are not entered */
};

/*
 * Adds the stacks of one event to a series of the builder, all of them below
 * the stack `root`. False where told.
 */
bool call_estimate_add(const struct call_graph *g, uint32_t event, struct builder *b,
                       uint32_t series, uint32_t root);

#endif
