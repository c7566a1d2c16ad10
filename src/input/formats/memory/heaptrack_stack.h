/*
 * The strings, instructions and stacks that a heaptrack file describes.
 *
 * Each is numbered from 1 in the order it is added, 0 being none. A bad one
 * keeps its number, so that those behind it mean what they should.
 */
#ifndef INPUT_FORMATS_MEMORY_HEAPTRACK_STACK_H
#define INPUT_FORMATS_MEMORY_HEAPTRACK_STACK_H

#include "base/arena.h"
#include "input/build/builder.h"

struct heaptrack_instruction {
    size_t frames_end; /* its entries end here and begin where those before it end */
    bool is_new;       /* operator new, which the reference leaves out */
    bool is_stop;      /* main, below which the reference does not go */
};

struct heaptrack_stacks {
    struct builder *b;
    bool reference; /* what heaptrack_print -F would print */
    struct arena bytes;
    VEC(struct slice) strings;
    VEC(struct heaptrack_instruction) instructions;
    VEC(uint32_t) frames; /* entries of the builder, of all instructions, the outer one first */
    VEC(uint32_t) stacks; /* in the trie, by number - 1 */
    struct buf scratch;
};

/* The next hexadecimal number of a record. */
bool heaptrack_stack_number(struct slice *rest, uint64_t *value);

void heaptrack_stack_init(struct heaptrack_stacks *h, struct builder *b);
void heaptrack_stack_release(struct heaptrack_stacks *h);

void heaptrack_stack_add_string(struct heaptrack_stacks *h, struct slice text);
/* "address module [function file line]*": false where it is not that. */
bool heaptrack_stack_add_instruction(struct heaptrack_stacks *h, struct slice rest);
/* "instruction parent": `*fine` is false where it is not that, the result where that was told. */
bool heaptrack_stack_add(struct heaptrack_stacks *h, struct slice rest, bool *fine);

#endif
