#include "input/formats/kernel/dtrace_record.h"

void dtrace_record_init(struct dtrace_record *r, struct text *t)
{
    *r = (struct dtrace_record){.series = SERIES_NONE, .sample_series = SERIES_NONE};
    builder_init(&r->builder, t->profile, t->options, t->diag);
    dtrace_frames_init(&r->frames, &r->builder);
}

void dtrace_record_release(struct dtrace_record *r)
{
    dtrace_frames_release(&r->frames);
    builder_release(&r->builder);
    vec_release(&r->stack);
    vec_release(&r->keys);
}

void dtrace_record_clear(struct dtrace_record *r)
{
    vec_clear(&r->stack);
    vec_clear(&r->keys);
    r->sure = r->sample = false;
}

static void push(struct dtrace_record *r)
{
    builder_begin(&r->builder);
    vec_each (uint32_t, key, &r->keys)
        builder_push(&r->builder, *key);
    builder_leaf_first(&r->builder);
    vec_each (uint32_t, index, &r->stack) {
        const struct dtrace_text *text = &r->frames.texts.items[*index];

        for (uint32_t i = 0; i < text->count; i++)
            builder_push(&r->builder, r->frames.entries.items[text->first + i]);
    }
}

bool dtrace_record_add(struct text *t, struct dtrace_record *r, int64_t count)
{
    bool ok;

    if (r->series == SERIES_NONE)
        r->series = builder_series(&r->builder, &(struct origin){.event = SLICE("")}, unit_samples);
    if (!r->stack.count && r->keys.count)
        t->profile->ledger.without_frames++;
    push(r);
    ok = count >= 0 ? builder_add(&r->builder, r->series, (uint64_t)count)
                    : builder_add_signed(&r->builder, r->series, count);
    dtrace_record_clear(r);
    return ok;
}

bool dtrace_record_close(struct text *t, struct dtrace_record *r)
{
    bool ok = true;

    if (r->sample) {
        if (!r->stack.count)
            t->profile->ledger.without_frames++;
        push(r);
        ok = builder_add(&r->builder, r->sample_series, 1);
    } else if (r->sure) {
        t->profile->ledger.unreadable++;
        diag_warn_line(t->diag, r->line, "a stack without a count; skipped");
    }
    dtrace_record_clear(r);
    return ok;
}

void dtrace_record_keys(struct dtrace_record *r, struct slice text)
{
    text = slice_trim(text);
    while (text.len) {
        size_t end = slice_search(text, SLICE("  "));
        struct slice key = slice_take(text, end);

        *vec_add(&r->keys) = builder_entry(
            &r->builder, &(struct frame){.name = slice_trim(key), .kind = FRAME_PLAIN});
        text = slice_trim(slice_skip(text, end));
    }
}

void dtrace_record_number(struct dtrace_record *r, int64_t number)
{
    struct buf digits;

    buf_init(&digits);
    buf_add_i64(&digits, number);
    dtrace_record_keys(r, buf_slice(&digits));
    buf_release(&digits);
}

void dtrace_record_sample(struct dtrace_record *r, const struct origin *origin)
{
    r->sample = true;
    r->sample_series = builder_series(&r->builder, origin, unit_samples);
}
