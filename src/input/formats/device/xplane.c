/*
 * XSpace, the recordings of JAX, XLA and TensorFlow (*.xplane.pb): time of accelerators by scope.
 *
 * A plane "/device:GPU:0" has a line for each stream ("Stream #16(Kernel)"), and all that is on
 * them counts. A plane "/device:TPU:0" has the line "XLA Ops", on which loops contain their bodies:
 * an operation counts without those within. Other lines of a device ("Steps", "XLA Modules",
 * "Async XLA Ops") cover the same time and are left out. The stack of work is
 *
 *     GPU 0;jit_f;jit(f);while;body;dot_general;-;fusion.3;kernel
 *
 * that is the device, if there are several; the module; the scopes, split at '/', of the statement
 * "name" or else "tf_op"; a separator; the operation of XLA, unless its kernel has the same name;
 * the kernel. What work does not state, the launch on the host with the same correlation does. Work
 * that has neither a module nor scopes is below the events of the host that launched it, or below
 * "[unknown launch]"; without a launch, "[unknown module]". The event is "GPU time" or "TPU time".
 *
 * Planes "/host:..." have a line for each thread, whose events contain each other: "CPU time", of
 * which an event keeps what those within it leave. Times are in picoseconds.
 */
#include "base/budget.h"
#include "input/build/busy.h"
#include "input/build/builder.h"
#include "input/build/python.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/device/xplane_plane.h"

#define CPU_TIME "CPU time"

/* The work of a device that has the same stack. */
struct work {
    uint32_t device;                        /* of `labels` */
    uint32_t kernel, scope, module, hlo_op; /* texts, or MAP_NONE */
    uint32_t launch;                        /* stack of the host, or STACK_ROOT */
    uint32_t launched;                      /* it has a launch, recorded or not */
};

struct launch {
    struct xplane_op op;
    uint32_t stack;
};

/* The frames of a text with scopes: a range of `entries`. */
struct scopes {
    bool known;
    size_t first, count;
};

/* How long a line of a device was busy. */
struct line_busy {
    uint32_t device;
    struct slice name;
    struct busy busy;
};

struct span {
    int64_t begin, end; /* ns */
    size_t line;        /* of `lines` */
};

struct xspace {
    struct content *content;
    struct builder b;
    struct intern texts, labels, works, correlations, left_out;
    VEC(uint32_t) stacks; /* by work */
    VEC(struct launch) launches;
    VEC(uint64_t) left_out_events; /* by `left_out` */
    VEC(struct line_busy) lines;
    VEC(struct busy) devices;  /* by label */
    VEC(struct span) spans;    /* of the plane */
    VEC(uint32_t) entries;     /* of the builder, for scopes */
    VEC(struct scopes) scopes; /* by text */
    struct xplane_events events, modules;
    struct buf scratch;
    unsigned device_planes, threads; /* that have something to count */
    bool any;
    int64_t first, last; /* ns */
    uint64_t total, communication;
    uint64_t bad, nameless, lost, homeless, damaged;
};

static void release(struct xspace *s)
{
    release_each(s, (intern, texts, labels, works, correlations, left_out),
                 (vec, stacks, launches, left_out_events, lines, devices, spans, events),
                 (vec, modules, entries, scopes), (buf, scratch), (builder, b));
}

/* ---- planes -------------------------------------------------------------------------------- */

enum kind { NOTHING, HOST, STREAMS, OPERATIONS, UNKNOWN };

static bool is_stream(const struct xplane_line *line)
{
    return slice_starts(line->name, SLICE("Stream #"));
}

static bool is_operations(const struct xplane_line *line)
{
    return slice_equal(line->name, SLICE("XLA Ops")) ||
           slice_equal(line->name, SLICE("Sparse Core Ops"));
}

static enum kind kind_of(const struct xplane *x)
{
    enum kind kind = NOTHING;

