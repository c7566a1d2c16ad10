#include "input/formats/perf/perf_waits.h"

#include "base/buf.h"
#include "base/num.h"

#define CALL(name, series)                                                                         \
    {                                                                                              \
        "syscalls:sys_enter_" name, "syscalls:sys_exit_" name, series                              \
    }

static const struct {
    const char *begin, *end, *series;
} rows[] = {
    {"block:block_rq_issue", "block:block_rq_complete", "block I/O time"},
    {"lock:contention_begin", "lock:contention_end", "lock wait"},
    CALL("futex", "futex lock wait"),
    CALL("read", "I/O time"),
    CALL("write", "I/O time"),
    CALL("readv", "I/O time"),
    CALL("writev", "I/O time"),
    CALL("pread64", "I/O time"),
    CALL("pwrite64", "I/O time"),
    CALL("fsync", "I/O time"),
    CALL("fdatasync", "I/O time"),
};
enum { BLOCK, CONTENTION, FUTEX, ROWS = sizeof(rows) / sizeof(rows[0]) };

bool perf_waits_is_in(struct slice start)
{
    for (size_t i = 0; i < ROWS; i++)
        if (slice_search(start, slice_str(rows[i].end)) < start.len)
            return true;
    return false;
}

void perf_waits_init(struct perf_waits *w, struct profile *profile, struct perf_origins *origins)
{
    *w = (struct perf_waits){.profile = profile, .origins = origins};
    map_init(&w->index);
}

void perf_waits_release(struct perf_waits *w)
{
    map_release(&w->index);
    vec_release(&w->items);
}

/* "254,0 R 4096 () 1952 + 8 [app]": the device, and the sector in front of the plus. */
static bool take_request(struct slice fields, struct perf_wait_key *key)
{
    struct slice device = slice_take(fields, slice_find(fields, ' '));
    struct slice before = slice_take(fields, slice_search(fields, SLICE(" + ")));
    struct slice sector = slice_skip(before, slice_find_last(before, ' ') + 1);
    size_t comma = slice_find(device, ',');
    uint64_t major, minor;

    if (!num_parse_u64(slice_take(device, comma), &major) || major >> 24 ||
        !num_parse_u64(slice_skip(device, comma + 1), &minor) || minor >> 24)
        return false;
    key->kind |= major << 32 | minor << 8;
    return num_parse_u64(sector, &key->place);
}

static bool make_key(const struct perf_event *e, size_t row, struct perf_wait_key *key)
{
    *key = (struct perf_wait_key){.kind = row};
    return row == BLOCK ? take_request(e->rest, key) : num_parse_u64(e->tid, &key->place);
}

/* "uaddr: 0x7f..., op: 0x00000081, ...": whether the call wakes others and never waits. */
static bool is_waking(struct slice fields)
{
    static const uint8_t waits[] = {0, 6, 9, 11, 13}; /* WAIT, LOCK_PI, WAIT_BITSET, ... */
    struct slice op = slice_skip(fields, slice_search(fields, SLICE("op: 0x")));
    uint64_t number;

    op = slice_skip(op, op.len ? 6 : 0);
    if (!num_parse_hex(slice_take(op, slice_find(op, ',')), &number))
        return false;
    for (size_t i = 0; i < sizeof(waits); i++)
        if ((number & 0x7f) == waits[i])
            return false;
    return true;
}

static bool same_key(const void *context, uint32_t id, const void *key)
{
    const struct perf_wait_key *a = &((const struct perf_waits *)context)->items.items[id].key;
    const struct perf_wait_key *b = key;

    return a->kind == b->kind && a->place == b->place;
}

static struct perf_wait *find_wait(struct perf_waits *w, const struct perf_wait_key *key)
{
    uint64_t hash = map_hash_pair(&w->index, key->place, key->kind);
    uint32_t id = map_find(&w->index, hash, same_key, w, key);

    if (id == MAP_NONE) {
        id = (uint32_t)w->items.count;
        *vec_add(&w->items) = (struct perf_wait){.key = *key};
        map_add(&w->index, hash, id);
    }
    return &w->items.items[id];
}

static void begin_wait(struct perf_waits *w, const struct perf_event *e, size_t row,
                       struct perf_wait *wait)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct perf_event time = *e;

    time.name = slice_str(rows[row].series);
    w->without_end += wait->open;
    wait->open = true;
    wait->since_ns = e->time_ns;
    wait->series = w->origins ? perf_origins_series(w->origins, &time, ns)
                              : profile_series(w->profile, time.name, ns);
    w->begun = wait;
}

static bool end_wait(struct perf_waits *w, const struct perf_event *e, struct perf_wait *wait)
{
    if (!wait->open)
        return true;
    wait->open = false;
    if (wait->series == SERIES_NONE || e->time_ns <= wait->since_ns)
        return true;
    profile_add_moment(w->profile, wait->series, wait->since_ns);
    return profile_add(w->profile, wait->series, wait->stack, e->time_ns - wait->since_ns);
}

bool perf_waits_open(struct perf_waits *w, const struct perf_event *e)
{
    w->begun = NULL;
    for (size_t i = 0; i < ROWS && e->has_time; i++) {
        bool begins = slice_equal(e->name, slice_str(rows[i].begin));
        struct perf_wait_key key;

        if (!begins && !slice_equal(e->name, slice_str(rows[i].end)))
            continue;
        if (!make_key(e, i, &key) || (begins && i == FUTEX && is_waking(e->rest)))
            return true;
        if (!begins)
            return end_wait(w, e, find_wait(w, &key));
        begin_wait(w, e, i, find_wait(w, &key));
        return true;
    }
    return true;
}

void perf_waits_close(struct perf_waits *w, uint32_t stack)
{
    if (w->begun)
        w->begun->stack = stack;
    w->begun = NULL;
}

void perf_waits_end(struct perf_waits *w)
{
    struct buf text;

    vec_each (struct perf_wait, wait, &w->items)
        w->without_end += wait->open;
    if (!w->without_end)
        return;
    buf_init(&text);
    buf_add_u64(&text, w->without_end);
    profile_add_fact(w->profile, SLICE("waits without an end"), buf_slice(&text));
    buf_release(&text);
}
