#include "input/formats/perf/perf_queue.h"

void perf_queue_init(struct perf_queue *q, bool (*take)(void *context, const struct perf_record *r),
                     void *context)
{
    *q = (struct perf_queue){.take = take, .context = context};
}

void perf_queue_release(struct perf_queue *q)
{
    release_each(q, (buf, bytes, spare), (vec, items));
}

static bool is_before(const struct perf_waiting *a, const struct perf_waiting *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

/* Puts `w` into the heap at `at`, or above it. */
static void lift(struct perf_queue *q, size_t at, struct perf_waiting w)
{
    struct perf_waiting *heap = q->items.items;

    for (; at && is_before(&w, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = w;
}

/* Removes the oldest record from the heap. */
static void drop_first(struct perf_queue *q)
{
    struct perf_waiting *heap = q->items.items, last = heap[--q->items.count];
    size_t at = 0, next;

    while ((next = 2 * at + 1) < q->items.count) {
        next += next + 1 < q->items.count && is_before(&heap[next + 1], &heap[next]);
        if (!is_before(&heap[next], &last))
            break;
        heap[at] = heap[next];
        at = next;
    }
    heap[at] = last;
}

bool perf_queue_add(struct perf_queue *q, const struct perf_record *r, uint64_t time_ns)
{
    struct perf_waiting w = {.time_ns = time_ns,
                             .number = q->count++,
                             .offset = r->offset,
                             .at = q->bytes.len,
                             .type = r->type,
                             .misc = r->misc,
                             .size = r->size};

    if (!time_ns || time_ns == UINT64_MAX)
        return q->take(q->context, r);
    buf_add_slice(&q->bytes, r->bytes);
    vec_add(&q->items);
    lift(q, q->items.count - 1, w);
    if (time_ns > q->newest)
        q->newest = time_ns;
    return true;
}

/* Frees the room of records that were given out, once it is most of the buffer. */
static void compact(struct perf_queue *q)
{
    enum { WORTH = 1 << 20 };
    struct buf bytes = q->bytes;

    if (q->given < WORTH || q->given < bytes.len / 2)
        return;
    buf_clear(&q->spare);
    vec_each (struct perf_waiting, w, &q->items) {
        size_t at = q->spare.len;

        buf_add(&q->spare, bytes.ptr + w->at, (size_t)w->size - PERF_RECORD_HEADER);
        w->at = at;
    }
    q->bytes = q->spare;
    q->spare = bytes;
    q->given = 0;
}

bool perf_queue_until(struct perf_queue *q, uint64_t time_ns)
{
    while (q->items.count && q->items.items[0].time_ns <= time_ns) {
        struct perf_waiting w = q->items.items[0];
        struct slice bytes = slice_make(q->bytes.ptr + w.at, (size_t)w.size - PERF_RECORD_HEADER);
        struct perf_record r = {w.type, w.misc, w.size, bytes, w.offset};

        drop_first(q);
        q->given += bytes.len;
        if (!q->take(q->context, &r))
            return false;
    }
    compact(q);
    return true;
}

bool perf_queue_round(struct perf_queue *q)
{
    uint64_t until = q->round;

    q->round = q->newest;
    return perf_queue_until(q, until);
}

bool perf_queue_end(struct perf_queue *q)
{
    return perf_queue_until(q, UINT64_MAX);
}
