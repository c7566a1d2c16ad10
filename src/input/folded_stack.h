/*
 * Texts of stacks, "main;parse;read_[k]", to stack ids.
 *
 * Folded files are usually sorted. So each text is compared with the one
 * before: what they have in common is known already, and as long as the texts
 * ascend bytewise the rest is new to the trie and is appended without a
 * lookup. The first text that descends ends that for good: from then on the
 * stacks of some texts are looked up in the trie together. Frames are known by a table from their
 * raw bytes to symbols, so that a name is cleaned once.
 */
#ifndef INPUT_FOLDED_STACK_H
#define INPUT_FOLDED_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/options.h"
#include "profile/profile.h"

/* A frame of the text before: where it ends there, its symbol and, while ascending, its stack. */
struct folded_step {
    size_t end;
    uint32_t symbol;
    uint32_t stack;
};

struct folded_name {
    const char *text; /* raw bytes, zeroes up to a multiple of eight behind them */
    uint32_t len;
    uint32_t symbol;
};

/*
 * What follows a certain separator is the stack of a waking thread, as in
 * bcc's offwaketime: "sh;read;schedule;--;wake_up;timer".
 */
struct folded_wakers {
    bool after_dash;    /* the separator is "-", too, and not "--" alone */
    uint32_t separator; /* symbols that are it; SYMBOL_NONE until they are seen */
    uint32_t dash;
    size_t depth; /* of the first separator in the path; SIZE_MAX where there is none */
    VEC(uint32_t)
    waker; /* by symbol: the same of the waker's class; SYMBOL_NONE as long as unknown */
};

struct folded_stacks {
    struct symbols *symbols;
    struct stacks *stacks;
    const struct input_options *options;
    const struct input_limits *limits;
    struct arena texts; /* of names */
    VEC(struct folded_name) names;
    uint64_t *slots; /* upper half of the hash, index of the name + 1; 0 where free */
    size_t mask;
    bool ascending;
    struct slice before; /* the text before */
    struct buf kept;     /* holds it after folded_stacks_keep() */
    VEC(struct folded_step) path;
    size_t depth; /* of path */
    /*
     * Texts met that are a prefix of the text before, outermost first: the
     * stack "a;b" may stand apart from "a;b;c", because "a;b.cold" lies
     * between the two in bytewise order.
     */
    VEC(struct folded_step) ended;
    /* Texts whose stack is yet to be found: their symbols, one after the other. */
    VEC(uint32_t) symbols_waiting;
    uint32_t frames_waiting[STACK_PATHS_MOST];
    uint32_t waiting;
    struct folded_wakers wakers;
    /* Of the text added last: it had more frames, or a longer name, than the limits allow. */
    bool truncated, cut_name;
};

enum { FOLDED_SLACK = 8 }; /* readable bytes that must follow a text */

void folded_stacks_init(struct folded_stacks *f, struct profile *p,
                        const struct input_options *options);
void folded_stacks_release(struct folded_stacks *f);

/*
 * Adds the stack of a text; frames are separated by ';' and may be empty, and
 * the empty text is STACK_ROOT. The text must stay where it is until the next
 * call, of this or of folded_stacks_keep(). Returns true where the stack is
 * known at once. Where not, it waits with f->waiting - 1 others, and must be
 * asked for by folded_stacks_settle() before there are STACK_PATHS_MOST.
 */
bool folded_stacks_add(struct folded_stacks *f, struct slice text, uint32_t *stack);

/* The stacks of all texts that wait, in their order. */
void folded_stacks_settle(struct folded_stacks *f, uint32_t stacks[STACK_PATHS_MOST]);

/* Takes a copy of the text before: its block is about to go. */
void folded_stacks_keep(struct folded_stacks *f);

#endif
