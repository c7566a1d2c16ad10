/*
 * Reader of the protobuf that Android's `simpleperf report-sample --protobuf` writes, and Android
 * Studio saves.
 *
 *     "SIMPLEPERF", u16 version 1, then { u32 size, Record } until a size of 0
 *
 *     Record    1 Sample, 2 LostSituation, 3 File, 4 Thread, 5 MetaInfo, 6 ContextSwitch
 *     Sample    1 time in ns, 2 thread, 3 callchain, leaf first, 4 event count, 5 event type
 *     callchain 1 address in the file, 2 file, 3 symbol or -1, 4 execution type
 *     File      1 id, 2 path, 3 symbols
 *     Thread    1 id, 2 process, 3 name
 *     MetaInfo  1 event types, 2 package of the app
 *     LostSituation  1 samples, 2 lost ones
 *
 * Files and threads come after the samples that name them, so the samples are held until the end
 * (input/build/pending.h). The thread is the first frame. The weight is the event count, in
 * nanoseconds for clocks. Context switches are ignored.
 *
 * Source: system/extras/simpleperf/cmd_report_sample.proto of Android.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "input/build/builder.h"
#include "input/build/pending.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/android/simpleperf_frame.h"
#include "input/parse/bytes.h"
#include "input/parse/proto.h"
#include "input/parse/stream.h"

#define MAGIC SLICE("SIMPLEPERF")
#define NO_ENTRY UINT32_MAX

struct file {
    uint64_t id;
    struct slice path;
    size_t first, count; /* of `symbols` */
    uint32_t nameless;   /* builder's entry */
};

struct function {
    struct slice name;
    uint32_t entry; /* of the builder, when it was first met */
};

struct thread {
    uint64_t id, process;
    struct slice name;
};

/*
 * A frame of a callchain. Frames of one symbol are one link, which has the address of the first
 * one: most samples differ in addresses only.
 */
struct link {
    uint64_t file, address, execution;
    int32_t symbol;
};

/* The begin of a key that is held: a sample without its time. The numbers of its links follow. */
struct head_of_sample {
    uint64_t thread, count, event;
};

struct simpleperf {
    struct content *content;
    struct builder builder;
    struct arena texts;
    VEC(struct file) files;     /* by id, when all were read */
    VEC(struct thread) threads; /* by id, likewise */
    VEC(struct function) symbols;
    VEC(struct slice) events;
    struct slice app;
    struct intern link_keys;
    VEC(struct link) links; /* by key */
    struct pending samples;
    struct buf key;
    uint64_t lost;
    uint64_t at; /* offset of the record that is read */
};

enum { HEADER = 12 }; /* bytes */

enum {
    RECORD_SAMPLE = 1,
    RECORD_LOST,
    RECORD_FILE,
    RECORD_THREAD,
    RECORD_META,
    RECORD_SWITCH, /* of the context, without a stack */
};

/* ---- names --------------------------------------------------------------------------------- */

static void read_file(struct simpleperf *s, struct slice message)
{
    struct file f = {.first = s->symbols.count, .nameless = NO_ENTRY};
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.number == 1 && field.wire == PROTO_VARINT)
            f.id = field.value;
        if (field.number == 2 && field.wire == PROTO_BYTES)
            f.path = arena_copy(&s->texts, field.bytes);
        if (field.number == 3 && field.wire == PROTO_BYTES) {
            *vec_add(&s->symbols) = (struct function){arena_copy(&s->texts, field.bytes), NO_ENTRY};
            f.count++;
        }
    }
    *vec_add(&s->files) = f;
}

static void read_thread(struct simpleperf *s, struct slice message)
{
    struct thread t = {0};
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.number == 1 && field.wire == PROTO_VARINT)
            t.id = field.value;
        if (field.number == 2 && field.wire == PROTO_VARINT)
            t.process = field.value;
        if (field.number == 3 && field.wire == PROTO_BYTES)
            t.name = arena_copy(&s->texts, field.bytes);
    }
    *vec_add(&s->threads) = t;
}

static void read_meta(struct simpleperf *s, struct slice message)
{
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.number == 1 && field.wire == PROTO_BYTES)
            *vec_add(&s->events) = arena_copy(&s->texts, field.bytes);
        if (field.number == 2 && field.wire == PROTO_BYTES)
            s->app = arena_copy(&s->texts, field.bytes);
    }
}

static void read_lost(struct simpleperf *s, struct slice message)
{
    struct proto_field field;

    while (proto_any(&message, &field))
        if (field.number == 2 && field.wire == PROTO_VARINT && field.value > s->lost)
            s->lost = field.value; /* each record has the number so far */
}

