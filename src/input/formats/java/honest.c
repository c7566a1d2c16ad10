/*
 * Logs of Honest Profiler (.hpl): records of a marker byte and big-endian
 * numbers; a string is its length in 32 bits and its bytes.
 *
 *     1   a sample: 32 bits frames, 64 bits thread
 *     11  a sample with its time: 64 bits seconds, 64 bits nanoseconds
 *     2   the sample's next frame, leaf first: 32 bits bytecode index, 64 bits method
 *     21  a frame with a line: 32 bits line before the method; negative means none
 *     3   a method: 64 bits number, then file, class and name as strings
 *     31  a method: file, class, generic class, name, signature, generic signature
 *     4   a thread: 64 bits number, name
 *     0   nothing was written from here on
 *
 * A method's record comes after the frame that first refers to it, so a sample
 * is added only when the next one begins. A frame count below 1 is the virtual
 * machine's error code for a missing stack; such a sample gets the error as its
 * only frame. The thread's name is the first frame if the log has it. Other
 * threads have only a number, an address that differs from run to run;
 * --split=thread tells these threads apart.
 *
 * --names=reference gives what stackcollapse-hpl of github.com/cykl/
 * hprof2flamegraph prints, where "Thread N" is the first frame.
 * Grammar: hprof2flamegraph, and LogParser.java of github.com/jvm-profiling-tools/
 * honest-profiler.
 */
#include "input/core/cut_off.h"
#include "input/parse/content.h"
#include "input/format.h"
#include "input/build/java.h"

enum honest_marker {
    HONEST_END = 0,
    HONEST_SAMPLE = 1,
    HONEST_SAMPLE_TIMED = 11,
    HONEST_FRAME = 2,
    HONEST_FRAME_LINE = 21,
    HONEST_METHOD = 3,
    HONEST_METHOD_SIGNATURE = 31,
    HONEST_THREAD = 4,
};

enum { HONEST_INVALID = -1, HONEST_STRINGS = 6, HONEST_LONGEST = 1 << 20 };

struct honest_record {
    enum honest_marker marker;
    int32_t count; /* number of frames, or a line */
    uint64_t id;   /* of a thread or method */
    uint64_t seconds, nanoseconds;
    struct slice strings[HONEST_STRINGS];
};

/* Why a sample has no frames, indexed by the negated frame count. */
static const struct {
    const char *clean, *reference;
} errors[] = {
    {"[no Java frames]", "No Java Frames[ERR=0]"},
    {"[no class loaded]", "No class load[ERR=-1]"},
    {"[GC active]", "GC Active[ERR=-2]"},
    {"[unknown, not Java]", "Unknown not Java[ERR=-3]"},
    {"[not walkable, not Java]", "Not walkable not Java[ERR=-4]"},
    {"[unknown Java]", "Unknown Java[ERR=-5]"},
    {"[not walkable Java]", "Not walkable Java[ERR=-6]"},
    {"[unknown state]", "Unknown state[ERR=-7]"},
    {"[thread exit]", "Thread exit[ERR=-8]"},
    {"[deoptimized]", "Deopt[ERR=-9]"},
    {"[safepoint]", "Safepoint[ERR=-10]"},
};

enum { ERRORS = sizeof(errors) / sizeof(errors[0]) };

/* ---- records ------------------------------------------------------------------------------- */

/* The unread bytes of a record; `ok` becomes false if the record is longer than the bytes. */
struct cursor {
    struct slice rest;
    bool ok, invalid;
};

static uint64_t take_number(struct cursor *c, size_t bytes)
{
    uint64_t n = 0;

    if (c->rest.len < bytes) {
        c->ok = false;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++)
        n = n << 8 | (unsigned char)c->rest.ptr[i];
    c->rest = slice_skip(c->rest, bytes);
    return n;
}

static int32_t take_signed(struct cursor *c)
{
    uint32_t n = (uint32_t)take_number(c, 4);

    return n > INT32_MAX ? -(int32_t)(UINT32_MAX - n) - 1 : (int32_t)n;
}

