/*
 * Recordings of perf record, version 2: a header, records, and sections that describe them.
 *
 * Samples give the same stacks as perf script's text of them (perf_samples.h); so do the names of
 * their frames, which this reader finds in the binaries, as perf script does. Records are taken
 * in the order of time. Maps, names of threads and forks say what is where; lost records are
 * counted; records of other known kinds are skipped, and those of unknown kinds are counted as
 * unreadable.
 *
 * Source: tools/perf/Documentation/perf.data-file-format.txt of Linux 6.1.
 */
#include "base/budget.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/core/cut_off.h"
#include "input/core/recording.h"
#include "input/format.h"
#include "input/formats/perf/perf_cgroups.h"
#include "input/formats/perf/perf_counters.h"
#include "input/formats/perf/perf_header.h"
#include "input/formats/perf/perf_module.h"
#include "input/formats/perf/perf_queue.h"
#include "input/formats/perf/perf_record.h"
#include "input/formats/perf/perf_resolve.h"
#include "input/formats/perf/perf_samples.h"
#include "input/formats/perf/perf_space.h"
#include "input/formats/perf/perf_stream.h"
#include "input/formats/perf/perf_trace.h"

struct perf_data {
    struct content *content;
    struct perf_streams streams;
    struct perf_stream *stream; /* that is being read */
    struct perf_header header;
    struct perf_queue queue;
    struct perf_spaces spaces;
    struct perf_cgroups cgroups;
    struct perf_modules modules;
    bool started; /* the first sample has come: `samples` and `resolver` are ready */
    struct perf_trace trace;
    struct text text;
    struct perf_samples samples;
    struct perf_resolver resolver;
    uint64_t unpacked_size; /* bytes of records that were compressed */
    struct buf names;
    struct perf_counters counters;
};

/* Counts a record as unreadable, with a warning that says what it is. The format is a literal. */
#define skip_record(d, r, ...)                                                                     \
    (diag_add((d)->content->diag, DIAG_WARNING, DIAG_AT_BYTE((r)->offset),                         \
              "skipped " __VA_ARGS__),                                                             \
     (void)(d)->content->profile->ledger.unreadable++)

/* ---- samples --------------------------------------------------------------------------------- */

/*
 * Names the events as event lines do, so that the makers of times and bytes find theirs. The
 * first argument of probes is in parentheses.
 */
static void start_samples(struct perf_data *d)
{
    const struct content *c = d->content;

    perf_trace_init(&d->trace, d->header.tracing_data);
    perf_trace_name(&d->trace, &d->header);
    perf_header_complete(&d->header);
    vec_each (struct perf_attr, e, &d->header.events) {
        struct buf clean = {0};

        buf_printf(&d->names, " %.*s: (\n", SLICE_ARG(e->name));
        utf8_add_clean(&clean, e->name);
        profile_list_event(c->profile, buf_slice(&clean));
        buf_release(&clean);
    }
    d->text = (struct text){.options = c->options,
                            .profile = c->profile,
                            .diag = c->diag,
                            .start = buf_slice(&d->names)};
    perf_samples_init(&d->samples, &d->text);
    perf_resolver_init(&d->resolver, &d->modules, &d->spaces, &d->samples);
    d->started = true;
}

static bool add_sample(struct perf_data *d, const struct perf_sample *s,
                       const struct perf_record *r)
{
    const struct perf_thread *t = perf_spaces_thread(&d->spaces, s->pid, s->tid);
    struct perf_event e = {.comm = t->comm,
                           .pid = (int32_t)t->pid,
                           .tid = (int32_t)t->tid,
                           .name = s->event->name,
                           .has_time = s->has_time,
                           .has_cpu = s->has_cpu,
                           .has_period = true,
                           .time_ns = s->time_ns,
                           .cpu = s->cpu,
                           .period = s->period};

    if (s->has_cgroup)
        e.cgroup = perf_cgroups_find(&d->cgroups, s->cgroup);
    if (d->samples.scheduling || d->samples.made.any)
        e.fields = perf_trace_fields(&d->trace, s->event, s->raw, d->header.swapped);
    if (!perf_samples_open(&d->samples, &e, DIAG_AT_BYTE(r->offset)))
        return false;
    if (!d->samples.skipped)
        perf_resolver_push(&d->resolver, &d->header, s, t, r->misc & PERF_RECORD_MISC_CPUMODE_MASK);
    return true;
}

