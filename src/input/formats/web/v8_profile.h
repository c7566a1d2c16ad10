/*
 * V8's CPU profiles: nodes with a call frame, samples that name nodes, and the
 * times between samples. A .cpuprofile file has one as a whole, a Chrome trace
 * in pieces.
 *
 * A sample lasts until the next one. The time before the first sample belongs to
 * the root. If the clock steps back, no time passes until it has caught up, so
 * no time is counted twice. The node "(root)" is not a frame; "(idle)",
 * "(program)" and "(garbage collector)" are frames, so all time is shown.
 *
 * A function without a name is "(anonymous FILE:LINE)", as in other tools, or
 * "(anonymous)" if the file is unknown, too. Lines count from 0 in the file and
 * from 1 here.
 */
#ifndef INPUT_FORMATS_WEB_V8_PROFILE_H
#define INPUT_FORMATS_WEB_V8_PROFILE_H

#include "input/build/frame_tree.h"
#include "input/parse/json.h"

/* A sample, if samples are kept one by one; the first one may be the time before any sample. */
struct v8_moment {
    uint32_t node; /* or FRAME_TREE_NONE */
    int64_t begin; /* ns since the start */
    uint64_t ns;
};

struct v8_profile {
    struct frame_tree tree;
    uint32_t node;    /* of the current sample; FRAME_TREE_NONE before the first */
    int64_t now, far; /* the clock and its maximum, ns since the start */
    uint64_t before;  /* ns before the first sample */
    VEC(struct v8_moment) moments;
};

void v8_profile_init(struct v8_profile *p, struct builder *builder);
void v8_profile_release(struct v8_profile *p);

/* Returns the builder's entry for a function; its name, file and line (from 1) may be missing. */
uint32_t v8_profile_entry(struct builder *b, const struct frame *function);
/* Returns the builder's entry for a function's name, URL and line (from 1). */
uint32_t v8_profile_named(struct builder *b, struct slice name, struct slice url, uint64_t line);

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

/* Advance the clock; take a sample at a node of the tree. */
void v8_profile_pass(struct v8_profile *p, int64_t ns);
void v8_profile_sample(struct v8_profile *p, uint32_t node);

/*
 * Adds the profile, which began at `start`, to a series below the stack `root`. Returns false
 * after reporting an error.
 */
bool v8_profile_finish(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start);

#endif
