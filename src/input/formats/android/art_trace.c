/*
 * Method traces of Android's runtime ART, and of Dalvik before it.
 *
 *     *version
 *     3
 *     clock=dual
 *     *threads
 *     21521	main
 *     *methods
 *     0x1fd8	java.lang.Object	wait	(JI)V	Object.java
 *     *end
 *     SLOW, then records: thread, method and action, microseconds since the start
 *
 * A streamed trace begins with SLOW; threads and methods come between the records, and the text
 * above at its end. A record with thread 0 is such a declaration.
 *
 * The time between two events of a thread belongs to the methods that are open between them. If
 * the trace has both clocks, the series are "wall" and "cpu". Exits without an entry, of methods
 * that were open when the trace began, are dropped and counted. Files and lines are those of
 * methods, not of calls.
 *
 * Source: art/runtime/trace.h and trace.cc of AOSP.
 */
#include "base/budget.h"
#include "base/map.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/build/java.h"
#include "input/format.h"
#include "input/parse/bytes.h"
#include "input/parse/stream.h"

enum {
    STREAMED = 0xf0,       /* flag of the version */
    CLOCKS = 2,            /* most of a record */
    ACTION = 3,            /* bits of a method's number: what happened */
    NEAR = 256,            /* methods above the one that is left, if it is not the innermost */
    RECORD_MOST = 1 << 17, /* bytes; a record and its declaration have two lengths of 16 bits */
};

enum { DECLARES_METHOD = 1, DECLARES_THREAD, DECLARES_END };

static const struct slice art_magic = {"SLOW", 4};

struct method {
    uint32_t id, entry;
};

/* A method that was entered. */
struct open_method {
    uint32_t id, stack;
};

struct thread {
    uint32_t id;
    struct slice name, number;
    bool seen;           /* has events */
    uint64_t us[CLOCKS]; /* of its last event */
    uint32_t series[CLOCKS];
    VEC(struct open_method) open;
};

struct art_trace {
    struct content *content;
    struct stream in;
    struct builder b;
    struct arena texts;
    VEC(struct method) methods;
    VEC(struct thread) threads;
    struct map method_index, thread_index;
    struct buf scratch;
    struct slice clocks[CLOCKS]; /* what the times of a record are */
    unsigned clock_count;
    unsigned wide, size; /* bytes of the number of a thread, and of a record */
    bool streamed, ended;
    uint64_t events, unmatched;
};

/* ---- methods and threads ------------------------------------------------------------------- */

static bool same_method(const void *context, uint32_t index, const void *key)
{
    return ((const struct art_trace *)context)->methods.items[index].id == *(const uint32_t *)key;
}

static bool same_thread(const void *context, uint32_t index, const void *key)
{
    return ((const struct art_trace *)context)->threads.items[index].id == *(const uint32_t *)key;
}

/* Returns a method, added without a name at its first use. */
static struct method *method_of(struct art_trace *a, uint32_t id)
{
    uint64_t hash = map_hash_pair(&a->method_index, id, 0);
    uint32_t index = map_find(&a->method_index, hash, same_method, a, &id);
    struct frame unnamed = {.kind = FRAME_PLAIN, .address = id, .has_address = true};

    if (index == MAP_NONE) {
        index = (uint32_t)a->methods.count;
        *vec_add(&a->methods) = (struct method){id, builder_entry(&a->b, &unnamed)};
        map_add(&a->method_index, hash, index);
    }
    return &a->methods.items[index];
}

static struct thread *thread_of(struct art_trace *a, uint32_t id)
{
    uint64_t hash = map_hash_pair(&a->thread_index, id, 0);
    uint32_t index = map_find(&a->thread_index, hash, same_thread, a, &id);

    if (index == MAP_NONE) {
        index = (uint32_t)a->threads.count;
        *vec_add(&a->threads) =
            (struct thread){.id = id, .number = slice_str(arena_printf(&a->texts, "%u", id))};
        map_add(&a->thread_index, hash, index);
    }
    return &a->threads.items[index];
}

static struct slice take_cell(struct slice *line)
{
    struct slice cell = slice_take(*line, slice_find(*line, '\t'));

    *line = slice_skip(*line, cell.len + 1);
    return cell;
}

