#include "input/formats/perf/perf_record.h"

enum { WORD = sizeof(uint64_t) };

/* The offset of a field of 64 bits from the start of a sample. */
static size_t offset_of(uint64_t sample_type, enum perf_event_sample_format field)
{
    static const enum perf_event_sample_format order[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,
                                                          PERF_SAMPLE_TID,        PERF_SAMPLE_TIME,
                                                          PERF_SAMPLE_ADDR,       PERF_SAMPLE_ID};
    size_t offset = 0;

    for (size_t i = 0; order[i] != field; i++)
        offset += sample_type & order[i] ? WORD : 0;
    return offset;
}

/*
 * The event of a sample. Its id is where the first event has it: perf records all events with
 * the id at one place.
 */
static const struct perf_attr *find_event(const struct perf_header *h, const struct perf_record *r)
{
    const struct perf_attr *first = h->events.items;
    enum perf_event_sample_format field = PERF_SAMPLE_IDENTIFIER;
    struct bytes b = bytes_make(r->bytes, h->swapped);
    uint32_t event;

    if (h->events.count <= 1)
        return first;
    if (!(first->sample_type & field))
        field = PERF_SAMPLE_ID;
    if (!(first->sample_type & field))
        return first;
    bytes_take(&b, offset_of(first->sample_type, field));
    event = perf_header_find(h, bytes_u64(&b));
    return event == UINT32_MAX || b.failed ? NULL : &h->events.items[event];
}

/* Takes an array with its count of elements before it. */
static struct slice take_array(struct bytes *b, uint64_t count, uint64_t element)
{
    if (count > b->rest.len / element)
        b->failed = true;
    return b->failed ? slice_make(NULL, 0) : bytes_take(b, count * element);
}

/*
 * The values of counters: of all events of the group, or of this event alone, which has the times
 * between its value and its id. Without ids there is none of use.
 */
static void take_values(struct bytes *b, struct perf_sample *s)
{
    uint64_t format = s->event->read_format, count = 1;
    size_t times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
                   (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);

    s->id_at = 1;
    if (format & PERF_FORMAT_GROUP) {
        count = bytes_u64(b);
        bytes_take(b, times * WORD);
    } else {
        s->id_at += times;
    }
    s->each = s->id_at + (format & PERF_FORMAT_ID ? 1 : 0) + (format & PERF_FORMAT_LOST ? 1 : 0);
    s->values = take_array(b, count, s->each * WORD);
    if (!(format & PERF_FORMAT_ID))
        s->values.len = 0;
}

/* Takes registers, of those in `mask`, and their ABI, which is 0 if there are none. */
static struct slice take_regs(struct bytes *b, uint64_t mask, uint64_t *abi)
{
    *abi = bytes_u64(b);
    return take_array(b, *abi ? (uint64_t)__builtin_popcountll(mask) : 0, WORD);
}

/* Bytes of the stack; only the first ones, whose number follows, were copied. */
static void take_stack(struct bytes *b, struct perf_sample *s)
{
    uint64_t size = bytes_u64(b);

    if (!size)
        return;
    s->stack = bytes_take(b, size);
    s->stack = slice_take(s->stack, bytes_u64(b));
}

/* The control group, which is after fields that are of no use here. */
static void take_cgroup(struct bytes *b, uint64_t type, struct perf_sample *s)
{
    static const uint64_t words[] = {PERF_SAMPLE_WEIGHT_TYPE, PERF_SAMPLE_DATA_SRC,
                                     PERF_SAMPLE_TRANSACTION};
    uint64_t abi;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (type & words[i])
            bytes_u64(b);
    if (type & PERF_SAMPLE_REGS_INTR)
        take_regs(b, s->event->regs_intr, &abi);
    if (type & PERF_SAMPLE_PHYS_ADDR)
        bytes_u64(b);
    s->cgroup = bytes_u64(b);
    s->has_cgroup = true;
}

