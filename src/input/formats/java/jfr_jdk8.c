/*
 * Java Flight Recorder of JDK 7, JDK 8 and JRockit, version 0.9: a sequence of chunks, all numbers
 * with their highest byte first.
 *
 *     "FLR\0", u16 major (0), u16 minor (9), i64 offset of the metadata in the chunk
 *     events: i32 size, i32 type, ...; type 1 is a checkpoint
 *     the metadata: i32 size, i32 type 0, ... (jfr_jdk8_types.h), which ends the chunk
 *
 *     event:      i64 end, [i64 start], [i32 thread], [i64 stack], the fields of its structure
 *     checkpoint: i64 time, i64 offset of the one before, then until its end:
 *                 i32 content type, i32 count, count times a key and a structure
 *
 * Constants are known by their content type and key: 7 threads, 9 stacks; a stack has its frames
 * leaf first. The types come after the events, so a chunk is held in memory and read twice.
 *
 * JRockit calls the thread and the stack of an execution sample "thread" and "stacktrace", the JDK
 * "sampledThread" and "stackTrace". A setting of a recording has a field "stacktrace", too, which
 * says whether events have stacks, so fields of these names are taken by their content type alone.
 *
 * Each type of event with a stack is a series, under the name of today's recordings, in which
 * events are called jdk.ExecutionSample, so that old and new recordings can be compared. The
 * table below gives the weight of known events; for others it is their duration, or else 1.
 * What events say of locks, classes and addresses is not read.
 *
 * Source: openjdk/jmc, org.openjdk.jmc.flightrecorder, internal/parser/v0.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "input/build/event_order.h"
#include "input/build/java.h"
#include "input/format.h"
#include "input/formats/java/jfr_bare.h"
#include "input/formats/java/jfr_jdk8_types.h"
#include "input/parse/stream.h"

enum { HEADER = 16, METADATA = 0, CHECKPOINT = 1, THREADS = 7, STACKS = 9 };

/* The weight of a known type of event. */
static const struct weight {
    const char *path, *event;
    const char *field; /* NULL: each event counts 1, or its duration if the unit is "ns" */
    const char *unit;
    bool bare; /* an event without a stack is a sample, too */
} weights[] = {
    {"vm/prof/execution_sample", "jdk.ExecutionSample", NULL, "samples", true},
    {"java/object_alloc_in_new_TLAB", "jdk.ObjectAllocationInNewTLAB", "tlabSize", "bytes", true},
    {"java/object_alloc_outside_TLAB", "jdk.ObjectAllocationOutsideTLAB", "allocationSize", "bytes",
     true},
    {"java/monitor_enter", "jdk.JavaMonitorEnter", NULL, "ns", true},
    {"java/monitor_wait", "jdk.JavaMonitorWait", NULL, "ns", true},
    {"java/thread_park", "jdk.ThreadPark", NULL, "ns", true},
    {"java/thread_sleep", "jdk.ThreadSleep", NULL, "ns", false},
    {"java/file_read", "jdk.FileRead", NULL, "ns", false},
    {"java/file_write", "jdk.FileWrite", NULL, "ns", false},
    {"java/socket_read", "jdk.SocketRead", NULL, "ns", false},
    {"java/socket_write", "jdk.SocketWrite", NULL, "ns", false},
    {"java/exception_throw", "jdk.JavaExceptionThrow", NULL, "events", false},
    {"java/error_throw", "jdk.JavaErrorThrow", NULL, "events", false},
    {"vm/class/load", "jdk.ClassLoad", NULL, "ns", false},
};

enum { WEIGHTS = sizeof(weights) / sizeof(weights[0]) };

struct constant {
    uint32_t content;
    uint64_t key;
    struct bytes value;
    uint32_t number; /* in the order of the file */
    uint32_t stack;  /* of a stack, once it is made, and */
    bool made, truncated;
};

