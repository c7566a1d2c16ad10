#include "input/formats/web/firefox_thread.h"

#include <stdlib.h>

#include "base/num.h"
#include "input/formats/web/firefox_frame.h"

struct thread {
    struct builder *b;
    const struct firefox_process *process;
    const struct json_value *value;
    struct origin origin;
    struct firefox_frames frames;
    struct firefox_table stack_table;
    struct firefox_column prefix, frame;
    uint32_t *stacks; /* by stack: the profile's, once they are made */
    bool *used;       /* by stack */
    uint32_t root;    /* the stack of process and thread */
    bool has_root;
    uint64_t broken; /* stacks that refer to what is not there */
};

/* ---- whose ---------------------------------------------------------------------------------- */

/* A number or a string, as it is written. */
static struct slice any_text(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) ? v->text : SLICE("");
}

static void read_origin(struct thread *t)
{
    t->origin.process = json_text(json_get(t->value, "processName"));
    if (!t->origin.process.len)
        t->origin.process = json_text(json_get(t->value, "processType"));
    t->origin.pid = any_text(json_get(t->value, "pid"));
    t->origin.thread = json_text(json_get(t->value, "name"));
    t->origin.tid = any_text(json_get(t->value, "tid"));
}

static bool add_owner(struct thread *t, struct slice name, struct slice number, bool numbered)
{
    struct frame f = {.kind = FRAME_PLAIN};
    struct buf text;
    bool ok;

    buf_init(&text);
    buf_add_slice(&text, name.len ? name : SLICE("[unknown]"));
    if (numbered && number.len)
        buf_printf(&text, "-%.*s", SLICE_ARG(number));
    f.name = buf_slice(&text);
    ok = builder_child(t->b, t->root, &f, &t->root);
    buf_release(&text);
    return ok;
}

/* Makes the stack of process and thread; threads without samples have none. */
static bool make_root(struct thread *t)
{
    const struct input_options *o = t->b->options;

    if (t->has_root)
        return true;
    t->has_root = true;
    return add_owner(t, t->origin.process, t->origin.pid, o->pid || o->tid) &&
           add_owner(t, t->origin.thread, t->origin.tid, o->tid);
}

/* ---- stacks --------------------------------------------------------------------------------- */

static uint32_t prefix_of(struct thread *t, uint32_t stack)
{
    uint32_t prefix = firefox_table_index(&t->prefix, stack);

    if (prefix != FIREFOX_NONE && prefix >= stack) {
        t->broken++;
        return FIREFOX_NONE;
    }
    return prefix;
}

static void mark_used(struct thread *t, uint32_t stack)
{
    while (stack != FIREFOX_NONE && !t->used[stack]) {
        t->used[stack] = true;
        stack = prefix_of(t, stack);
    }
}

/* The frame of a stack on top of the one below it; that of the root adds none. */
static bool make_stack(struct thread *t, uint32_t stack)
{
    uint32_t prefix = firefox_table_index(&t->prefix, stack);
    uint32_t row = firefox_table_index(&t->frame, stack);
    uint32_t parent = prefix < stack ? t->stacks[prefix] : t->root;
    struct frame f;

    t->stacks[stack] = parent;
    if (!firefox_frames_get(&t->frames, row, &f))
        return true;
    return builder_child(t->b, parent, &f, &t->stacks[stack]);
}

/* Makes all stacks that the samples of a table are in. */
static bool make_stacks(struct thread *t, const struct firefox_column *samples)
{
    uint32_t count = firefox_table_rows(&t->prefix), rows = firefox_table_rows(samples);

    memset(t->used, 0, count);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t stack = firefox_table_index(samples, i);

        if (stack < count)
            mark_used(t, stack);
        else
            t->broken += stack != FIREFOX_NONE;
    }
    for (uint32_t i = 0; i < count; i++)
        if (t->used[i] && !make_stack(t, i))
            return false;
    return true;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Samples and allocations are tables of one kind. */
struct samples {
    struct firefox_table table;
    struct firefox_column stack, weight, time, delta;
    uint32_t series;
    uint64_t now; /* nanoseconds, where times are differences */
    uint64_t bad; /* weights that are none */
};

/* Milliseconds to nanoseconds. */
static bool read_time(const struct json_value *v, uint64_t *ns)
{
    struct decimal d;
    unsigned decimals = NUM_MAX_DECIMALS - 3;

    if (!json_decimal(v, &d, NULL))
        return false;
    for (; d.decimals > decimals; d.decimals--)
        d.value /= 10;
    return num_mul(d.value, num_pow10(decimals - d.decimals), ns);
}

static void note_time(struct thread *t, struct samples *s, uint32_t row)
{
    uint64_t ns;

    if (s->delta.there && read_time(firefox_table_cell(&s->delta, row), &ns))
        ns = s->now += ns;
    else if (s->delta.there || !read_time(firefox_table_cell(&s->time, row), &ns))
        return;
    if (num_add(ns, t->process->start, &ns))
        builder_time(t->b, s->series, ns);
}

/* A sample without a weight counts once. Times are kept to the nanosecond. */
static bool add_sample(struct thread *t, struct samples *s, uint32_t row, uint32_t stack)
{
    const struct json_value *cell = firefox_table_cell(&s->weight, row);
    struct decimal weight = {.value = 1};
    bool negative = false;

    if (cell && cell->type != JSON_NULL && !json_decimal(cell, &weight, &negative)) {
        s->bad++;
        return true;
    }
    if (!negative)
        return builder_add_at(t->b, s->series, stack, weight);
    if (weight.decimals || weight.value > INT64_MAX) {
        s->bad++;
        return true;
    }
    return builder_add_signed_at(t->b, s->series, stack, -(int64_t)weight.value);
}

