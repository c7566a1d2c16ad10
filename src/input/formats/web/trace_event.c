/*
 * Trace events: the JSON format of Chrome's tracing, also written by clang
 * -ftime-trace, Node, V8, Hermes, uftrace, Perfetto, PyTorch, VizTracer and
 * many build tools.
 *
 *     [EVENT, ...                       its end may be missing; that is reported
 *     {"traceEvents": [EVENT, ...], "stackFrames": {...}, "samples": [...], ...}
 *
 *     EVENT = {"ph": "B" | "E" | "X" | ..., "ts": us, "dur": us, "pid", "tid",
 *              "name", "cat", "args": {...}}
 *
 * Times are microseconds, with decimals or as a string. The reader uses slices
 * (B, E, X; trace_slices.h), the names of processes and threads (M), the
 * samples of Hermes and the CPU profiles of Chrome's developer tools (both
 * below). Each kind becomes graphs of its own; the profiles are first. Slices
 * are identified by their names, not by their arguments. Asynchronous slices,
 * flows, counters, instants and objects belong to no stack; the number of
 * asynchronous slices is reported. clang's sums, "Total ..." with an average,
 * would count everything twice and are skipped; so are PyTorch's spans of the
 * whole recording, and its annotations of a device, which contain idle time.
 *
 * Work of accelerators, as PyTorch records it, counts below the code that launched it
 * (trace_device.h).
 *
 * Source: "Trace Event Format", the document of the Chromium project.
 */
#include <stdlib.h>

#include "input/build/frame_tree.h"
#include "input/format.h"
#include "input/build/trace_device.h"
#include "input/build/trace_slices.h"
#include "input/build/trace_sort.h"
#include "input/build/trace_threads.h"
#include "input/formats/web/v8_profile.h"
#include "input/parse/json.h"
#include "input/parse/trace_time.h"

/* ---- samples ------------------------------------------------------------------------------- */

/*
 * The samples of a trace: stacks in a table and sampling times beside the
 * events, as Hermes (React Native) and some converters write them.
 *
 *     "stackFrames": {"1": {"name", "category", "parent": "..."}, ...},
 *     "samples": [{"ts", "sf": 1, "pid", "tid", "weight", ...}, ...]
 *
 * A sample weighs the time until the next one of its thread, so the last one
 * weighs nothing. If the weights of the file are not all 1, they are used
 * instead, with up to three decimals.
 */

enum { ONE = 1000 }; /* a weight of 1 */

struct trace_samples {
    struct builder *builder;
    struct trace_threads *threads;
    struct frame_tree frames;
    struct trace_sort sort;
    VEC(bool) in; /* indexed by thread: it has samples */
    uint32_t count;
    bool weighted; /* a weight is not 1 */
};

static void trace_samples_init(struct trace_samples *s, struct builder *builder,
                               struct trace_threads *threads)
{
    *s = (struct trace_samples){.builder = builder, .threads = threads};
    frame_tree_init(&s->frames, builder);
    trace_sort_init(&s->sort, builder->diag);
}

static void trace_samples_release(struct trace_samples *s)
{
    release_each(s, (frame_tree, frames), (trace_sort, sort), (vec, in));
}

static bool is_id(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) && v->text.len;
}

/* Takes ":12" off the end, with the number of a member. Returns false if it is not there. */
static bool take_number(struct slice *s, const struct json_value *member)
{
    size_t colon = slice_find_last(*s, ':');

    if (!is_id(member) || !slice_equal(slice_skip(*s, colon + 1), member->text))
        return false;
    *s = slice_take(*s, colon);
    return true;
}

/*
 * Takes the place that was executed off the name of a function, as Hermes writes it:
 * "fact(h.js:3:35)". It is that of the members "line" and "column"; the function begins at
 * "funcLine".
 */
static void split_place(struct frame *f, const struct json_value *v)
{
    struct slice rest = slice_take(f->name, f->name.len - slice_ends(f->name, SLICE(")")));
    size_t open;

    if (!take_number(&rest, json_get(v, "column")) || !take_number(&rest, json_get(v, "line")))
        return;
    open = slice_find_last(rest, '(');
    if (open == rest.len)
        return;
    f->name = slice_take(rest, open);
    f->file = slice_skip(rest, open + 1);
    json_u64(json_get(v, "funcLine"), &f->line);
    if (slice_equal(f->name, SLICE("anonymous")))
        f->name = SLICE("");
}

