/*
 * Perfetto's protobuf: traces of Android, Chrome and programs with Perfetto's library.
 *
 *     Trace        1 TracePacket, repeated
 *     TracePacket  8 timestamp, 58 its clock, 10 sequence, 13 flags of the sequence, 41 state
 *                  cleared, 12 interned data, 59 defaults, 6 clocks, 1 ftrace events, 2 processes,
 *                  11 track event, 54 samples of Chrome, 60 track, 66 sample of perf
 *
 * Track events and the marks in ftrace's events begin and end slices of a track or thread; the
 * weight is the time between them (trace_slices.h). Samples with a call stack weigh 1. Names,
 * frames and stacks are numbers, which the interned data of the same sequence explains until its
 * state is cleared. Times of clocks that count from packet to packet are added up. Dropped:
 * counters, instants, scheduling, heap profiles and packets in zstd; the latter two are counted.
 *
 * Source: protos/perfetto/trace in github.com/google/perfetto.
 */
#include "base/budget.h"
#include "input/build/builder.h"
#include "input/core/inflate.h"
#include "input/format.h"
#include "input/formats/web/trace_mark.h"
#include "input/formats/web/trace_slices.h"
#include "input/formats/web/trace_threads.h"
#include "input/parse/proto.h"

/* What a number stands for; tracks, threads and sequences have numbers of the whole file. */
enum item_kind {
    ITEM_NAME,
    ITEM_FUNCTION,
    ITEM_FRAME,
    ITEM_STACK,
    ITEM_CLOCK,
    ITEM_TRACK,
    ITEM_SEQUENCE
};

struct item {
    bool known;
    struct slice bytes; /* name, function, frame, stack: as interned */
    uint64_t number;    /* clock: its time so far; track: its thread; sequence: its index */
    uint64_t scale;     /* clock: ns a unit, 0 if it does not count from packet to packet */
};

struct sequence {
    uint64_t id, generation; /* generation: how often its state was cleared */
    uint64_t track, clock;   /* defaults */
};

struct packet {
    uint64_t time, clock, sequence;
    bool has_clock, cleared;
};

struct perfetto {
    struct content *content;
    struct builder b;
    struct trace_threads threads;
    struct trace_slices slices;
    struct intern keys; /* of items: sequence and generation, kind, number */
    VEC(struct item) items;
    VEC(struct sequence) sequences;
    VEC(struct buf) inflated; /* items point into them */
    size_t inflated_size;
    bool within;
    uint64_t compressed, heaps, nameless, bad;
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
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_SAMPLE = 66,
    PACKET_ZSTD = 133,
};

/* ---- numbers ------------------------------------------------------------------------------- */

/* Returns what a number stands for, added if it is new; valid until the next call. */
static struct item *item_of(struct perfetto *p, const struct sequence *s, enum item_kind kind,
                            uint64_t number)
{
    uint64_t key[] = {s ? s->id : 0, s ? s->generation : 0, kind, number};
    uint32_t id = intern_add(&p->keys, slice_make((const char *)key, sizeof(key)));

    while (p->items.count <= id)
        *vec_add(&p->items) = (struct item){0};
    return &p->items.items[id];
}

/* Returns the value of the first varint, or the bytes, of a field; false if it is missing. */
static bool number_in(struct slice message, uint64_t field, uint64_t *value)
{
    struct proto_field f;

    while (proto_next(&message, &f))
        if (f.number == field && f.wire == PROTO_VARINT) {
            *value = f.value;
            return true;
        }
    return false;
}

static bool bytes_in(struct slice message, uint64_t field, struct slice *bytes)
{
    struct proto_field f;

    while (proto_next(&message, &f))
        if (f.number == field && f.wire == PROTO_BYTES) {
            *bytes = f.bytes;
            return true;
        }
    return false;
}

static struct sequence *sequence_of(struct perfetto *p, uint64_t id)
{
    struct item *item = item_of(p, NULL, ITEM_SEQUENCE, id);

    if (!item->known) {
        item->known = true;
        item->number = p->sequences.count;
        *vec_add(&p->sequences) = (struct sequence){.id = id + 1};
    }
    return &p->sequences.items[item->number];
}