static bool end_samples(struct perf_data *d)
{
    perf_modules_report(&d->modules, d->content->profile);
    return perf_samples_end(&d->samples);
}

/*
 * A sample gives the counter of its event, or those of all events of its group: each counts as a
 * sample, whose weight is the growth of the counter.
 */
static bool add_counted(struct perf_data *d, const struct perf_sample *s,
                        const struct perf_record *r)
{
    bool of_thread = s->event->inherited && s->event->sample_type & PERF_SAMPLE_TID;
    size_t words = s->values.len / sizeof(uint64_t);

    for (size_t i = 0; i + s->each <= words; i += s->each) {
        uint64_t value = bytes_at(s->values, i, d->header.swapped);
        uint64_t id = bytes_at(s->values, i + s->id_at, d->header.swapped);
        uint32_t event = perf_header_find(&d->header, id);
        struct perf_sample one = *s;

        if (event == UINT32_MAX) {
            skip_record(d, r, "a counter of an event that is not described");
            continue;
        }
        one.period = perf_counters_growth(&d->counters, id, of_thread ? s->tid : 0, value);
        if (!one.period)
            continue;
        one.event = &d->header.events.items[event];
        if (!add_sample(d, &one, r))
            return false;
    }
    return true;
}

static bool take_sample(struct perf_data *d, const struct perf_record *r)
{
    struct perf_sample s;

    if (!d->started)
        start_samples(d);
    if (!perf_record_sample(&d->header, r, &s)) {
        skip_record(d, r, "a sample that is cut or whose event is not described");
        return true;
    }
    return s.values.len ? add_counted(d, &s, r) : add_sample(d, &s, r);
}

/* The user call chain of samples that came before. */
static bool take_deferred(struct perf_data *d, const struct perf_record *r)
{
    struct perf_calls c;
    const struct perf_thread *t;

    if (!perf_record_deferred(&d->header, r, &c)) {
        skip_record(d, r, "a deferred call chain that is cut or does not name its thread");
        return true;
    }
    if (!d->started) /* no sample waits */
        return true;
    t = perf_spaces_thread(&d->spaces, c.pid, c.tid);
    if (!perf_samples_open_deferred(
            &d->samples,
            &(struct perf_event){.comm = t->comm, .pid = (int32_t)t->pid, .tid = (int32_t)t->tid},
            c.tid, c.cookie, DIAG_AT_BYTE(r->offset)))
        return false;
    perf_resolver_push_deferred(&d->resolver, &d->header, &c, t);
    return true;
}

/* ---- records of the kernel ------------------------------------------------------------------- */

static bool add_map(struct perf_data *d, const struct perf_record *r, uint32_t pid,
                    struct perf_map map, struct slice path, struct slice build_id, bool executable)
{
    bool kernel = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL, fits;

    if (kernel) {
        map.module = perf_modules_add_kernel(&d->modules, path, map.offset);
        /* The code that starts the kernel is after its text; maps of modules, later, cut this. */
        if (slice_starts(path, SLICE("[kernel.kallsyms]")))
            map.end = UINT64_MAX;
        map.offset = map.start;
        fits = perf_spaces_map_kernel(&d->spaces, &map);
    } else {
        map.module = perf_modules_add(&d->modules, path, pid, build_id, executable);
        fits = perf_spaces_map(&d->spaces, pid, &map);
    }
    if (!fits)
        diag_add(d->content->diag, DIAG_ERROR, DIAG_AT_BYTE(r->offset),
                 "more memory maps than the %u that are kept", PERF_MAPS_MOST);
    return fits;
}