static bool add_samples(struct thread *t, struct samples *s)
{
    uint32_t rows = firefox_table_rows(&s->stack), count = firefox_table_rows(&t->prefix);

    if (!rows)
        return true;
    if (!make_root(t) || !make_stacks(t, &s->stack))
        return false;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t stack = firefox_table_index(&s->stack, i);

        t->b->profile->ledger.lines++;
        t->b->profile->ledger.without_frames += stack >= count;
        note_time(t, s, i);
        if (!add_sample(t, s, i, stack < count ? t->stacks[stack] : t->root))
            return false;
    }
    if (s->bad)
        diag_add(t->b->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu weights of samples are no numbers, or cannot be subtracted; left out",
                 (unsigned long long)s->bad);
    t->b->profile->ledger.unreadable += s->bad;
    return true;
}

/* What the weights of a table are. */
static struct unit weight_unit(const struct json_value *table, struct slice *event)
{
    struct slice type = json_text(json_get(table, "weightType"));

    if (slice_equal(type, SLICE("tracing-ms"))) {
        *event = event->len ? *event : SLICE("tracing");
        return unit_named(SLICE("ms"));
    }
    if (slice_equal(type, SLICE("bytes"))) {
        *event = event->len ? *event : SLICE("bytes");
        return unit_named(SLICE("bytes"));
    }
    *event = event->len ? *event : SLICE("samples");
    return unit_samples;
}

static bool read_samples(struct thread *t, const char *key, struct slice event)
{
    const struct json_value *table = json_get(t->value, key);
    struct unit unit = weight_unit(table, &event);
    struct samples s = {0};
    bool ok = true;

    if (!table)
        return true;
    firefox_table_init(&s.table, table);
    s.stack = firefox_table_column_in_order(&s.table, "stack");
    s.weight = firefox_table_column_in_order(&s.table, "weight");
    s.time = firefox_table_column_in_order(&s.table, "time");
    s.delta = firefox_table_column_in_order(&s.table, "timeDeltas");
    if (firefox_table_rows(&s.stack)) {
        t->origin.event = event;
        s.series = builder_series(t->b, &t->origin, unit);
        ok = add_samples(t, &s);
    }
    firefox_table_release(&s.table);
    return ok;
}

/* ---- the oldest form: each sample has its frames --------------------------------------------- */

static bool add_listed(struct thread *t, uint32_t series, const struct json_value *sample)
{
    const struct json_value *frames = json_get(sample, "frames");
    struct samples s = {.series = series};
    uint32_t stack = t->root;
    struct frame f;
    uint64_t ns;

    t->b->profile->ledger.lines++;
    t->b->profile->ledger.without_frames += !frames || !frames->count;
    json_each(frame, frames)
    {
        const struct json_value *location = json_get(frame, "location");

        if (!firefox_frames_parse(&t->frames, json_text(location ? location : frame), &f))
            continue;
        json_u64(json_get(frame, "line"), &f.line);
        if (!builder_child(t->b, stack, &f, &stack))
            return false;
    }
    if (read_time(json_get(sample, "time"), &ns) && num_add(ns, t->process->start, &ns))
        builder_time(t->b, series, ns);
    return add_sample(t, &s, 0, stack);
}

static bool read_listed(struct thread *t, const struct json_value *samples)
{
    uint32_t series;

    if (!samples->count)
        return true;
    t->origin.event = SLICE("samples");
    series = builder_series(t->b, &t->origin, unit_samples);
    if (!make_root(t))
        return false;
    json_each(sample, samples) if (!add_listed(t, series, sample)) return false;
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool read_tables(struct thread *t)
{
    static const struct {
        const char *key;
        struct slice event;
    } tables[] = {
        {"samples", {"", 0}},
        {"jsAllocations", {"JS allocations", 14}},
        {"nativeAllocations", {"native allocations", 18}},
    };
    const struct json_value *own = json_get(t->value, "stackTable");
    uint32_t count;
    bool ok = true;

    firefox_table_init(&t->stack_table, own ? own : json_get(t->process->shared, "stackTable"));
    t->prefix = firefox_table_column(&t->stack_table, "prefix");
    t->frame = firefox_table_column(&t->stack_table, "frame");
    count = firefox_table_rows(&t->prefix);
    t->stacks = xcalloc((size_t)count + 1, sizeof(*t->stacks));
    t->used = xcalloc((size_t)count + 1, sizeof(*t->used));
    for (size_t i = 0; ok && i < sizeof(tables) / sizeof(tables[0]); i++)
        ok = read_samples(t, tables[i].key, tables[i].event);
    free(t->stacks);
    free(t->used);
    firefox_table_release(&t->stack_table);
    return ok;
}

bool firefox_thread_read(struct builder *b, const struct firefox_process *process,
                         const struct json_value *thread)
{
    struct thread t = {.b = b, .process = process, .value = thread, .root = STACK_ROOT};
    const struct json_value *samples = json_get(thread, "samples");
    bool ok;

    read_origin(&t);
    firefox_frames_init(&t.frames, thread, process->shared, process->libs);
    ok = samples && samples->type == JSON_ARRAY ? read_listed(&t, samples) : read_tables(&t);
    if (t.broken)
        diag_add(b->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu times a stack is not in the table of stacks, or does not come after its "
                 "caller; its frames are missing",
                 (unsigned long long)t.broken);
    firefox_frames_release(&t.frames);
    return ok;
}