    vec_each (const struct xplane_line, line, &x->lines) {
        if (!line->events)
            continue;
        if (slice_starts(x->name, SLICE("/host:")))
            return HOST;
        if (slice_starts(x->name, SLICE("/device:")) && is_stream(line))
            return STREAMS;
        if (slice_starts(x->name, SLICE("/device:")) && is_operations(line))
            kind = OPERATIONS;
        else if (kind == NOTHING)
            kind = UNKNOWN;
    }
    return kind;
}

static bool counts(enum kind kind, const struct xplane_line *line)
{
    return line->events && (kind == HOST || (kind == STREAMS && is_stream(line)) ||
                            (kind == OPERATIONS && is_operations(line)));
}

/* "GPU 0" of "/device:GPU:0", "host CPU" of "/host:CPU". */
static uint32_t label_of(struct xspace *s, struct slice name)
{
    if (slice_starts(name, SLICE("/device:")))
        name = slice_skip(name, strlen("/device:"));
    else if (slice_starts(name, SLICE("/")))
        name = slice_skip(name, 1);
    buf_clear(&s->scratch);
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(&s->scratch, name.ptr[i] == ':' ? ' ' : name.ptr[i]);
    return intern_add(&s->labels, buf_slice(&s->scratch));
}

/* ---- weights ------------------------------------------------------------------------------- */

static struct origin origin_of(struct xspace *s, uint32_t label, const struct xplane_line *line,
                               struct slice event)
{
    struct origin origin = {.event = event, .thread = line->name};

    origin.process = intern_get(&s->labels, label);
    buf_clear(&s->scratch);
    buf_printf(&s->scratch, "%llu", (unsigned long long)line->id);
    origin.tid = intern_get(&s->texts, intern_add(&s->texts, buf_slice(&s->scratch)));
    return origin;
}

static uint32_t series_of(struct xspace *s, const struct origin *origin, struct slice records)
{
    uint32_t series = builder_series(&s->b, origin, unit_named(SLICE("ns")));

    profile_call_records(s->b.profile, series, records);
    return series;
}

/* Returns the time of an event in ns, and widens that of the recording. False if none has it. */
static bool take_times(struct xspace *s, const struct xplane_line *line,
                       const struct xplane_event *e, struct span *span)
{
    enum { PS = 1000 };

    if (!e->possible || __builtin_add_overflow(line->ns, e->begin / PS, &span->begin) ||
        __builtin_add_overflow(line->ns, e->end / PS, &span->end)) {
        s->bad++;
        return false;
    }
    if (e->is_sum)
        return true;
    if (!s->any || span->begin < s->first)
        s->first = span->begin;
    if (!s->any || span->end > s->last)
        s->last = span->end;
    s->any = true;
    return true;
}

static bool add_weight(struct xspace *s, uint32_t series, uint32_t stack, int64_t ns, uint64_t ps)
{
    enum { DECIMALS = 3 };

    builder_set_time(&s->b, series, ns);
    return builder_add_at(&s->b, series, stack,
                          (struct decimal){.value = ps, .decimals = DECIMALS});
}

/* ---- the host ------------------------------------------------------------------------------ */

/* "$train.py:88 step" is a function of Python, "$builtins len" one that has no source. */
static uint32_t host_entry(struct xspace *s, struct xplane *x, uint32_t name)
{
    struct xplane_name *n = name == MAP_NONE ? NULL : &x->names.items[name];
    struct frame f = {.kind = FRAME_PLAIN, .name = n ? n->text : SLICE("")};
    size_t blank, colon;

    s->nameless += !f.name.len;
    if (n && n->entry != MAP_NONE)
        return n->entry;
    if (slice_starts(f.name, SLICE("$"))) {
        f.name = slice_skip(f.name, 1);
        blank = slice_find_last(f.name, ' ');
        colon = slice_find_last(slice_take(f.name, blank), ':');
        if (colon < blank && blank < f.name.len &&
            num_parse_u64(slice_skip(slice_take(f.name, blank), colon + 1), &f.line)) {
            f.file = slice_take(f.name, colon);
            f.name = python_name(slice_skip(f.name, blank + 1), f.file, &s->scratch);
        }
    }
    if (n)
        return n->entry = builder_entry(&s->b, &f);
    return builder_entry(&s->b, &f);
}