static struct slice take_string(struct cursor *c)
{
    uint64_t len = take_number(c, 4);
    struct slice text = slice_take(c->rest, len);

    if (len > HONEST_LONGEST) {
        c->invalid = true;
        return SLICE("");
    }
    if (len > c->rest.len)
        c->ok = false;
    c->rest = slice_skip(c->rest, len);
    return text;
}

static void take_fields(struct cursor *c, struct honest_record *r)
{
    size_t strings = 0;

    switch (r->marker) {
    case HONEST_END:
        break;
    case HONEST_SAMPLE:
    case HONEST_SAMPLE_TIMED:
        r->count = take_signed(c);
        r->id = take_number(c, 8);
        if (r->marker == HONEST_SAMPLE_TIMED) {
            r->seconds = take_number(c, 8);
            r->nanoseconds = take_number(c, 8);
        }
        break;
    case HONEST_FRAME:
    case HONEST_FRAME_LINE:
        take_number(c, 4);
        r->count = r->marker == HONEST_FRAME_LINE ? take_signed(c) : -1;
        r->id = take_number(c, 8);
        break;
    case HONEST_METHOD:
    case HONEST_METHOD_SIGNATURE:
    case HONEST_THREAD:
        r->id = take_number(c, 8);
        strings = r->marker == HONEST_THREAD ? 1 : r->marker == HONEST_METHOD ? 3 : 6;
        break;
    default:
        c->invalid = true;
    }
    for (size_t i = 0; i < strings && c->ok && !c->invalid; i++)
        r->strings[i] = take_string(c);
}

/*
 * Reads one record from `bytes`. Returns its length, 0 if it is incomplete, HONEST_INVALID if it is
 * not a record.
 */
static ssize_t read_record(struct slice bytes, struct honest_record *r)
{
    struct cursor c = {.rest = bytes, .ok = true};

    *r = (struct honest_record){.marker = (enum honest_marker)take_number(&c, 1)};
    take_fields(&c, r);
    if (c.invalid)
        return HONEST_INVALID;
    return c.ok ? (ssize_t)(bytes.len - c.rest.len) : 0;
}

static bool is_method(const struct honest_record *r)
{
    return r->marker == HONEST_METHOD || r->marker == HONEST_METHOD_SIGNATURE;
}

/* Claims a head that is records up to its end, one of them a method with a class. */
static bool honest_claims(const struct head *head)
{
    struct slice rest = head->bytes;
    bool method = false;
    ssize_t len;

    if (!rest.len || !memchr("\1\4\13", rest.ptr[0], 3))
        return false;
    while (rest.len) {
        struct honest_record r;

        len = read_record(rest, &r);
        if (len < 0)
            return false;
        if (len == 0 || r.marker == HONEST_END)
            break;
        if (is_method(&r)) {
            method = true;
            if (!slice_starts(r.strings[1], SLICE("L")) || !slice_ends(r.strings[1], SLICE(";")))
                return false;
        }
        rest = slice_skip(rest, (size_t)len);
    }
    return method;
}

/* ---- samples ------------------------------------------------------------------------------- */

struct method {
    struct slice name, file; /* the name is empty until the method's record is read */
};

struct frame_ref {
    uint32_t method;
    int32_t line;
};

struct honest {
    struct sample sample;
    struct intern method_ids; /* keys are the eight bytes of an id */
    VEC(struct method) methods;
    struct intern thread_ids;
    VEC(struct slice) thread_names;
    bool waiting;              /* a sample's head was read */
    struct honest_record head; /* the record that began the open sample */
    VEC(struct frame_ref) frames;
    struct buf thread;
};

static uint32_t intern_id(struct intern *ids, uint64_t id)
{
    return intern_add(ids, slice_make((const char *)&id, sizeof(id)));
}