/* "0x1fd8	java.lang.Object	wait	(JI)V	Object.java	12": class, method, signature, file, line. */
static void read_method(struct art_trace *a, struct slice line)
{
    struct slice number = take_cell(&line), class = take_cell(&line), name = take_cell(&line);
    uint64_t id;
    struct frame f;

    if (!slice_starts(number, SLICE("0x")) || !num_parse_hex(slice_skip(number, 2), &id) ||
        id > UINT32_MAX || !name.len)
        return;
    take_cell(&line);
    f = java_method(class, name, &a->scratch);
    f.file = take_cell(&line);
    num_parse_u64(slice_trim(line), &f.line);
    method_of(a, (uint32_t)id & ~(uint32_t)ACTION)->entry = builder_entry(&a->b, &f);
}

/* "21521	main" */
static void read_thread(struct art_trace *a, struct slice line)
{
    struct slice number = take_cell(&line);
    uint64_t id;

    if (num_parse_u64(number, &id) && id <= UINT32_MAX)
        thread_of(a, (uint32_t)id)->name = arena_copy(&a->texts, line);
}

/* ---- the text ------------------------------------------------------------------------------ */

static void read_key(struct art_trace *a, struct slice line)
{
    static const struct {
        struct slice line, clocks[CLOCKS];
        unsigned count;
    } kinds[] = {
        {SLICE("clock=dual"), {SLICE("cpu"), SLICE("wall")}, 2},
        {SLICE("clock=thread-cpu"), {SLICE("cpu")}, 1},
        {SLICE("clock=wall"), {SLICE("wall")}, 1},
        {SLICE("clock=global"), {SLICE("wall")}, 1},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_equal(line, kinds[i].line)) {
            a->clock_count = kinds[i].count;
            memcpy(a->clocks, kinds[i].clocks, sizeof(a->clocks));
        }
    if (slice_equal(line, SLICE("data-file-overflow=true")))
        diag_warn(a->content->diag,
                  "the buffer of the trace was full; what the program did after that is not in it");
}

