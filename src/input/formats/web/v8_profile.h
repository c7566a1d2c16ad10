/*
 * V8's CPU profiles: nodes with a call frame, samples that name nodes, and the
 * times between samples. A .cpuprofile file has one as a whole, a Chrome trace
 * in pieces.
 *
 * A sample lasts until the next one in the order of time; the file may have them in
 * another order. The time before the first sample has no stack: it is reported and not
 * counted. The node "(root)" is not a frame; "(idle)", "(program)" and "(garbage
 * collector)" are frames, so all time is shown.
 *
 * A profile that has none of these three, as Bun writes it, does not say when the program
 * waits: no sample is taken then. v8_profile_expect() makes "(idle)" of long gaps.
 *
 * A function without a name is "(anonymous FILE:LINE)", as in other tools, or
 * "(anonymous)" if the file is unknown, too. Lines count from 0 in the file and
 * from 1 here.
 */
#ifndef INPUT_FORMATS_WEB_V8_PROFILE_H
#define INPUT_FORMATS_WEB_V8_PROFILE_H

#include "input/build/frame_tree.h"
#include "input/parse/json.h"

/* Gaps of more sampling intervals than these are waiting: work on a busy machine had 24. */
enum { V8_PROFILE_LONGEST = 32 };

/* A sample, if samples are kept one by one. */
struct v8_timed {
    uint32_t node;
    int64_t begin; /* ns since the start */
    uint64_t ns;
};

/* A sample whose place in time is not settled. */
struct v8_sample {
    int64_t at; /* ns since the start */
    uint64_t order;
    uint32_t node;
};

struct v8_profile {
    struct frame_tree tree;
    bool has_states;  /* a node is "(idle)", "(program)" or "(garbage collector)" */
    int64_t now, end; /* the clock and its maximum, ns since the start */
    VEC(struct v8_sample) waiting;
    uint64_t beyond; /* samples that the clock cannot reach */
    bool backwards;  /* those waiting are not in order */
    uint64_t order;  /* of the next sample */
    uint32_t node;   /* of the last sample that was settled; FRAME_TREE_NONE before the first */
    int64_t since;   /* its time */
    uint64_t before; /* ns before the first sample */
    uint64_t late;   /* samples that came too late to be put in order */
    uint64_t interval, longest; /* ns between samples; 0 if gaps are no waiting */
    uint32_t idle;              /* node of the gaps */
    uint64_t waits, waited;     /* gaps, and their ns */
    VEC(struct v8_timed) timed;
};

void v8_profile_init(struct v8_profile *p, struct builder *builder);
void v8_profile_release(struct v8_profile *p);

/* Returns the builder's entry for a function; its name, file and line (from 1) may be missing. */
uint32_t v8_profile_entry(struct builder *b, const struct frame *function);
/* Returns the builder's entry for a function's name, URL and line (from 1). */
uint32_t v8_profile_named(struct builder *b, struct slice name, struct slice url, uint64_t line);

/*
 * Returns the builder's entry for a function as V8's logs name it, "fib /opt/app/w.js:3:13", or of
 * the top-level code of a file, "w.js". The mark says how it was compiled: "~" interpreted, "^" or
 * "+" by a baseline compiler, "*" optimised, 0 unknown. It decides the class of the frame.
 */
uint32_t v8_profile_logged(struct builder *b, struct slice text, char mark, bool script);

/*
 * Returns the builder's entry for a call frame, {"functionName", "url",
 * "lineNumber", ...}, or FRAME_TREE_NONE for "(root)". Old files count lines
 * from 1.
 */
uint32_t v8_profile_frame(struct builder *b, const struct json_value *call_frame, bool from_1);

/*
 * Adds a node, {"id", "callFrame", "parent" or "children": ids}, without its
 * hits. Returns its index, or FRAME_TREE_NONE if it is malformed.
 */
uint32_t v8_profile_node(struct v8_profile *p, const struct json_value *node);

/* Advance the clock, possibly backwards; take a sample at a node of the tree. */
void v8_profile_pass(struct v8_profile *p, int64_t ns);
void v8_profile_sample(struct v8_profile *p, uint32_t node);

/*
 * Says, before the first sample, that time is charged to "(idle)" if it is more than `longest` ns
 * after a sample, except for the first `interval` ns.
 */
void v8_profile_expect(struct v8_profile *p, uint64_t interval, uint64_t longest);

/* Ends the profile: the last sample lasts until now. */
void v8_profile_end(struct v8_profile *p);
/* Returns the time of a profile that has ended, without that in "(idle)", in ns. */
uint64_t v8_profile_busy(const struct v8_profile *p);
/*
 * Adds a profile that has ended, and began at `start`, to a series below the stack `root`, and
 * reports what is odd. Returns false after reporting an error.
 */
bool v8_profile_add(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start);

#endif