/* Files and threads both begin with their ids. */
static int compare_ids(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

_Static_assert(offsetof(struct file, id) == 0 && offsetof(struct thread, id) == 0, "ids first");

static void sort_names(struct simpleperf *s)
{
    if (s->files.count)
        qsort(s->files.items, s->files.count, sizeof(*s->files.items), compare_ids);
    if (s->threads.count)
        qsort(s->threads.items, s->threads.count, sizeof(*s->threads.items), compare_ids);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static struct file *find_file(struct simpleperf *s, uint64_t id)
{
    return s->files.count
               ? bsearch(&id, s->files.items, s->files.count, sizeof(*s->files.items), compare_ids)
               : NULL;
}

static const struct thread *find_thread(const struct simpleperf *s, uint64_t id)
{
    return s->threads.count ? bsearch(&id, s->threads.items, s->threads.count,
                                      sizeof(*s->threads.items), compare_ids)
                            : NULL;
}

/* Returns the builder's entry of a link; it depends on the file and the symbol alone. */
static uint32_t entry_of(struct simpleperf *s, const struct link *link)
{
    struct file *file = find_file(s, link->file);
    struct frame frame = {.has_address = true, .address = link->address, .kind = FRAME_NATIVE};
    bool named = file && link->symbol >= 0 && (size_t)link->symbol < file->count;
    uint32_t *entry = named  ? &s->symbols.items[file->first + (size_t)link->symbol].entry
                      : file ? &file->nameless
                             : NULL;

    if (entry && *entry != NO_ENTRY)
        return *entry;
    if (file)
        frame.module = file->path;
    if (named) {
        frame.name = s->symbols.items[file->first + (size_t)link->symbol].name;
        frame.kind = android_frame_kind(file->path, (enum simpleperf_execution)link->execution);
    }
    if (!entry)
        return builder_entry(&s->builder, &frame);
    return *entry = builder_entry(&s->builder, &frame);
}

/* Adds a sample that was held. */
static bool add_sample(void *reader, struct slice key, uint64_t ns)
{
    struct simpleperf *s = reader;
    struct head_of_sample h;
    const struct thread *thread;
    struct origin origin = {.process = s->app};
    char pid[24], tid[24];
    uint32_t series, link;

    memcpy(&h, key.ptr, sizeof(h));
    thread = find_thread(s, h.thread);
    if (h.event < s->events.count)
        origin.event = s->events.items[h.event];
    if (thread) {
        origin.thread = thread->name;
        snprintf(pid, sizeof(pid), "%llu", (unsigned long long)thread->process);
        origin.pid = slice_str(pid);
    }
    snprintf(tid, sizeof(tid), "%llu", (unsigned long long)h.thread);
    origin.tid = slice_str(tid);
    series = builder_series(&s->builder, &origin, android_event_unit(origin.event));
    builder_begin(&s->builder);
    if (thread && thread->name.len)
        builder_name(&s->builder, thread->name, FRAME_OWNER);
    builder_leaf_first(&s->builder);
    for (size_t at = sizeof(h); at < key.len; at += sizeof(link)) {
        memcpy(&link, key.ptr + at, sizeof(link));
        builder_push(&s->builder, entry_of(s, &s->links.items[link]));
    }
    s->content->profile->ledger.lines++;
    builder_time(&s->builder, series, ns);
    return builder_add(&s->builder, series, h.count);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Counts a message that is not read to its end. */
static void skip_rest(const struct simpleperf *s, struct slice rest)
{
    if (rest.len)
        builder_skip(&s->builder, DIAG_AT_BYTE(s->at),
                     "malformed record, sample or frame; the rest of it is skipped");
}

/* Returns the number of a link. */
static uint32_t link_of(struct simpleperf *s, struct slice message)
{
    struct link link = {.symbol = -1};
    struct proto_field field;
    uint64_t key[3];
    uint32_t id;

    while (proto_any(&message, &field)) {
        if (field.wire != PROTO_VARINT)
            continue;
        if (field.number == 1)
            link.address = field.value;
        else if (field.number == 2)
            link.file = field.value;
        else if (field.number == 3)
            link.symbol = (int32_t)field.value;
        else if (field.number == 4)
            link.execution = field.value;
    }
    skip_rest(s, message);
    key[0] = link.file;
    key[1] = link.symbol < 0 ? UINT64_MAX : (uint64_t)link.symbol;
    key[2] = link.symbol < 0 ? link.address : 0;
    id = intern_add(&s->link_keys, slice_make((const char *)key, sizeof(key)));
    if (id == s->links.count)
        *vec_add(&s->links) = link;
    return id;
}

static void read_sample(struct simpleperf *s, struct slice message)
{
    struct head_of_sample h = {.count = 1};
    struct proto_field field;
    uint64_t time = 0;

    buf_clear(&s->key);
    buf_add(&s->key, &h, sizeof(h));
    while (proto_any(&message, &field)) {
        if (field.number == 3 && field.wire == PROTO_BYTES) {
            uint32_t link = link_of(s, field.bytes);

            buf_add(&s->key, &link, sizeof(link));
        }
        if (field.wire != PROTO_VARINT)
            continue;
        if (field.number == 1)
            time = field.value;
        else if (field.number == 2)
            h.thread = field.value;
        else if (field.number == 4)
            h.count = field.value;
        else if (field.number == 5)
            h.event = field.value;
    }
    skip_rest(s, message);
    memcpy(s->key.ptr, &h, sizeof(h));
    pending_add(&s->samples, s->content->profile, buf_slice(&s->key), time);
}

/* ---- records ------------------------------------------------------------------------------- */

static bool read_record(struct simpleperf *s, struct slice message)
{
    struct proto_field record;

    while (proto_any(&message, &record)) {
        if (record.wire != PROTO_BYTES)
            continue;
        if (record.number == RECORD_SAMPLE)
            read_sample(s, record.bytes);
        else if (record.number == RECORD_FILE)
            read_file(s, record.bytes);
        else if (record.number == RECORD_THREAD)
            read_thread(s, record.bytes);
        else if (record.number == RECORD_META)
            read_meta(s, record.bytes);
        else if (record.number == RECORD_LOST)
            read_lost(s, record.bytes);
        else if (record.number != RECORD_SWITCH)
            builder_skip(&s->builder, DIAG_AT_BYTE(s->at), "unknown kind of record, %llu; skipped",
                         (unsigned long long)record.number);
        if (!budget_allows(s->content->diag, DIAG_AT_FILE))
            return false;
    }
    skip_rest(s, message);
    return true;
}

/* Reads all records. Returns in `cut` where the last one is incomplete, or 0. */
static bool read_records(struct simpleperf *s, uint64_t *cut)
{
    struct stream in;
    bool ok = true;

    stream_init(&in, s->content);
    stream_skip(&in, stream_peek(&in, HEADER).len < HEADER ? 0 : HEADER);
    *cut = 0;
    while (ok) {
        struct bytes b = bytes_make_little(stream_peek(&in, sizeof(uint32_t)));
        uint32_t size = bytes_u32(&b);

        b = bytes_make_little(stream_peek(&in, sizeof(size) + (size_t)size));
        bytes_u32(&b);
        s->at = stream_offset(&in);
        ok = read_record(s, bytes_take(&b, size));
        if (b.failed)
            *cut = stream_offset(&in);
        if (b.failed || !size)
            break;
        stream_skip(&in, sizeof(size) + size);
    }
    ok = stream_end(&in) && ok;
    stream_release(&in);
    return ok;
}

static void tell(const struct simpleperf *s, uint64_t cut)
{
    struct profile *p = s->content->profile;

    p->ledger.lost += s->lost;
    if (s->app.len)
        profile_add_fact(p, SLICE("app"), s->app);
    if (cut)
        cut_off(s->content, DIAG_AT_BYTE(cut),
                "the file ends within a record; names of the last files may be missing");
}

static bool simpleperf_read(struct content *content)
{
    struct simpleperf s = {.content = content};
    uint64_t cut = 0;
    bool ok;

    builder_init(&s.builder, content->profile, content->options, content->diag);
    ok = read_records(&s, &cut);
    sort_names(&s);
    ok = ok && pending_each(&s.samples, content->profile, add_sample, &s);
    if (ok) {
        content->profile->has_threads = true;
        tell(&s, cut);
    }
    release_each(&s, (vec, files, threads, symbols, events, links), (intern, link_keys),
                 (pending, samples), (buf, key), (arena, texts), (builder, builder));
    return ok;
}

static bool simpleperf_claims(const struct head *head)
{
    struct bytes b = bytes_make_little(slice_skip(head->bytes, MAGIC.len));

    return slice_starts(head->bytes, MAGIC) && bytes_u16(&b) == 1;
}

const struct format format_simpleperf = {
    .name = "simpleperf",
    .family = FORMAT_JAVA,
    .description = "Android's simpleperf: report-sample as protobuf, traces of Android Studio",
    .recognised = "'SIMPLEPERF' and version 1 in the first bytes",
    .example = "simpleperf record -g -p PID; simpleperf report-sample --protobuf --show-callchain "
               "-o app.trace",
    .without_stacks = "report-sample needs --show-callchain",
    .without_callers = "record them: simpleperf record -g",
    .of_events = true,
    .claims = simpleperf_claims,
    .read = simpleperf_read,
};
