#include "input/build/trace_device.h"

#include "input/build/busy.h"

/* Of a launch: added to its time, so that it precedes all work of its correlation. */
#define LAUNCHED (2 * TRACE_SLICES_RANGE)

#define EVENT_TIME "GPU time"
#define EVENT_KERNELS "GPU kernels"
#define EVENT_MEMORY "GPU memory allocated"

/* What makes a piece of work: the bytes that identify it. */
struct work_key {
    uint32_t stream, device, entry, launch, is_kernel;
};

void trace_device_init(struct trace_device *d, struct builder *builder,
                       struct trace_threads *threads, struct trace_slices *slices)
{
    *d = (struct trace_device){.builder = builder,
                               .threads = threads,
                               .slices = slices,
                               .first = INT64_MAX,
                               .last = INT64_MIN};
    trace_sort_init(&d->pairs, builder->diag);
    trace_sort_init(&d->times, builder->diag);
}

void trace_device_release(struct trace_device *d)
{
    vec_each (struct trace_moved, m, &d->moved)
        vec_release(m);
    release_each(d, (trace_sort, pairs, times), (intern, keys), (vec, works, moved, climb));
}

/* ---- events -------------------------------------------------------------------------------- */

enum trace_device_role trace_device_role(struct slice category, struct slice pid)
{
    /* The capitalised ones are of 2021. */
    static const struct {
        struct slice category;
        enum trace_device_role role;
    } rows[] = {
        {{"kernel", 6}, TRACE_KERNEL},
        {{"Kernel", 6}, TRACE_KERNEL},
        {{"gpu_memcpy", 10}, TRACE_COPY},
        {{"Memcpy", 6}, TRACE_COPY},
        {{"gpu_memset", 10}, TRACE_COPY},
        {{"Memset", 6}, TRACE_COPY},
        {{"cuda_runtime", 12}, TRACE_LAUNCH},
        {{"Runtime", 7}, TRACE_LAUNCH},
        {{"gpu_user_annotation", 19}, TRACE_SPAN},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (slice_equal(category, rows[i].category))
            return rows[i].role;
    if (slice_ends(category, SLICE("_runtime")) || slice_ends(category, SLICE("_driver")))
        return TRACE_LAUNCH;
    if (slice_equal(category, SLICE("Trace")) && slice_equal(pid, SLICE("Spans")))
        return TRACE_SPAN;
    return TRACE_OTHER;
}

void trace_device_note(struct trace_device *d, int64_t ns, int64_t length)
{
    int64_t end;

    if (__builtin_add_overflow(ns, length, &end))
        end = INT64_MAX;
    if (ns < d->first)
        d->first = ns;
    if (end > d->last)
        d->last = end;
}

/* Returns the index of the piece of work, which is added if it is new. */
static uint32_t get_work(struct trace_device *d, const struct work_key *key)
{
    uint32_t index = intern_add(&d->keys, slice_make((const char *)key, sizeof(*key)));

    if (index == d->works.count)
        *vec_add(&d->works) = (struct trace_work){.stream = key->stream,
                                                  .device = key->device,
                                                  .entry = key->entry,
                                                  .launch = key->launch,
                                                  .is_kernel = key->is_kernel};
    return index;
}

/* Counts an event whose times no recording has. */
static bool is_possible(struct trace_device *d, int64_t ns, int64_t length)
{
    if (ns > -TRACE_SLICES_RANGE && ns < TRACE_SLICES_RANGE && length < TRACE_SLICES_RANGE)
        return true;
    d->bad++;
    return false;
}

static uint32_t device_of(const struct trace_device *d, uint32_t thread)
{
    return d->threads->threads.items[thread].process;
}

bool trace_device_work(struct trace_device *d, uint32_t stream, int64_t ns, int64_t length,
                       struct slice name, bool is_kernel, const int64_t *correlation)
{
    struct frame f = {.name = name, .kind = FRAME_PLAIN, .class = SYMBOL_DEVICE, .has_class = true};
    struct work_key key = {.stream = stream,
                           .device = device_of(d, stream),
                           .launch = TRACE_DEVICE_NONE,
                           .is_kernel = is_kernel};
    struct trace_record r = {.begin = ns, .end = ns + length, .order = d->count};
    uint32_t work;