static void add_launch(struct xspace *s, const struct xplane_event *e)
{
    uint64_t id = e->op.correlation;
    uint32_t index = intern_add(&s->correlations, slice_make((const char *)&id, sizeof(id)));
    const struct launch launch = {.op = e->op, .stack = e->stack};

    if (index == s->launches.count)
        *vec_add(&s->launches) = launch;
    else if (s->launches.items[index].op.module == MAP_NONE)
        s->launches.items[index] = launch; /* of several, one that says more, or the last */
}

static bool add_thread(struct xspace *s, struct xplane *x, const struct xplane_line *line)
{
    struct origin origin = origin_of(s, label_of(s, x->name), line, SLICE(CPU_TIME));
    uint32_t series = series_of(s, &origin, SLICE("events")), root = STACK_ROOT;
    struct span span;

    if (s->threads > 1 && !s->b.options->split_thread &&
        !builder_child(
            &s->b, STACK_ROOT,
            &(struct frame){.name = line->name.len ? line->name : origin.tid, .kind = FRAME_OWNER},
            &root))
        return false;
    xplane_plane_events(x, line, &s->events);
    vec_each (struct xplane_event, e, &s->events) {
        e->stack = e->outer == MAP_NONE ? root : s->events.items[e->outer].stack;
        if (!take_times(s, line, e, &span))
            continue;
        if (!builder_child_entry(&s->b, e->stack, host_entry(s, x, e->name), &e->stack))
            return false;
        if (e->op.has_correlation)
            add_launch(s, e);
        if ((e->own || series == BUILDER_LEFT_OUT) &&
            !add_weight(s, series, e->stack, span.begin, e->own))
            return false;
    }
    profile_uncount(s->b.profile, series);
    return true;
}

/* ---- stacks of devices --------------------------------------------------------------------- */

/* The scopes of "name", or of "tf_op" without its type: "jit(f)/add" of "jit(f)/add:". */
static uint32_t scope_of(struct xspace *s, const struct xplane_op *op)
{
    struct slice text;
    size_t colon;

    if (op->name != MAP_NONE || op->tf_op == MAP_NONE)
        return op->name;
    text = intern_get(&s->texts, op->tf_op);
    colon = slice_find_last(text, ':');
    if (colon < text.len && slice_find(slice_skip(text, colon), '/') == text.len - colon)
        text = slice_take(text, colon);
    if (!text.len || slice_equal(text, SLICE("XlaModule")))
        return MAP_NONE;
    return intern_add(&s->texts, text);
}

/* Splits at '/' but within parentheses: "jit(f)/jvp(a/b)/dot". */
static void split_scopes(struct xspace *s, struct slice text)
{
    size_t depth = 0, start = 0;

    for (size_t i = 0; i <= text.len; i++) {
        char c = i < text.len ? text.ptr[i] : '/';
        struct frame f = {.kind = FRAME_PLAIN};

        depth += c == '(';
        depth -= c == ')' && depth;
        if ((c != '/' || depth) && i < text.len)
            continue;
        f.name = slice_make(text.ptr + start, i - start);
        if (f.name.len)
            *vec_add(&s->entries) = builder_entry(&s->b, &f);
        start = i + 1;
    }
}

/* Pushes the scopes of a text, which is split once; of very many, those that are kept. */
static void push_scopes(struct xspace *s, uint32_t text)
{
    const size_t most = s->b.options->limits.max_depth;
    struct scopes *scopes;

    while (s->scopes.count <= text)
        *vec_add(&s->scopes) = (struct scopes){0};
    scopes = &s->scopes.items[text];
    if (!scopes->known) {
        *scopes = (struct scopes){.known = true, .first = s->entries.count};
        split_scopes(s, intern_get(&s->texts, text));
        scopes->count = s->entries.count - scopes->first;
    }
    for (size_t i = scopes->count > most ? scopes->count - most : 0; i < scopes->count; i++)
        builder_push(&s->b, s->entries.items[scopes->first + i]);
}