/* Adds a member of "stackFrames". Returns false if it is malformed. */
static bool trace_samples_frame(struct trace_samples *s, const struct json_value *v)
{
    const struct json_value *parent = json_get(v, "parent");
    struct frame f = {.name = json_text(json_get(v, "name")), .kind = FRAME_PLAIN};
    uint32_t node;
    bool named = f.name.len > 0;

    if (v->type != JSON_OBJECT)
        return false;
    split_place(&f, v);
    node = frame_tree_node(&s->frames, v->key);
    frame_tree_define(&s->frames, node, named ? v8_profile_entry(s->builder, &f) : FRAME_TREE_NONE);
    if (is_id(parent))
        frame_tree_hang(&s->frames, node, frame_tree_node(&s->frames, parent->text));
    return true;
}

/* Reads an element of "samples"; its weight is in thousandths. Returns false if it is malformed. */
static bool trace_samples_read(const struct json_value *v, struct trace_record *r,
                               struct slice *frame)
{
    const struct json_value *sf = json_get(v, "sf"), *weight = json_get(v, "weight");

    *r = (struct trace_record){.end = ONE};
    if (!is_id(sf) || !trace_time_get(json_get(v, "ts"), &r->begin) ||
        (weight && (!trace_time_get(weight, &r->end) || r->end < 0)))
        return false;
    *frame = sf->text;
    return true;
}

/* Adds a sample. Returns false after reporting an error. */
static bool trace_samples_add(struct trace_samples *s, uint32_t thread, struct trace_record r,
                              struct slice frame)
{
    if (s->count == UINT32_MAX)
        return diag_error(s->builder->diag, "more than %u samples", UINT32_MAX);
    r.group = r.thread = thread;
    r.order = s->count++;
    s->weighted |= r.end != ONE;
    while (s->in.count <= thread)
        *vec_add(&s->in) = false;
    s->in.items[thread] = true;
    r.name = frame_tree_node(&s->frames, frame);
    return trace_sort_add(&s->sort, r);
}

/* Adds a sample with its weight, or the time to the `next` one; NULL for the last of a thread. */
static bool add(struct trace_samples *s, const struct trace_record *r,
                const struct trace_record *next, uint32_t root, uint32_t series)
{
    uint64_t weight = next ? (uint64_t)next->begin - (uint64_t)r->begin : 0;
    uint32_t stack = root;

    if (s->weighted)
        weight = (uint64_t)r->end;

    if (series != BUILDER_LEFT_OUT && !frame_tree_stack(&s->frames, r->name, root, &stack))
        return false;
    if (series != BUILDER_LEFT_OUT && r->begin > 0)
        builder_time(s->builder, series, (uint64_t)r->begin);
    builder_set_time(s->builder, series, r->begin);
    return builder_add_at(s->builder, series, stack, trace_time_weight(weight));
}

static bool add_all(struct trace_samples *s, struct trace_mix mix, struct slice event)
{
    struct unit unit = s->weighted ? unit_named(SLICE("weight")) : trace_time_unit;
    struct trace_record r, next;
    int more = trace_sort_next(&s->sort, &next);
    uint32_t thread = UINT32_MAX, root = STACK_ROOT, series = BUILDER_LEFT_OUT;

    while (more > 0) {
        r = next;
        more = trace_sort_next(&s->sort, &next);
        if (r.thread != thread) {
            struct origin origin = trace_threads_origin(s->threads, r.thread, event);

            thread = r.thread;
            series = builder_series(s->builder, &origin, unit);
            if (!trace_threads_root(s->threads, thread, mix, s->builder, &root))
                return false;
        }
        if (!add(s, &r, more > 0 && next.thread == thread ? &next : NULL, root, series))
            return false;
    }
    return more == 0;
}

/* Adds all samples to the series of an event. Returns false after reporting an error. */
static bool trace_samples_finish(struct trace_samples *s, struct slice event)
{
    bool *in = xcalloc(s->threads->threads.count + 1, sizeof(*in));
    struct trace_mix mix;
    bool good;

    for (size_t i = 0; i < s->in.count; i++)
        in[i] = s->in.items[i];
    mix = trace_threads_mix(s->threads, in, s->builder->options);
    good = trace_sort_finish(&s->sort) && add_all(s, mix, event);
    xfree(in);
    return good;
}

/* ---- CPU profiles -------------------------------------------------------------------------- */

