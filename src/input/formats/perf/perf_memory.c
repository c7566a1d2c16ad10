#include "input/formats/perf/perf_memory.h"

#include "base/num.h"

/* What the number behind a key is. */
enum amount { BYTES, HEAP_END };

static const struct {
    struct slice event, key;
    enum amount amount;
    struct slice series;
} rows[] = {
    {{"syscalls:sys_enter_mmap", 23}, {"len: 0x", 7}, BYTES, {"mmap bytes", 10}},
    {{"syscalls:sys_enter_brk", 22}, {"brk: 0x", 7}, HEAP_END, {"brk bytes", 9}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

bool perf_memory_is_in(struct slice start)
{
    for (size_t i = 0; i < ROWS; i++)
        if (slice_search(start, rows[i].event) < start.len)
            return true;
    return false;
}

void perf_memory_init(struct perf_memory *m, struct profile *profile, struct perf_origins *origins)
{
    *m = (struct perf_memory){.profile = profile, .origins = origins, .series = SERIES_NONE};
    map_init(&m->index);
}

void perf_memory_release(struct perf_memory *m)
{
    map_release(&m->index);
    vec_release(&m->heaps);
}

static bool same_process(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_memory *)context)->heaps.items[id].process == *(const uint64_t *)key;
}

static struct perf_heap *find_heap(struct perf_memory *m, uint64_t process)
{
    uint64_t hash = map_hash_pair(&m->index, process, 0);
    uint32_t id = map_find(&m->index, hash, same_process, m, &process);

    if (id == MAP_NONE) {
        id = (uint32_t)m->heaps.count;
        *vec_add(&m->heaps) = (struct perf_heap){.process = process};
        map_add(&m->index, hash, id);
    }
    return &m->heaps.items[id];
}

/* What the heap of a process rises by when it ends there. */
static uint64_t rise(struct perf_memory *m, const struct perf_event *e, uint64_t end)
{
    uint64_t process = 0, by;
    struct perf_heap *heap;

    if (!num_parse_u64(e->pid.len ? e->pid : e->tid, &process))
        return 0;
    heap = find_heap(m, process);
    by = heap->end && end > heap->end ? end - heap->end : 0;
    if (!end || end > heap->end)
        heap->end = end;
    return by;
}

/* The number behind the key and 0x, up to a comma or a blank. */
static bool take_amount(const struct perf_event *e, size_t row, uint64_t *value)
{
    struct slice rest = slice_skip(e->rest, slice_search(e->rest, rows[row].key));

    rest = slice_skip(rest, rows[row].key.len);
    rest = slice_take(rest, slice_find(rest, ' '));
    rest = slice_take(rest, slice_find(rest, ','));
    return num_parse_hex(rest, value);
}

static uint64_t bytes_of(struct perf_memory *m, const struct perf_event *e, size_t row)
{
    uint64_t value;

    if (!take_amount(e, row, &value))
        return 0;
    return rows[row].amount == HEAP_END ? rise(m, e, value) : value;
}

void perf_memory_open(struct perf_memory *m, const struct perf_event *e)
{
    const struct unit bytes = {.kind = UNIT_BYTES};
    struct perf_event amount = *e;

    m->series = SERIES_NONE;
    for (size_t i = 0; i < ROWS; i++) {
        if (!slice_equal(e->name, rows[i].event))
            continue;
        m->bytes = bytes_of(m, e, i);
        amount.name = rows[i].series;
        if (m->bytes)
            m->series = m->origins ? perf_origins_series(m->origins, &amount, bytes)
                                   : profile_series(m->profile, amount.name, bytes);
        if (m->series != SERIES_NONE && e->has_time)
            profile_add_moment(m->profile, m->series, e->time_ns);
        return;
    }
}

bool perf_memory_close(struct perf_memory *m, uint32_t stack)
{
    return m->series == SERIES_NONE || profile_add(m->profile, m->series, stack, m->bytes);
}
