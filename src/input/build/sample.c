#include "input/build/sample.h"

void sample_init(struct sample *s, struct profile *profile, const struct input_options *options,
                 struct diag *diag)
{
    *s = (struct sample){.unit = unit_samples, .weight = {.value = 1}};
    builder_init(&s->builder, profile, options, diag);
}

void sample_release(struct sample *s)
{
    release_each(s, (builder, builder), (frame_cache, known), (intern, texts), (buf, scratch));
}

/* ---- one sample ---------------------------------------------------------------------------- */

bool sample_open(struct sample *s, struct slice root)
{
    if (!sample_close(s))
        return false;
    s->open = true;
    s->weight = (struct decimal){.value = 1};
    builder_begin(&s->builder);
    if (root.len)
        builder_name(&s->builder, root, FRAME_OWNER);
    builder_leaf_first(&s->builder);
    return true;
}

bool sample_close(struct sample *s)
{
    struct builder *b = &s->builder;

    if (!s->open)
        return true;
    s->open = false;
    return builder_add_decimal(b, builder_series(b, &s->origin, s->unit), s->weight);
}

struct slice sample_keep(struct sample *s, struct slice text)
{
    return intern_get(&s->texts, intern_add(&s->texts, text));
}

/* ---- callbacks of text readers ------------------------------------------------------------- */

bool sample_begin(struct text *t, void *state)
{
    sample_init(state, t->profile, t->options, t->diag);
    return true;
}

bool sample_begin_threads(struct text *t, void *state)
{
    struct sample *s = state;

    sample_init(s, t->profile, t->options, t->diag);
    s->unit = unit_threads;
    return true;
}

bool sample_end(struct text *t, void *state)
{
    (void)t;
    return sample_close(state);
}

void sample_free(void *state)
{
    sample_release(state);
}

/* ---- lines that come again ----------------------------------------------------------------- */

void sample_frame_line(struct sample *s, struct text *t, const struct frame *f)
{
    t->meaning = (struct line_meaning){.kind = SAMPLE_FRAME, .entry = sample_frame(s, f)};
}

bool sample_close_line(struct sample *s, struct text *t)
{
    t->meaning.kind = SAMPLE_CLOSE;
    return sample_close(s);
}

enum text_again sample_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct sample *s = state;

    (void)t;
    if (m->kind == SAMPLE_CLOSE)
        return sample_close(s) ? TEXT_DONE : TEXT_FAILED;
    if (!s->open)
        return TEXT_UNFIT;
    sample_push(s, m->entry);
    return TEXT_DONE;
}