/* Whether a kernel is named after an operation: "fusion_1.kd" after "fusion.1". */
static bool is_named_after(struct slice kernel, struct slice operation)
{
    if (slice_ends(kernel, SLICE(".kd")))
        kernel.len -= strlen(".kd");
    if (kernel.len != operation.len)
        return false;
    for (size_t i = 0; i < kernel.len; i++)
        if (kernel.ptr[i] != operation.ptr[i] &&
            !(kernel.ptr[i] == '_' && (operation.ptr[i] == '.' || operation.ptr[i] == '-')))
            return false;
    return true;
}

static void push_device_frame(struct xspace *s, struct slice name)
{
    builder_frame(
        &s->b, &(struct frame){
                   .name = name, .kind = FRAME_PLAIN, .class = SYMBOL_DEVICE, .has_class = true});
}

static bool make_stack(struct xspace *s, const struct work *w, uint32_t *stack)
{
    struct builder *b = &s->b;

    builder_begin(b);
    if (s->device_planes > 1 && !b->options->split_process)
        builder_name(b, intern_get(&s->labels, w->device), FRAME_OWNER);
    if (w->module != MAP_NONE)
        builder_name(b, intern_get(&s->texts, w->module), FRAME_PLAIN);
    if (w->scope != MAP_NONE)
        push_scopes(s, w->scope);
    else if (w->module == MAP_NONE && w->launch != STACK_ROOT)
        builder_push_stack(b, w->launch);
    else if (w->module == MAP_NONE)
        builder_name(b, w->launched ? SLICE("[unknown launch]") : SLICE("[unknown module]"),
                     FRAME_PLAIN);
    builder_frame(
        b, &(struct frame){.name = SLICE("-"), .kind = FRAME_PLAIN, .class = SYMBOL_SEPARATOR});
    if (w->hlo_op != MAP_NONE &&
        !is_named_after(intern_get(&s->texts, w->kernel), intern_get(&s->texts, w->hlo_op)))
        push_device_frame(s, intern_get(&s->texts, w->hlo_op));
    push_device_frame(s, intern_get(&s->texts, w->kernel));
    return builder_stack(b, stack);
}

/* ---- devices ------------------------------------------------------------------------------- */

/* Fills in what an event does not state from the launch with its correlation. */
static uint32_t add_launched(struct xspace *s, struct xplane_op *op)
{
    const struct launch *l;
    uint32_t index = MAP_NONE;

    if (op->has_correlation)
        index = intern_find(&s->correlations,
                            slice_make((const char *)&op->correlation, sizeof(op->correlation)));
    if (index == MAP_NONE)
        return STACK_ROOT;
    l = &s->launches.items[index];
    if (op->module == MAP_NONE && op->name == MAP_NONE && op->tf_op == MAP_NONE) {
        op->name = l->op.name;
        op->tf_op = l->op.tf_op;
        op->module = l->op.module;
        op->hlo_op = l->op.hlo_op;
    }
    return l->stack;
}

/* Returns the module that runs when an operation begins: "jit_f" of "jit_f(123)". */
static uint32_t running(struct xspace *s, const struct xplane *x, int64_t ps, size_t *at)
{
    const struct xplane_events *m = &s->modules;
    struct slice text;
    size_t open;

    while (*at + 1 < m->count && m->items[*at + 1].begin <= ps)
        ++*at;
    if (*at >= m->count || !m->items[*at].possible || m->items[*at].begin > ps ||
        m->items[*at].end <= ps || m->items[*at].name == MAP_NONE)
        return MAP_NONE;
    text = x->names.items[m->items[*at].name].text;
    open = slice_find_last(text, '(');
    return intern_add(&s->texts, slice_ends(text, SLICE(")")) ? slice_take(text, open) : text);
}

