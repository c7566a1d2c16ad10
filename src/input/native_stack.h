/*
 * A stack of native frames that is read line by line.
 *
 * Which functions are inlined shows only in the frames around them, so a stack
 * is kept, leaf first, until it is complete.
 */
#ifndef INPUT_NATIVE_STACK_H
#define INPUT_NATIVE_STACK_H

#include "base/buf.h"
#include "base/vec.h"
#include "input/builder.h"

/* Texts are offsets into native_stack.text, because that moves as it grows. */
struct native_frame {
    size_t name, module, file; /* where they end; each begins where the one before ends */
    uint64_t line, address;
    bool has_address;
    enum frame_kind kind;
    enum symbol_class class;
};

struct native_stack {
    struct buf text;
    VEC(struct native_frame) frames;
};

void native_stack_init(struct native_stack *s);
void native_stack_release(struct native_stack *s);

/* Appends a frame, which is copied; the leaf comes first. */
void native_stack_add(struct native_stack *s, const struct frame *f);
/* Source file and line of the frame added last. */
void native_stack_set_source(struct native_stack *s, struct slice file, uint64_t line);
/* Appends the frames to the stack in hand of the builder, and empties itself. */
void native_stack_push(struct native_stack *s, struct builder *b);

#endif