static uint32_t method_of(struct honest *h, uint64_t id)
{
    uint32_t method = intern_id(&h->method_ids, id);

    if (method == h->methods.count)
        *vec_add(&h->methods) = (struct method){0};
    return method;
}

static void read_method(struct honest *h, const struct honest_record *r)
{
    struct slice name = r->strings[r->marker == HONEST_METHOD ? 2 : 3];
    struct frame f = java_method(r->strings[1], name, &h->sample.scratch);
    uint32_t method = method_of(h, r->id);

    h->methods.items[method].name = sample_keep(&h->sample, f.name);
    h->methods.items[method].file = sample_keep(&h->sample, r->strings[0]);
}

static void read_thread(struct honest *h, const struct honest_record *r)
{
    uint32_t thread = intern_id(&h->thread_ids, r->id);

    if (thread == h->thread_names.count)
        vec_add(&h->thread_names);
    h->thread_names.items[thread] = sample_keep(&h->sample, r->strings[0]);
}

/* Returns the thread's name, or an empty slice if the log has not named it. */
static struct slice thread_name(const struct honest *h, uint64_t id)
{
    uint32_t thread = intern_find(&h->thread_ids, slice_make((const char *)&id, sizeof(id)));

    return thread == MAP_NONE ? SLICE("") : h->thread_names.items[thread];
}

static void push_frame(struct honest *h, const struct frame_ref *ref)
{
    const struct method *m = &h->methods.items[ref->method];
    struct frame f = {.name = m->name, .file = m->file, .kind = FRAME_JAVA};

    if (ref->line > 0)
        f.line = (uint64_t)ref->line;
    if (!m->name.len) {
        memcpy(&f.address, intern_get(&h->method_ids, ref->method).ptr, sizeof(f.address));
        f.has_address = true;
    } else if (sample_is_reference(&h->sample)) {
        struct buf *scratch = &h->sample.scratch;

        buf_clear(scratch);
        buf_add_slice(scratch, m->name);
        if (f.line)
            buf_printf(scratch, ":%llu", (unsigned long long)f.line);
        f = (struct frame){.name = buf_slice(scratch), .kind = FRAME_PLAIN};
    }
    sample_frame(&h->sample, &f);
}

/* Pushes the error that replaces the stack of a sample without frames. */
static void push_error(struct honest *h, int32_t count)
{
    bool reference = sample_is_reference(&h->sample);
    uint32_t number = (uint32_t) - (int64_t)count;
    struct buf *scratch = &h->sample.scratch;

    buf_clear(scratch);
    if (number >= ERRORS)
        buf_printf(scratch, reference ? "Error.Unknown err[ERR=%d]" : "[error %d]", (int)count);
    else if (reference)
        buf_printf(scratch, "Error.%s", errors[number].reference);
    else
        buf_add_str(scratch, errors[number].clean);
    builder_name(&h->sample.builder, buf_slice(scratch), FRAME_PLAIN);
}

/* Opens the sample whose head was read. The names of its thread and methods are known by now. */
static bool begin_stack(struct honest *h)
{
    struct slice name = thread_name(h, h->head.id);

    buf_clear(&h->thread);
    buf_printf(&h->thread, "Thread %llu", (unsigned long long)h->head.id);
    if (!sample_is_reference(&h->sample))
        return java_open(&h->sample, name);
    h->sample.origin.thread = name;
    return sample_open(&h->sample, buf_slice(&h->thread));
}