/* Reads the line of the modules; `shift` is to be added to times of the other line. */
static void read_modules(struct xspace *s, struct xplane *x, const struct xplane_line *line,
                         int64_t *shift)
{
    enum { PS = 1000 };
    const struct xplane_line *modules = xplane_plane_line(x, SLICE("XLA Modules"));

    budget_work(x->lines.count);
    vec_clear(&s->modules);
    if (modules && !__builtin_sub_overflow(line->ns, modules->ns, shift) &&
        !__builtin_mul_overflow(*shift, PS, shift))
        xplane_plane_events(x, modules, &s->modules);
}

static bool stack_of(struct xspace *s, uint32_t device, const struct xplane_event *e,
                     struct slice kernel, uint32_t *stack)
{
    struct xplane_op op = e->op;
    struct work w = {.device = device,
                     .kernel = intern_add(&s->texts, kernel),
                     .launched = e->op.has_correlation};
    uint32_t index;

    w.launch = add_launched(s, &op);
    w.scope = scope_of(s, &op);
    w.module = op.module;
    w.hlo_op = op.hlo_op;
    if (w.module != MAP_NONE || w.scope != MAP_NONE)
        w.launch = STACK_ROOT;
    else if (w.launch == STACK_ROOT)
        ++*(w.launched ? &s->lost : &s->homeless);
    index = intern_add(&s->works, slice_make((const char *)&w, sizeof(w)));
    if (index == s->stacks.count) {
        *vec_add(&s->stacks) = STACK_ROOT;
        if (!make_stack(s, &w, &s->stacks.items[index]))
            return false;
    }
    *stack = s->stacks.items[index];
    return true;
}

static bool add_work(struct xspace *s, const struct xplane *x, uint32_t series, uint32_t device,
                     const struct xplane_event *e, int64_t ns, uint64_t ps)
{
    struct slice kernel = e->name == MAP_NONE ? SLICE("") : x->names.items[e->name].text;
    uint32_t stack = STACK_ROOT;

    s->nameless += !kernel.len;
    if (series != BUILDER_LEFT_OUT && !stack_of(s, device, e, kernel, &stack))
        return false;
    if (busy_is_communication(kernel))
        s->communication += ps;
    s->total += ps;
    return add_weight(s, series, stack, ns, ps);
}

static bool add_device_line(struct xspace *s, struct xplane *x, const struct xplane_line *line,
                            bool flat)
{
    uint32_t label = label_of(s, x->name), series;
    struct origin origin = origin_of(s, label, line, SLICE(""));
    struct slice type = origin.process;
    size_t at = 0;
    int64_t shift = 0;

    buf_clear(&s->scratch);
    buf_printf(&s->scratch, "%.*s time", (int)slice_find(type, ' '), type.ptr);
    origin.event = intern_get(&s->texts, intern_add(&s->texts, buf_slice(&s->scratch)));
    origin.pid = slice_skip(type, slice_find_last(type, ' ') + 1);
    series = series_of(s, &origin, SLICE("device events"));
    *vec_add(&s->lines) = (struct line_busy){.device = label, .name = line->name};
    if (!flat)
        read_modules(s, x, line, &shift);
    xplane_plane_events(x, line, &s->events);
    vec_each (struct xplane_event, e, &s->events) {
        struct span span = {.line = s->lines.count - 1};
        int64_t ps;

        if (!take_times(s, line, e, &span))
            continue;
        if (!e->is_sum)
            *vec_add(&s->spans) = span;
        if (e->op.module == MAP_NONE && !flat && !__builtin_add_overflow(e->begin, shift, &ps))
            e->op.module = running(s, x, ps, &at);
        if (!add_work(s, x, series, label, e, span.begin,
                      flat ? (uint64_t)e->end - (uint64_t)e->begin : e->own))
            return false;
    }
    return true;
}

