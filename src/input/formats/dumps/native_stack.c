#include "input/formats/dumps/native_stack.h"

enum { UNKNOWN = 0 }; /* no inlined frame is the first that a builder met */

void native_stack_release(struct native_stack *s)
{
    release_all(s, vec, frames, inlined);
}

/* Entry of the same frame, marked as inlined. */
static uint32_t inlined(struct native_stack *s, struct builder *b, uint32_t entry)
{
    while (s->inlined.count <= entry)
        *vec_add(&s->inlined) = UNKNOWN;
    if (s->inlined.items[entry] == UNKNOWN) {
        struct frame f = builder_frame_of(b, entry);

        f.class = SYMBOL_INLINED;
        s->inlined.items[entry] = builder_entry(b, &f);
    }
    return s->inlined.items[entry];
}

void native_stack_push(struct native_stack *s, struct builder *b)
{
    builder_leaf_first(b);
    vec_each (const struct native_frame, f, &s->frames)
        builder_push(b, f->is_inlined ? inlined(s, b, f->entry) : f->entry);
    vec_clear(&s->frames);
}