/*
 * The CPU profiles in a trace of Chrome's developer tools.
 *
 * A profile is one event, CpuProfile, or several: an event Profile on the
 * sampled thread, and events ProfileChunk, often on another thread, with more
 * nodes, samples and times. Process and id tell which ones belong together.
 * Each sampled thread is a graph, named after the thread.
 */

struct trace_profile {
    struct v8_profile profile;
    uint32_t thread; /* the sampled thread */
    int64_t start;   /* ns, or 0 if not stated */
    uint64_t samples;
    uint64_t busy; /* ns outside "(idle)" */
    size_t index;  /* in the order of the file */
};

struct trace_profiles {
    struct builder *builder;
    struct trace_threads *threads;
    struct intern keys; /* process and id; the intern id is the profile's index */
    VEC(struct trace_profile *) profiles;
    struct buf key;
    struct intern names;        /* of sampled threads */
    VEC(uint32_t) named;        /* indexed by name: the thread, or SEVERAL */
    uint64_t bad_nodes, uneven; /* malformed nodes; pieces with more samples than times, or fewer */
};

/* In place of a thread: several have the name. */
#define SEVERAL UINT32_MAX

static void trace_profiles_init(struct trace_profiles *t, struct builder *builder,
                                struct trace_threads *threads)
{
    *t = (struct trace_profiles){.builder = builder, .threads = threads};
}

static void trace_profiles_release(struct trace_profiles *t)
{
    vec_each (struct trace_profile *, p, &t->profiles) {
        v8_profile_release(&(*p)->profile);
        xfree(*p);
    }
    release_each(t, (vec, profiles, named), (intern, keys, names), (buf, key));
}

/* Returns true for the names of events with CPU profiles. */
static bool trace_profiles_is(struct slice name)
{
    return slice_equal(name, SLICE("ProfileChunk")) || slice_equal(name, SLICE("Profile")) ||
           slice_equal(name, SLICE("CpuProfile"));
}

/*
 * Returns the profile with an id in the thread's process; without an id, the thread's own profile.
 */
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

/* Adds a sample for each time; the longer list's rest is added as far as it is valid. */
static void add_samples(struct trace_profiles *t, struct trace_profile *p,
                        const struct json_value *samples, const struct json_value *deltas)
{
    const struct json_value *sample = json_first(samples), *delta = json_first(deltas);

    t->uneven += (samples ? samples->count : 0) != (deltas ? deltas->count : 0);
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

/* Adds an event with a profile or a piece of one; `id` may be empty. */
static void trace_profiles_add(struct trace_profiles *t, uint32_t thread, struct slice name,
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
    json_each(node, json_get(cpu, "nodes")) t->bad_nodes +=
        v8_profile_node(&p->profile, node) == FRAME_TREE_NONE;
    add_samples(t, p, json_get(cpu, "samples"), deltas ? deltas : json_get(cpu, "timeDeltas"));
}

/* Notes the names of the sampled threads, and which names several threads have. */
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

/* Writes the graph's name: "CrRendererMain", "DedicatedWorker thread (812/17)", "thread 17". */
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
    if (p->start > 0 && p->profile.end >= 0) {
        builder_time(t->builder, series, (uint64_t)p->start);
        builder_time(t->builder, series, (uint64_t)p->start + (uint64_t)p->profile.end);
    }
    return v8_profile_add(&p->profile, STACK_ROOT, series, p->start);
}

