/*
 * A stack of native frames that is read line by line.
 *
 * Which functions are inlined shows only in the frames around them, so a stack
 * is kept, leaf first, until it is complete.
 */
#ifndef INPUT_FORMATS_DUMPS_NATIVE_STACK_H
#define INPUT_FORMATS_DUMPS_NATIVE_STACK_H

#include "base/vec.h"
#include "input/build/builder.h"

struct native_frame {
    uint32_t entry; /* the builder's, as if it were not inlined */
    bool has_address, is_inlined;
    uint64_t address;
};

struct native_stack {
    VEC(struct native_frame) frames; /* the leaf first */
    VEC(uint32_t) inlined;           /* by entry: that of the same frame as one that is inlined */
};

void native_stack_release(struct native_stack *s);

/* Appends the frames to the current stack of the builder, and empties itself. */
void native_stack_push(struct native_stack *s, struct builder *b);

#endif
