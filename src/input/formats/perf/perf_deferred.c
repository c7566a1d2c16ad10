#include "input/formats/perf/perf_deferred.h"

void perf_deferred_init(struct perf_deferred *d)
{
    *d = (struct perf_deferred){.unused = UINT32_MAX};
}

void perf_deferred_release(struct perf_deferred *d)
{
    if (d->samples.cap)
        stacks_release(&d->kernel);
    map_release(&d->index);
    vec_release(&d->threads);
    vec_release(&d->samples);
}

static bool same_thread(const void *context, uint32_t at, const void *key)
{
    return ((const struct perf_deferred *)context)->threads.items[at].tid == *(const uint64_t *)key;
}

/* Returns the thread `tid`, or NULL if no sample of it has waited yet. */
static struct perf_waiting_thread *find(const struct perf_deferred *d, uint64_t tid)
{
    uint32_t at = map_find(&d->index, map_hash_pair(&d->index, tid, 0), same_thread, d, &tid);

    return at == MAP_NONE ? NULL : &d->threads.items[at];
}

static struct perf_waiting_thread *find_or_add(struct perf_deferred *d, uint64_t tid)
{
    struct perf_waiting_thread *thread = find(d, tid);

    if (thread)
        return thread;
    map_add(&d->index, map_hash_pair(&d->index, tid, 0), (uint32_t)d->threads.count);
    thread = vec_add(&d->threads);
    *thread = (struct perf_waiting_thread){tid, UINT32_MAX, UINT32_MAX};
    return thread;
}

/* Returns an entry of `samples` that is free. */
static uint32_t get_unused(struct perf_deferred *d)
{
    uint32_t at = d->unused;

    if (at != UINT32_MAX) {
        d->unused = d->samples.items[at].next;
        return at;
    }
    (void)vec_add(&d->samples);
    return (uint32_t)d->samples.count - 1;
}

void perf_deferred_hold(struct perf_deferred *d, uint64_t tid, struct perf_waiting_sample sample,
                        const uint32_t *symbols)
{
    struct perf_waiting_thread *thread = find_or_add(d, tid);
    uint32_t at;

    if (!d->samples.cap)
        stacks_init(&d->kernel);
    at = get_unused(d);
    sample.kernel = STACK_ROOT;
    for (uint32_t i = 0; i < sample.depth; i++)
        sample.kernel = stacks_push(&d->kernel, sample.kernel, symbols[i]);
    sample.next = UINT32_MAX;
    d->samples.items[at] = sample;
    if (thread->first == UINT32_MAX)
        thread->first = at;
    else
        d->samples.items[thread->last].next = at;
    thread->last = at;
}

bool perf_deferred_take(struct perf_deferred *d, uint64_t tid, struct perf_waiting_sample *sample)
{
    struct perf_waiting_thread *thread = find(d, tid);
    uint32_t at = thread ? thread->first : UINT32_MAX;

    if (at == UINT32_MAX)
        return false;
    *sample = d->samples.items[at];
    thread->first = sample->next;
    d->samples.items[at].next = d->unused;
    d->unused = at;
    return true;
}