static int compare_busy(const void *a, const void *b)
{
    const struct trace_profile *x = *(struct trace_profile *const *)a,
                               *y = *(struct trace_profile *const *)b;

    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Ends all profiles; the one that was busy for the longest time becomes the first. */
static void end_all(struct trace_profiles *t)
{
    for (size_t i = 0; i < t->profiles.count; i++) {
        struct trace_profile *p = t->profiles.items[i];

        v8_profile_end(&p->profile);
        p->busy = v8_profile_busy(&p->profile);
        p->index = i;
    }
    if (t->profiles.count)
        qsort(t->profiles.items, t->profiles.count, sizeof(struct trace_profile *), compare_busy);
}

/*
 * Adds all profiles, a series for each thread, the busiest first. Returns false after reporting an
 * error.
 */
static bool trace_profiles_finish(struct trace_profiles *t)
{
    diag_warn_count(t->builder->diag, t->bad_nodes,
                    "skipped # malformed node{ of a CPU profile|s of CPU profiles}");
    diag_warn_count(
        t->builder->diag, t->uneven,
        "# piece{ of a CPU profile has|s of CPU profiles have} more samples than times, "
        "or fewer");
    note_names(t);
    end_all(t);
    for (size_t i = 0; i < t->profiles.count; i++)
        if (t->profiles.items[i]->samples && !add_profile(t, t->profiles.items[i]))
            return false;
    return true;
}

struct trace {
    struct content *content;
    struct builder builder;
    struct trace_threads threads;
    struct trace_slices slices;
    struct trace_samples samples;
    struct trace_profiles profiles;
    struct trace_device device;
    uint64_t async; /* asynchronous events */
    uint64_t spans; /* slices that contain idle time */
    uint64_t own;   /* functions of PyTorch's profiler */
    uint64_t bad;   /* malformed events */
    uint64_t first_bad;
};

/* The members of an event that are read. */
struct event {
    struct slice phase, name, category, pid, tid, id;
    const struct json_value *ts, *dur, *tdur, *args;
};

static void read_members(const struct json_value *v, struct event *e)
{
    *e = (struct event){0};
    json_each(m, v)
    {
        const char *key = m->key.ptr;

        switch (m->key.len) {
        case 2:
            if (memcmp(key, "ph", 2) == 0)
                e->phase = m->text;
            else if (memcmp(key, "ts", 2) == 0)
                e->ts = m;
            else if (memcmp(key, "id", 2) == 0)
                e->id = m->text;
            break;
        case 3:
            if (memcmp(key, "dur", 3) == 0)
                e->dur = m;
            else if (memcmp(key, "pid", 3) == 0)
                e->pid = m->text;
            else if (memcmp(key, "tid", 3) == 0)
                e->tid = m->text;
            else if (memcmp(key, "cat", 3) == 0)
                e->category = m->text;
            break;
        case 4:
            if (memcmp(key, "name", 4) == 0)
                e->name = m->text;
            else if (memcmp(key, "args", 4) == 0)
                e->args = m;
            else if (memcmp(key, "tdur", 4) == 0)
                e->tdur = m;
            break;
        default:
            break;
        }
    }
}

/* ---- events -------------------------------------------------------------------------------- */

static bool bad(struct trace *t, uint64_t at)
{
    if (!t->bad++)
        t->first_bad = at;
    return true;
}

static void read_name(struct trace *t, uint32_t thread, const struct event *e)
{
    struct slice name = json_text(json_get(e->args, "name"));

    if (slice_equal(e->name, SLICE("thread_name")))
        trace_threads_name(&t->threads, thread, name);
    else if (slice_equal(e->name, SLICE("process_name")))
        trace_threads_name_process(&t->threads, thread, name);
    else if (slice_equal(e->name, SLICE("process_labels")))
        trace_threads_label_process(&t->threads, thread, json_text(json_get(e->args, "labels")));
}

/* Recognises clang's sum over all slices of a name, which clang writes as a slice. */
static bool is_sum(const struct event *e)
{
    return slice_starts(e->name, SLICE("Total ")) && json_get(e->args, "count") &&
           json_get(e->args, "avg ms");
}

/* Recognises the Python functions of PyTorch's profiler itself. */
static bool is_own(const struct event *e)
{
    return slice_equal(e->category, SLICE("python_function")) && slice_equal(e->pid, SLICE("0")) &&
           slice_equal(e->tid, SLICE("0"));
}

static struct frame frame_of(const struct trace *t, const struct event *e)
{
    struct frame f = {.name = e->name, .kind = FRAME_PLAIN};

    if (!f.name.len)
        f.name = SLICE("(unnamed)");
    if (t->content->options->srcline) {
        const struct json_value *line = json_get(e->args, "funcLine");

        f.file = json_text(json_get(e->args, "url"));
        json_u64(line ? line : json_get(e->args, "line"), &f.line);
    }
    return f;
}

/* Adds a complete slice. */
static bool add_whole(struct trace *t, uint32_t thread, const struct event *e, int64_t ns,
                      int64_t length)
{
    enum trace_device_role role = trace_device_role(e->category, e->pid);
    struct frame f = frame_of(t, e);
    int64_t number, *correlation = NULL;

    if (role == TRACE_SPAN || is_own(e)) {
        t->spans += role == TRACE_SPAN;
        t->own += role != TRACE_SPAN;
        return true;
    }
    trace_device_note(&t->device, ns, length);
    if (role != TRACE_OTHER && json_i64(json_get(e->args, "correlation"), &number))
        correlation = &number;
    if (role == TRACE_KERNEL || role == TRACE_COPY)
        return trace_device_work(&t->device, thread, ns, length, f.name, role == TRACE_KERNEL,
                                 correlation);
    return (!correlation ||
            trace_device_launch(&t->device, thread, ns, length, &f, *correlation)) &&
           trace_slices_whole(&t->slices, thread, ns, length, &f);
}

/* Adds memory that PyTorch allocates on a device. Freed memory is negative. */
static bool read_memory(struct trace *t, uint32_t thread, const struct event *e, uint64_t at)
{
    enum { GPU = 1 };
    const struct json_value *device = json_get(e->args, "Device Id");
    uint64_t bytes, type;
    int64_t ns;

    if (!json_u64(json_get(e->args, "Device Type"), &type) || type != GPU ||
        !json_u64(json_get(e->args, "Bytes"), &bytes))
        return true;
    if (!trace_time_get(e->ts, &ns))
        return bad(t, at);
    return trace_device_memory(&t->device, thread, ns, device ? device->text : SLICE(""), bytes);
}

static bool read_slice(struct trace *t, uint32_t thread, const struct event *e, uint64_t at)
{
    struct frame f;
    int64_t ns, length = 0;

    if (!trace_time_get(e->ts, &ns))
        return bad(t, at);
    if (e->phase.ptr[0] == 'E')
        return trace_slices_end(&t->slices, thread, ns, e->name);
    f = frame_of(t, e);
    if (e->phase.ptr[0] == 'B')
        return trace_slices_begin(&t->slices, thread, ns, &f);
    if (is_sum(e))
        return true;
    if (!trace_time_get(e->dur, &length) && !trace_time_get(e->tdur, &length) &&
        (e->dur || e->tdur))
        return bad(t, at);
    if (length < 0)
        return bad(t, at);
    return add_whole(t, thread, e, ns, length);
}

static bool read_event(struct trace *t, const struct json_value *v, uint64_t at)
{
    /* Phases of events that are no slices: counters, flows, objects, memory, marks. */
    static const char others[] = "CneTpFstfNODMVvRc()";
    struct event e;
    uint32_t thread;

    read_members(v, &e);
    if (v->type != JSON_OBJECT || e.phase.len != 1)
        return bad(t, at);
    thread = trace_threads_get(&t->threads, e.pid, e.tid);
    switch (e.phase.ptr[0]) {
    case 'B':
    case 'E':
    case 'X':
        return read_slice(t, thread, &e, at);
    case 'M':
        read_name(t, thread, &e);
        return true;
    case 'P':
    case 'I':
    case 'i':
        if (slice_equal(e.name, SLICE("[memory]")))
            return read_memory(t, thread, &e, at);
        if (trace_profiles_is(e.name))
            trace_profiles_add(&t->profiles, thread, e.name, e.id, e.args);
        return true;
    case 'b':
    case 'S':
        t->async++;
        return true;
    default:
        return strchr(others, e.phase.ptr[0]) || bad(t, at);
    }
}

static bool read_sample(struct trace *t, const struct json_value *v, uint64_t at)
{
    struct trace_record sample;
    struct slice frame;
    struct event e;

    read_members(v, &e);
    if (!trace_samples_read(v, &sample, &frame))
        return bad(t, at);
    return trace_samples_add(&t->samples, trace_threads_get(&t->threads, e.pid, e.tid), sample,
                             frame);
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("traceEvents")) || slice_equal(key, SLICE("stackFrames")) ||
           slice_equal(key, SLICE("samples"));
}