static int compare_spans(const void *left, const void *right)
{
    const struct span *a = left, *b = right;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void pass_spans(struct xspace *s, uint32_t label)
{
    while (s->devices.count <= label)
        *vec_add(&s->devices) = (struct busy){0};
    if (s->spans.count)
        qsort(s->spans.items, s->spans.count, sizeof(s->spans.items[0]), compare_spans);
    vec_each (const struct span, span, &s->spans) {
        busy_pass(&s->lines.items[span->line].busy, span->begin, span->end);
        busy_pass(&s->devices.items[label], span->begin, span->end);
    }
    vec_clear(&s->spans);
}

/* ---- the space ----------------------------------------------------------------------------- */

/* Counts the events of a line that is left out; for a plane without a known line, reports them. */
static void leave_out(struct xspace *s, enum kind kind, const struct xplane *x,
                      const struct xplane_line *line)
{
    uint32_t index;

    if (kind == UNKNOWN) {
        diag_warn(s->content->diag, "left out %llu event%s of the line '%.*s' of the plane '%.*s'",
                  (unsigned long long)line->events, diag_s(line->events), SLICE_ARG(line->name),
                  SLICE_ARG(x->name));
        return;
    }
    index = intern_add(&s->left_out, line->name);
    if (index == s->left_out_events.count)
        *vec_add(&s->left_out_events) = 0;
    s->left_out_events.items[index] += line->events;
}

static bool read_lines(struct xspace *s, struct xplane *x, enum kind kind)
{
    vec_each (const struct xplane_line, line, &x->lines) {
        if (!budget_allows(s->content->diag, DIAG_AT_FILE))
            return false;
        if (!counts(kind, line)) {
            if (line->events)
                leave_out(s, kind, x, line);
        } else if (kind == HOST ? !add_thread(s, x, line)
                                : !add_device_line(s, x, line, kind == STREAMS)) {
            return false;
        }
    }
    if (kind == STREAMS || kind == OPERATIONS)
        pass_spans(s, label_of(s, x->name));
    return true;
}

static void count_lines(struct xspace *s, const struct xplane *x, enum kind kind)
{
    s->device_planes += kind == STREAMS || kind == OPERATIONS;
    vec_each (const struct xplane_line, line, &x->lines)
        s->threads += kind == HOST && counts(kind, line);
}

/* Threads come first, because work of devices refers to their launches. */
enum pass { COUNT, THREADS, DEVICES };

static bool read_plane(struct xspace *s, struct slice fields, enum pass pass)
{
    struct xplane x;
    enum kind kind;
    bool ok = true;

    xplane_plane_read(&x, fields, &s->texts);
    kind = kind_of(&x);
    if (pass == COUNT)
        count_lines(s, &x, kind);
    else if ((pass == THREADS) == (kind == HOST))
        ok = read_lines(s, &x, kind);
    else
        x.damaged = 0; /* counted in its own pass */
    s->damaged += pass == COUNT ? 0 : x.damaged;
    xplane_plane_release(&x);
    return ok;
}

static bool read_planes(struct xspace *s, struct slice bytes, enum pass pass)
{
    enum { PLANES = 1, ERRORS, WARNINGS, HOSTS };
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.wire != PROTO_BYTES)
            continue;
        if (f.number == PLANES && !read_plane(s, f.bytes, pass))
            return false;
        if (pass == COUNT && (f.number == ERRORS || f.number == WARNINGS))
            diag_warn(s->content->diag, "the recording states: %.*s", SLICE_ARG(f.bytes));
        if (pass == COUNT && f.number == HOSTS)
            profile_add_fact(s->b.profile, SLICE("host"), f.bytes);
    }
    s->damaged += pass == COUNT && bytes.len;
    return true;
}

/* ---- the end ------------------------------------------------------------------------------- */

