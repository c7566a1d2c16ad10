#include "input/build/trace_threads.h"

void trace_threads_release(struct trace_threads *t)
{
    release_each(t, (intern, keys, pids, texts), (buf, key), (vec, threads, processes));
}

static uint32_t get_process(struct trace_threads *t, struct slice pid)
{
    uint32_t index = intern_add(&t->pids, pid);

    if (index == t->processes.count)
        *vec_add(&t->processes) = (struct trace_process){0};
    return index;
}

uint32_t trace_threads_get(struct trace_threads *t, struct slice pid, struct slice tid)
{
    uint32_t index;

    if (t->threads.count) {
        const struct trace_thread *last = &t->threads.items[t->last];

        if (slice_equal(last->pid, pid) && slice_equal(last->tid, tid))
            return t->last;
    }
    buf_clear(&t->key);
    buf_add_slice(&t->key, pid);
    buf_add_char(&t->key, '\0');
    buf_add_slice(&t->key, tid);
    index = intern_add(&t->keys, buf_slice(&t->key));
    if (index == t->threads.count) {
        struct slice key = intern_get(&t->keys, index);

        *vec_add(&t->threads) = (struct trace_thread){.pid = slice_take(key, pid.len),
                                                      .tid = slice_skip(key, pid.len + 1),
                                                      .process = get_process(t, pid)};
    }
    t->last = index;
    return index;
}

static struct slice keep(struct trace_threads *t, struct slice name)
{
    return intern_get(&t->texts, intern_add(&t->texts, name));
}

void trace_threads_name(struct trace_threads *t, uint32_t thread, struct slice name)
{
    t->threads.items[thread].name = keep(t, name);
}

void trace_threads_name_process(struct trace_threads *t, uint32_t thread, struct slice name)
{
    t->processes.items[t->threads.items[thread].process].name = keep(t, name);
}

static bool is_operations(const struct trace_thread *th)
{
    return slice_equal(th->name, SLICE("XLA Ops"));
}

void trace_threads_cover(struct trace_threads *t)
{
    vec_each (struct trace_process, p, &t->processes)
        p->seen = false;
    vec_each (const struct trace_thread, th, &t->threads)
        t->processes.items[th->process].seen |= is_operations(th);
    vec_each (struct trace_thread, th, &t->threads) {
        const struct trace_process *p = &t->processes.items[th->process];

        th->covered |= p->seen && slice_starts(p->name, SLICE("/device:")) && !is_operations(th);
    }
}

void trace_threads_label_process(struct trace_threads *t, uint32_t thread, struct slice label)
{
    t->processes.items[t->threads.items[thread].process].label = keep(t, label);
}

struct trace_mix trace_threads_mix(struct trace_threads *t, const bool *in,
                                   const struct input_options *options)
{
    struct trace_mix mix = {false, false};
    uint32_t first = UINT32_MAX;

    vec_each (struct trace_process, p, &t->processes)
        p->seen = false;
    for (uint32_t i = 0; i < t->threads.count; i++) {
        struct trace_process *p = &t->processes.items[t->threads.items[i].process];

        if (!in[i])
            continue;
        if (first == UINT32_MAX)
            first = t->threads.items[i].process;
        mix.processes |= first != t->threads.items[i].process;
        mix.threads |= p->seen;
        p->seen = true;
    }
    mix.processes &= !options->split_process;
    mix.threads &= !options->split_thread;
    return mix;
}

bool trace_threads_frame(struct builder *b, struct slice name, const char *what,
                         struct slice number, uint32_t *stack)
{
    struct frame f = {.name = name, .kind = FRAME_OWNER};
    struct buf text = {0};
    bool good;

    if (!name.len) {
        buf_printf(&text, "%s %.*s", what, SLICE_ARG(number));
        f.name = slice_trim(buf_slice(&text));
    }
    good = builder_child(b, *stack, &f, stack);
    buf_release(&text);
    return good;
}

bool trace_threads_root(const struct trace_threads *t, uint32_t thread, struct trace_mix mix,
                        struct builder *b, uint32_t *stack)
{
    const struct trace_thread *th = &t->threads.items[thread];

    *stack = STACK_ROOT;
    if (mix.processes &&
        !trace_threads_frame(b, t->processes.items[th->process].name, "pid", th->pid, stack))
        return false;
    return !mix.threads || trace_threads_frame(b, th->name, "tid", th->tid, stack);
}

struct origin trace_threads_origin(const struct trace_threads *t, uint32_t thread,
                                   struct slice event)
{
    const struct trace_thread *th = &t->threads.items[thread];

    return (struct origin){.event = event,
                           .process = t->processes.items[th->process].name,
                           .thread = th->name,
                           .pid = th->pid,
                           .tid = th->tid};
}
