/*
 * Java Flight Recorder recordings, from OpenJDK and async-profiler: a sequence
 * of self-contained chunks.
 *
 *     "FLR\0", major and minor version (2 bytes each); then, 8 bytes each:
 *     size of the chunk, offsets of the constants and of the metadata, start
 *     and duration in ns, start in ticks, ticks per second; 4 bytes of flags
 *     events: size, type, fields
 *
 * Two types of events describe the chunk itself: metadata (type 0) defines all
 * other types, checkpoints (type 1) hold the constants. Both can come after the
 * events that need them, so a whole chunk is held in memory and read twice.
 *
 * Every type of event with a stack becomes a series. The table below gives the
 * weight of known events; for others it is their duration, or else 1. Events of
 * unknown types without a stack are not samples and are skipped. Execution
 * samples of waiting threads, which wall-clock profilers record, are a series
 * for each state. A traced call (jdk.MethodTrace) has its method as the leaf, below
 * the stack of its caller, and weighs its self time (jfr_trace.h). What events say of locks,
 * classes and addresses is not read.
 *
 * A chunk that is damaged or truncated after others costs no more than itself.
 *
 * JDK 9 and 10 (version 1.0) name types after Oracle; they are read under the names of today.
 *
 * Source: OpenJDK (jdk.jfr), github.com/grafana/jfr-parser.
 */
#include "base/num.h"
#include "base/ascii.h"
#include "input/build/event_order.h"
#include "input/build/java.h"
#include "input/format.h"
#include "input/formats/java/jfr_bare.h"
#include "input/formats/java/jfr_chunk.h"
#include "input/formats/java/jfr_trace.h"
#include "input/parse/stream.h"

/* ---- stacks and threads -------------------------------------------------------------------- */

/*
 * Stacks and threads of a chunk, from its constants.
 *
 * A frame is a method and its class; native and kernel frames of async-profiler
 * have a library in place of the class.
 */

/* The name and the number of a thread. */
struct jfr_thread {
    struct slice name, number;
};

struct jfr_stacks {
    struct builder *b;
    struct jfr_chunk *chunk;
    struct arena memory;
    struct jfr_want trace, frame, method, class, thread;
    /* Types of the constants that stacks refer to. */
    uint32_t methods, classes, symbols, class_names, frame_types, thread_states;
    bool native; /* by async-profiler: "Native" frames are native code, not Java methods */
    bool keeps;  /* the name of a method does not depend on the frame it is in */
    VEC(struct jfr_thread) threads; /* indexed by jfr_constant.made */
    VEC(struct slice) states;       /* indexed by jfr_constant.made */
    struct buf class_text, text, name;
};

enum { TRUNCATED, FRAMES };
enum { METHOD, LINE, FRAME_TYPE };
enum { TYPE, NAME };
enum { CLASS_NAME };
enum { OS_NAME, OS_ID, JAVA_NAME, JAVA_ID };

/* Flag in jfr_constant.made of a stack: the profiler truncated it. */
static const uint32_t made_truncated = UINT32_C(1) << 31;

/* ---- what the types are -------------------------------------------------------------------- */

/* Returns the type of the constants that a field refers to. */
static uint32_t referred(const struct jfr_types *t, uint32_t type, const char *field)
{
    const struct jfr_field *f = jfr_chunk_type_field(t, type, field);

    return f ? f->type : JFR_NO_TYPE;
}

static bool has_frame_type(struct jfr_stacks *s, struct slice name)
{
    for (size_t i = 0; i < s->chunk->constants.count; i++) {
        const struct jfr_constant *c = &s->chunk->constants.items[i];

        if (c->type != s->frame_types)
            continue;
        buf_clear(&s->text);
        jfr_chunk_symbol(s->chunk, c->type, c->id, &s->text);
        if (slice_equal(buf_slice(&s->text), name))
            return true;
    }
    return false;
}