/* Adds the trace's metadata as facts. */
static void read_metadata(struct trace *t, const struct json_value *v)
{
    static const struct {
        const char *member, *fact;
    } known[] = {
        {"command_line", "command"},
        {"command-line", "command"},
        {"trace-capture-datetime", "captured on"},
        {"startTime", "captured on"},
        {"product-version", "program"},
        {"os-name", "os release"},
        {"cpu-brand", "cpudesc"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct slice text = json_text(json_get(v, known[i].member));

        if (text.len)
            profile_add_fact(t->content->profile, slice_str(known[i].fact), text);
    }
}

/* Adds what PyTorch says of the run: the first device, and the rank of a distributed one. */
static void read_run(struct trace *t, const struct json_value *v)
{
    struct profile *p = t->content->profile;
    struct slice name = json_text(json_get(json_first(v), "name"));
    uint64_t rank;

    if (slice_equal(v->key, SLICE("deviceProperties")) && name.len)
        profile_add_fact(p, SLICE("GPU"), name);
    if (slice_equal(v->key, SLICE("distributedInfo")) && json_u64(json_get(v, "rank"), &rank))
        profile_print_fact(p, SLICE("hostname"), "rank %llu", (unsigned long long)rank);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct trace *t = context;

    if (slice_equal(parent, SLICE("stackFrames")))
        return trace_samples_frame(&t->samples, v) || bad(t, at);
    if (slice_equal(parent, SLICE("samples")))
        return read_sample(t, v, at);
    if (parent.len || !v->key.len)
        return read_event(t, v, at);
    if (slice_equal(v->key, SLICE("metadata")) || slice_equal(v->key, SLICE("otherData")))
        read_metadata(t, v);
    read_run(t, v);
    return true;
}

static void tell(struct trace *t)
{
    struct diag *diag = t->content->diag;

    t->content->profile->ledger.unreadable += t->bad + t->slices.unmatched;
    if (t->bad)
        diag_add(
            diag, DIAG_WARNING, DIAG_AT_BYTE(t->first_bad),
            "skipped %lu record%s without a valid phase, time or duration; the first ends here",
            (unsigned long)t->bad, diag_s(t->bad));
    trace_slices_tell(&t->slices, diag);
    diag_count(diag, DIAG_NOTE, t->async,
               "# asynchronous slice{ is not drawn: it does|s are not drawn: they do} not belong "
               "to a thread's stack");
    diag_count(diag, DIAG_NOTE, t->spans,
               "# span{ of a recording or a device is|s of a recording or a device are} not "
               "counted: {it contains|they contain} idle time");
    diag_count(diag, DIAG_NOTE, t->own,
               "# function{|s} of PyTorch's profiler {is|are} not counted");
}

static bool finish(struct trace *t)
{
    size_t before;
    bool sampled = t->samples.count > 0;

    if (!trace_slices_pair(&t->slices) || !trace_profiles_finish(&t->profiles))
        return false;
    before = t->content->profile->series.count;
    if (sampled &&
        !trace_samples_finish(&t->samples, before || trace_slices_any(&t->slices) ? SLICE("samples")
                                                                                  : SLICE("")))
        return false;
    if (trace_device_any(&t->device)) {
        if (!trace_device_ask(&t->device) ||
            !trace_slices_nest(&t->slices, SLICE(TRACE_DEVICE_CPU_TIME)) ||
            !trace_device_finish(&t->device))
            return false;
    } else if (!trace_slices_nest(&t->slices, before || sampled ? SLICE("slices") : SLICE(""))) {
        return false;
    }
    tell(t);
    return true;
}

static bool read_trace(struct content *content)
{
    struct trace t = {.content = content};
    struct json_handler handler = {
        .context = &t, .many_elements = true, .each = wanted_one_by_one, .value = read_value};
    bool good;

    builder_init(&t.builder, content->profile, content->options, content->diag);
    trace_slices_init(&t.slices, &t.builder, &t.threads);
    t.slices.workers = content->threads;
    trace_device_init(&t.device, &t.builder, &t.threads, &t.slices);
    trace_samples_init(&t.samples, &t.builder, &t.threads);
    trace_profiles_init(&t.profiles, &t.builder, &t.threads);
    good = json_read(content, &handler) && finish(&t);
    release_each(&t, (trace_profiles, profiles), (trace_samples, samples), (trace_device, device),
                 (trace_slices, slices), (trace_threads, threads), (builder, builder));
    return good;
}

static bool claims(const struct head *head)
{
    return head_has(head, "traceEvents") ||
           slice_equal(head_text(head, "metadata.dataOrigin"), SLICE("TraceEvents")) ||
           (head_has(head, "[].ph") && (head_has(head, "[].ts") || head_has(head, "[].pid")));
}

const struct format format_trace_event = {
    .name = "trace-event",
    .family = FORMAT_BROWSERS,
    .description = "JSON trace events: Chrome and its developer tools, clang -ftime-trace, Node, "
                   "Hermes, uftrace, Perfetto, PyTorch",
    .recognised = "JSON with 'traceEvents', or an array of objects with 'ph' and 'ts'",
    .example = "clang -ftime-trace -c app.c; uftrace dump --chrome; Performance tab of Chrome; "
               "torch.profiler.profile(with_stack=True), export_chrome_trace('app.json')",
    .without_stacks =
        "the trace contains neither slices (B and E, or X) with a duration nor samples",
    .claims = claims,
    .read = read_trace,
};