static bool take_map(struct perf_data *d, const struct perf_record *r)
{
    enum { INODE = 24, LONGEST_ID = 20, EXECUTABLE = 4 };
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    struct slice inode, build_id = {0};
    bool executable = true;
    uint32_t pid = bytes_u32(&b);
    uint64_t length;
    struct perf_map map;

    bytes_u32(&b);
    map.start = bytes_u64(&b);
    length = bytes_u64(&b);
    map.offset = bytes_u64(&b);
    if (r->type == PERF_RECORD_MMAP2) {
        inode = bytes_take(&b, INODE);
        executable = bytes_u32(&b) & EXECUTABLE;
        bytes_u32(&b);
        if (inode.len && r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
            build_id = slice_take(slice_skip(inode, 4), (unsigned char)inode.ptr[0]);
        build_id = slice_take(build_id, LONGEST_ID);
    }
    if (!num_add(map.start, length, &map.end))
        map.end = UINT64_MAX;
    return b.failed || add_map(d, r, pid, map, bytes_text(&b), build_id, executable);
}

/* A function that the kernel was given: its address, size and name. */
static bool take_program(struct perf_data *d, const struct perf_record *r)
{
    enum { GONE = 1 };
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    struct perf_map map = {.start = bytes_u64(&b)};
    uint32_t length = bytes_u32(&b);
    unsigned flags;

    bytes_u16(&b);
    flags = bytes_u16(&b);
    if (b.failed || flags & GONE || !num_add(map.start, length, &map.end))
        return true;
    map.module = perf_modules_add_program(&d->modules, bytes_text(&b));
    return perf_spaces_map_kernel(&d->spaces, &map);
}

static void take_comm(struct perf_data *d, const struct perf_record *r)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint32_t pid = bytes_u32(&b), tid = bytes_u32(&b);

    if (!b.failed)
        perf_spaces_comm(&d->spaces, pid, tid, bytes_text(&b));
}

static void take_fork(struct perf_data *d, const struct perf_record *r)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    struct perf_fork fork = {.pid = bytes_u32(&b)};

    fork.parent_pid = bytes_u32(&b);
    fork.tid = bytes_u32(&b);
    fork.parent_tid = bytes_u32(&b);
    if (!b.failed)
        perf_spaces_fork(&d->spaces, &fork, !(r->misc & PERF_RECORD_MISC_FORK_EXEC));
}

static void take_cgroup(struct perf_data *d, const struct perf_record *r)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint64_t id = bytes_u64(&b);

    if (!b.failed)
        perf_cgroups_add(&d->cgroups, id, bytes_text(&b));
}

static void take_lost(struct perf_data *d, const struct perf_record *r)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint64_t *sum = &d->content->profile->ledger.lost, lost;

    if (r->type == PERF_RECORD_LOST)
        bytes_u64(&b);
    lost = bytes_u64(&b);
    if (!num_add(*sum, lost, sum))
        *sum = UINT64_MAX;
}

/* A record that is not among those without stacks: it may be a sample. */
static void skip_unknown(struct perf_data *d, const struct perf_record *r)
{
    skip_record(d, r, "a record of the unknown type %u", (unsigned)r->type);
}

/* Takes a record in the order of time. */
static bool take_record(void *context, const struct perf_record *r)
{
    struct perf_data *d = context;

    switch (r->type) {
    case PERF_RECORD_SAMPLE:
        return take_sample(d, r);
    case PERF_RECORD_DEFERRED:
        return take_deferred(d, r);
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        return take_map(d, r);
    case PERF_RECORD_KSYMBOL:
        return take_program(d, r);
    case PERF_RECORD_COMM:
        take_comm(d, r);
        return true;
    case PERF_RECORD_FORK:
        take_fork(d, r);
        return true;
    case PERF_RECORD_CGROUP:
        take_cgroup(d, r);
        return true;
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
        take_lost(d, r);
        return true;
    default:
        if (!r->type || r->type > PERF_RECORD_KERNEL_LAST)
            skip_unknown(d, r);
        return true;
    }
}

