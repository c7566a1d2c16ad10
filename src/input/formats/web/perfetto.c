/*
 * Perfetto's protobuf: traces of Android, Chrome and programs with Perfetto's library.
 *
 *     Trace        1 TracePacket, repeated
 *     TracePacket  8 timestamp, 58 its clock, 10 sequence, 13 flags of the sequence, 41 state
 *                  cleared, 12 interned data, 59 defaults, 6 clocks, 1 ftrace events, 2 processes,
 *                  11 track event, 37 heap profile, 54 samples of Chrome, 56 heap graph, 60
 *                  track, 64 names before R8, 66 sample of perf, 50 and 133 packets in zlib's and
 *                  zstd's format
 *
 * Track events and the marks in ftrace's events begin and end slices of a track or thread; the
 * weight is the time between them (trace_slices.h). Samples with a call stack weigh 1. Names,
 * frames and stacks are numbers, which the interned data of the same sequence explains until its
 * state is cleared (perfetto_items.h). Times of clocks that count from packet to packet are added
 * up. Dropped: counters, instants, scheduling.
 *
 * Source: protos/perfetto/trace in github.com/google/perfetto.
 */
#include "base/budget.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/core/inflate.h"
#include "input/format.h"
#include "input/core/unzstd.h"
#include "input/formats/web/perfetto_graph.h"
#include "input/formats/web/perfetto_heap.h"
#include "input/formats/web/perfetto_items.h"
#include "input/formats/web/perfetto_names.h"
#include "input/formats/web/trace_mark.h"
#include "input/build/trace_slices.h"
#include "input/build/trace_threads.h"
#include "input/parse/proto.h"

struct packet {
    uint64_t time, clock, sequence;
    bool has_clock, cleared;
};

struct perfetto {
    struct content *content;
    struct builder b;
    struct trace_threads threads;
    struct trace_slices slices;
    struct perfetto_items items;
    struct perfetto_heap heap;
    struct perfetto_names names;
    struct perfetto_graphs graphs;
    struct buf inflated;  /* a packet */
    size_t inflated_size; /* of all */
    bool within;
    uint64_t nameless;
    uint64_t at; /* offset of the packet that is read */
};

enum {
    PACKET_FTRACE = 1,
    PACKET_PROCESSES = 2,
    PACKET_CLOCKS = 6,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_HEAP = 37,
    PACKET_CLEARED = 41,
    PACKET_COMPRESSED = 50,
    PACKET_STREAMING = 54,
    PACKET_GRAPH = 56,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_NAMES = 64,
    PACKET_SAMPLE = 66,
    PACKET_ZSTD = 133,
};

/* ---- time ---------------------------------------------------------------------------------- */

enum { FIRST_OWN_CLOCK = 64 }; /* smaller ones are those of the system, in nanoseconds */

static void read_clocks(struct perfetto *p, const struct perfetto_sequence *s, struct slice message)
{
    struct proto_field f;
    uint64_t id, time, incremental, scale, system = 0;

    /* the time of the system at the moment of the snapshot, which own clocks begin with */
    for (struct slice rest = message; proto_next(&rest, &f);)
        if (f.number == 1 && f.wire == PROTO_BYTES && perfetto_items_number(f.bytes, 1, &id) &&
            perfetto_items_number(f.bytes, 2, &time) && id < FIRST_OWN_CLOCK &&
            (!system || id == 6))
            system = time;
    while (proto_next(&message, &f)) {
        struct perfetto_item *clock;

        if (f.number != 1 || f.wire != PROTO_BYTES || !perfetto_items_number(f.bytes, 1, &id) ||
            id < FIRST_OWN_CLOCK)
            continue;
        clock = perfetto_items_get(&p->items, s, ITEM_CLOCK, id);
        clock->known = true;
        clock->number = system;
        clock->scale = 0;
        if (perfetto_items_number(f.bytes, 3, &incremental) && incremental)
            clock->scale = perfetto_items_number(f.bytes, 4, &scale) && scale ? scale : 1;
    }
}

/* The time of a packet in nanoseconds. */
static uint64_t time_of(struct perfetto *p, const struct perfetto_sequence *s,
                        const struct packet *packet)
{
    uint64_t id = packet->has_clock ? packet->clock : s->clock;
    struct perfetto_item *clock;

    if (id < FIRST_OWN_CLOCK)
        return packet->time;
    clock = perfetto_items_get(&p->items, s, ITEM_CLOCK, id);
    if (!clock->known || !clock->scale)
        return packet->time;
    return clock->number += packet->time * clock->scale;
}

/* ---- tracks and threads -------------------------------------------------------------------- */

