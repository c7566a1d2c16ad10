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
 * Files and threads come after the samples that name them, so the records are read twice. The
 * thread is the first frame. The weight is the event count, in nanoseconds for clocks. Context
 * switches are ignored.
 *
 * Source: system/extras/simpleperf/cmd_report_sample.proto of Android.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/android/simpleperf_frame.h"
#include "input/parse/bytes.h"
#include "input/parse/proto.h"

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

struct simpleperf {
    struct content *content;
    struct builder builder;
    VEC(struct file) files;     /* by id, after the first pass */
    VEC(struct thread) threads; /* by id, likewise */
    VEC(struct function) symbols;
    VEC(struct slice) events;
    struct slice app;
    uint64_t lost, malformed;
};

/* A frame of a callchain. */
struct link {
    uint64_t address, file, execution;
    int32_t symbol;
};

enum { RECORD_SAMPLE = 1, RECORD_LOST, RECORD_FILE, RECORD_THREAD, RECORD_META };

/* ---- the first pass: names ----------------------------------------------------------------- */

static void read_file(struct simpleperf *s, struct slice message)
{
    struct file f = {.first = s->symbols.count, .nameless = NO_ENTRY};
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.number == 1 && field.wire == PROTO_VARINT)
            f.id = field.value;
        if (field.number == 2 && field.wire == PROTO_BYTES)
            f.path = field.bytes;
        if (field.number == 3 && field.wire == PROTO_BYTES) {
            *vec_add(&s->symbols) = (struct function){field.bytes, NO_ENTRY};
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
            t.name = field.bytes;
    }
    *vec_add(&s->threads) = t;
}

static void read_meta(struct simpleperf *s, struct slice message)
{
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.number == 1 && field.wire == PROTO_BYTES)
            *vec_add(&s->events) = field.bytes;
        if (field.number == 2 && field.wire == PROTO_BYTES)
            s->app = field.bytes;
    }
}

static void read_lost(struct simpleperf *s, struct slice message)
{
    struct proto_field field;

    while (proto_any(&message, &field))
        if (field.number == 2 && field.wire == PROTO_VARINT && field.value > s->lost)
            s->lost = field.value; /* each record has the number so far */
}

static bool read_names(struct simpleperf *s, const struct proto_field *record)
{
    if (record->number == RECORD_FILE)
        read_file(s, record->bytes);
    else if (record->number == RECORD_THREAD)
        read_thread(s, record->bytes);
    else if (record->number == RECORD_META)
        read_meta(s, record->bytes);
    else if (record->number == RECORD_LOST)
        read_lost(s, record->bytes);
    return budget_allows(s->content->diag, DIAG_AT_FILE);
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

/* ---- the second pass: samples -------------------------------------------------------------- */

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

static void push_link(struct simpleperf *s, struct slice message)
{
    struct link link = {.symbol = -1};
    struct proto_field field;

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
    s->malformed += message.len > 0;
    builder_push(&s->builder, entry_of(s, &link));
}

/* What a sample says besides its frames. */
struct head_of_sample {
    uint64_t time, thread, count, event;
};

static struct head_of_sample sample_head(struct slice message)
{
    struct head_of_sample h = {.count = 1};
    struct proto_field field;

    while (proto_any(&message, &field)) {
        if (field.wire != PROTO_VARINT)
            continue;
        if (field.number == 1)
            h.time = field.value;
        else if (field.number == 2)
            h.thread = field.value;
        else if (field.number == 4)
            h.count = field.value;
        else if (field.number == 5)
            h.event = field.value;
    }
    return h;
}

static bool read_sample(struct simpleperf *s, const struct proto_field *record)
{
    struct head_of_sample h;
    const struct thread *thread;
    struct origin origin = {0};
    struct slice message = record->bytes;
    struct proto_field field;
    char pid[24], tid[24];
    uint32_t series;

    if (record->number != RECORD_SAMPLE)
        return true;
    h = sample_head(message);
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
    origin.process = s->app;
    series = builder_series(&s->builder, &origin, android_event_unit(origin.event));
    builder_begin(&s->builder);
    if (thread && thread->name.len)
        builder_name(&s->builder, thread->name, FRAME_OWNER);
    builder_leaf_first(&s->builder);
    while (proto_any(&message, &field))
        if (field.number == 3 && field.wire == PROTO_BYTES)
            push_link(s, field.bytes);
    s->malformed += message.len > 0;
    s->content->profile->ledger.lines++;
    builder_time(&s->builder, series, h.time);
    return builder_add(&s->builder, series, h.count);
}

/* ---- records ------------------------------------------------------------------------------- */

/* Calls `read` for each record. Returns in `cut` where the last one is incomplete, or 0. */
static bool each_record(struct simpleperf *s, struct slice content, uint64_t *cut,
                        bool (*read)(struct simpleperf *, const struct proto_field *))
{
    struct bytes b = bytes_make_little(slice_skip(content, MAGIC.len + sizeof(uint16_t)));
    struct proto_field record;

    *cut = 0;
    for (;;) {
        uint64_t at = content.len - b.rest.len;
        uint32_t size = bytes_u32(&b);
        struct slice message = bytes_take(&b, size);

        if (b.failed)
            *cut = at;
        if (b.failed || !size)
            return true;
        while (proto_any(&message, &record))
            if (record.wire == PROTO_BYTES && !read(s, &record))
                return false;
    }
}

static void tell(const struct simpleperf *s, uint64_t cut)
{
    struct profile *p = s->content->profile;

    p->ledger.lost += s->lost;
    if (s->app.len)
        profile_add_fact(p, SLICE("app"), s->app);
    builder_unreadable(
        &s->builder, s->malformed,
        "# {sample or frame is malformed; it is|samples or frames are malformed; they "
        "are} cut there");
    if (cut)
        diag_add(s->content->diag, DIAG_WARNING, DIAG_AT_BYTE(cut),
                 "the file ends within a record; names of the last files may be missing");
}

static bool simpleperf_read(struct content *content)
{
    struct simpleperf s = {.content = content};
    struct buf bytes = {0};
    uint64_t cut = 0;
    bool ok = content_load(content, &bytes);

    builder_init(&s.builder, content->profile, content->options, content->diag);
    ok = ok && each_record(&s, buf_slice(&bytes), &cut, read_names);
    sort_names(&s);
    ok = ok && each_record(&s, buf_slice(&bytes), &cut, read_sample);
    if (ok) {
        content->profile->has_threads = true;
        tell(&s, cut);
    }
    release_all(&s, vec, files, threads, symbols, events);
    builder_release(&s.builder);
    buf_release(&bytes);
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
    .claims = simpleperf_claims,
    .read = simpleperf_read,
};
