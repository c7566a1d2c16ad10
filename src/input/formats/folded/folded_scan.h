/*
 * The lines of folded stacks taken apart: weights, names of frames, stacks.
 */
#ifndef INPUT_FORMATS_FOLDED_FOLDED_SCAN_H
#define INPUT_FORMATS_FOLDED_FOLDED_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/core/options.h"

/* ---- weights --------------------------------------------------------------------------------- */

/*
 * The weights at the end of a line of folded stacks.
 */

enum folded_weight {
    FOLDED_WEIGHT_OK,
    FOLDED_WEIGHT_MISSING, /* the last word is no number, or the only one */
    FOLDED_WEIGHT_TOO_LARGE,
    FOLDED_WEIGHT_TOO_SMALL, /* not 0, but 0 with the decimals that are kept */
};

/* Without blanks at its end, as the others want a line. */
struct slice folded_weight_trim(struct slice line);

/* The last blank-separated word. */
struct slice folded_weight_word(struct slice line);

/* Cuts the weight, and the one blank before it, off the end of a line. */
enum folded_weight folded_weight_cut(struct slice *line, struct decimal *weight);

/* Cuts the first of two weights. If there is only one, returns false and takes nothing. */
bool folded_weight_cut_base(struct slice *line, struct decimal *weight);

/* Whether a line, which is not empty, is a comment. */
bool folded_weight_is_comment(struct slice line);

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * The frames of folded stacks by their raw bytes: a small number for each.
 *
 * Numbers count up from 0 in the order in which texts are met. A text is
 * looked up for each of the tens of millions of frames of a large file. Most
 * are short and no two in a row have the same length, so the end, the hash and
 * the comparison of a short one take the same steps whatever its length.
 */

enum {
    FOLDED_START = 32,           /* bytes of a frame that are handled at once */
    FOLDED_SLACK = FOLDED_START, /* readable bytes that must follow a text */
};

struct folded_name {
    uint64_t start[FOLDED_START / 8]; /* the first bytes as words, zeroes after the end */
    const char *rest;                 /* the bytes after those */
    size_t len;                       /* of all */
};

struct folded_names {
    struct arena rests;
    VEC(struct folded_name) items;
    uint64_t *slots; /* upper half of the hash, number + 1; 0 if free */
    size_t mask;
    uint64_t key; /* of the hashes in `slots` */
};

/* ---- lines of a block ------------------------------------------------------------------------ */

/*
 * The lines of a block, parsed ahead of their turn. A block knows nothing of the blocks
 * before it: names are numbers of the lane that parsed it, and its first stack is compared
 * with none. Folded files are usually sorted, so of every other stack only the frames that
 * it does not share with the one before are given.
 */

/* What belongs to one parsing thread. */
struct folded_lane {
    struct folded_names names;
    VEC(uint32_t) symbols; /* of the names, for the code that takes the blocks */
    const struct input_limits *limits;
    bool differential;
};

/* Order of a text relative to the one before, bytewise. */
enum folded_order {
    FOLDED_EXTENDS, /* all of the one before, and there a frame ends; or the same */
    FOLDED_BESIDE,  /* all of it, within a frame: "a;b" and "a;b.cold" */
    FOLDED_ASCENDS,
    FOLDED_DESCENDS,
};

struct folded_match {
    size_t same; /* bytes at the start that both have */
    enum folded_order order;
};

struct folded_frame {
    size_t end; /* in the text of its stack */
    uint32_t name;
};

/* bcc's "^C" is taken off the first stack of a file, which may be that of a later block. */
enum folded_when {
    FOLDED_ALWAYS,
    FOLDED_UNLESS_FIRST, /* the line below is the same one as it reads there */
    FOLDED_IF_FIRST,
};

struct folded_line {
    enum folded_weight result;
    enum folded_when when;
    bool truncated, cut_name; /* it had more frames, or a longer name, than the limits allow */
    bool alone;               /* compared with no stack: its match is unknown, its depth 0 */
    uint32_t number;          /* within the block, from 1 */
    struct slice text;        /* of the stack; all of a line that has no weight */
    struct decimal weight, base;
    struct folded_match match;
    size_t depth;               /* frames shared with the stack before */
    size_t frames, frame_count; /* the other frames, in scan->frames */
};

struct folded_scan {
    struct folded_lane *lane;
    VEC(struct folded_line) lines; /* that are not blank */
    VEC(struct folded_frame) frames;
    uint32_t line_count;
    /* Used while scanning: the last stack, and where its frames end. */
    struct slice before;
    VEC(size_t) path;
};

void folded_scan_lane_init(struct folded_lane *lane, const struct input_limits *limits,
                           bool differential);
void folded_scan_lane_release(struct folded_lane *lane);

/* Takes a block of whole lines apart. */
void folded_scan_block(struct folded_scan *scan, struct folded_lane *lane, struct slice block);
void folded_scan_release(struct folded_scan *scan);

/* Both texts must be followed by FOLDED_SLACK bytes. */
struct folded_match folded_scan_match(struct slice before, struct slice text);

#endif