    if (!is_possible(d, ns, length))
        return true;
    if (d->count == UINT32_MAX)
        return diag_error(d->builder->diag, "more than %u events of devices", UINT32_MAX);
    d->count++;
    d->threads->threads.items[stream].covered = true;
    key.entry = builder_entry(d->builder, &f);
    work = get_work(d, &key);
    d->ns += (uint64_t)length;
    if (busy_is_communication(name))
        d->communication_ns += (uint64_t)length;
    r.group = key.device + 1;
    r.thread = stream;
    if (!trace_sort_add(&d->times, r))
        return false;
    if (correlation)
        return trace_sort_add(
            &d->pairs, (struct trace_record){
                           .begin = *correlation, .end = length, .order = r.order, .name = work});
    d->works.items[work].lost_ns += (uint64_t)length;
    d->works.items[work].lost++;
    return true;
}

bool trace_device_launch(struct trace_device *d, uint32_t thread, int64_t ns, int64_t length,
                         const struct frame *frame, int64_t correlation)
{
    struct trace_record r = {
        .begin = correlation, .thread = thread, .order = d->launches, .name = TRACE_DEVICE_NONE};

    if (!is_possible(d, ns, length))
        return true;
    if (d->launches == UINT32_MAX)
        return diag_error(d->builder->diag, "more than %u launches", UINT32_MAX);
    d->launches++;
    r.end = LAUNCHED + ns;
    if (!length)
        r.name = builder_entry(d->builder, frame);
    return trace_sort_add(&d->pairs, r);
}

bool trace_device_memory(struct trace_device *d, uint32_t thread, int64_t ns, struct slice device,
                         uint64_t bytes)
{
    struct work_key key = {.stream = TRACE_DEVICE_NONE,
                           .device = device_of(d, trace_threads_get(d->threads, device, SLICE(""))),
                           .entry = TRACE_DEVICE_NONE,
                           .launch = TRACE_DEVICE_NONE};

    if (bytes >= (uint64_t)TRACE_SLICES_RANGE || !is_possible(d, ns, 0)) {
        d->bad++;
        return true;
    }
    return trace_slices_ask(d->slices, thread, ns, get_work(d, &key), bytes);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool add_device(struct trace_device *d, uint32_t device, uint32_t *stack)
{
    const struct trace_process *p = &d->threads->processes.items[device];

    return trace_threads_frame(d->builder, p->label, "device",
                               intern_get(&d->threads->pids, device), stack);
}

/* Returns in `stack` the stack with the device as its first frame, if there are several. */
static bool under_device(struct trace_device *d, uint32_t device, uint32_t *stack)
{
    const struct stacks *stacks = &d->builder->profile->stacks;
    uint32_t id = *stack, to = STACK_ROOT;
    struct trace_moved *moved;

    if (!d->several)
        return true;
    while (d->moved.count <= device)
        *vec_add(&d->moved) = (struct trace_moved){0};
    moved = &d->moved.items[device];
    while (moved->count <= *stack)
        *vec_add(moved) = STACK_ROOT;
    vec_clear(&d->climb);
    for (; id != STACK_ROOT && !moved->items[id]; id = stacks->parent[id])
        *vec_add(&d->climb) = id;
    if (id != STACK_ROOT)
        to = moved->items[id];
    else if (!add_device(d, device, &to))
        return false;
    for (size_t i = d->climb.count; i-- > 0;) {
        id = d->climb.items[i];
        if (!builder_child_symbol(d->builder, to, stacks->symbol[id], &to))
            return false;
        moved->items[id] = to;
    }
    *stack = to;
    return true;
}

/* Returns the series of an origin, which lasts as long as the recording. */
static uint32_t series_of(struct trace_device *d, const struct origin *origin, struct unit unit,
                          struct slice records)
{
    uint32_t series = builder_series(d->builder, origin, unit);

    profile_call_records(d->builder->profile, series, records);
    if (series != BUILDER_LEFT_OUT && d->first > 0) {
        builder_time(d->builder, series, (uint64_t)d->first);
        builder_time(d->builder, series, (uint64_t)d->last);
    }
    return series;
}

/* Finds the series of a piece of work. */
static void prepare(struct trace_device *d, struct trace_work *w)
{
    const struct trace_process *p = &d->threads->processes.items[w->device];
    struct origin origin = {.process = p->label.len ? p->label : p->name,
                            .pid = intern_get(&d->threads->pids, w->device)};

    w->ready = true;
    if (w->stream == TRACE_DEVICE_NONE) {
        origin.event = SLICE(EVENT_MEMORY);
        w->time = series_of(d, &origin, unit_named(SLICE("bytes")), SLICE("allocations"));
        return;
    }
    origin.thread = d->threads->threads.items[w->stream].name;
    origin.tid = d->threads->threads.items[w->stream].tid;
    origin.event = SLICE(EVENT_TIME);
    w->time = series_of(d, &origin, trace_time_unit, SLICE("device events"));
    if (!w->is_kernel)
        return;
    origin.event = SLICE(EVENT_KERNELS);
    w->kernels = series_of(d, &origin, unit_named(SLICE("kernels")), SLICE("kernels"));
}

/* Adds the frames of work to the stack of its launch. */
static bool add_frames(struct trace_device *d, const struct trace_work *w, uint32_t *stack)
{
    struct builder *b = d->builder;
    uint32_t dash = symbols_add(&b->profile->symbols, SLICE("-"), SYMBOL_SEPARATOR);

    if (w->launch != TRACE_DEVICE_NONE && !builder_child_entry(b, *stack, w->launch, stack))
        return false;
    return w->stream == TRACE_DEVICE_NONE || (builder_child_symbol(b, *stack, dash, stack) &&
                                              builder_child_entry(b, *stack, w->entry, stack));
}

/* Adds work or memory, of which `events` have the stack. */
static bool add(struct trace_device *d, uint32_t what, uint32_t stack, int64_t ns, uint64_t weight,
                uint64_t events)
{
    struct builder *b = d->builder;
    struct trace_work *w = &d->works.items[what];
    struct decimal amount = {.value = weight};

    if (!w->ready)
        prepare(d, w);
    if (w->stream != TRACE_DEVICE_NONE)
        amount = trace_time_weight(weight);
    if (w->time == BUILDER_LEFT_OUT) {
        builder_count(b, w->time, events);
        return true;
    }
    if (!under_device(d, w->device, &stack) || !add_frames(d, w, &stack))
        return false;
    builder_set_time(b, w->time, ns);
    if (!builder_add_at(b, w->time, stack, amount))
        return false;
    builder_count(b, w->time, events - 1);
    if (!w->is_kernel)
        return true;
    builder_set_time(b, w->kernels, ns);
    if (!builder_add_at(b, w->kernels, stack, (struct decimal){.value = events}))
        return false;
    builder_count(b, w->kernels, events - 1);
    return true;
}

static bool answer(void *context, uint32_t stack, int64_t ns, uint32_t what, uint64_t weight)
{
    return add(context, what, stack, ns, weight, 1);
}

/* ---- launches ------------------------------------------------------------------------------ */

/* Makes a piece of work a question at its launch, or counts it as without one. */
static bool ask(struct trace_device *d, const struct trace_record *work,
                const struct trace_record *launch)
{
    struct trace_work *w = &d->works.items[work->name];
    uint32_t what = work->name;

    if (!launch) {
        w->lost_ns += (uint64_t)work->end;
        w->lost++;
        return true;
    }
    if (launch->name != TRACE_DEVICE_NONE)
        what = get_work(
            d, &(struct work_key){w->stream, w->device, w->entry, launch->name, w->is_kernel});
    return trace_slices_ask(d->slices, launch->thread, launch->end - LAUNCHED, what,
                            (uint64_t)work->end);
}

/* Whether several devices have work. */
static bool has_several(const struct trace_device *d)
{
    uint32_t first = TRACE_DEVICE_NONE;

    vec_each (const struct trace_work, w, &d->works) {
        if (w->stream == TRACE_DEVICE_NONE)
            continue;
        if (first == TRACE_DEVICE_NONE)
            first = w->device;
        if (first != w->device)
            return true;
    }
    return false;
}

bool trace_device_ask(struct trace_device *d)
{
    struct trace_record r, launch = {0};
    bool launched = false;
    int more;

    d->several = has_several(d);
    d->slices->answer = answer;
    d->slices->context = d;
    if (!trace_sort_finish(&d->pairs))
        return false;
    while ((more = trace_sort_next(&d->pairs, &r)) > 0) {
        bool same = launched && launch.begin == r.begin;

        if (r.end < TRACE_SLICES_RANGE) {
            if (!ask(d, &r, same ? &launch : NULL))
                return false;
        } else if (!same || r.order > launch.order) { /* of several, the last of the file */
            launch = r;
            launched = true;
        }
    }
    return more == 0;
}

/* ---- the end -------------------------------------------------------------------------------- */

static bool add_lost(struct trace_device *d)
{
    const struct frame unknown = {.name = SLICE("[unknown launch]"), .kind = FRAME_PLAIN};
    uint64_t lost = 0;

    for (uint32_t i = 0; i < d->works.count; i++) {
        const struct trace_work w = d->works.items[i];
        uint32_t stack;

        if (!w.lost)
            continue;
        lost += w.lost;
        if (!builder_child(d->builder, STACK_ROOT, &unknown, &stack) ||
            !add(d, i, stack, d->first, w.lost_ns, w.lost))
            return false;
    }
    diag_warn_count(d->builder->diag, lost,
                    "the launch of # event{|s} of a device is not in the recording; shown below "
                    "[unknown launch]");
    return true;
}

/* ---- facts --------------------------------------------------------------------------------- */

static void add_busy(struct trace_device *d, uint32_t device, const struct busy *busy,
                     const struct busy *streams)
{
    const struct trace_threads *t = d->threads;
    struct slice label = t->processes.items[device].label;
    struct buf name = {0};
    struct busy_fact fact;

    busy_begin(&fact, busy, (uint64_t)d->last - (uint64_t)d->first);
    for (uint32_t i = 0; i < t->threads.count; i++) {
        if (!streams[i].seen || t->threads.items[i].process != device)
            continue;
        buf_clear(&name);
        buf_printf(&name, "stream %.*s", SLICE_ARG(slice_trim(t->threads.items[i].tid)));
        busy_stream(&fact, buf_slice(&name), &streams[i]);
    }
    buf_clear(&name);
    if (label.len)
        buf_add_slice(&name, label);
    else
        buf_printf(&name, "device %.*s", SLICE_ARG(intern_get(&t->pids, device)));
    busy_end(&fact, d->builder->profile, buf_slice(&name));
    buf_release(&name);
}

static bool add_facts(struct trace_device *d)
{
    struct busy *streams = xcalloc(d->threads->threads.count + 1, sizeof(*streams));
    struct busy *devices = xcalloc(d->threads->processes.count + 1, sizeof(*devices));
    struct trace_record r;
    int more = -1;

    if (trace_sort_finish(&d->times))
        while ((more = trace_sort_next(&d->times, &r)) > 0) {
            busy_pass(&streams[r.thread], r.begin, r.end);
            busy_pass(&devices[r.group - 1], r.begin, r.end);
        }
    for (uint32_t i = 0; more == 0 && i < d->threads->processes.count; i++)
        if (devices[i].seen)
            add_busy(d, i, &devices[i], streams);
    if (more == 0)
        busy_communication(d->builder->profile, d->communication_ns, d->ns);
    xfree(streams);
    xfree(devices);
    return more == 0;
}

static unsigned rank(const struct series *s)
{
    static const struct slice events[] = {
        {EVENT_TIME, sizeof(EVENT_TIME) - 1},
        {EVENT_KERNELS, sizeof(EVENT_KERNELS) - 1},
        {TRACE_DEVICE_CPU_TIME, sizeof(TRACE_DEVICE_CPU_TIME) - 1},
        {EVENT_MEMORY, sizeof(EVENT_MEMORY) - 1},
    };
    unsigned i;

    for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (slice_equal(s->event, events[i]))
            break;
    return i;
}

bool trace_device_finish(struct trace_device *d)
{
    if (!add_lost(d) || !add_facts(d))
        return false;
    diag_warn_count(d->builder->diag, d->bad,
                    "skipped # event{|s} of devices with an impossible time");
    d->builder->profile->ledger.unreadable += d->bad;
    profile_order_series(d->builder->profile, rank);
    return true;
}