static uint32_t thread_of(struct perfetto *p, uint64_t tid)
{
    char text[24];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)tid);
    return trace_threads_get(&p->threads, SLICE(""), slice_str(text));
}

/* A process is a thread without a number: the threads of a trace do not say whose they are. */
static uint32_t process_of(struct perfetto *p, uint64_t pid)
{
    char text[24];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)pid);
    return trace_threads_get(&p->threads, slice_str(text), SLICE(""));
}

/* A track without a description is a thread of its own, named by its number. */
static uint32_t thread_of_track(struct perfetto *p, uint64_t track)
{
    struct perfetto_item *item = perfetto_items_get(&p->items, NULL, ITEM_TRACK, track);

    if (!item->known) {
        item->known = true;
        item->number = thread_of(p, track);
    }
    return (uint32_t)item->number;
}

static void read_track(struct perfetto *p, struct slice message)
{
    struct slice thread, name = {0};
    uint64_t uuid, tid;
    uint32_t index;
    struct perfetto_item *item;

    if (!perfetto_items_number(message, 1, &uuid))
        return;
    if (perfetto_items_bytes(message, 4, &thread) && perfetto_items_number(thread, 2, &tid)) {
        index = thread_of(p, tid);
        perfetto_items_bytes(thread, 5, &name);
        item = perfetto_items_get(&p->items, NULL, ITEM_TRACK, uuid);
        item->known = true;
        item->number = index;
    } else {
        index = thread_of_track(p, uuid);
        if (!perfetto_items_bytes(message, 2, &name))
            perfetto_items_bytes(message, 10, &name);
    }
    if (name.len)
        trace_threads_name(&p->threads, index, name);
}

