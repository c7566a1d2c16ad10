/*
 * MOJO, the binary output of Austin: a stream of events.
 *
 *     "MOJ" version
 *     1 metadata   key, value
 *     2 stack      pid, interpreter (from version 3 on), thread
 *     3 frame      key, file, function, line; from version 2 on also the last
 *                  line, column, last column
 *     4 invalid frame            5 frame reference  key
 *     6 kernel frame   name      7 garbage collection       8 idle
 *     9 time       microseconds  10 memory   bytes
 *     11 string    key, text     12 string reference  key
 *     13 the frames of the thread's previous sample (version 4)
 *     14 stack of a task   task, name        15 waiting task   task, task
 *
 * Numbers have six bits, a sign (0x40) and a continuation bit (0x80) in their
 * first byte, seven bits and a continuation bit in the others, low bits first.
 * Texts end in NUL. "file" and "function" are keys of strings; keys are local
 * to the process of the current stack. A frame event only defines a key; the
 * references are the stack, root first. The weight of a stack follows its
 * frames. The stack of a task counts only if it has a weight of its own.
 *
 * Source: github.com/P403n1x87/austin, src/mojo.h and src/events.c.
 */
#include "base/num.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/script/austin.h"
#include "input/parse/stream.h"

/* ---- numbers and texts --------------------------------------------------------------------- */

/*
 * The numbers and texts of MOJO.
 *
 * Each function returns false if the content ends in the middle of the value,
 * which sets `ended`, or after reporting an error.
 */

struct mojo_bytes {
    struct stream stream;
    struct content *content;
    uint64_t at; /* offset of the current event */
    bool ended;  /* the content ended in the middle of an event */
};

static void mojo_bytes_init(struct mojo_bytes *b, struct content *content)
{
    *b = (struct mojo_bytes){.content = content};
    stream_init(&b->stream, content);
}

static bool report_cut(struct mojo_bytes *b)
{
    b->ended = true;
    return false;
}

/* Reports an error at the current event; returns false. */
static bool mojo_bytes_damaged(const struct mojo_bytes *b, const char *what)
{
    diag_add(b->content->diag, DIAG_ERROR, DIAG_AT_BYTE(b->at), "malformed MOJO: %s", what);
    return false;
}

