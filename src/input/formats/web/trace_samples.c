#include "input/formats/web/trace_samples.h"

#include "input/parse/trace_time.h"

void trace_samples_init(struct trace_samples *s, struct builder *builder,
                        struct trace_threads *threads)
{
    *s = (struct trace_samples){.builder = builder, .threads = threads};
    frame_tree_init(&s->frames, builder);
    trace_sort_init(&s->sort, builder->diag);
}

void trace_samples_release(struct trace_samples *s)
{
    frame_tree_release(&s->frames);
    trace_sort_release(&s->sort);
    vec_release(&s->in);
}

static bool is_id(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) && v->text.len;
}

bool trace_samples_frame(struct trace_samples *s, const struct json_value *v)
{
    const struct json_value *parent = json_get(v, "parent");
    struct frame f = {.name = json_text(json_get(v, "name")), .kind = FRAME_PLAIN};
    uint32_t node;

    if (v->type != JSON_OBJECT)
        return false;
    node = frame_tree_node(&s->frames, v->key);
    frame_tree_define(&s->frames, node,
                      f.name.len ? builder_entry(s->builder, &f) : FRAME_TREE_NONE);
    if (is_id(parent))
        frame_tree_hang(&s->frames, node, frame_tree_node(&s->frames, parent->text));
    return true;
}

bool trace_samples_read(const struct json_value *v, int64_t *ns, struct slice *frame)
{
    const struct json_value *sf = json_get(v, "sf");

    if (!is_id(sf) || !trace_time_get(json_get(v, "ts"), ns))
        return false;
    *frame = sf->text;
    return true;
}

bool trace_samples_add(struct trace_samples *s, uint32_t thread, int64_t ns, struct slice frame)
{
    struct trace_record r = {.begin = ns, .group = thread, .order = s->count, .thread = thread};

    if (s->count == UINT32_MAX)
        return diag_error(s->builder->diag, "more than %u samples", UINT32_MAX);
    s->count++;
    while (s->in.count <= thread)
        *vec_add(&s->in) = false;
    s->in.items[thread] = true;
    r.name = frame_tree_node(&s->frames, frame);
    return trace_sort_add(&s->sort, r);
}

/* Adds the time from one sample to the next; `next` is NULL behind the last one of a thread. */
static bool add(struct trace_samples *s, const struct trace_record *r,
                const struct trace_record *next, uint32_t root, uint32_t series)
{
    uint64_t ns = next ? (uint64_t)next->begin - (uint64_t)r->begin : 0;
    uint32_t stack = root;

    if (series != BUILDER_LEFT_OUT && !frame_tree_stack(&s->frames, r->name, root, &stack))
        return false;
    if (series != BUILDER_LEFT_OUT && r->begin > 0)
        builder_time(s->builder, series, (uint64_t)r->begin);
    builder_moment(s->builder, series, r->begin);
    return builder_add_at(s->builder, series, stack, trace_time_weight(ns));
}

static bool add_all(struct trace_samples *s, struct trace_mix mix, struct slice event)
{
    struct trace_record r, next;
    int more = trace_sort_next(&s->sort, &next);
    uint32_t thread = UINT32_MAX, root = STACK_ROOT, series = BUILDER_LEFT_OUT;

    while (more > 0) {
        r = next;
        more = trace_sort_next(&s->sort, &next);
        if (r.thread != thread) {
            struct origin origin = trace_threads_origin(s->threads, r.thread, event);

            thread = r.thread;
            series = builder_series(s->builder, &origin, trace_time_unit);
            if (!trace_threads_root(s->threads, thread, mix, s->builder, &root))
                return false;
        }
        if (!add(s, &r, more > 0 && next.thread == thread ? &next : NULL, root, series))
            return false;
    }
    return more == 0;
}

bool trace_samples_finish(struct trace_samples *s, struct slice event)
{
    bool *in = xcalloc(s->threads->threads.count + 1, sizeof(*in));
    struct trace_mix mix;
    bool good;

    for (size_t i = 0; i < s->in.count; i++)
        in[i] = s->in.items[i];
    mix = trace_threads_mix(s->threads, in, s->builder->options);
    good = trace_sort_finish(&s->sort) && add_all(s, mix, event);
    if (good && s->frames.lost)
        diag_add(s->builder->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu stack frames are spoken of that the file does not have, or hang in a circle; "
                 "their time is that of what is known above them",
                 (unsigned long)s->frames.lost);
    free(in);
    return good;
}