struct jfr_jdk8 {
    struct content *content;
    struct stream stream;
    struct builder b;
    struct slice chunk; /* the bytes at hand, from its start */
    uint64_t offset;    /* of the chunk in the content */
    uint64_t chunks;    /* read so far */
    bool skipped;       /* the rest of the file, which is damaged */
    struct jfr_jdk8_types types;
    VEC(struct constant) constants; /* by content and key */
    struct buf name, number;
    struct jfr_bare bare;
};

static bool jfr_jdk8_claims(const struct head *head)
{
    return slice_starts(head->bytes, slice_make("FLR\0\0\0", 6));
}

static struct bytes bytes_of(struct slice s)
{
    return bytes_make(s, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

/*
 * Reports damage: an error, or a warning if there are chunks that were read. Returns false.
 */
static bool damaged(struct jfr_jdk8 *j, const char *at, const char *what)
{
    if (j->content->source->failed)
        return false;
    j->skipped = j->chunks > 0;
    j->content->profile->ledger.unreadable += j->skipped;
    diag_add(j->content->diag, j->skipped ? DIAG_WARNING : DIAG_ERROR,
             DIAG_AT_BYTE(j->offset + (uint64_t)(at - j->chunk.ptr)), "%s%s", what,
             j->skipped ? "; the rest of the file is skipped" : "");
    return false;
}

/* ---- constants ----------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct constant *x = a, *y = b;

    if (x->content != y->content)
        return x->content < y->content ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns the last definition of a constant, or NULL. */
static struct constant *find_constant(const struct jfr_jdk8 *j, uint32_t content, uint64_t key)
{
    size_t low = 0, high = j->constants.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct constant *c = &j->constants.items[middle];

        if (c->content < content || (c->content == content && c->key <= key))
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || j->constants.items[low - 1].content != content ||
        j->constants.items[low - 1].key != key)
        return NULL;
    return &j->constants.items[low - 1];
}

/* Takes the constants of a checkpoint. Returns false if they are malformed. */
static bool take_constants(struct jfr_jdk8 *j, struct bytes *b)
{
    bytes_u64(b);
    bytes_u64(b);
    while (b->rest.len && !b->failed) {
        uint32_t content = bytes_u32(b), count = bytes_u32(b);
        const struct jfr_jdk8_content *type = jfr_jdk8_types_content(&j->types, content);

        if (!type)
            return false;
        for (uint32_t i = 0; i < count && !b->failed && !budget_is_over(); i++) {
            struct constant c = {.content = content, .number = (uint32_t)j->constants.count};

            c.key = jfr_jdk8_types_number(b, type->key);
            c.value = *b;
            jfr_jdk8_types_take(&j->types, type->structure, b, NULL, NULL, 0);
            if (!b->failed)
                *vec_add(&j->constants) = c;
        }
    }
    return !b->failed;
}

/* Reads fields of a constant. Returns false if it is not known. */
static bool read_constant(const struct jfr_jdk8 *j, uint32_t content, uint64_t key,
                          const char *const *names, struct jfr_jdk8_value *values, size_t count)
{
    const struct constant *c = find_constant(j, content, key);
    const struct jfr_jdk8_content *type = c ? jfr_jdk8_types_content(&j->types, content) : NULL;
    struct bytes b;

    memset(values, 0, count * sizeof(*values));
    if (!type)
        return false;
    b = c->value;
    jfr_jdk8_types_take(&j->types, type->structure, &b, names, values, count);
    return !b.failed;
}

/* Returns the text of a constant in its field `name`; empty if it is not known. */
static struct slice text_of(const struct jfr_jdk8 *j, const struct jfr_jdk8_value *v,
                            const char *name)
{
    struct jfr_jdk8_value text;

    if (!v->present || !read_constant(j, v->content, v->number, &name, &text, 1))
        return slice_make(NULL, 0);
    return text.text;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void push_frame(struct jfr_jdk8 *j, const struct jfr_jdk8_value *method, uint64_t line)
{
    static const char *const names[] = {"class", "name"}, *const class_names[] = {"name"};
    struct jfr_jdk8_value values[2], class;
    struct slice class_name = slice_make(NULL, 0);
    struct frame f = {.kind = FRAME_JAVA};

    if (read_constant(j, method->content, method->number, names, values, 2)) {
        if (read_constant(j, values[0].content, values[0].number, class_names, &class, 1))
            class_name = text_of(j, &class, "utf8");
        f = java_method(class_name, text_of(j, &values[1], "utf8"), &j->name);
    }
    f.line = line;
    builder_frame(&j->b, &f);
}

static bool make_stack(struct jfr_jdk8 *j, struct constant *c)
{
    static const char *const names[] = {"truncated", "frames"}, *const frame[] = {"method", "line"};
    const struct jfr_jdk8_content *type = jfr_jdk8_types_content(&j->types, c->content);
    struct jfr_jdk8_value values[2], places[2];
    struct bytes b = c->value;

    jfr_jdk8_types_take(&j->types, type->structure, &b, names, values, 2);
    c->truncated = values[0].number;
    builder_begin_leaf(&j->b);
    b = values[1].rest;
    for (uint64_t i = 0; values[1].present && i < values[1].number && !b.failed; i++) {
        jfr_jdk8_types_take(&j->types, values[1].structure, &b, frame, places, 2);
        if (!b.failed)
            push_frame(j, &places[0], places[1].number);
    }
    c->made = true;
    return builder_stack(&j->b, &c->stack);
}

/* ---- events -------------------------------------------------------------------------------- */

static const struct weight *known_weight(struct slice path)
{
    for (size_t i = 0; i < WEIGHTS; i++)
        if (slice_equal(path, slice_str(weights[i].path)))
            return &weights[i];
    return NULL;
}

static uint64_t ticks_to_ns(const struct jfr_jdk8 *j, uint64_t ticks)
{
    unsigned __int128 ns =
        ((unsigned __int128)ticks * 1000000000 + j->types.ticks / 2) / j->types.ticks;

    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* The time of an event, in ns since 1970; that of the chunk for one before its start. */
static uint64_t time_of(const struct jfr_jdk8 *j, uint64_t ticks)
{
    const struct jfr_jdk8_types *t = &j->types;
    uint64_t ns;

    if (!num_mul(t->start_ms, 1000000, &ns))
        return 0;
    if (ticks > t->start_ticks && !num_add(ns, ticks_to_ns(j, ticks - t->start_ticks), &ns))
        return UINT64_MAX;
    return ns;
}

/* An event with a stack, as the file has it. */
struct event {
    const struct jfr_jdk8_event *type;
    uint64_t start, end, thread, stack;
    bool has_thread, has_stack;
    struct jfr_jdk8_value weight;
};

static bool take_event(const struct jfr_jdk8 *j, struct bytes *b, const struct weight *w,
                       struct event *e)
{
    const char *names[] = {"sampledThread", "stackTrace", w && w->field ? w->field : "",
                           e->type->has_thread ? "" : "thread", "stacktrace"};
    enum { NAMES = sizeof(names) / sizeof(names[0]), THREAD = 0, STACK, WEIGHT, OTHERS };
    struct jfr_jdk8_value values[NAMES];

    e->end = e->start = bytes_u64(b);
    if (e->type->has_start)
        e->start = bytes_u64(b);
    e->has_thread = e->type->has_thread;
    if (e->has_thread)
        e->thread = bytes_u32(b);
    e->has_stack = e->type->has_stack;
    if (e->has_stack)
        e->stack = bytes_u64(b);
    jfr_jdk8_types_take(&j->types, e->type->structure, b, names, values, NAMES);
    for (size_t i = 0; i < NAMES; i += OTHERS) {
        if (values[i + THREAD].content == THREADS) {
            e->has_thread = true;
            e->thread = values[i + THREAD].number;
        }
        if (values[i + STACK].content == STACKS) {
            e->has_stack = true;
            e->stack = values[i + STACK].number;
        }
    }
    e->weight = values[WEIGHT];
    return !b->failed;
}

static bool add_sample(struct jfr_jdk8 *j, const struct event *e, const struct weight *w)
{
    static const char *const names[] = {"name"};
    bool lasts = w ? slice_equal(slice_str(w->unit), SLICE("ns")) : e->type->has_start;
    struct origin origin = {.event = w ? slice_str(w->event) : e->type->path};
    struct constant *stack = find_constant(j, STACKS, e->stack);
    struct decimal weight = {.value = 1};
    struct jfr_jdk8_value thread;
    uint32_t series;

    if (stack && !stack->made && !make_stack(j, stack))
        return false;
    if (!(w && w->bare) && !stack)
        return jfr_bare_add(&j->bare, origin.event, lasts && e->end > e->start);
    if (lasts)
        weight.value = e->end > e->start ? ticks_to_ns(j, e->end - e->start) : 0;
    else if (w && w->field)
        weight.value = e->weight.number;
    if (e->has_thread && read_constant(j, THREADS, e->thread, names, &thread, 1))
        origin.thread = thread.text;
    buf_clear(&j->number);
    buf_add_u64(&j->number, e->thread);
    if (e->has_thread)
        origin.tid = buf_slice(&j->number);
    series = builder_series(&j->b, &origin,
                            unit_named(lasts ? SLICE("ns")
                                       : w   ? slice_str(w->unit)
                                             : SLICE("events")));
    if (!slice_ends(origin.event, SLICE("Sample")))
        profile_call_records(j->content->profile, series, SLICE("events"));
    j->content->profile->ledger.truncated += stack && stack->truncated;
    builder_time(&j->b, series, time_of(j, e->start));
    return builder_add_at(&j->b, series, stack ? stack->stack : STACK_ROOT, weight);
}

static bool read_event(struct jfr_jdk8 *j, uint32_t id, struct bytes *b)
{
    struct event e = {.type = jfr_jdk8_types_event(&j->types, id)};
    const struct weight *w = e.type ? known_weight(e.type->path) : NULL;
    struct diag_place at = DIAG_AT_BYTE(j->offset + (uint64_t)(b->rest.ptr - j->chunk.ptr));

    if (!e.type) {
        builder_skip(&j->b, at,
                     "event of the type %u, which the metadata does not describe; skipped", id);
        return true;
    }
    if (!take_event(j, b, w, &e)) {
        builder_skip(&j->b, at, "the event is shorter than its type, %.*s, requires; event skipped",
                     SLICE_ARG(e.type->path));
        return true;
    }
    j->content->profile->ledger.lines++;
    return !e.has_stack || add_sample(j, &e, w);
}

/* ---- chunks -------------------------------------------------------------------------------- */

/* Reads the events between header and metadata: the constants in them, or the samples. */
static bool read_events(struct jfr_jdk8 *j, uint64_t end, bool samples)
{
    enum { LEAST = 16 };
    struct slice rest = slice_skip(slice_take(j->chunk, (size_t)end), HEADER);

    while (rest.len && !budget_is_over()) {
        struct bytes b = bytes_of(rest);
        uint32_t size = bytes_u32(&b), type = bytes_u32(&b);

        if (b.failed || size < LEAST || size > rest.len)
            return damaged(j, rest.ptr, "malformed event in the chunk");
        b.rest = slice_skip(slice_take(rest, size), 8);
        if (!samples && type == CHECKPOINT && !take_constants(j, &b))
            return damaged(j, rest.ptr, "malformed constants");
        if (samples && type != CHECKPOINT && type != METADATA && !read_event(j, type, &b))
            return false;
        rest = slice_skip(rest, size);
    }
    return true;
}

/* Makes `size` bytes of the chunk be at hand, or all if there are fewer. */
static void fetch(struct jfr_jdk8 *j, uint64_t size)
{
    j->chunk = stream_peek(&j->stream, (size_t)size);
}

/* Reads the metadata of the chunk that comes next. Returns its offset; 0 after reporting damage. */
static uint64_t read_metadata(struct jfr_jdk8 *j, size_t *size)
{
    struct bytes b = bytes_of(j->chunk);
    uint64_t metadata;
    uint32_t length;

    bytes_take(&b, 8);
    metadata = bytes_u64(&b);
    if (b.failed || !slice_starts(j->chunk, slice_make("FLR\0\0\0", 6)))
        return damaged(j, j->chunk.ptr, "expected a chunk of a recording ('FLR')");
    if (metadata <= INT64_MAX)
        fetch(j, metadata + 4);
    if (metadata < HEADER || metadata >= j->chunk.len)
        return damaged(j, j->chunk.ptr + 8,
                       "unfinished chunk: the metadata that describes its events is missing");
    b = bytes_of(slice_skip(j->chunk, (size_t)metadata));
    length = bytes_u32(&b);
    fetch(j, metadata + length);
    if (length < 8 || length > j->chunk.len - metadata)
        return damaged(j, j->chunk.ptr + metadata, "malformed metadata of the chunk");
    *size = (size_t)metadata + length;
    b = bytes_of(slice_take(slice_skip(j->chunk, (size_t)metadata + 4), length - 4));
    if (bytes_u32(&b) != METADATA || !jfr_jdk8_types_read(&j->types, &b) || !j->types.ticks)
        return damaged(j, j->chunk.ptr + metadata, "malformed metadata of the chunk");
    return metadata;
}

/* Reads the chunk that comes next. Sets its size. Returns false after reporting an error. */
static bool read_chunk(struct jfr_jdk8 *j, size_t *size)
{
    uint64_t metadata = read_metadata(j, size);

    if (!metadata || !read_events(j, metadata, false))
        return false;
    if (j->constants.count)
        qsort(j->constants.items, j->constants.count, sizeof(*j->constants.items), compare);
    return read_events(j, metadata, true);
}

static unsigned series_rank(const struct series *s)
{
    unsigned rank = 0;

    while (rank < WEIGHTS && !slice_equal(s->event, slice_str(weights[rank].event)))
        rank++;
    return rank;
}

static bool jfr_jdk8_read_content(struct content *c)
{
    struct jfr_jdk8 j = {.content = c};
    bool ok = true;
    size_t size = 0;

    builder_init(&j.b, c->profile, c->options, c->diag);
    stream_init(&j.stream, c);
    for (fetch(&j, HEADER); ok && j.chunk.len; fetch(&j, HEADER)) {
        ok = read_chunk(&j, &size);
        j.chunks++;
        jfr_jdk8_types_release(&j.types);
        j.types = (struct jfr_jdk8_types){0};
        vec_clear(&j.constants);
        j.offset += size;
        stream_skip(&j.stream, ok ? size : 0);
    }
    ok |= j.skipped;
    jfr_bare_end(&j.bare, &j.b);
    event_order_by_name(c->profile);
    profile_order_series(c->profile, series_rank);
    release_each(&j, (vec, constants), (buf, name, number), (stream, stream), (jfr_bare, bare),
                 (builder, b));
    return ok && !c->source->failed;
}

const struct format format_jfr_jdk8 = {
    .name = "jfr-jdk8",
    .family = FORMAT_JAVA,
    .description = "Java Flight Recorder of JDK 7, JDK 8 and JRockit; the default is as for jfr",
    .recognised = "the bytes 'FLR', a zero byte and the version 0",
    .example = "java -XX:+UnlockCommercialFeatures -XX:StartFlightRecording=filename=app.jfr App",
    .without_stacks = "the recording has no samples; record for longer, with settings=profile",
    .claims = jfr_jdk8_claims,
    .read = jfr_jdk8_read_content,
};
