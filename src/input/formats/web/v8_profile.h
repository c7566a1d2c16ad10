/*
 * What V8 records: nodes with a call frame, samples that name nodes, and the
 * times between samples. Files of .cpuprofile hold it as a whole, Chrome's
 * traces in pieces.
 *
 * A sample lasts until the next one comes. The time before the first sample
 * is nobody's: it weighs at the root. A clock that steps back is waited for,
 * so that no time is counted twice. The node "(root)" is no frame; "(idle)",
 * "(program)" and "(garbage collector)" are, so that all of the time is there.
 *
 * A function without a name is "(anonymous FILE:LINE)", as others write it,
 * or "(anonymous)" where the file is not known either. Lines count from 0 in
 * the file and from 1 here.
 */
#ifndef INPUT_FORMATS_WEB_V8_PROFILE_H
#define INPUT_FORMATS_WEB_V8_PROFILE_H

#include "input/build/frame_tree.h"
#include "input/parse/json.h"

/* A sample, where they are kept one by one; the first may be the time before any. */
struct v8_moment {
    uint32_t node; /* or FRAME_TREE_NONE */
    int64_t begin; /* ns since the start */
    uint64_t ns;
};

struct v8_profile {
    struct frame_tree tree;
    uint32_t node;    /* of the sample that lasts; FRAME_TREE_NONE before the first */
    int64_t now, far; /* the clock, and the farthest it went; ns since the start */
    uint64_t before;  /* ns before the first sample */
    VEC(struct v8_moment) moments;
};

void v8_profile_init(struct v8_profile *p, struct builder *builder);
void v8_profile_release(struct v8_profile *p);

/* The builder's entry for a function, whose name, file and line (from 1) may be missing. */
uint32_t v8_profile_entry(struct builder *b, const struct frame *function);
/* The same from its parts alone. */
uint32_t v8_profile_named(struct builder *b, struct slice name, struct slice url, uint64_t line);

/*
 * The same for a call frame, {"functionName", "url", "lineNumber",
 * ...}, or FRAME_TREE_NONE for "(root)". Old files count lines from 1.
 */
uint32_t v8_profile_frame(struct builder *b, const struct json_value *call_frame, bool from_1);

/*
 * A node, {"id", "callFrame", "parent" or "children": ids}, without its hits.
 * Its index, or FRAME_TREE_NONE where it is no node.
 */
uint32_t v8_profile_node(struct v8_profile *p, const struct json_value *node);

/* Time passes; then a sample is taken at a node of the tree. */
void v8_profile_pass(struct v8_profile *p, int64_t ns);
void v8_profile_sample(struct v8_profile *p, uint32_t node);

/* Adds all of it to a series below the stack `root`; it began at `start`. False where told. */
bool v8_profile_finish(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start);

#endif