static bool mojo_bytes_number(struct mojo_bytes *b, uint64_t *value, bool *negative)
{
    int byte = stream_byte(&b->stream);
    unsigned shift = 6;

    if (byte < 0)
        return report_cut(b);
    *negative = byte & 0x40;
    *value = (unsigned)byte & 0x3f;
    for (; byte & 0x80; shift += 7) {
        byte = stream_byte(&b->stream);
        if (byte < 0)
            return report_cut(b);
        if (shift >= 64 || ((uint64_t)(byte & 0x7f) << shift) >> shift != (uint64_t)(byte & 0x7f))
            return mojo_bytes_damaged(b, "a number does not fit in 64 bits");
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return true;
}

static bool mojo_bytes_unsigned(struct mojo_bytes *b, uint64_t *value)
{
    bool negative;

    return mojo_bytes_number(b, value, &negative) &&
           (!negative || mojo_bytes_damaged(b, "unexpected negative number"));
}

static bool mojo_bytes_add_text(struct mojo_bytes *b, struct buf *out)
{
    uint64_t most = b->content->options->limits.max_line + out->len;
    bool ended = false;

    while (!ended) {
        struct slice more = stream_rest(&b->stream);
        size_t len = slice_find(more, '\0');

        if (!more.len)
            return report_cut(b);
        ended = len < more.len;
        if (len > most - out->len)
            return mojo_bytes_damaged(b, "unterminated text");
        buf_add(out, more.ptr, len);
        stream_skip(&b->stream, len + ended);
    }
    return true;
}

/* Reads a text into `out`, replacing its content. */
static bool mojo_bytes_text(struct mojo_bytes *b, struct buf *out)
{
    buf_clear(out);
    return mojo_bytes_add_text(b, out);
}

enum event {
    METADATA = 1,
    STACK,
    FRAME,
    FRAME_INVALID,
    FRAME_REF,
    FRAME_KERNEL,
    GC,
    IDLE,
    METRIC_TIME,
    METRIC_MEMORY,
    STRING,
    STRING_REF,
    STACK_REPEAT,
    TASK_STACK,
    TASK_WAITER,
};

enum { VERSION_LAST = 4, NO_NAME = 1 };

struct mojo_entries VEC_OF(uint32_t);

/* A thread; its stacks always begin with the same frames. */
struct mojo_thread {
    struct austin_owner owner;
    struct mojo_entries last; /* the frames of its last sample */
};

struct mojo {
    struct austin a;
    struct mojo_bytes in;
    struct content *content;
    uint64_t version, pid;
    /* Strings and frames by (pid, key), with the latest definition of the key. */
    struct intern texts, string_keys, frame_keys;
    VEC(uint32_t) string_of, frame_of;
    struct intern thread_keys; /* the fields that begin a stack event, as written */
    VEC(struct mojo_thread) threads;
    struct arena owners; /* texts of the origins */
    /* The open sample. */
    bool open, task, has_time, has_memory;
    uint32_t thread;
    struct mojo_entries frames;
    struct austin_metrics metrics;
    struct buf text;
};

/* ---- what keys mean ------------------------------------------------------------------------ */

/* Returns the id of (pid, key), which stays the same if the key is redefined. */
static uint32_t key_id(struct mojo *m, struct intern *keys, uint64_t key, bool add)
{
    uint64_t both[2] = {m->pid, key};
    struct slice bytes = slice_make((const char *)both, sizeof(both));

    return add ? intern_add(keys, bytes) : intern_find(keys, bytes);
}

static struct slice string_of(struct mojo *m, uint64_t key)
{
    uint32_t id = key_id(m, &m->string_keys, key, false);

    if (key <= NO_NAME || id == MAP_NONE)
        return SLICE("");
    return intern_get(&m->texts, m->string_of.items[id]);
}

static bool read_string(struct mojo *m)
{
    uint32_t id;
    uint64_t key;

    if (!mojo_bytes_unsigned(&m->in, &key) || !mojo_bytes_text(&m->in, &m->text))
        return false;
    id = key_id(m, &m->string_keys, key, true);
    if (id == m->string_of.count)
        vec_add(&m->string_of);
    m->string_of.items[id] = intern_add(&m->texts, buf_slice(&m->text));
    return true;
}

static bool read_frame(struct mojo *m)
{
    uint64_t key, file, function, line, rest;
    uint32_t id;

    if (!mojo_bytes_unsigned(&m->in, &key) || !mojo_bytes_unsigned(&m->in, &file) ||
        !mojo_bytes_unsigned(&m->in, &function) || !mojo_bytes_unsigned(&m->in, &line))
        return false;
    for (int i = 0; m->version >= 2 && i < 3; i++)
        if (!mojo_bytes_unsigned(&m->in, &rest))
            return false;
    id = key_id(m, &m->frame_keys, key, true);
    if (id == m->frame_of.count)
        vec_add(&m->frame_of);
    m->frame_of.items[id] = austin_entry(&m->a, string_of(m, file), string_of(m, function), line);
    return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

static bool read_frame_ref(struct mojo *m)
{
    uint64_t key;
    uint32_t id;

    if (!mojo_bytes_unsigned(&m->in, &key))
        return false;
    id = key_id(m, &m->frame_keys, key, false);
    if (id != MAP_NONE) {
        *vec_add(&m->frames) = m->frame_of.items[id];
        return true;
    }
    diag_add(m->content->diag, DIAG_WARNING, DIAG_AT_BYTE(m->in.at),
             "reference to an undefined frame");
    m->content->profile->ledger.unreadable++;
    *vec_add(&m->frames) = austin_entry(&m->a, SLICE(""), SLICE(""), 0);
    return true;
}

static bool read_kernel_frame(struct mojo *m)
{
    struct frame f = {.kind = FRAME_PLAIN, .class = SYMBOL_KERNEL};

    if (!mojo_bytes_text(&m->in, &m->text))
        return false;
    f.name = buf_slice(&m->text);
    *vec_add(&m->frames) = builder_entry(&m->a.b, &f);
    return true;
}

/* Copies a list of entries. */
static void copy_entries(struct mojo_entries *to, const struct mojo_entries *from)
{
    vec_clear(to);
    vec_reserve(to, from->count);
    for (size_t i = 0; i < from->count; i++)
        *vec_add(to) = from->items[i];
}

/* Adds the open sample, if there is one and it has a weight. */
static bool finish(struct mojo *m)
{
    bool memory = m->a.mode == AUSTIN_MEMORY, full = m->a.mode == AUSTIN_FULL;
    bool whole = memory ? m->has_memory : m->has_time && (!full || m->has_memory);
    struct profile *p = m->content->profile;

    if (!m->open)
        return true;
    m->open = false;
    if (!m->task)
        copy_entries(&m->threads.items[m->thread].last, &m->frames);
    else if (!m->has_time && !m->has_memory)
        return true;
    p->ledger.lines++;
    if (!whole) {
        p->ledger.unreadable++;
        diag_add(m->content->diag, DIAG_WARNING, DIAG_AT_BYTE(m->in.at),
                 "the previous sample has no metric; skipped");
        return true;
    }
    austin_begin_of(&m->a, &m->threads.items[m->thread].owner);
    vec_each (uint32_t, entry, &m->frames)
        austin_push(&m->a, *entry);
    return austin_add(&m->a, &m->metrics);
}

static void open_sample(struct mojo *m, bool task)
{
    m->open = true;
    m->task = task;
    m->has_time = m->has_memory = false;
    m->metrics = (struct austin_metrics){0};
    vec_clear(&m->frames);
}

/* Makes the origin of a thread, which is given by its number in hex or by its name. */
static struct austin_owner make_owner(struct mojo *m, uint64_t interpreter, struct slice text)
{
    struct slice pid, tid, name = SLICE("");
    struct buf shown = {0};
    uint64_t number;
    bool hex = num_parse_hex(text, &number);

    buf_add_u64(&shown, m->pid);
    pid = arena_copy(&m->owners, buf_slice(&shown));
    buf_clear(&shown);
    if (m->version >= 3 && (interpreter || m->a.reference))
        buf_printf(&shown, "%llu:", (unsigned long long)interpreter);
    if (hex && m->a.reference)
        buf_add_u64(&shown, number);
    else
        buf_add_slice(&shown, text);
    tid = arena_copy(&m->owners, buf_slice(&shown));
    if (!hex && !m->a.reference) {
        name = tid;
        tid = SLICE("");
    }
    buf_release(&shown);
    return austin_owner_of(&m->a, pid, tid, name);
}

static bool read_stack(struct mojo *m)
{
    struct {
        uint64_t pid, interpreter;
    } numbers = {0};

    if (!finish(m) || !mojo_bytes_unsigned(&m->in, &numbers.pid) ||
        (m->version >= 3 && !mojo_bytes_unsigned(&m->in, &numbers.interpreter)))
        return false;
    m->pid = numbers.pid;
    buf_clear(&m->text);
    buf_add(&m->text, &numbers, sizeof(numbers));
    if (!mojo_bytes_add_text(&m->in, &m->text))
        return false;
    m->thread = intern_add(&m->thread_keys, buf_slice(&m->text));
    if (m->thread == m->threads.count)
        *vec_add(&m->threads) = (struct mojo_thread){
            .owner = make_owner(m, numbers.interpreter,
                                slice_skip(buf_slice(&m->text), sizeof(numbers)))};
    open_sample(m, false);
    return true;
}

static bool read_task(struct mojo *m)
{
    uint64_t task, name;

    if (!finish(m) || !mojo_bytes_unsigned(&m->in, &task) || !mojo_bytes_unsigned(&m->in, &name))
        return false;
    open_sample(m, true);
    return true;
}

static bool read_memory(struct mojo *m)
{
    uint64_t bytes;
    bool negative;

    if (!mojo_bytes_number(&m->in, &bytes, &negative))
        return false;
    if (bytes > INT64_MAX)
        return mojo_bytes_damaged(&m->in, "a number of bytes does not fit in 63 bits");
    m->has_memory = true;
    m->metrics.memory = negative ? -(int64_t)bytes : (int64_t)bytes;
    return true;
}

/* ---- events -------------------------------------------------------------------------------- */

static bool read_metadata(struct mojo *m)
{
    struct buf key = {0};
    bool ok;

    ok = mojo_bytes_text(&m->in, &key) && mojo_bytes_text(&m->in, &m->text);
    if (ok)
        austin_header(&m->a, buf_slice(&key), buf_slice(&m->text));
    buf_release(&key);
    return ok;
}

/* Reads an event that belongs to the open sample. */
static bool read_detail(struct mojo *m, int event)
{
    uint64_t number;

    if (!m->open)
        return mojo_bytes_damaged(&m->in, "a part of a sample precedes the first sample");
    switch (event) {
    case FRAME_INVALID:
        *vec_add(&m->frames) = austin_entry(&m->a, SLICE(""), SLICE(""), 0);
        return true;
    case FRAME_REF:
        return read_frame_ref(m);
    case FRAME_KERNEL:
        return read_kernel_frame(m);
    case GC:
        *vec_add(&m->frames) = austin_entry(&m->a, SLICE(""), SLICE("GC"), 0);
        return true;
    case IDLE:
        m->metrics.idle = true;
        return true;
    case METRIC_TIME:
        m->has_time = true;
        return mojo_bytes_unsigned(&m->in, &m->metrics.time);
    case METRIC_MEMORY:
        return read_memory(m);
    case STACK_REPEAT:
        copy_entries(&m->frames, &m->threads.items[m->thread].last);
        return true;
    case TASK_WAITER:
        return mojo_bytes_unsigned(&m->in, &number) && mojo_bytes_unsigned(&m->in, &number);
    default:
        return mojo_bytes_damaged(&m->in, "unknown type of event");
    }
}

static bool read_event(struct mojo *m, int event)
{
    uint64_t number;

    switch (event) {
    case METADATA:
        return read_metadata(m);
    case STACK:
        return read_stack(m);
    case TASK_STACK:
        return read_task(m);
    case FRAME:
        return read_frame(m);
    case STRING:
        return read_string(m);
    case STRING_REF:
        return mojo_bytes_unsigned(&m->in, &number);
    default:
        return read_detail(m, event);
    }
}

/* ---- the format ---------------------------------------------------------------------------- */

static void mojo_init(struct mojo *m, struct content *c)
{
    *m = (struct mojo){.content = c};
    austin_init(&m->a, c->profile, c->options, c->diag);
    mojo_bytes_init(&m->in, c);
}

static void mojo_release(struct mojo *m)
{
    release_each(m, (austin, a), (stream, in.stream),
                 (intern, texts, string_keys, frame_keys, thread_keys), (arena, owners),
                 (vec, string_of, frame_of));
    vec_each (struct mojo_thread, thread, &m->threads)
        vec_release(&thread->last);
    release_each(m, (vec, threads, frames), (buf, text));
}

static bool read_version(struct mojo *m)
{
    bool ok = stream_take(&m->in.stream, 3, &m->text) && mojo_bytes_unsigned(&m->in, &m->version);

    if (ok && m->version >= 1 && m->version <= VERSION_LAST)
        return true;
    return ok && diag_error(m->content->diag,
                            "unsupported MOJO version %llu; convert the file with Austin's "
                            "own tool: mojo2austin FILE OUT",
                            (unsigned long long)m->version);
}

/* Reads events to the end of the content; the last sample may be incomplete. */
static bool read_events(struct mojo *m)
{
    int event = 0;

    while (!m->in.ended) {
        m->in.at = stream_offset(&m->in.stream);
        event = stream_byte(&m->in.stream);
        if (event < 0)
            break;
        if (!read_event(m, event) && !m->in.ended)
            return false;
    }
    if (m->content->source->failed)
        return false;
    if (!m->in.ended)
        return finish(m);
    cut_off(m->content, DIAG_AT_BYTE(m->in.at),
            "the file ends in the middle of a sample, which is skipped");
    m->content->profile->ledger.unreadable++;
    return true;
}

static bool mojo_read(struct content *c)
{
    struct mojo m;
    bool ok;

    mojo_init(&m, c);
    ok = read_version(&m) && read_events(&m);
    if (ok)
        austin_end(&m.a);
    mojo_release(&m);
    return ok;
}

static bool mojo_claims(const struct head *head)
{
    struct slice rest = slice_skip(head->bytes, 3);

    return slice_starts(head->bytes, SLICE("MOJ")) && rest.len >= 2 && rest.ptr[0] >= 1 &&
           rest.ptr[0] < 0x40 && (rest.ptr[1] == METADATA || rest.ptr[1] == STACK);
}

const struct format format_mojo = {
    .name = "mojo",
    .family = FORMAT_LANGUAGES,
    .description = "MOJO, Austin's binary format: samples of Python",
    .recognised = "the bytes 'MOJ' and a version",
    .example = "austin -b -o app.mojo python app.py",
    .without_stacks = "no thread ran Python while Austin sampled; record for longer",
    .in_order = true,
    .claims = mojo_claims,
    .read = mojo_read,
};