/* ---- records of perf ------------------------------------------------------------------------- */

/* An event in a pipe: its attribute, which gives its own size, and ids up to the end. */
static void take_attr(struct perf_data *d, const struct perf_record *r)
{
    enum { FIRST_SIZE = 64 };
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint32_t size, event;
    struct slice attr;

    bytes_u32(&b);
    size = bytes_u32(&b);
    b = bytes_make(r->bytes, d->header.swapped);
    attr = bytes_take(&b, size ? size : FIRST_SIZE);
    if (b.failed || d->started)
        return;
    event = perf_header_add_event(&d->header, attr);
    while (b.rest.len >= sizeof(uint64_t))
        perf_header_add_id(&d->header, event, bytes_u64(&b));
}

/* More of an event in a pipe; of interest is its name. */
static void take_update(struct perf_data *d, const struct perf_record *r)
{
    enum { NAME = 2 };
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint64_t kind = bytes_u64(&b), id = bytes_u64(&b);

    if (kind == NAME && !b.failed && !d->started)
        perf_header_name(&d->header, perf_header_find(&d->header, id), bytes_text(&b));
}

static bool refuse_trace(struct perf_data *d, const struct perf_record *r)
{
    static const char *const kinds[] = {"a CPU's trace", "Intel PT", "Intel BTS",
                                        "ARM CoreSight", "ARM SPE",  "s390 CPU-MF",
                                        "HiSilicon PTT"};
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint32_t kind = bytes_u32(&b);

    return diag_error(d->content->diag,
                      "this is a recording of %s, which must be decoded first; run: "
                      "perf script --itrace=i100us --itrace=g -i FILE | flamepress graph",
                      kinds[kind < sizeof(kinds) / sizeof(kinds[0]) ? kind : 0]);
}

/*
 * Records of simpleperf alone: the kernel's symbols, further ids of events, and the formats of
 * trace points. Source: record.h of system/extras/simpleperf in Android.
 */
static void take_simpleperf(struct perf_data *d, const struct perf_record *r)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    struct slice text;
    uint64_t count;

    if (r->type == PERF_RECORD_EVENT_IDS) {
        count = bytes_u64(&b);
        for (; count && b.rest.len >= 2 * sizeof(uint64_t); count--) {
            uint64_t event = bytes_u64(&b), id = bytes_u64(&b);

            if (event < d->header.events.count)
                perf_header_add_id(&d->header, (uint32_t)event, id);
        }
        return;
    }
    if (d->started ||
        (r->type != PERF_RECORD_KERNEL_SYMBOLS && r->type != PERF_RECORD_TRACE_FORMATS))
        return;
    text = bytes_take(&b, bytes_u32(&b));
    if (b.failed)
        return;
    text = arena_copy(&d->header.texts, text);
    if (r->type == PERF_RECORD_KERNEL_SYMBOLS)
        d->header.kallsyms = text;
    else
        d->header.tracing_data = text;
}

static bool queue_record(struct perf_data *d, const struct perf_record *r)
{
    uint64_t time_ns = perf_record_time(&d->header, r);

    if (time_ns != UINT64_MAX && time_ns > d->stream->newest)
        d->stream->newest = time_ns;
    return perf_queue_add(&d->queue, r, time_ns);
}

