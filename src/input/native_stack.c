#include "input/native_stack.h"

void native_stack_init(struct native_stack *s)
{
    *s = (struct native_stack){0};
    buf_init(&s->text);
}

void native_stack_release(struct native_stack *s)
{
    buf_release(&s->text);
    vec_release(&s->frames);
}

void native_stack_add(struct native_stack *s, const struct frame *f)
{
    struct native_frame kept = {
        .line = f->line,
        .address = f->address,
        .has_address = f->has_address,
        .kind = f->kind,
        .class = f->class,
    };

    buf_add_slice(&s->text, f->name);
    kept.name = s->text.len;
    buf_add_slice(&s->text, f->module);
    kept.module = s->text.len;
    buf_add_slice(&s->text, f->file);
    kept.file = s->text.len;
    *vec_add(&s->frames) = kept;
}

void native_stack_set_source(struct native_stack *s, struct slice file, uint64_t line)
{
    struct native_frame *last;

    if (!s->frames.count)
        return;
    last = &s->frames.items[s->frames.count - 1];
    s->text.len = last->module;
    buf_add_slice(&s->text, file);
    last->file = s->text.len;
    last->line = line;
}

void native_stack_push(struct native_stack *s, struct builder *b)
{
    const char *text = s->text.ptr;
    size_t from = 0;

    builder_leaf_first(b);
    vec_each (const struct native_frame, f, &s->frames) {
        builder_frame(b, &(struct frame){
                             .name = slice_make(text + from, f->name - from),
                             .module = slice_make(text + f->name, f->module - f->name),
                             .file = slice_make(text + f->module, f->file - f->module),
                             .line = f->line,
                             .address = f->address,
                             .has_address = f->has_address,
                             .kind = f->kind,
                             .class = f->class,
                         });
        from = f->file;
    }
    buf_clear(&s->text);
    vec_clear(&s->frames);
}
