#include "input/formats/web/trace_profiles.h"

#include "input/parse/trace_time.h"

/* In place of a thread: its name is that of several. */
#define SEVERAL UINT32_MAX

void trace_profiles_init(struct trace_profiles *t, struct builder *builder,
                         struct trace_threads *threads)
{
    *t = (struct trace_profiles){.builder = builder, .threads = threads};
    intern_init(&t->keys);
    intern_init(&t->names);
    buf_init(&t->key);
}

void trace_profiles_release(struct trace_profiles *t)
{
    vec_each (struct trace_profile *, p, &t->profiles) {
        v8_profile_release(&(*p)->profile);
        free(*p);
    }
    vec_release(&t->profiles);
    intern_release(&t->keys);
    intern_release(&t->names);
    vec_release(&t->named);
    buf_release(&t->key);
}

bool trace_profiles_is(struct slice name)
{
    return slice_equal(name, SLICE("ProfileChunk")) || slice_equal(name, SLICE("Profile")) ||
           slice_equal(name, SLICE("CpuProfile"));
}

/* The profile with an id of a thread's process; one without id is the thread's own. */
static struct trace_profile *get(struct trace_profiles *t, uint32_t thread, struct slice id)
{
    const struct trace_thread *th = &t->threads->threads.items[thread];
    uint32_t index;

    buf_clear(&t->key);
    buf_add_slice(&t->key, th->pid);
    buf_add_char(&t->key, id.len ? '#' : '/');
    buf_add_slice(&t->key, id.len ? id : th->tid);
    index = intern_add(&t->keys, buf_slice(&t->key));
    if (index == t->profiles.count) {
        struct trace_profile *p = xcalloc(1, sizeof(*p));

        v8_profile_init(&p->profile, t->builder);
        p->thread = thread;
        *vec_add(&t->profiles) = p;
    }
    return t->profiles.items[index];
}

/* A sample for each time; what is left of the longer list is taken for what it is. */
static void add_samples(struct trace_profiles *t, struct trace_profile *p,
                        const struct json_value *samples, const struct json_value *deltas)
{
    const struct json_value *sample = json_first(samples), *delta = json_first(deltas);

    t->bad += (samples ? samples->count : 0) != (deltas ? deltas->count : 0);
    while (sample || delta) {
        int64_t ns;

        if (delta && trace_time_get(delta, &ns))
            v8_profile_pass(&p->profile, ns);
        if (sample && sample->text.len) {
            v8_profile_sample(&p->profile, frame_tree_node(&p->profile.tree, sample->text));
            p->samples++;
        }
        sample = sample ? json_next(samples, sample) : NULL;
        delta = delta ? json_next(deltas, delta) : NULL;
    }
}

void trace_profiles_add(struct trace_profiles *t, uint32_t thread, struct slice name,
                        struct slice id, const struct json_value *args)
{
    struct trace_profile *p = get(t, thread, id);
    const struct json_value *data = json_get(args, "data");
    const struct json_value *cpu = json_get(data, "cpuProfile");
    const struct json_value *deltas = json_get(data, "timeDeltas");

    if (slice_equal(name, SLICE("Profile")))
        p->thread = thread;
    trace_time_get(json_get(data, "startTime"), &p->start);
    trace_time_get(json_get(cpu, "startTime"), &p->start);
    json_each(node, json_get(cpu, "nodes")) t->bad +=
        v8_profile_node(&p->profile, node) == FRAME_TREE_NONE;
    add_samples(t, p, json_get(cpu, "samples"), deltas ? deltas : json_get(cpu, "timeDeltas"));
}

/* Notes the names of the threads that were sampled, and which are those of several. */
static void note_names(struct trace_profiles *t)
{
    for (size_t i = 0; i < t->profiles.count; i++) {
        const struct trace_profile *p = t->profiles.items[i];
        uint32_t name;

        if (!p->samples)
            continue;
        name = intern_add(&t->names, t->threads->threads.items[p->thread].name);
        if (name == t->named.count)
            *vec_add(&t->named) = p->thread;
        else if (t->named.items[name] != p->thread)
            t->named.items[name] = SEVERAL;
    }
}

static bool is_ambiguous(const struct trace_profiles *t, struct slice name)
{
    return t->named.items[intern_find(&t->names, name)] == SEVERAL;
}

/* "CrRendererMain", "DedicatedWorker thread (812/17)", "thread 17". */
static void write_event(const struct trace_profiles *t, uint32_t thread, struct buf *out)
{
    const struct trace_thread *th = &t->threads->threads.items[thread];

    buf_clear(out);
    if (!th->name.len)
        buf_printf(out, "thread %.*s/%.*s", SLICE_ARG(th->pid), SLICE_ARG(th->tid));
    else if (is_ambiguous(t, th->name))
        buf_printf(out, "%.*s (%.*s/%.*s)", SLICE_ARG(th->name), SLICE_ARG(th->pid),
                   SLICE_ARG(th->tid));
    else
        buf_add_slice(out, th->name);
}

static bool add_profile(struct trace_profiles *t, struct trace_profile *p)
{
    struct origin origin;
    uint32_t series;

    write_event(t, p->thread, &t->key);
    origin = trace_threads_origin(t->threads, p->thread, buf_slice(&t->key));
    series = builder_series(t->builder, &origin, trace_time_unit);
    if (p->start > 0 && p->profile.far >= 0) {
        builder_time(t->builder, series, (uint64_t)p->start);
        builder_time(t->builder, series, (uint64_t)p->start + (uint64_t)p->profile.far);
    }
    return v8_profile_finish(&p->profile, STACK_ROOT, series, p->start);
}

bool trace_profiles_finish(struct trace_profiles *t)
{
    if (t->bad)
        diag_add(t->builder->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu pieces of CPU profiles have nodes that are none, or more samples than times "
                 "or fewer",
                 (unsigned long)t->bad);
    note_names(t);
    for (size_t i = 0; i < t->profiles.count; i++)
        if (t->profiles.items[i]->samples && !add_profile(t, t->profiles.items[i]))
            return false;
    return true;
}