static void read_interned(struct perfetto *p, const struct sequence *s, struct slice message)
{
    static const enum item_kind kinds[] = {
        [2] = ITEM_NAME, [5] = ITEM_FUNCTION, [6] = ITEM_FRAME, [7] = ITEM_STACK};
    struct proto_field f;
    uint64_t id;

    while (proto_next(&message, &f)) {
        struct item *item;

        if (f.wire != PROTO_BYTES || (f.number != 2 && (f.number < 5 || f.number > 7)) ||
            !number_in(f.bytes, 1, &id))
            continue;
        item = item_of(p, s, kinds[f.number], id);
        item->known = true;
        item->bytes = f.bytes;
        if (f.number < 6 && !bytes_in(f.bytes, 2, &item->bytes))
            item->bytes = SLICE("");
    }
}

/* ---- time ---------------------------------------------------------------------------------- */

enum { FIRST_OWN_CLOCK = 64 }; /* smaller ones are those of the system, in nanoseconds */

static void read_clocks(struct perfetto *p, const struct sequence *s, struct slice message)
{
    struct proto_field f;
    uint64_t id, time, incremental, scale, system = 0;

    /* the time of the system at the moment of the snapshot, which own clocks begin with */
    for (struct slice rest = message; proto_next(&rest, &f);)
        if (f.number == 1 && f.wire == PROTO_BYTES && number_in(f.bytes, 1, &id) &&
            number_in(f.bytes, 2, &time) && id < FIRST_OWN_CLOCK && (!system || id == 6))
            system = time;
    while (proto_next(&message, &f)) {
        struct item *clock;

        if (f.number != 1 || f.wire != PROTO_BYTES || !number_in(f.bytes, 1, &id) ||
            id < FIRST_OWN_CLOCK)
            continue;
        clock = item_of(p, s, ITEM_CLOCK, id);
        clock->known = true;
        clock->number = system;
        clock->scale = 0;
        if (number_in(f.bytes, 3, &incremental) && incremental)
            clock->scale = number_in(f.bytes, 4, &scale) && scale ? scale : 1;
    }
}