static void jfr_stack_init(struct jfr_stacks *s, struct builder *b, struct jfr_chunk *chunk)
{
    static const char *const trace[] = {[TRUNCATED] = "truncated", [FRAMES] = "frames"};
    static const char *const frame[] = {
        [METHOD] = "method", [LINE] = "lineNumber", [FRAME_TYPE] = "type"};
    static const char *const method[] = {[TYPE] = "type", [NAME] = "name"};
    static const char *const class[] = {[CLASS_NAME] = "name"};
    static const char *const thread[] = {[OS_NAME] = "osName",
                                         [OS_ID] = "osThreadId",
                                         [JAVA_NAME] = "javaName",
                                         [JAVA_ID] = "javaThreadId"};
    const struct jfr_types *t = &chunk->types;
    const struct input_options *o = b->options;
    uint32_t traces = jfr_chunk_type_named(t, "jdk.types.StackTrace");
    uint32_t frames = referred(t, traces, "frames");

    *s = (struct jfr_stacks){.b = b, .chunk = chunk};
    s->methods = referred(t, frames, "method");
    s->frame_types = referred(t, frames, "type");
    s->classes = referred(t, s->methods, "type");
    s->symbols = referred(t, s->methods, "name");
    s->class_names = referred(t, s->classes, "name");
    s->thread_states = jfr_chunk_type_named(t, "jdk.types.ThreadState");
    jfr_chunk_want_init(&s->trace, t, traces, trace, 2);
    jfr_chunk_want_init(&s->frame, t, frames, frame, 3);
    jfr_chunk_want_init(&s->method, t, s->methods, method, 2);
    jfr_chunk_want_init(&s->class, t, s->classes, class, 1);
    jfr_chunk_want_init(&s->thread, t, jfr_chunk_type_named(t, "java.lang.Thread"), thread, 4);
    s->native = has_frame_type(s, SLICE("Kernel"));
    s->keeps = o->names == NAMES_CLEAN && !o->srcline && !o->kernel && !o->jit && !o->inlined;
}

static void jfr_stack_release(struct jfr_stacks *s)
{
    release_each(s, (arena, memory), (buf, class_text, text, name),
                 (jfr_chunk_want, trace, frame, method, class, thread), (vec, threads, states));
}

/* ---- frames -------------------------------------------------------------------------------- */

struct place {
    bool native;
    enum symbol_class class;
};

/* Returns the kind of code that a frame of this type has, for instance JIT compiled. */
static struct place read_place(struct jfr_stacks *s, uint64_t frame_type)
{
    static const struct {
        const char *description;
        bool native;
        enum symbol_class class;
    } types[] = {
        {"Interpreted", false, SYMBOL_INTERPRETED},
        {"JIT compiled", false, SYMBOL_JIT},
        {"C1 compiled", false, SYMBOL_BASELINE},
        {"Inlined", false, SYMBOL_INLINED},
        {"Native", true, SYMBOL_USER},
        {"C++", true, SYMBOL_USER},
        {"Kernel", true, SYMBOL_KERNEL},
    };

    buf_clear(&s->text);
    jfr_chunk_symbol(s->chunk, s->frame_types, frame_type, &s->text);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(buf_slice(&s->text), slice_str(types[i].description)))
            return (struct place){types[i].native && s->native, types[i].class};
    return (struct place){0};
}

/* Reads the names of the class and the method into s->class_text and s->text; empty if unknown. */
static void read_method(struct jfr_stacks *s, const struct jfr_constant *method)
{
    struct jfr_bytes b = jfr_chunk_at(s->chunk, method->at);
    struct jfr_value values[2];
    const struct jfr_constant *class;

    buf_clear(&s->class_text);
    buf_clear(&s->text);
    jfr_chunk_want_read(&s->method, &s->chunk->types, &b, values);
    if (values[NAME].present)
        jfr_chunk_symbol(s->chunk, s->symbols, values[NAME].number, &s->text);
    class = values[TYPE].present ? jfr_chunk_find(s->chunk, s->classes, values[TYPE].number) : NULL;
    if (!class)
        return;
    b = jfr_chunk_at(s->chunk, class->at);
    jfr_chunk_want_read(&s->class, &s->chunk->types, &b, values);
    if (values[CLASS_NAME].present)
        jfr_chunk_symbol(s->chunk, s->class_names, values[CLASS_NAME].number, &s->class_text);
}

/* Strips the address of a hidden class or a lambda: "Foo$$Lambda+0x00007f10". */
static struct slice without_address(struct slice class)
{
    size_t i = class.len;

    while (i > 0 && memchr("0123456789abcdef", class.ptr[i - 1], 16))
        i--;
    if (i < 3 || i == class.len || class.ptr[i - 1] != 'x' || class.ptr[i - 2] != '0' ||
        !memchr("+./", class.ptr[i - 3], 3))
        return class;
    return slice_take(class, i - 3);
}

/* Strips the number that the virtual machine appends to the name of a generated class. */
static struct slice without_number(struct slice class)
{
    while (class.len && ascii_is_digit(class.ptr[class.len - 1]))
        class.len--;
    return class;
}

