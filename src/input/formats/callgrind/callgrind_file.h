/*
 * The lines of callgrind's files, read into call graphs: one graph for each
 * thread, with the costs of all events.
 *
 * The grammar is told in input/callgrind.c.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALLGRIND_FILE_H
#define INPUT_FORMATS_CALLGRIND_CALLGRIND_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/build/builder.h"
#include "input/formats/callgrind/call_blocks.h"
#include "input/formats/callgrind/call_graph.h"
#include "input/formats/callgrind/callgrind_names.h"
#include "input/core/text.h"

struct callgrind_thread {
    uint32_t name; /* text */
    struct call_graph graph;
};

/* An event, and what the file says of its sum over all parts. */
struct callgrind_sums {
    uint32_t word; /* text */
    uint64_t summary, totals;
};

struct callgrind_file {
    struct builder *b;
    bool xdebug; /* blocks are calls in the order of their ends */
    struct callgrind_names names;
    struct call_blocks blocks;
    VEC(uint32_t) local;  /* by function: its number in its thread's graph */
    VEC(uint32_t) frames; /* by function: the builder's entry */
    VEC(uint32_t) named;  /* by text: the function of that name whose block came last; Xdebug's */
    VEC(struct callgrind_thread) threads;
    VEC(struct callgrind_sums) events;
    bool has_summary, has_totals;
    bool described; /* as Valgrind does, whose files end in their sums */
    /* Where we are; CALLGRIND_NONE for nowhere. */
    VEC(uint32_t) columns; /* events of this part */
    VEC(int64_t) costs;    /* of the line in hand */
    unsigned positions;
    uint32_t thread, object, file, function;
    uint32_t callee_object, callee_file, callee;
    bool of_calls; /* the next line has the costs of calls, */
    uint32_t edge; /* namely of these; of none where they were not understood */
};

void callgrind_file_init(struct callgrind_file *f, struct builder *b, bool xdebug);
void callgrind_file_release(struct callgrind_file *f);

/* Whole lines. False where told: costs beyond 63 bits. */
bool callgrind_file_lines(struct callgrind_file *f, struct text *t, struct slice block);

#endif