/* The fields of variable size, in their order. */
static void take_lists(struct bytes *b, uint64_t type, struct perf_sample *s)
{
    if (type & PERF_SAMPLE_READ)
        take_values(b, s);
    if (type & PERF_SAMPLE_CALLCHAIN)
        s->chain = take_array(b, bytes_u64(b), WORD);
    if (type & PERF_SAMPLE_RAW)
        s->raw = bytes_take(b, bytes_u32(b));
    if (type & PERF_SAMPLE_BRANCH_STACK) {
        uint64_t count = bytes_u64(b);

        if (s->event->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
            bytes_take(b, WORD);
        s->branches = take_array(b, count, 3 * (uint64_t)WORD);
    }
    if (type & PERF_SAMPLE_REGS_USER)
        s->regs = take_regs(b, s->event->regs_user, &s->regs_abi);
    if (type & PERF_SAMPLE_STACK_USER)
        take_stack(b, s);
    if (type & PERF_SAMPLE_CGROUP)
        take_cgroup(b, type, s);
}

bool perf_record_sample(const struct perf_header *h, const struct perf_record *r,
                        struct perf_sample *out)
{
    struct bytes b = bytes_make(r->bytes, h->swapped);
    uint64_t type;

    *out = (struct perf_sample){.event = find_event(h, r)};
    if (!out->event)
        return false;
    type = out->event->sample_type;
    if (type & PERF_SAMPLE_IDENTIFIER)
        out->id = bytes_u64(&b);
    if (type & PERF_SAMPLE_IP)
        out->ip = bytes_u64(&b);
    if (type & PERF_SAMPLE_TID) {
        out->pid = bytes_u32(&b);
        out->tid = bytes_u32(&b);
    }
    out->has_time = type & PERF_SAMPLE_TIME;
    if (out->has_time)
        out->time_ns = bytes_u64(&b);
    if (type & PERF_SAMPLE_ADDR)
        bytes_u64(&b);
    if (type & PERF_SAMPLE_ID)
        out->id = bytes_u64(&b);
    if (type & PERF_SAMPLE_STREAM_ID)
        bytes_u64(&b);
    out->has_cpu = type & PERF_SAMPLE_CPU;
    if (out->has_cpu) {
        out->cpu = bytes_u32(&b);
        bytes_u32(&b);
    }
    out->period = type & PERF_SAMPLE_PERIOD ? bytes_u64(&b) : out->event->period;
    take_lists(&b, type, out);
    return !b.failed;
}

bool perf_record_deferred(const struct perf_header *h, const struct perf_record *r,
                          struct perf_calls *out)
{
    const struct perf_attr *first = h->events.items;
    struct bytes b = bytes_make(r->bytes, h->swapped);

    if (!first || !first->has_sample_id || !(first->sample_type & PERF_SAMPLE_TID))
        return false;
    out->cookie = bytes_u64(&b);
    out->chain = take_array(&b, bytes_u64(&b), WORD);
    out->pid = bytes_u32(&b);
    out->tid = bytes_u32(&b);
    return !b.failed;
}

uint64_t perf_record_time(const struct perf_header *h, const struct perf_record *r)
{
    /* After the other fields of a record: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER. */
    static const enum perf_event_sample_format behind[] = {PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
                                                           PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};
    const struct perf_attr *e = r->type == PERF_RECORD_SAMPLE ? find_event(h, r) : h->events.items;
    struct bytes b = bytes_make(r->bytes, h->swapped);
    size_t from_end = WORD;

    if (!e || !(e->sample_type & PERF_SAMPLE_TIME))
        return 0;
    if (r->type == PERF_RECORD_SAMPLE) {
        bytes_take(&b, offset_of(e->sample_type, PERF_SAMPLE_TIME));
        return bytes_u64(&b);
    }
    if (!e->has_sample_id)
        return 0;
    for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
        from_end += e->sample_type & behind[i] ? WORD : 0;
    if (from_end > r->bytes.len)
        return 0;
    bytes_take(&b, r->bytes.len - from_end);
    return bytes_u64(&b);
}