/* Appends the name as Grafana's parser has it: all classes generated for one are "Foo$$Lambda_". */
static void add_reference_name(struct jfr_stacks *s, uint64_t line)
{
    const struct slice accessor = SLICE("jdk/internal/reflect/GeneratedMethodAccessor");
    struct slice class = buf_slice(&s->class_text), base = without_number(without_address(class));

    if (slice_ends(base, SLICE("$$Lambda$")))
        base.len--;
    if (base.len < class.len &&
        (slice_equal(base, accessor) || slice_ends(base, SLICE("$$Lambda"))))
        buf_printf(&s->name, "%.*s_", SLICE_ARG(base));
    else
        buf_add_slice(&s->name, class);
    buf_printf(&s->name, ".%s:%llu", buf_string(&s->text), (unsigned long long)line);
}

static uint32_t make_entry(struct jfr_stacks *s, const struct jfr_value *values)
{
    struct jfr_constant *method = jfr_chunk_find(s->chunk, s->methods, values[METHOD].number);
    struct place place;
    struct frame f = {.kind = FRAME_PLAIN};
    uint32_t entry;

    if (!method)
        return builder_entry(s->b, &f);
    if (s->keeps && method->made != JFR_NOT_MADE)
        return method->made;
    place = read_place(s, values[FRAME_TYPE].number);
    read_method(s, method);
    buf_clear(&s->name);
    if (s->b->options->names == NAMES_REFERENCE) {
        add_reference_name(s, values[LINE].number);
        f.name = buf_slice(&s->name);
    } else if (place.native) {
        f.kind = FRAME_NATIVE;
        f.module = buf_slice(&s->class_text);
        f.name = buf_slice(&s->text);
    } else {
        f = java_method(without_address(buf_slice(&s->class_text)), buf_slice(&s->text), &s->name);
    }
    f.line = values[LINE].number;
    f.class = place.class;
    entry = builder_entry(s->b, &f);
    if (s->keeps)
        method->made = entry;
    return entry;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool make_stack(struct jfr_stacks *s, size_t at, uint32_t *stack, bool *truncated)
{
    struct jfr_types *types = &s->chunk->types;
    struct jfr_bytes b = jfr_chunk_at(s->chunk, at);
    struct jfr_value values[3];
    uint64_t count;

    builder_begin_leaf(s->b);
    jfr_chunk_want_read(&s->trace, types, &b, values);
    *truncated = values[TRUNCATED].number;
    if (values[FRAMES].present && !b.bad) {
        b = jfr_chunk_at(s->chunk, values[FRAMES].at);
        count = jfr_bytes_number(&b, 4);
        for (uint64_t i = 0; i < count; i++) {
            jfr_chunk_want_read(&s->frame, types, &b, values);
            if (b.bad)
                break;
            builder_push(s->b, make_entry(s, values));
        }
    }
    return builder_stack(s->b, stack);
}

/*
 * Returns in `stack` the trie's stack for constant `id` of a type, in
 * `truncated` whether the profiler truncated it. Returns false after reporting
 * an error.
 */
static bool jfr_stack_get(struct jfr_stacks *s, uint32_t type, uint64_t id, uint32_t *stack,
                          bool *truncated)
{
    struct jfr_constant *constant = jfr_chunk_find(s->chunk, type, id);

    *stack = STACK_ROOT;
    *truncated = false;
    if (!constant || type != s->trace.type)
        return true;
    if (constant->made == JFR_NOT_MADE) {
        if (!make_stack(s, constant->at, stack, truncated))
            return false;
        constant->made = *stack | (*truncated ? made_truncated : 0);
    }
    *stack = constant->made & ~made_truncated;
    *truncated = constant->made & made_truncated;
    return true;
}

/* ---- threads ------------------------------------------------------------------------------- */

static struct slice read_name(struct jfr_stacks *s, const struct jfr_value *value)
{
    buf_clear(&s->text);
    if (value->present)
        jfr_chunk_text(s->chunk, value->at, &s->text);
    return arena_copy(&s->memory, buf_slice(&s->text));
}

static struct jfr_thread make_thread(struct jfr_stacks *s, size_t at)
{
    struct jfr_bytes b = jfr_chunk_at(s->chunk, at);
    struct jfr_value values[4];
    struct jfr_thread thread;
    uint64_t number;

    jfr_chunk_want_read(&s->thread, &s->chunk->types, &b, values);
    thread.name = read_name(s, &values[JAVA_NAME]);
    if (!thread.name.len)
        thread.name = read_name(s, &values[OS_NAME]);
    number = values[OS_ID].number ? values[OS_ID].number : values[JAVA_ID].number;
    buf_clear(&s->text);
    buf_add_u64(&s->text, number);
    thread.number = arena_copy(&s->memory, buf_slice(&s->text));
    return thread;
}

/* Returns a thread, empty if unknown; valid as long as `s`. */
static struct jfr_thread jfr_stack_thread(struct jfr_stacks *s, uint32_t type, uint64_t id)
{
    struct jfr_constant *constant = jfr_chunk_find(s->chunk, type, id);

    if (!constant || type != s->thread.type)
        return (struct jfr_thread){0};
    if (constant->made == JFR_NOT_MADE) {
        struct jfr_thread thread = make_thread(s, constant->at);

        constant->made = (uint32_t)s->threads.count;
        *vec_add(&s->threads) = thread;
    }
    return s->threads.items[constant->made];
}

/* Returns the state of a thread without "STATE_", such as "RUNNABLE"; empty if unknown. */
static struct slice jfr_stack_state(struct jfr_stacks *s, uint32_t type, uint64_t id)
{
    const struct slice prefix = SLICE("STATE_");
    struct jfr_constant *constant = jfr_chunk_find(s->chunk, type, id);

    if (!constant || type != s->thread_states)
        return SLICE("");
    if (constant->made == JFR_NOT_MADE) {
        struct slice name;

        buf_clear(&s->text);
        jfr_chunk_symbol(s->chunk, type, id, &s->text);
        name = buf_slice(&s->text);
        constant->made = (uint32_t)s->states.count;
        if (slice_starts(name, prefix))
            name = slice_skip(name, prefix.len);
        *vec_add(&s->states) = arena_copy(&s->memory, name);
    }
    return s->states.items[constant->made];
}

enum { HEADER = 68, METADATA = 0, CHECKPOINT = 1 };

struct header {
    uint64_t major, size, metadata, start_ns, start_ticks, ticks;
    bool fixed;
};

/* The weight of a known type of event. */
struct weight {
    const char *event;
    const char *field; /* NULL: each event counts 1 */
    const char *unit;  /* of the field, or the noun for counts; "ticks" are converted to ns */
};

static const struct weight weights[] = {
    {"jdk.ExecutionSample", NULL, "samples"},
    {"jdk.NativeMethodSample", NULL, "samples"},
    {"jdk.CPUTimeSample", "samplingPeriod", "ticks"},
    {"jdk.ObjectAllocationInNewTLAB", "tlabSize", "bytes"},
    {"jdk.ObjectAllocationOutsideTLAB", "allocationSize", "bytes"},
    {"jdk.ObjectAllocationSample", "weight", "bytes"},
    {"jdk.OldObjectSample", NULL, "objects"},
    {"jdk.JavaMonitorEnter", "duration", "ticks"},
    {"jdk.JavaMonitorWait", "duration", "ticks"},
    {"jdk.ThreadPark", "duration", "ticks"},
    {"jdk.MethodTrace", "duration", "ticks"},
    {"profiler.WallClockSample", "samples", "samples"},
    {"profiler.NativeLock", "duration", "ticks"},
    {"profiler.LiveObject", "allocationSize", "bytes"},
    {"profiler.Malloc", "size", "bytes"},
    {"profiler.MallocEvent", "size", "bytes"},
};

enum { WEIGHTS = sizeof(weights) / sizeof(weights[0]) };

enum { STACK, SAMPLED_THREAD, EVENT_THREAD, START, STATE, TRACED, WEIGHT, WANTED };

/* How the events of a type are read. */
struct plan {
    bool used;
    bool known;   /* listed in `weights`: an event without a stack is a sample, too */
    bool ticks;   /* the weight is a time in ticks */
    bool sampled; /* the events are samples taken at intervals */
    bool traced;  /* the events are calls of a method */
    struct unit unit;
    struct jfr_want want;
    uint32_t stack_type, thread_types[2], state_type;
};

/* Between an event and the state of its thread, in the name of a series. */
#define WAITING ", "

struct jfr {
    struct content *content;
    struct builder b;
    struct header header;
    uint64_t offset; /* of the chunk in the file */
    uint64_t chunks; /* read so far */
    bool skipped;    /* a chunk is damaged, but there are others */
    struct buf event;
    struct buf interval; /* of jdk.ExecutionSample, as a setting states it */
    struct jfr_calls calls;
    struct jfr_bare bare;
    struct jfr_chunk chunk;
    struct jfr_stacks stacks;
    VEC(struct plan) plans; /* by type */
};

/* ---- the header ---------------------------------------------------------------------------- */

static bool read_header(struct slice bytes, struct header *h)
{
    struct jfr_bytes b = {.bytes = bytes.ptr, .end = bytes.len};

    *h = (struct header){0};
    if (!slice_starts(bytes, SLICE("FLR\0")) || bytes.len < HEADER)
        return false;
    jfr_bytes_skip(&b, 4);
    h->major = jfr_bytes_fixed(&b, 2);
    jfr_bytes_skip(&b, 2);
    h->size = jfr_bytes_fixed(&b, 8);
    jfr_bytes_skip(&b, 8);
    h->metadata = jfr_bytes_fixed(&b, 8);
    h->start_ns = jfr_bytes_fixed(&b, 8);
    jfr_bytes_skip(&b, 8);
    h->start_ticks = jfr_bytes_fixed(&b, 8);
    h->ticks = jfr_bytes_fixed(&b, 8);
    h->fixed = !(jfr_bytes_fixed(&b, 4) & 1);
    return true;
}

/* Reports damage: an error, or a warning if there are chunks that were read. Returns false. */
static bool damaged(struct jfr *j, size_t at, const char *what)
{
    j->skipped = j->chunks > 0;
    j->content->profile->ledger.unreadable += j->skipped;
    diag_add(j->content->diag, j->skipped ? DIAG_WARNING : DIAG_ERROR, DIAG_AT_BYTE(j->offset + at),
             "%s%s", what, j->skipped ? "; the rest of the chunk is skipped" : "");
    return false;
}

/* ---- events -------------------------------------------------------------------------------- */

struct event {
    size_t at, end;
    uint64_t type;
    struct jfr_bytes payload;
};

/*
 * Reads the event at `at`; the next event begins at e->end. Returns false after reporting an error.
 */
static bool next_event(struct jfr *j, size_t at, struct event *e)
{
    struct jfr_bytes b = jfr_chunk_at(&j->chunk, at);
    uint64_t size = jfr_bytes_number(&b, 4);

    if (b.bad || size == 0 || size > j->chunk.size - at)
        return damaged(j, at, "malformed event in the chunk");
    e->at = at;
    e->end = at + (size_t)size;
    b.end = e->end;
    e->type = b.at > b.end ? 0 : jfr_bytes_number(&b, 8);
    e->payload = b;
    if (b.bad || b.at > b.end)
        return damaged(j, at, "malformed event in the chunk");
    return true;
}

static uint64_t ticks_to_ns(const struct header *h, uint64_t ticks)
{
    unsigned __int128 ns = ((unsigned __int128)ticks * 1000000000 + h->ticks / 2) / h->ticks;

    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static const struct weight *known_weight(struct slice event)
{
    for (size_t i = 0; i < WEIGHTS; i++)
        if (slice_equal(event, slice_str(weights[i].event)))
            return &weights[i];
    return NULL;
}

static struct plan make_plan(const struct jfr_types *t, uint32_t type)
{
    static const char *const threads[] = {"sampledThread", "eventThread"};
    const char *wanted[WANTED] = {
        "stackTrace", "sampledThread", "eventThread", "startTime", "state", "", ""};
    struct slice name = t->types.items[type].name;
    const struct weight *w = known_weight(name);
    const struct jfr_field *stack = jfr_chunk_type_field(t, type, "stackTrace");
    const struct jfr_field *state = jfr_chunk_type_field(t, type, "state");
    struct plan p = {.known = w, .unit = unit_named(SLICE("events"))};

    if (!t->types.items[type].event || !stack || !stack->constant)
        return p;
    p.used = true;
    p.sampled =
        slice_ends(name, SLICE("Sample")) || slice_starts(name, SLICE("profiler.WallClock"));
    p.stack_type = stack->type;
    p.state_type = state && state->constant ? state->type : JFR_NO_TYPE;
    for (int i = 0; i < 2; i++) {
        const struct jfr_field *thread = jfr_chunk_type_field(t, type, threads[i]);

        p.thread_types[i] = thread && thread->constant ? thread->type : JFR_NO_TYPE;
    }
    p.traced = slice_equal(name, SLICE("jdk.MethodTrace"));
    if (p.traced)
        wanted[TRACED] = "method";
    wanted[WEIGHT] = w ? w->field : "duration";
    if (!wanted[WEIGHT] || !jfr_chunk_type_field(t, type, wanted[WEIGHT]))
        wanted[WEIGHT] = "";
    p.ticks = *wanted[WEIGHT] && (!w || slice_equal(slice_str(w->unit), SLICE("ticks")));
    if (p.ticks)
        p.unit = unit_named(SLICE("ns"));
    else if (w && (*wanted[WEIGHT] || !w->field))
        p.unit = unit_named(slice_str(w->unit));
    jfr_chunk_want_init(&p.want, t, type, wanted, WANTED);
    return p;
}

static struct jfr_thread thread_of(struct jfr *j, const struct plan *p,
                                   const struct jfr_value *values)
{
    struct jfr_thread thread = {0};

    for (int i = 0; i < 2 && !thread.number.len; i++)
        if (values[SAMPLED_THREAD + i].present)
            thread =
                jfr_stack_thread(&j->stacks, p->thread_types[i], values[SAMPLED_THREAD + i].number);
    return thread;
}

/* Converts ticks to nanoseconds; a time before the start of the chunk becomes its start. */
static uint64_t time_of(const struct header *h, uint64_t ticks)
{
    uint64_t ns;

    if (ticks < h->start_ticks)
        return h->start_ns;
    return num_add(h->start_ns, ticks_to_ns(h, ticks - h->start_ticks), &ns) ? ns : UINT64_MAX;
}

/*
 * Wall-clock recordings have execution samples of threads that wait, too:
 * samples of other states than running are series of their own.
 */
static void set_state(struct jfr *j, struct origin *origin, struct slice state)
{
    origin->state = state;
    if (!slice_equal(origin->event, SLICE("jdk.ExecutionSample")) || !state.len ||
        slice_equal(state, SLICE("RUNNABLE")) || slice_equal(state, SLICE("DEFAULT")))
        return;
    buf_clear(&j->event);
    buf_printf(&j->event, "%.*s" WAITING "%.*s", SLICE_ARG(origin->event), SLICE_ARG(state));
    origin->event = buf_slice(&j->event);
}

/*
 * Holds a call of a method, which is called from `stack`. Returns false after reporting an error.
 */
static bool hold_call(struct jfr *j, const struct jfr_value *values, uint32_t series,
                      uint32_t stack)
{
    struct jfr_value leaf[] = {[METHOD] = values[TRACED], [LINE] = {0}, [FRAME_TYPE] = {0}};
    uint64_t start = values[START].number, ticks = values[WEIGHT].number;
    struct jfr_call *call;

    if (leaf[METHOD].present &&
        !builder_child_entry(&j->b, stack, make_entry(&j->stacks, leaf), &stack))
        return false;
    call = vec_add(&j->calls);
    *call = (struct jfr_call){.thread = values[EVENT_THREAD].number,
                              .start = start,
                              .start_ns = time_of(&j->header, start),
                              .self_ns = ticks_to_ns(&j->header, ticks),
                              .series = series,
                              .stack = stack};
    if (!num_add(start, ticks, &call->end))
        call->end = UINT64_MAX;
    return true;
}

static bool add_sample(struct jfr *j, const struct plan *p, struct event *e)
{
    struct jfr_types *types = &j->chunk.types;
    struct jfr_value values[WANTED];
    struct read_ledger *ledger = &j->content->profile->ledger;
    struct jfr_thread thread;
    struct origin origin = {0};
    struct decimal weight = {.value = 1};
    uint32_t stack, series;
    bool truncated;

    jfr_chunk_want_read(&p->want, types, &e->payload, values);
    ledger->lines++;
    if (e->payload.bad) {
        builder_skip(&j->b, DIAG_AT_BYTE(j->offset + e->at),
                     "the event is shorter than its type, %.*s, requires; event skipped",
                     SLICE_ARG(types->types.items[p->want.type].name));
        return true;
    }
    if (!jfr_stack_get(&j->stacks, p->stack_type, values[STACK].number, &stack, &truncated))
        return false;
    if (stack == STACK_ROOT && !p->known)
        return jfr_bare_add(&j->bare, types->types.items[p->want.type].name,
                            p->ticks && values[WEIGHT].number);
    ledger->truncated += truncated;
    if (values[WEIGHT].present)
        weight.value =
            p->ticks ? ticks_to_ns(&j->header, values[WEIGHT].number) : values[WEIGHT].number;
    thread = thread_of(j, p, values);
    origin.event = types->types.items[p->want.type].name;
    origin.thread = thread.name;
    origin.tid = thread.number;
    if (values[STATE].present)
        set_state(j, &origin, jfr_stack_state(&j->stacks, p->state_type, values[STATE].number));
    series = builder_series(&j->b, &origin, p->unit);
    if (!p->sampled)
        profile_call_records(j->content->profile, series, SLICE("events"));
    if (series != BUILDER_LEFT_OUT)
        profile_note_truncated(j->content->profile, series, truncated);
    if (p->traced)
        return hold_call(j, values, series, stack);
    if (values[START].present)
        builder_time(&j->b, series, time_of(&j->header, values[START].number));
    return builder_add_at(&j->b, series, stack, weight);
}

/* ---- facts --------------------------------------------------------------------------------- */

static void add_text_fact(struct jfr *j, const char *key, const struct jfr_value *value)
{
    struct buf text = {0};

    if (value->present)
        jfr_chunk_text(&j->chunk, value->at, &text);
    if (text.len)
        profile_add_fact(j->content->profile, slice_str(key), buf_slice(&text));
    buf_release(&text);
}

/* Keeps the interval of execution samples, which is a fact if the recording has such samples. */
static void keep_interval(struct jfr *j, const struct jfr_value *value, const char *unit)
{
    buf_clear(&j->interval);
    if (value->present)
        jfr_chunk_text(&j->chunk, value->at, &j->interval);
    if (j->interval.len)
        buf_add_str(&j->interval, unit);
}

/* Adds the interval as a fact; it is not that of other events. */
static void add_interval(struct jfr *j)
{
    const struct slice event = SLICE("jdk.ExecutionSample");
    struct profile *p = j->content->profile;
    bool sampled = false;

    for (size_t i = 0; i < p->series.count; i++)
        sampled |= slice_equal(p->series.items[i].event, event);
    if (!j->interval.len || !sampled)
        return;
    if (p->series.count > 1)
        buf_printf(&j->interval, " of %.*s", SLICE_ARG(event));
    profile_add_fact(p, SLICE("sampling interval"), buf_slice(&j->interval));
}

/* Counts the samples that an event reports as lost. */
static void add_lost(struct jfr *j, uint32_t type, struct event *e)
{
    static const char *const lost[] = {"lostSamples"};
    uint64_t *sum = &j->content->profile->ledger.lost;
    struct jfr_types *t = &j->chunk.types;
    struct jfr_value value;
    struct jfr_want want;

    jfr_chunk_want_init(&want, t, type, lost, 1);
    jfr_chunk_want_read(&want, t, &e->payload, &value);
    if (!e->payload.bad)
        *sum = value.number > UINT64_MAX - *sum ? UINT64_MAX : *sum + value.number;
    jfr_chunk_want_release(&want);
}

/* Adds facts: the JVM, the command line and lost samples; keeps the sampling interval. */
static void add_facts(struct jfr *j, uint32_t type, struct event *e)
{
    static const char *const jvm[] = {"jvmVersion", "javaArguments"};
    static const char *const setting[] = {"name", "value", "id"};
    struct jfr_types *t = &j->chunk.types;
    bool is_jvm = slice_equal(t->types.items[type].name, SLICE("jdk.JVMInformation"));
    struct jfr_value values[3];
    struct jfr_want want;
    struct buf name = {0};

    if (slice_equal(t->types.items[type].name, SLICE("jdk.CPUTimeSamplesLost")))
        add_lost(j, type, e);
    if (!is_jvm && !slice_equal(t->types.items[type].name, SLICE("jdk.ActiveSetting")))
        return;
    jfr_chunk_want_init(&want, t, type, is_jvm ? jvm : setting, is_jvm ? 2 : 3);
    jfr_chunk_want_read(&want, t, &e->payload, values);
    if (!e->payload.bad && is_jvm) {
        add_text_fact(j, "jvm", &values[0]);
        add_text_fact(j, "command", &values[1]);
    } else if (!e->payload.bad && values[0].present) {
        uint32_t of = jfr_chunk_type_find(t, values[2].number);

        jfr_chunk_text(&j->chunk, values[0].at, &name);
        if (of != JFR_NO_TYPE && of == jfr_chunk_type_named(t, "jdk.ExecutionSample")) {
            if (slice_equal(buf_slice(&name), SLICE("period")))
                keep_interval(j, &values[1], "");
            if (slice_equal(buf_slice(&name), SLICE("interval")))
                keep_interval(j, &values[1], " ns");
        }
    }
    jfr_chunk_want_release(&want);
    buf_release(&name);
}

/* ---- chunks -------------------------------------------------------------------------------- */

static bool read_metadata(struct jfr *j)
{
    struct event e;

    if (j->header.metadata < HEADER || j->header.metadata >= j->chunk.size)
        return damaged(j, 0, "unfinished chunk: the metadata that describes its events is missing");
    if (!next_event(j, (size_t)j->header.metadata, &e))
        return false;
    if (e.type != METADATA || !jfr_chunk_type_read(&j->chunk.types, &e.payload))
        return damaged(j, e.at, "malformed metadata of the chunk");
    return true;
}

static bool read_constants(struct jfr *j)
{
    struct event e;

    for (size_t at = HEADER; at < j->chunk.size; at = e.end) {
        if (!next_event(j, at, &e))
            return false;
        if (e.type == CHECKPOINT && !jfr_chunk_add(&j->chunk, &e.payload))
            return damaged(j, at, "malformed constants");
    }
    return true;
}

static bool read_samples(struct jfr *j)
{
    struct event e;

    for (size_t at = HEADER; at < j->chunk.size; at = e.end) {
        uint32_t type;

        if (!next_event(j, at, &e))
            return false;
        type = e.type == METADATA || e.type == CHECKPOINT
                   ? JFR_NO_TYPE
                   : jfr_chunk_type_find(&j->chunk.types, e.type);
        if (type == JFR_NO_TYPE) {
            if (e.type != METADATA && e.type != CHECKPOINT)
                builder_skip(
                    &j->b, DIAG_AT_BYTE(j->offset + e.at),
                    "event of the type %llu, which the metadata does not describe; skipped",
                    (unsigned long long)e.type);
            continue;
        }
        if (!j->plans.items[type].used)
            add_facts(j, type, &e);
        else if (!add_sample(j, &j->plans.items[type], &e))
            return false;
    }
    return true;
}

static bool read_chunk(struct jfr *j, const struct buf *bytes)
{
    bool ok;

    jfr_chunk_init(&j->chunk, bytes->ptr, bytes->len, j->header.fixed);
    ok = read_metadata(j) && read_constants(j);
    if (ok) {
        jfr_stack_init(&j->stacks, &j->b, &j->chunk);
        for (uint32_t i = 0; i < j->chunk.types.types.count; i++)
            *vec_add(&j->plans) = make_plan(&j->chunk.types, i);
        ok = read_samples(j);
        vec_each (struct plan, plan, &j->plans)
            jfr_chunk_want_release(&plan->want);
        vec_clear(&j->plans);
        jfr_stack_release(&j->stacks);
    }
    jfr_chunk_release(&j->chunk);
    return ok;
}

/*
 * Reads one chunk into `bytes`. Returns false at the end of the file, or after reporting an error;
 * then `*ok` is false.
 */
static bool load_chunk(struct jfr *j, struct stream *in, struct buf *bytes, bool *ok)
{
    buf_clear(bytes);
    j->offset = stream_offset(in);
    if (!stream_take(in, HEADER, bytes) && !bytes->len) {
        *ok = !j->content->source->failed;
        return false;
    }
    *ok = read_header(buf_slice(bytes), &j->header) ||
          damaged(j, 0, "expected a chunk of a recording ('FLR')");
    if (*ok && (j->header.major < 1 || j->header.major > 2))
        *ok = damaged(j, 4,
                      "unsupported old version of a recording; "
                      "run: java -jar jfr-converter.jar FILE");
    if (*ok && j->header.size < HEADER)
        *ok = damaged(j, 8, "unfinished chunk; run: jfr assemble DIRECTORY FILE");
    if (*ok && !j->header.ticks)
        *ok = damaged(j, 56, "the chunk states 0 ticks per second");
    if (*ok && !stream_take(in, j->header.size - HEADER, bytes))
        *ok = !j->content->source->failed &&
              damaged(j, 8, "the file ends in the middle of this chunk");
    return *ok;
}

/*
 * Orders the series: known events in the order of `weights`, each before those of its waiting
 * threads, then the others in the order of their names.
 */
static unsigned series_rank(const struct series *s)
{
    size_t end = slice_search(s->event, SLICE(WAITING));
    const struct weight *w = known_weight(slice_take(s->event, end));

    return w ? 2 * (unsigned)(w - weights) + (end < s->event.len) : 2 * WEIGHTS;
}

static bool jfr_read(struct content *c)
{
    struct jfr j = {.content = c};
    struct stream in;
    struct buf bytes = {0};
    bool ok = true;

    builder_init(&j.b, c->profile, c->options, c->diag);
    stream_init(&in, c);
    while (ok && load_chunk(&j, &in, &bytes, &ok)) {
        ok = read_chunk(&j, &bytes) || j.skipped;
        j.chunks++;
        j.skipped = false;
    }
    ok |= j.skipped;
    ok = ok && jfr_trace_end(&j.calls, &j.b);
    jfr_bare_end(&j.bare, &j.b);
    add_interval(&j);
    event_order_by_name(c->profile);
    profile_order_series(c->profile, series_rank);
    buf_release(&bytes);
    stream_release(&in);
    release_each(&j, (vec, plans, calls), (buf, event, interval), (jfr_bare, bare), (builder, b));
    return ok;
}

static bool jfr_claims(const struct head *head)
{
    return slice_starts(head->bytes, SLICE("FLR\0"));
}

const struct format format_jfr = {
    .name = "jfr",
    .family = FORMAT_JAVA,
    .description =
        "Java Flight Recorder: a graph per event type; the default is the first of samples, "
        "allocations, waits",
    .recognised = "the bytes 'FLR' and a zero byte",
    .example = "java -XX:StartFlightRecording:filename=app.jfr,settings=profile -jar app.jar",
    .without_stacks = "the recording has no samples; record for longer, with settings=profile",
    .claims = jfr_claims,
    .read = jfr_read,
};