/* Reads the lines up to "*end". */
static void read_text(struct art_trace *a)
{
    static const struct {
        struct slice head;
        void (*read)(struct art_trace *a, struct slice line);
    } sections[] = {
        {SLICE("*version"), read_key},
        {SLICE("*threads"), read_thread},
        {SLICE("*methods"), read_method},
    };
    void (*read)(struct art_trace *, struct slice) = NULL;
    struct slice line;

    while (stream_line(&a->in, &line) && !slice_equal(line, SLICE("*end"))) {
        bool head = false;

        for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
            if (slice_equal(line, sections[i].head)) {
                read = sections[i].read;
                head = true;
            }
        if (!head && read)
            read(a, line);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* The series of a thread, the one of the wall clock first. */
static void begin_thread(struct art_trace *a, struct thread *t)
{
    struct origin origin = {.thread = t->name, .tid = t->number};

    for (unsigned i = a->clock_count; i-- > 0;) {
        origin.event = a->clocks[i];
        t->series[i] = builder_series(&a->b, &origin, unit_named(SLICE("us")));
    }
    t->seen = true;
}

/* Adds the time since the last event of a thread to the methods that are open. */
static bool charge(struct art_trace *a, struct thread *t, const uint32_t *us)
{
    bool ok = true;

    for (unsigned i = 0; i < a->clock_count; i++) {
        /* Times of 32 bits begin again at 0 after 71 minutes; steps back are no time. */
        uint32_t step = us[i] - (uint32_t)t->us[i];

        if (step > INT32_MAX)
            continue;
        t->us[i] += step;
        if (step && t->open.count)
            ok = ok && builder_add_at(&a->b, t->series[i], t->open.items[t->open.count - 1].stack,
                                      (struct decimal){.value = step});
    }
    return ok;
}

static bool enter(struct art_trace *a, struct thread *t, uint32_t id)
{
    uint32_t parent = t->open.count ? t->open.items[t->open.count - 1].stack : STACK_ROOT;
    struct open_method *m;

    m = vec_add(&t->open);
    m->id = id;
    return builder_child_entry(&a->b, parent, method_of(a, id)->entry, &m->stack);
}

/* Leaves a method, and those that it called. */
static void leave(struct art_trace *a, struct thread *t, uint32_t id)
{
    for (size_t i = t->open.count; i-- > 0 && t->open.count - i <= NEAR;)
        if (t->open.items[i].id == id) {
            t->open.count = i;
            return;
        }
    a->unmatched++;
}

static bool read_event(struct art_trace *a, uint32_t thread, struct bytes *record)
{
    enum { ENTER };
    uint32_t method = bytes_u32(record), us[CLOCKS] = {0};
    uint32_t id = method & ~(uint32_t)ACTION;
    struct thread *t = thread_of(a, thread);

    for (unsigned i = 0; i < a->clock_count; i++)
        us[i] = bytes_u32(record);
    a->events++;
    if (!t->seen) {
        begin_thread(a, t);
        for (unsigned i = 0; i < a->clock_count; i++)
            t->us[i] = us[i];
    }
    if (!charge(a, t, us))
        return false;
    if ((method & ACTION) == ENTER)
        return enter(a, t, id);
    leave(a, t, id);
    return true;
}

/* Reads what stands between the records of a streamed trace. Returns false at its end. */
static bool read_declaration(struct art_trace *a, struct bytes *b)
{
    unsigned kind = bytes_u8(b);
    struct slice text;
    uint16_t id;

    if (kind == DECLARES_METHOD) {
        read_method(a, slice_trim_right(bytes_take(b, bytes_u16(b))));
        return true;
    }
    if (kind == DECLARES_THREAD) {
        id = bytes_u16(b);
        text = bytes_take(b, bytes_u16(b));
        thread_of(a, id)->name = arena_copy(&a->texts, text);
        return true;
    }
    if (kind != DECLARES_END && !b->failed)
        builder_skip(
            &a->b, DIAG_AT_FILE,
            "declaration of an unknown kind, %u, after %llu event%s; the rest of the trace "
            "is skipped",
            kind, (unsigned long long)a->events, diag_s(a->events));
    return false;
}

/* Reads a record. Returns false after reporting an error. */
static bool read_record(struct art_trace *a, struct bytes *b)
{
    uint32_t thread = a->wide > 1 ? bytes_u16(b) : bytes_u8(b);
    struct bytes record;

    if (a->streamed && !thread) {
        a->ended = !read_declaration(a, b);
        return true;
    }
    record = bytes_make_little(bytes_take(b, a->size - a->wide));
    return b->failed ||
           (read_event(a, thread, &record) && budget_allows(a->content->diag, DIAG_AT_FILE));
}

/* Reads all records. Returns false after reporting an error. */
static bool read_events(struct art_trace *a)
{
    struct bytes b = {0};
    size_t len, least;

    do {
        b = bytes_make_little(stream_peek(&a->in, RECORD_MOST));
        len = b.rest.len;
        least = len < RECORD_MOST ? 1 : RECORD_MOST;
        while (b.rest.len >= least && !b.failed && !a->ended)
            if (!read_record(a, &b))
                return false;
        stream_skip(&a->in, len - b.rest.len);
    } while (least > 1 && !b.failed && !a->ended);
    if (b.failed)
        builder_skip(&a->b, DIAG_AT_FILE,
                     "the trace ends in the middle of a record; %llu event%s before that %s read",
                     (unsigned long long)a->events, diag_s(a->events),
                     a->events == 1 ? "is" : "are");
    return true;
}

/* ---- the header of the records ------------------------------------------------------------- */

static const struct slice clock_key = {"\nclock=", 7};

/* Reads the first line "clock=..." of some bytes. Returns false if there is none. */
static bool find_clock_line(struct art_trace *a, struct slice bytes)
{
    size_t at = slice_search(bytes, clock_key);
    struct slice rest = slice_skip(bytes, at + 1), line;

    if (at == bytes.len || !slice_line(&rest, &line))
        return false;
    read_key(a, line);
    return true;
}

/*
 * Finds the clocks of a streamed trace in the text at its end: of a plain file from the end of it
 * backwards, else in the content, which is held for that. Returns false after reporting an error.
 */
static bool find_clocks(struct art_trace *a)
{
    enum { LINE = 64 };
    const struct source *source = a->content->source;
    uint64_t start = source->file_start, at = source->file_size;
    struct buf bytes = {0};
    bool ok = true, found = false;

    if (!source_is_plain(source)) {
        find_clock_line(a, stream_peek(&a->in, SIZE_MAX));
        return true;
    }
    while (ok && !found && at > start) {
        size_t len = at - start < SOURCE_BLOCK ? (size_t)(at - start) : SOURCE_BLOCK;
        size_t more = source->file_size - at < LINE ? (size_t)(source->file_size - at) : LINE;

        at -= len;
        buf_clear(&bytes);
        ok = source_read_at(source, at, buf_reserve(&bytes, len + more), len + more,
                            a->content->diag);
        bytes.len = len + more;
        found = ok && find_clock_line(a, buf_slice(&bytes));
    }
    buf_release(&bytes);
    return ok;
}

/*
 * Reads the header of the records. The size of a record, if the header does not have it, follows
 * from the clocks. Returns false after reporting an error.
 */
static bool read_header(struct art_trace *a)
{
    enum { HEADER = 18, FIXED = 4 };
    struct bytes b = bytes_make_little(stream_peek(&a->in, HEADER));
    unsigned version, offset;

    bytes_take(&b, art_magic.len);
    version = bytes_u16(&b);
    offset = bytes_u16(&b);
    bytes_u64(&b);
    a->streamed = version & STREAMED;
    version &= ~(unsigned)STREAMED;
    a->wide = version > 1 ? 2 : 1;
    a->size = version > 2 ? bytes_u16(&b) : 0;
    if (a->streamed && a->size == a->wide + FIXED + 4 * CLOCKS)
        read_key(a, SLICE("clock=dual"));
    else if (a->streamed && !find_clocks(a))
        return false;
    if (version <= 2)
        a->size = a->wide + FIXED + 4 * a->clock_count;
    if (b.failed || a->size < a->wide + FIXED + 4 * a->clock_count ||
        stream_peek(&a->in, offset).len < offset)
        return diag_error(a->content->diag, "the header of the trace's records is damaged");
    stream_skip(&a->in, offset);
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool read_trace(struct art_trace *a)
{
    a->clocks[0] = SLICE("wall");
    a->clock_count = 1;
    if (!slice_starts(stream_peek(&a->in, art_magic.len), art_magic))
        read_text(a);
    if (!slice_starts(stream_peek(&a->in, art_magic.len), art_magic))
        return a->content->source->failed ||
               diag_error(a->content->diag, "the trace ends before its records");
    if (!read_header(a) || !read_events(a))
        return false;
    a->content->profile->ledger.unreadable += a->unmatched;
    diag_count(a->content->diag, DIAG_NOTE, a->unmatched,
               "# method{ that was left had|s that were left had} been entered before the trace "
               "began; dropped");
    return true;
}

static bool art_trace_read(struct content *content)
{
    struct art_trace a = {.content = content};
    bool ok;

    builder_init(&a.b, content->profile, content->options, content->diag);
    stream_init(&a.in, content);
    ok = read_trace(&a) && stream_end(&a.in);
    stream_release(&a.in);
    vec_each (struct thread, t, &a.threads)
        vec_release(&t->open);
    release_each(&a, (vec, methods, threads), (map, method_index, thread_index), (buf, scratch),
                 (arena, texts), (builder, b));
    return ok;
}

static bool art_trace_claims(const struct head *head)
{
    struct bytes b = bytes_make_little(slice_skip(head->bytes, art_magic.len));
    struct slice rest = head->bytes, line, word;
    unsigned version = bytes_u16(&b) & ~(unsigned)STREAMED;
    uint64_t number;

    if (slice_starts(head->bytes, art_magic))
        return version >= 1 && version <= 3 && bytes_u16(&b) >= 16 && !b.failed;
    return head_line(head, &rest, &line) && slice_equal(line, SLICE("*version")) &&
           head_line(head, &rest, &line) && num_parse_u64(line, &number) &&
           head_line(head, &rest, &word) && slice_find(word, '=') < word.len;
}

const struct format format_art_trace = {
    .name = "art-trace",
    .family = FORMAT_SYSTEMS,
    .description = "method traces of Android's runtime",
    .recognised = "'*version' and keys in the first lines, or 'SLOW' of a streamed trace",
    .example = "adb shell am profile start --streaming PROCESS /data/local/tmp/app.trace",
    .without_stacks = "no method was entered while the trace was recorded",
    .claims = art_trace_claims,
    .read = art_trace_read,
};