/* Takes a record as the file has it. `*more` is set to the bytes that follow outside of it. */
static bool take_raw(struct perf_data *d, const struct perf_record *r, uint64_t *more)
{
    struct bytes b = bytes_make(r->bytes, d->header.swapped);
    uint64_t feature;

    if (!budget_allows(d->content->diag, DIAG_AT_FILE))
        return false;
    if (r->type >= PERF_RECORD_SIMPLEPERF) {
        take_simpleperf(d, r);
        return true;
    }
    if (r->type < PERF_RECORD_USER)
        return queue_record(d, r);
    switch (r->type) {
    case PERF_RECORD_FINISHED_ROUND: /* promised for this file alone */
        return d->streams.count > 1 || perf_queue_round(&d->queue);
    case PERF_RECORD_HEADER_ATTR:
        take_attr(d, r);
        return true;
    case PERF_RECORD_EVENT_UPDATE:
        take_update(d, r);
        return true;
    case PERF_RECORD_BUILD_ID:
        perf_header_build_id(&d->header, r->misc, r->bytes);
        return true;
    case PERF_RECORD_FEATURE:
        feature = bytes_u64(&b);
        if (!d->started && feature < UINT32_MAX)
            perf_header_feature(&d->header, (unsigned)feature, b.rest, d->content->profile);
        return true;
    case PERF_RECORD_TRACING_DATA:
        *more = bytes_u32(&b);
        return true;
    case PERF_RECORD_AUXTRACE_INFO:
        return refuse_trace(d, r);
    case PERF_RECORD_STAT_CONFIG:
        return diag_error(d->content->diag,
                          "this is a recording of perf stat, which counts events and has no "
                          "stacks; run: perf record -g");
    case PERF_RECORD_AUXTRACE:
        *more = bytes_u64(&b);
        return true;
    default:
        if (r->type > PERF_RECORD_USER_LAST)
            skip_unknown(d, r);
        return true;
    }
}

/* ---- the records one after the other --------------------------------------------------------- */

/* Takes a record apart. Returns false if `bytes` do not begin with a whole record. */
static bool parse_record(struct slice bytes, bool swapped, uint64_t offset, struct perf_record *r)
{
    struct bytes b = bytes_make(bytes, swapped);

    r->type = bytes_u32(&b);
    r->misc = bytes_u16(&b);
    r->size = bytes_u16(&b);
    if (r->type >= PERF_RECORD_SIMPLEPERF) {
        r->size |= (uint32_t)r->misc << 16;
        r->misc = 0;
    }
    r->offset = offset;
    if (b.failed || r->size < PERF_RECORD_HEADER)
        return false;
    r->bytes = bytes_take(&b, (uint64_t)r->size - PERF_RECORD_HEADER);
    return !b.failed;
}

/* Takes the next record of the stream apart. Returns false if it is cut. */
static bool get_record(struct perf_data *d, struct perf_record *r)
{
    struct perf_input *in = &d->stream->input;
    uint64_t at = d->stream->at;

    if (parse_record(perf_input_get(in, at, UINT16_MAX), d->header.swapped, at, r))
        return true;
    return r->size > UINT16_MAX && r->size <= in->size - at &&
           parse_record(perf_input_get(in, at, r->size), d->header.swapped, at, r);
}

/* Takes the complete records among those that were unpacked, and keeps the rest. */
static bool take_unpacked(struct perf_data *d, uint64_t offset)
{
    struct buf *unpacked = &d->stream->unpacked;
    struct slice rest = buf_slice(unpacked);
    struct perf_record r;
    uint64_t more;

    while (parse_record(rest, d->header.swapped, offset, &r)) {
        if (!take_raw(d, &r, &more))
            return false;
        rest = slice_skip(rest, r.size);
    }
    memmove(unpacked->ptr, rest.ptr, rest.len);
    unpacked->len = rest.len;
    if (rest.len <= UINT16_MAX)
        return true;
    diag_add(d->content->diag, DIAG_ERROR, DIAG_AT_BYTE(offset),
             "the compressed records are damaged");
    return false;
}

static bool take_packed(struct perf_data *d, const struct perf_record *r)
{
    const struct input_limits *limits = &d->content->options->limits;
    struct perf_stream *s = d->stream;
    struct slice packed = r->bytes;
    size_t before;

    if (r->type == PERF_RECORD_COMPRESSED2) {
        struct bytes b = bytes_make(packed, d->header.swapped);

        packed = bytes_take(&b, bytes_u64(&b));
    }
    do {
        before = s->unpacked.len;
        if (!perf_unzip_next(&s->unzip, &packed, &s->unpacked)) {
            diag_add(d->content->diag, DIAG_ERROR, DIAG_AT_BYTE(r->offset),
                     "the compressed records are damaged");
            return false;
        }
        before = s->unpacked.len - before;
        d->unpacked_size += before;
        if (d->unpacked_size > limits->max_size) {
            diag_add(d->content->diag, DIAG_ERROR, DIAG_AT_BYTE(r->offset),
                     "more than %llu bytes after decompression (--max-size BYTES)",
                     (unsigned long long)limits->max_size);
            return false;
        }
        if (!take_unpacked(d, r->offset))
            return false;
    } while (packed.len || before);
    return true;
}