/* The time of a packet in nanoseconds. */
static uint64_t time_of(struct perfetto *p, const struct sequence *s, const struct packet *packet)
{
    uint64_t id = packet->has_clock ? packet->clock : s->clock;
    struct item *clock;

    if (id < FIRST_OWN_CLOCK)
        return packet->time;
    clock = item_of(p, s, ITEM_CLOCK, id);
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

/* A track without a description is a thread of its own, named by its number. */
static uint32_t thread_of_track(struct perfetto *p, uint64_t track)
{
    struct item *item = item_of(p, NULL, ITEM_TRACK, track);

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
    struct item *item;

    if (!number_in(message, 1, &uuid))
        return;
    if (bytes_in(message, 4, &thread) && number_in(thread, 2, &tid)) {
        index = thread_of(p, tid);
        bytes_in(thread, 5, &name);
        item = item_of(p, NULL, ITEM_TRACK, uuid);
        item->known = true;
        item->number = index;
    } else {
        index = thread_of_track(p, uuid);
        if (!bytes_in(message, 2, &name))
            bytes_in(message, 10, &name);
    }
    if (name.len)
        trace_threads_name(&p->threads, index, name);
}

static void read_processes(struct perfetto *p, struct slice message)
{
    struct proto_field f;
    struct slice name;
    uint64_t tid;

    while (proto_next(&message, &f))
        if (f.number == 2 && f.wire == PROTO_BYTES && number_in(f.bytes, 1, &tid) &&
            bytes_in(f.bytes, 2, &name))
            trace_threads_name(&p->threads, thread_of(p, tid), name);
}

/* ---- events -------------------------------------------------------------------------------- */

static struct slice name_of(struct perfetto *p, const struct sequence *s, struct slice event)
{
    struct slice name = {0};
    uint64_t iid;

    if (bytes_in(event, 23, &name) || !number_in(event, 10, &iid))
        return name;
    name = item_of(p, s, ITEM_NAME, iid)->bytes;
    p->nameless += !name.len;
    return name;
}

static bool read_event(struct perfetto *p, const struct sequence *s, uint64_t time,
                       struct slice event)
{
    enum { BEGIN = 1, END = 2 };
    struct frame frame = {.kind = FRAME_PLAIN};
    uint64_t type = 0, track = s->track;
    uint32_t thread;

    number_in(event, 9, &type);
    number_in(event, 11, &track);
    if (time > INT64_MAX || (type != BEGIN && type != END))
        return true;
    thread = thread_of_track(p, track);
    if (type == END)
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
        if (f.number != 2 || f.wire != PROTO_BYTES || !bytes_in(f.bytes, 3, &print) ||
            !bytes_in(print, 2, &text) || !number_in(f.bytes, 1, &time) ||
            !number_in(f.bytes, 2, &tid) || time > INT64_MAX)
            continue;
        text = slice_trim_right(text);
        if (trace_mark_is(text) &&
            !trace_mark_add(&p->slices, thread_of(p, tid), (int64_t)time, text))
            return false;
    }
    return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

static void push_frame(struct perfetto *p, const struct sequence *s, uint64_t iid)
{
    struct frame frame = {.kind = FRAME_NATIVE};
    struct slice bytes = item_of(p, s, ITEM_FRAME, iid)->bytes;
    uint64_t function;

    if (number_in(bytes, 2, &function))
        frame.name = item_of(p, s, ITEM_FUNCTION, function)->bytes;
    builder_frame(&p->b, &frame);
}

/* Pushes the frames of a stack, root first; the list may be packed. */
static void push_stack(struct perfetto *p, const struct sequence *s, uint64_t iid)
{
    struct slice message = item_of(p, s, ITEM_STACK, iid)->bytes;
    struct proto_field f;
    uint64_t frame;

    builder_begin(&p->b);
    while (proto_next(&message, &f) && !budget_is_over()) {
        if (f.number != 2)
            continue;
        if (f.wire == PROTO_VARINT)
            push_frame(p, s, f.value);
        else if (f.wire == PROTO_BYTES)
            while (proto_varint(&f.bytes, &frame) && !budget_is_over())
                push_frame(p, s, frame);
    }
}

static bool add_sample(struct perfetto *p, const struct sequence *s, uint64_t stack, uint64_t tid,
                       uint64_t time)
{
    struct origin origin = {.event = SLICE("samples")};
    char text[24];
    uint32_t series;

    snprintf(text, sizeof(text), "%llu", (unsigned long long)tid);
    if (tid)
        origin.tid = slice_str(text);
    series = builder_series(&p->b, &origin, unit_samples);
    push_stack(p, s, stack);
    builder_time(&p->b, series, time);
    return builder_add(&p->b, series, 1);
}

static bool read_sample(struct perfetto *p, const struct sequence *s, uint64_t time,
                        struct slice sample)
{
    uint64_t stack, tid = 0;

    number_in(sample, 3, &tid);
    return !number_in(sample, 4, &stack) || add_sample(p, s, stack, tid, time);
}

/* Chrome's samples: numbers of stacks, which may be packed. */
static bool read_streaming(struct perfetto *p, const struct sequence *s, uint64_t time,
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
    }
    return true;
}

/* ---- packets ------------------------------------------------------------------------------- */

static void read_defaults(struct sequence *s, struct slice message)
{
    struct slice event;

    number_in(message, PACKET_CLOCK, &s->clock);
    if (bytes_in(message, PACKET_EVENT, &event))
        number_in(event, 11, &s->track);
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

/* Packets in zlib's format; Perfetto never has compressed ones within them. */
static bool read_compressed(struct perfetto *p, struct slice packed)
{
    struct buf *bytes;
    struct slice rest;
    struct proto_field f;
    bool ok = true;

    if (p->within) {
        p->bad++;
        return true;
    }
    bytes = vec_add(&p->inflated);
    *bytes = (struct buf){0};
    if (!inflate_add(bytes, packed, p->content->options->limits.max_size - p->inflated_size)) {
        p->bad++;
        return true;
    }
    p->inflated_size += bytes->len;
    rest = buf_slice(bytes);
    p->within = true;
    while (ok && proto_next(&rest, &f))
        if (f.number == 1 && f.wire == PROTO_BYTES)
            ok = read_packet(p, f.bytes);
    p->within = false;
    p->bad += ok && rest.len > 0;
    return ok;
}

static bool read_field(struct perfetto *p, const struct sequence *s, uint64_t time,
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
        return read_compressed(p, f->bytes);
    case PACKET_PROCESSES:
        read_processes(p, f->bytes);
        return true;
    case PACKET_TRACK:
        read_track(p, f->bytes);
        return true;
    default:
        p->compressed += f->number == PACKET_ZSTD;
        p->heaps += f->number == PACKET_HEAP;
        return true;
    }
}