/* Adds the sample whose head and frames were read, if there is one. */
static bool end_sample(struct content *c, struct honest *h, uint64_t offset)
{
    struct sample *s = &h->sample;
    uint32_t series;

    if (!h->waiting)
        return true;
    h->waiting = false;
    if (!begin_stack(h))
        return false;
    s->origin.tid = slice_skip(buf_slice(&h->thread), strlen("Thread "));
    if (h->head.count <= 0)
        push_error(h, h->head.count);
    else if (h->frames.count != (uint32_t)h->head.count)
        diag_add(c->diag, DIAG_WARNING, DIAG_AT_BYTE(offset),
                 "the previous sample has %zu frame%s, but its header says %d", h->frames.count,
                 diag_s(h->frames.count), (int)h->head.count);
    vec_each (struct frame_ref, frame, &h->frames)
        push_frame(h, frame);
    vec_clear(&h->frames);
    series = builder_series(&s->builder, &s->origin, unit_samples);
    if (h->head.marker == HONEST_SAMPLE_TIMED && h->head.seconds < UINT64_MAX / 1000000000)
        builder_time(&s->builder, series, h->head.seconds * 1000000000 + h->head.nanoseconds);
    return sample_close(s);
}

static bool add_record(struct content *c, struct honest *h, const struct honest_record *r,
                       uint64_t offset)
{
    switch (r->marker) {
    case HONEST_SAMPLE:
    case HONEST_SAMPLE_TIMED:
        if (!end_sample(c, h, offset))
            return false;
        h->waiting = true;
        h->head = *r;
        break;
    case HONEST_FRAME:
    case HONEST_FRAME_LINE:
        if (h->waiting)
            *vec_add(&h->frames) = (struct frame_ref){method_of(h, r->id), r->count};
        else
            c->profile->ledger.unreadable++;
        break;
    case HONEST_METHOD:
    case HONEST_METHOD_SIGNATURE:
        read_method(h, r);
        break;
    case HONEST_THREAD:
        read_thread(h, r);
        break;
    default:
        break;
    }
    return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Adds the complete records of `bytes`; leaves the incomplete one at the end in `bytes`. */
static bool add_records(struct content *c, struct honest *h, struct slice *bytes, uint64_t *offset,
                        bool *ended)
{
    while (bytes->len && !*ended) {
        struct honest_record r;
        ssize_t len = read_record(*bytes, &r);

        if (len < 0) {
            diag_add(c->diag, DIAG_ERROR, DIAG_AT_BYTE(*offset), "unknown record type %u",
                     (unsigned)(unsigned char)bytes->ptr[0]);
            return false;
        }
        if (len == 0)
            return true;
        *ended = r.marker == HONEST_END;
        if (!add_record(c, h, &r, *offset))
            return false;
        c->profile->ledger.lines++;
        *bytes = slice_skip(*bytes, (size_t)len);
        *offset += (uint64_t)len;
    }
    return true;
}

static bool read_records(struct content *c, struct honest *h)
{
    struct buf block = {0}, pending = {0};
    uint64_t offset = 0;
    bool ok = true, ended = false;

    while (ok && !ended && content_next(c, &block)) {
        struct slice bytes;

        buf_add_slice(&pending, buf_slice(&block));
        bytes = buf_slice(&pending);
        ok = add_records(c, h, &bytes, &offset, &ended);
        buf_clear(&block);
        buf_add_slice(&block, bytes);
        buf_clear(&pending);
        buf_add_slice(&pending, buf_slice(&block));
    }
    if (ok && !ended && pending.len)
        cut_off(c, DIAG_AT_BYTE(offset), "the file ends in the middle of a record");
    ok = ok && !c->source->failed && end_sample(c, h, offset);
    buf_release(&block);
    buf_release(&pending);
    return ok;
}

static bool honest_read(struct content *c)
{
    struct honest h = {0};
    bool ok;

    sample_init(&h.sample, c->profile, c->options, c->diag);
    ok = read_records(c, &h);
    release_each(&h, (vec, methods, thread_names, frames), (intern, method_ids, thread_ids),
                 (buf, thread), (sample, sample));
    return ok;
}

const struct format format_honest = {
    .name = "honest-profiler",
    .family = FORMAT_JAVA,
    .description = "logs of Honest Profiler (.hpl)",
    .recognised = "its binary records, one of them a method with a class",
    .example = "java -agentpath:liblagent.so=interval=7,logPath=app.hpl Main",
    .in_order = true,
    .claims = honest_claims,
    .read = honest_read,
};