/* The formats of trace points in a pipe, which follow their record. */
static void keep_formats(struct perf_data *d, uint64_t offset, uint64_t size)
{
    enum { FEATURE_TRACING_DATA = 1 };

    if (size <= UINT32_MAX)
        perf_header_feature(&d->header, FEATURE_TRACING_DATA,
                            perf_input_get(&d->stream->input, offset, (size_t)size),
                            d->content->profile);
}

/* Takes the next record of the stream, or ends the stream. */
static bool read_record(struct perf_data *d)
{
    struct perf_stream *s = d->stream;
    uint64_t more = 0;
    struct perf_record r;
    bool ok;

    if (!get_record(d, &r)) {
        cut_off(d->content, DIAG_AT_BYTE(s->at),
                "the recording is cut or damaged here; what is before is read");
        s->at = s->end;
        return true;
    }
    if (r.type == PERF_RECORD_COMPRESSED || r.type == PERF_RECORD_COMPRESSED2)
        ok = take_packed(d, &r);
    else
        ok = take_raw(d, &r, &more);
    s->at += r.size;
    if (r.type == PERF_RECORD_TRACING_DATA)
        keep_formats(d, s->at, more);
    s->at = more > s->end - s->at ? s->end : s->at + more;
    return ok;
}

/* Reads the stream with the oldest records for a while, then the one that has them by then. */
static bool read_records(struct perf_data *d)
{
    enum { AT_ONCE = 256 };

    while ((d->stream = perf_streams_next(&d->streams))) {
        const struct perf_stream *s = d->stream;

        if (d->streams.count > 1 && !perf_queue_until(&d->queue, s->newest))
            return false;
        for (unsigned i = 0; i < AT_ONCE && s->at < s->end; i++)
            if (!read_record(d))
                return false;
    }
    return perf_queue_end(&d->queue);
}

/* Reads the records of all files. */
static bool read_streams(struct perf_data *d)
{
    struct perf_stream *first = d->stream;

    first->at = d->header.data;
    if (!d->header.data_size || !num_add(first->at, d->header.data_size, &first->end) ||
        first->end > first->input.size)
        first->end = first->input.size;
    if (d->header.in_directory && !perf_streams_add_rest(&d->streams, d->content))
        return false;
    if (!read_records(d))
        return false;
    vec_each (struct perf_stream *const, s, &d->streams)
        if ((*s)->source.failed)
            return false;
    return !d->content->source->failed && (!d->started || end_samples(d));
}

/* ---- the header ------------------------------------------------------------------------------ */

/* The events, each with the place of its ids. */
static bool read_attrs(struct perf_data *d)
{
    enum { SECTION = 16, FIRST_SIZE = 64 };
    struct perf_header *h = &d->header;
    uint64_t count;

    if (h->attr_size < FIRST_SIZE + SECTION || h->attr_size > UINT16_MAX)
        return diag_error(d->content->diag,
                          "invalid size of event descriptions: %llu bytes, expected %d to %d",
                          (unsigned long long)h->attr_size, FIRST_SIZE + SECTION, UINT16_MAX);
    count = h->attrs_size / h->attr_size;
    for (uint64_t i = 0; i < count; i++) {
        struct slice attr =
            perf_input_get(&d->stream->input, h->attrs + i * h->attr_size, h->attr_size);
        struct bytes place = bytes_make(slice_skip(attr, h->attr_size - SECTION), h->swapped);
        uint64_t ids = bytes_u64(&place), size = bytes_u64(&place);
        uint32_t event;
        struct bytes b;

        if (place.failed)
            return diag_error(d->content->diag, "the descriptions of the events are cut");
        event = perf_header_add_event(h, slice_take(attr, h->attr_size - SECTION));
        b = bytes_make(perf_input_get(&d->stream->input, ids,
                                      size < d->stream->input.size ? size : d->stream->input.size),
                       h->swapped);
        while (b.rest.len >= sizeof(uint64_t))
            perf_header_add_id(h, event, bytes_u64(&b));
    }
    return true;
}