static bool add_facts(struct xspace *s)
{
    struct busy_fact fact;

    for (uint32_t i = 0; i < s->devices.count; i++) {
        if (!s->devices.items[i].seen)
            continue;
        budget_work(s->lines.count);
        if (!budget_allows(s->content->diag, DIAG_AT_FILE))
            return false;
        busy_begin(&fact, &s->devices.items[i], (uint64_t)s->last - (uint64_t)s->first);
        vec_each (const struct line_busy, line, &s->lines)
            if (line->device == i)
                busy_stream(&fact, line->name, &line->busy);
        busy_end(&fact, s->b.profile, intern_get(&s->labels, i));
    }
    busy_communication(s->b.profile, s->communication, s->total);
    return true;
}

static void tell(struct xspace *s)
{
    struct diag *diag = s->content->diag;

    for (uint32_t i = 0; i < s->left_out_events.count; i++)
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "left out %llu event%s of the line '%.*s', which cover the time of others",
                 (unsigned long long)s->left_out_events.items[i],
                 diag_s(s->left_out_events.items[i]), SLICE_ARG(intern_get(&s->left_out, i)));
    diag_warn_count(diag, s->lost,
                    "the launch of # event{|s} of a device is not in the recording; shown below "
                    "[unknown launch]");
    diag_warn_count(diag, s->homeless,
                    "# event{|s} of a device {has|have} neither a module nor a launch; shown below "
                    "[unknown module]");
    diag_warn_count(diag, s->nameless, "# event{ has|s have} no name");
    builder_unreadable(&s->b, s->bad, "skipped # event{|s} with an impossible time");
    if (s->damaged)
        cut_off(s->content, DIAG_AT_FILE,
                "the file is truncated or damaged; what could be read is drawn");
}

/* Work of devices first, then the host. */
static unsigned rank(const struct series *series)
{
    return slice_equal(series->event, SLICE(CPU_TIME));
}

static bool xplane_read_all(struct xspace *s, struct slice bytes)
{
    if (!read_planes(s, bytes, COUNT) || !read_planes(s, bytes, THREADS) ||
        !read_planes(s, bytes, DEVICES))
        return false;
    for (uint32_t i = 0; s->first > 0 && i < s->b.profile->series.count; i++) {
        builder_time(&s->b, i, (uint64_t)s->first);
        builder_time(&s->b, i, (uint64_t)s->last);
    }
    if (!add_facts(s))
        return false;
    tell(s);
    profile_order_series(s->b.profile, rank);
    return true;
}

static bool xplane_read(struct content *content)
{
    struct xspace s = {.content = content};
    struct buf bytes = {0};
    bool ok;

    builder_init(&s.b, content->profile, content->options, content->diag);
    ok = content_load(content, &bytes) && xplane_read_all(&s, buf_slice(&bytes));
    release(&s);
    buf_release(&bytes);
    return ok;
}

/* Claims a file whose first plane has an id and then a name of a known kind. */
static bool xplane_claims(const struct head *head)
{
    enum { PLANES = 1, ID = 1, NAME };
    struct slice rest = head->bytes;
    struct proto_field f;
    uint64_t len;

    if (!proto_key(&rest, &f, &len) || f.number != PLANES || f.wire != PROTO_BYTES)
        return false;
    rest = slice_take(rest, len);
    while (proto_next(&rest, &f) && f.number == ID && f.wire == PROTO_VARINT)
        ;
    return f.number == NAME && f.wire == PROTO_BYTES &&
           (slice_starts(f.bytes, SLICE("/host:")) || slice_starts(f.bytes, SLICE("/device:")));
}

const struct format format_xplane = {
    .name = "xplane",
    .family = FORMAT_DEVICES,
    .description = "XSpace of JAX, XLA and TensorFlow: device time by scope, CPU time by thread",
    .recognised = "protobuf whose first message has a name such as '/device:GPU:0'",
    .example = "jax.profiler.start_trace('trace')   # writes *.xplane.pb below it",
    .claims = xplane_claims,
    .read = xplane_read,
};