static bool read_packet(struct perfetto *p, struct slice message)
{
    struct packet packet = packet_of(message);
    struct sequence *s = sequence_of(p, packet.sequence);
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
            read_interned(p, s, f.bytes);
        else if (f.wire == PROTO_BYTES && f.number == PACKET_CLOCKS)
            read_clocks(p, s, f.bytes);
    }
    time = time_of(p, s, &packet);
    while (proto_next(&message, &f)) {
        if (f.wire == PROTO_BYTES && !read_field(p, s, time, &f))
            return false;
        if (f.number == PACKET_COMPRESSED)
            s = sequence_of(p, packet.sequence); /* packets within may have moved it */
    }
    p->bad += message.len > 0;
    p->content->profile->ledger.lines++;
    return budget_allows(p->content->diag, DIAG_AT_FILE);
}

static bool read_packets(struct perfetto *p, struct slice content)
{
    struct slice rest = content;
    struct proto_field f;

    while (proto_next(&rest, &f))
        if (f.number == 1 && f.wire == PROTO_BYTES && !read_packet(p, f.bytes))
            return false;
    if (rest.len)
        diag_add(p->content->diag, DIAG_WARNING, DIAG_AT_BYTE(content.len - rest.len),
                 "the file is damaged or cut from here on");
    return true;
}

static void tell(const struct perfetto *p)
{
    const struct {
        uint64_t count;
        const char *what;
    } notes[] = {
        {p->compressed, "packets compressed with zstd are not read"},
        {p->heaps,
         "packets of heap profiles are not read; Perfetto's traceconv makes pprof of them"},
        {p->nameless, "slices have a name that the file does not explain"},
        {p->bad, "packets are damaged"},
    };

    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        if (notes[i].count)
            diag_add(p->content->diag, DIAG_WARNING, DIAG_AT_FILE, "%llu %s",
                     (unsigned long long)notes[i].count, notes[i].what);
    trace_slices_tell(&p->slices, p->content->diag);
    p->content->profile->ledger.unreadable += p->bad + p->slices.unmatched;
}

static bool perfetto_read(struct content *content)
{
    struct perfetto p = {.content = content};
    struct buf bytes = {0};
    bool ok = content_load(content, &bytes);

    builder_init(&p.b, content->profile, content->options, content->diag);
    trace_slices_init(&p.slices, &p.b, &p.threads);
    ok = ok && read_packets(&p, buf_slice(&bytes)) && trace_slices_pair(&p.slices);
    ok = ok &&
         trace_slices_nest(&p.slices, content->profile->series.count ? SLICE("slices") : SLICE(""));
    if (ok)
        tell(&p);
    trace_slices_release(&p.slices);
    trace_threads_release(&p.threads);
    intern_release(&p.keys);
    vec_each (struct buf, inflated, &p.inflated)
        buf_release(inflated);
    release_all(&p, vec, items, sequences, inflated);
    builder_release(&p.b);
    buf_release(&bytes);
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

/* Whether a packet in zlib's format begins here; it may go on behind the head. */
static bool begins_compressed(struct slice rest)
{
    const unsigned char tag[] = {0x92, 0x03}; /* field 50, bytes */

    for (int part = 0; part < 2; part++) {
        rest = slice_skip(rest, part ? sizeof(tag) : 1);
        while (rest.len && rest.ptr[0] & 0x80)
            rest = slice_skip(rest, 1);
        rest = slice_skip(rest, 1); /* the last byte of a length */
        if (!part && (rest.len < sizeof(tag) || memcmp(rest.ptr, tag, sizeof(tag)) != 0))
            return false;
    }
    return slice_starts(rest, SLICE("x"));
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
    .description = "Perfetto's protobuf: track events, marks of Android, samples with stacks",
    .recognised = "protobuf messages in field 1 with the number of a sequence",
    .example = "perfetto -o app.perfetto-trace -t 10s sched gfx view",
    .without_stacks = "record track events, atrace categories (perfetto -t 10s gfx view), or "
                      "callstack samples (linux.perf)",
    .claims = perfetto_claims,
    .read = perfetto_read,
};