/*
 * The features, whose places follow the records, in the order of their numbers. Returns false if
 * they are cut.
 */
static bool read_features(struct perf_data *d)
{
    enum { SECTION = 16, FEATURES = 256, WORD = 64 };
    struct perf_header *h = &d->header;
    uint64_t at;

    if (!h->data_size || !num_add(h->data, h->data_size, &at))
        return false;
    for (unsigned i = 0; i < FEATURES; i++) {
        struct bytes b;
        struct slice content;
        uint64_t offset, size;

        if (!(h->features[i / WORD] >> i % WORD & 1))
            continue;
        b = bytes_make(perf_input_get(&d->stream->input, at, SECTION), h->swapped);
        offset = bytes_u64(&b);
        size = bytes_u64(&b);
        content = perf_input_get(&d->stream->input, offset,
                                 size < d->stream->input.size ? size : d->stream->input.size);
        if (b.failed || content.len < size)
            return false;
        perf_header_feature(h, i, content, d->content->profile);
        at += SECTION;
    }
    return true;
}

static bool read_header(struct perf_data *d)
{
    const char *wrong =
        perf_header_read(&d->header, perf_input_get(&d->stream->input, 0, PERF_FILE_HEADER));

    if (wrong)
        return diag_error(d->content->diag, "%s", wrong);
    if (d->header.piped)
        return true;
    if (!read_attrs(d))
        return false;
    if (!read_features(d))
        cut_off(d->content, DIAG_AT_FILE, "%s; the descriptions after the records are missing",
                d->header.data_size ? "the recording is cut" : "perf record did not end properly");
    return true;
}

/* ---- the format ------------------------------------------------------------------------------ */

static void init(struct perf_data *d, struct content *c)
{
    *d = (struct perf_data){.content = c};
    perf_queue_init(&d->queue, take_record, d);
    perf_spaces_init(&d->spaces);
    perf_modules_init(&d->modules, c->options, &d->header, slice_str(c->source->path), c->diag);
}

static void release(struct perf_data *d)
{
    if (d->started) {
        release_each(d, (perf_resolver, resolver), (perf_samples, samples), (perf_trace, trace));
    }
    perf_streams_release(&d->streams);
    release_each(d, (perf_modules, modules), (perf_spaces, spaces), (perf_cgroups, cgroups),
                 (perf_queue, queue), (perf_header, header), (perf_counters, counters),
                 (buf, names));
}

static bool read_perf_data(struct content *c)
{
    struct perf_data *d = xcalloc(1, sizeof(*d));
    bool ok;

    init(d, c);
    ok = perf_streams_init(&d->streams, c);
    d->stream = d->streams.items[0];
    ok = ok && read_header(d) && read_streams(d);
    release(d);
    xfree(d);
    return ok;
}

static bool claims(const struct head *head)
{
    return recording_is_start(head->bytes);
}

const struct format format_perf_data = {
    .name = "perf-data",
    .family = FORMAT_LINUX,
    .description =
        "recordings of Linux perf, files and directories, with the names from the binaries",
    .recognised = "the bytes PERFILE2 at the start",
    .example = "perf record -F 99 -g -- COMMAND",
    .without_stacks = "record with -g: perf record -g",
    .without_callers = "record them: perf record -g",
    .in_order = true,
    .of_events = true,
    .claims = claims,
    .read = read_perf_data,
};