static void read_processes(struct perfetto *p, struct slice message)
{
    enum { PROCESS = 1, THREAD = 2, THREAD_NAME = 2, COMMAND = 3 };
    struct proto_field f;
    struct slice name;
    uint64_t id;

    while (proto_next(&message, &f)) {
        if (f.wire != PROTO_BYTES || !perfetto_items_number(f.bytes, 1, &id))
            continue;
        if (f.number == THREAD && perfetto_items_bytes(f.bytes, THREAD_NAME, &name))
            trace_threads_name(&p->threads, thread_of(p, id), name);
        else if (f.number == PROCESS && perfetto_items_bytes(f.bytes, COMMAND, &name))
            trace_threads_name_process(&p->threads, process_of(p, id), name);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

static struct slice name_of(struct perfetto *p, const struct perfetto_sequence *s,
                            struct slice event)
{
    struct slice name = {0};
    uint64_t iid;

    if (perfetto_items_bytes(event, 23, &name) || !perfetto_items_number(event, 10, &iid))
        return name;
    name = perfetto_items_get(&p->items, s, ITEM_NAME, iid)->bytes;
    p->nameless += !name.len;
    return name;
}

enum { EVENT_OLD, EVENT_BEGIN, EVENT_END, EVENT_INSTANT, EVENT_COUNTER, EVENT_TYPES };

/* Returns the phase of an event of older versions of Chrome, as in its JSON; 0 if it has none. */
static uint64_t old_phase(struct slice event)
{
    struct slice old;
    uint64_t phase = 0;

    if (perfetto_items_bytes(event, 6, &old))
        perfetto_items_number(old, 2, &phase);
    return phase;
}

/* Counts an event that may be a slice and is not understood. Returns true. */
static bool skip_event(struct perfetto *p, const struct perfetto_sequence *s, uint64_t type,
                       struct slice event)
{
    enum { SHOWN = 60 };
    uint64_t phase = type == EVENT_OLD ? old_phase(event) : 0;
    struct slice name;

    if (type == EVENT_OLD && phase != 'B' && phase != 'E' && phase != 'X')
        return true;
    name = slice_take(name_of(p, s, event), SHOWN);
    if (phase)
        builder_skip(&p->b, DIAG_AT_BYTE(p->at),
                     "the slice '%.*s' is a legacy event, of phase %c; skipped", SLICE_ARG(name),
                     (int)phase);
    else
        builder_skip(&p->b, DIAG_AT_BYTE(p->at),
                     "unknown type %llu or time of the event '%.*s'; skipped",
                     (unsigned long long)type, SLICE_ARG(name));
    return true;
}

static bool read_event(struct perfetto *p, const struct perfetto_sequence *s, uint64_t time,
                       struct slice event)
{
    struct frame frame = {.kind = FRAME_PLAIN};
    uint64_t type = EVENT_OLD, track = s->track;
    uint32_t thread;

    perfetto_items_number(event, 9, &type);
    perfetto_items_number(event, 11, &track);
    if (type == EVENT_INSTANT || type == EVENT_COUNTER)
        return true;
    if (time > INT64_MAX || type == EVENT_OLD || type >= EVENT_TYPES)
        return skip_event(p, s, type, event);
    thread = thread_of_track(p, track);
    if (type == EVENT_END)
        return trace_slices_end(&p->slices, thread, (int64_t)time, SLICE(""));
    frame.name = name_of(p, s, event);
    return trace_slices_begin(&p->slices, thread, (int64_t)time, &frame);
}

static bool read_ftrace(struct perfetto *p, struct slice bundle)
{
    struct proto_field f;
    struct slice print, text;
    uint64_t time, tid;

    while (proto_next(&bundle, &f)) {
        if (f.number != 2 || f.wire != PROTO_BYTES || !perfetto_items_bytes(f.bytes, 3, &print) ||
            !perfetto_items_bytes(print, 2, &text) || !perfetto_items_number(f.bytes, 1, &time) ||
            !perfetto_items_number(f.bytes, 2, &tid) || time > INT64_MAX)
            continue;
        text = slice_trim_right(text);
        if (trace_mark_is(text) &&
            !trace_mark_add(&p->slices, thread_of(p, tid), (int64_t)time, text))
            return false;
    }
    return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

static uint32_t series_of_thread(struct perfetto *p, uint64_t tid)
{
    struct origin origin = {.event = SLICE("samples")};
    char text[24];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)tid);
    if (tid)
        origin.tid = slice_str(text);
    return builder_series(&p->b, &origin, unit_samples);
}

static bool add_sample(struct perfetto *p, const struct perfetto_sequence *s, uint64_t stack,
                       uint64_t tid, uint64_t time)
{
    uint32_t series = series_of_thread(p, tid);

    if (!perfetto_items_push(&p->items, &p->b, s, stack) && !builder_depth(&p->b))
        diag_add(p->content->diag, DIAG_WARNING, DIAG_AT_BYTE(p->at),
                 "a sample has the stack %llu, which the file does not explain",
                 (unsigned long long)stack);
    builder_time(&p->b, series, time);
    return builder_add(&p->b, series, 1);
}

/* Adds a sample without a stack. */
static bool add_bare(struct perfetto *p, uint64_t tid, uint64_t time)
{
    uint32_t series = series_of_thread(p, tid);

    builder_begin(&p->b);
    builder_time(&p->b, series, time);
    return builder_add(&p->b, series, 1);
}

static bool read_sample(struct perfetto *p, const struct perfetto_sequence *s, uint64_t time,
                        struct slice sample)
{
    enum { TID = 3, STACK = 4, RECORDS_LOST = 17, SKIPPED = 18, PRODUCER = 19 };
    uint64_t *lost = &p->content->profile->ledger.lost, stack, tid = 0, number;
    struct slice producer;

    perfetto_items_number(sample, TID, &tid);
    if (perfetto_items_number(sample, STACK, &stack))
        return add_sample(p, s, stack, tid, time);
    if (perfetto_items_number(sample, RECORDS_LOST, &number)) {
        if (!num_add(*lost, number, lost))
            *lost = UINT64_MAX;
        return true;
    }
    /* What the profiler says of itself is no sample; one that it skipped has no stack. */
    if (perfetto_items_bytes(sample, PRODUCER, &producer))
        return true;
    *lost += perfetto_items_number(sample, SKIPPED, &number);
    return perfetto_items_number(sample, SKIPPED, &number) || add_bare(p, tid, time);
}

static void skip_damaged(const struct perfetto *p)
{
    builder_skip(&p->b, DIAG_AT_BYTE(p->at),
                 "the packet is damaged; what follows in it is skipped");
}

/* Chrome's samples: numbers of stacks, which may be packed. */
static bool read_streaming(struct perfetto *p, const struct perfetto_sequence *s, uint64_t time,
                           struct slice message)
{
    struct proto_field f;
    uint64_t stack;

    while (proto_next(&message, &f)) {
        if (f.number != 1)
            continue;
        if (f.wire == PROTO_VARINT && !add_sample(p, s, f.value, 0, time))
            return false;
        while (f.wire == PROTO_BYTES && proto_varint(&f.bytes, &stack))
            if (!add_sample(p, s, stack, 0, time))
                return false;
        if (f.wire == PROTO_BYTES && f.bytes.len)
            skip_damaged(p);
    }
    return true;
}

/* ---- packets ------------------------------------------------------------------------------- */

static void read_defaults(struct perfetto_sequence *s, struct slice message)
{
    struct slice event;

    perfetto_items_number(message, PACKET_CLOCK, &s->clock);
    if (perfetto_items_bytes(message, PACKET_EVENT, &event))
        perfetto_items_number(event, 11, &s->track);
}

/* The fields that all others depend on, wherever in the packet they are. */
static struct packet packet_of(struct slice message)
{
    struct packet packet = {0};
    struct proto_field f;

    while (proto_next(&message, &f)) {
        if (f.wire != PROTO_VARINT)
            continue;
        if (f.number == PACKET_TIME)
            packet.time = f.value;
        else if (f.number == PACKET_SEQUENCE)
            packet.sequence = f.value;
        else if (f.number == PACKET_FLAGS)
            packet.cleared = packet.cleared || (f.value & 1);
        else if (f.number == PACKET_CLEARED)
            packet.cleared = packet.cleared || f.value;
        else if (f.number == PACKET_CLOCK) {
            packet.clock = f.value;
            packet.has_clock = true;
        }
    }
    return packet;
}

static bool read_packet(struct perfetto *p, struct slice message);

/* Packets in zlib's or zstd's format; Perfetto never has compressed ones within them. */
static bool read_compressed(struct perfetto *p, struct slice packed, bool zstd)
{
    uint64_t most = p->content->options->limits.max_size - p->inflated_size;
    struct slice rest;
    struct proto_field f;
    bool ok = true;

    if (p->within) {
        skip_damaged(p);
        return true;
    }
    buf_clear(&p->inflated);
    if (!(zstd ? unzstd_add(&p->inflated, packed, most)
               : inflate_add(&p->inflated, packed, most))) {
        skip_damaged(p);
        return true;
    }
    p->inflated_size += p->inflated.len;
    rest = buf_slice(&p->inflated);
    p->within = true;
    while (ok && proto_next(&rest, &f))
        if (f.number == 1 && f.wire == PROTO_BYTES)
            ok = read_packet(p, f.bytes);
    p->within = false;
    if (ok && rest.len)
        skip_damaged(p);
    return ok;
}

static bool read_field(struct perfetto *p, const struct perfetto_sequence *s, uint64_t time,
                       const struct proto_field *f)
{
    switch (f->number) {
    case PACKET_FTRACE:
        return read_ftrace(p, f->bytes);
    case PACKET_EVENT:
        return read_event(p, s, time, f->bytes);
    case PACKET_SAMPLE:
        return read_sample(p, s, time, f->bytes);
    case PACKET_STREAMING:
        return read_streaming(p, s, time, f->bytes);
    case PACKET_COMPRESSED:
    case PACKET_ZSTD:
        return read_compressed(p, f->bytes, f->number == PACKET_ZSTD);
    case PACKET_HEAP:
        return perfetto_heap_read(&p->heap, s, f->bytes);
    case PACKET_GRAPH:
        p->graphs.at = p->at;
        return perfetto_graphs_read(&p->graphs, (size_t)(s - p->items.sequences.items), f->bytes);
    case PACKET_PROCESSES:
        read_processes(p, f->bytes);
        return true;
    case PACKET_TRACK:
        read_track(p, f->bytes);
        return true;
    case PACKET_NAMES:
        perfetto_names_read(&p->names, f->bytes);
        return true;
    default:
        return true;
    }
}

static bool read_packet(struct perfetto *p, struct slice message)
{
    struct packet packet = packet_of(message);
    struct perfetto_sequence *s = perfetto_items_sequence(&p->items, packet.sequence);
    struct proto_field f;
    uint64_t time;

    if (packet.cleared) {
        s->generation++;
        s->track = s->clock = 0;
    }
    for (struct slice rest = message; proto_next(&rest, &f);) {
        if (f.wire == PROTO_BYTES && f.number == PACKET_DEFAULTS)
            read_defaults(s, f.bytes);
        else if (f.wire == PROTO_BYTES && f.number == PACKET_INTERNED)
            perfetto_items_read(&p->items, s, f.bytes);
        else if (f.wire == PROTO_BYTES && f.number == PACKET_CLOCKS)
            read_clocks(p, s, f.bytes);
    }
    time = time_of(p, s, &packet);
    while (proto_next(&message, &f)) {
        if (f.wire == PROTO_BYTES && !read_field(p, s, time, &f))
            return false;
        if (f.number == PACKET_COMPRESSED || f.number == PACKET_ZSTD)
            s = perfetto_items_sequence(&p->items,
                                        packet.sequence); /* packets within may have moved it */
    }
    if (message.len)
        skip_damaged(p);
    p->content->profile->ledger.lines++;
    return budget_allows(p->content->diag, DIAG_AT_FILE);
}

static bool read_packets(struct perfetto *p)
{
    struct stream in;
    struct proto_field f;
    bool ok = true;

    stream_init(&in, p->content);
    while (ok && proto_stream_next(&in, &f)) {
        p->at = stream_offset(&in) - f.bytes.len;
        if (f.number == 1 && f.wire == PROTO_BYTES)
            ok = read_packet(p, f.bytes);
        else
            builder_skip(&p->b, DIAG_AT_BYTE(p->at), "field %llu of a trace is unknown; skipped",
                         (unsigned long long)f.number);
    }
    if (ok && stream_peek(&in, 1).len && !p->content->source->failed)
        cut_off(p->content, DIAG_AT_BYTE(stream_offset(&in)),
                "the file is damaged or cut from here on");
    ok = ok && stream_end(&in);
    stream_release(&in);
    return ok;
}

static void tell(const struct perfetto *p)
{
    diag_warn_count(p->content->diag, p->nameless,
                    "# slice{ has|s have} a name that the file does not explain");
    trace_slices_tell(&p->slices, p->content->diag);
    p->content->profile->ledger.unreadable += p->slices.unmatched;
}

static bool perfetto_read(struct content *content)
{
    struct perfetto p = {.content = content};
    struct slice event;
    bool ok;

    builder_init(&p.b, content->profile, content->options, content->diag);
    trace_slices_init(&p.slices, &p.b, &p.threads);
    p.graphs = (struct perfetto_graphs){.threads = &p.threads, .names = &p.names, .b = &p.b};
    p.heap = (struct perfetto_heap){.items = &p.items, .threads = &p.threads, .b = &p.b};
    ok = read_packets(&p) && perfetto_heap_finish(&p.heap) && perfetto_graphs_finish(&p.graphs) &&
         trace_slices_pair(&p.slices);
    event = content->profile->series.count ? SLICE("slices") : SLICE("");
    ok = ok && trace_slices_nest(&p.slices, event);
    if (ok)
        tell(&p);
    trace_slices_release(&p.slices);
    trace_threads_release(&p.threads);
    perfetto_heap_release(&p.heap);
    perfetto_graphs_release(&p.graphs);
    perfetto_names_release(&p.names);
    perfetto_items_release(&p.items);
    buf_release(&p.inflated);
    builder_release(&p.b);
    return ok;
}

/* The fields of a packet that pprof's messages, which begin alike, do not have. */
static bool is_packet(struct slice message)
{
    struct packet packet = packet_of(message);
    struct proto_field f;
    bool any = false;

    while (proto_next(&message, &f))
        any = any || (f.number >= PACKET_TIME && f.number <= PACKET_ZSTD);
    return any && !message.len && packet.sequence;
}

/* Whether a compressed packet begins here; it may go on behind the head. */
static bool begins_compressed(struct slice rest)
{
    static const struct {
        struct slice tag, content;
    } kinds[] = {{{"\222\3", 2}, {"x", 1}}, {{"\252\10", 2}, {"\x28\xb5\x2f\xfd", 4}}};
    struct proto_field field;
    uint64_t len;

    if (!proto_key(&rest, &field, &len))
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct slice at = slice_skip(rest, kinds[i].tag.len);

        if (slice_starts(rest, kinds[i].tag) && proto_varint(&at, &len) &&
            slice_starts(at, kinds[i].content))
            return true;
    }
    return false;
}

static bool perfetto_claims(const struct head *h)
{
    enum { PACKETS = 4 };
    struct slice rest = h->bytes;
    struct proto_field f;
    int packets = 0;

    while (packets < PACKETS && !begins_compressed(rest) && proto_next(&rest, &f)) {
        if (f.number != 1 || f.wire != PROTO_BYTES || !is_packet(f.bytes))
            return false;
        packets++;
    }
    return packets == PACKETS || (slice_starts(rest, SLICE("\12")) && begins_compressed(rest)) ||
           (packets && h->whole && !rest.len);
}

const struct format format_perfetto = {
    .name = "perfetto",
    .family = FORMAT_BROWSERS,
    .description = "Perfetto's protobuf: track events, marks of Android, samples, heaps",
    .recognised = "protobuf messages in field 1 with the number of a sequence",
    .example = "perfetto -o app.perfetto-trace -t 10s sched gfx view",
    .without_stacks = "record track events, atrace categories (perfetto -t 10s gfx view), or "
                      "callstack samples (linux.perf), a heap profile (heap_profile) or a "
                      "dump of Java's heap (java_heap_dump)",
    .claims = perfetto_claims,
    .read = perfetto_read,
};
