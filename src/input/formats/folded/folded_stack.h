/*
 * Texts of stacks, "main;parse;read_[k]", to stack ids.
 *
 * Folded files are usually sorted. As long as the texts ascend bytewise, the
 * frames that a text does not share with the one before are new to the trie
 * and are appended without a lookup. The first text that descends ends that
 * for good: from then on the stacks of some texts are looked up in the trie
 * together. Texts come taken apart (input/formats/folded/folded_scan.h), in the order of the
 * file; a name is cleaned once for each lane that met it.
 */
#ifndef INPUT_FORMATS_FOLDED_FOLDED_STACK_H
#define INPUT_FORMATS_FOLDED_FOLDED_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/formats/folded/folded_scan.h"
#include "input/core/options.h"
#include "profile/profile.h"

/* A frame of the text before: its end there, its symbol and, while texts ascend, its stack. */
struct folded_step {
    size_t end;
    uint32_t symbol;
    uint32_t stack;
};

/*
 * What follows a certain separator is the stack of a waking thread, as in
 * bcc's offwaketime: "sh;read;schedule;--;wake_up;timer".
 */
struct folded_wakers {
    bool after_dash;    /* the separator is "-", too, and not "--" alone */
    uint32_t separator; /* the symbol "--"; SYMBOL_NONE until it was seen, as `dash` */
    uint32_t dash;
    size_t depth; /* of the first separator in the path; SIZE_MAX if there is none */
    VEC(uint32_t)
    waker; /* by symbol: its twin of the waker's class; SYMBOL_NONE until it was made */
};

struct folded_stacks {
    struct symbols *symbols;
    struct stacks *stacks;
    const struct input_options *options;
    const struct input_limits *limits;
    bool ascending;
    struct slice before; /* the text before */
    struct buf kept;     /* holds it after folded_stacks_keep() */
    VEC(struct folded_step) path;
    size_t depth; /* of path */
    /*
     * Texts met that are a prefix of the text before, outermost first. The stack "a;b" may be
     * separated from "a;b;c", because "a;b.cold" is between the two in bytewise order.
     */
    VEC(struct folded_step) ended;
    /* Texts whose stack is yet to be found: their symbols, one after the other. */
    VEC(uint32_t) symbols_waiting;
    uint32_t frames_waiting[STACK_PATHS_MOST];
    uint32_t waiting;
    struct folded_wakers wakers;
};

void folded_stacks_init(struct folded_stacks *f, struct profile *p,
                        const struct input_options *options);
void folded_stacks_release(struct folded_stacks *f);

/*
 * Returns whether the first frame of a stack is a thread, as Python's sampling profiler writes it:
 * "tid:13604".
 */
bool folded_thread(struct slice stack, struct slice *tid);

/*
 * Adds the stack of a line with a weight. Frames may be empty, and the empty text is
 * STACK_ROOT. The text must not move until the next call of this function or of
 * folded_stacks_keep(). Returns true if the stack is known at once. If not, it waits with
 * f->waiting - 1 others; folded_stacks_settle() must be called before STACK_PATHS_MOST
 * wait.
 */
bool folded_stacks_add(struct folded_stacks *f, const struct folded_scan *scan,
                       const struct folded_line *line, uint32_t *stack);

/* Gives the stacks of all waiting texts, in the order in which they were added. */
void folded_stacks_settle(struct folded_stacks *f, uint32_t stacks[STACK_PATHS_MOST]);

/* Takes a copy of the text before: its block is about to go. */
void folded_stacks_keep(struct folded_stacks *f);

#endif
