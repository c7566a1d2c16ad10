#include "input/formats/web/address_map.h"

#include <string.h>

enum { BUCKET_MOST = 512 };

void address_map_release(struct address_map *m)
{
    vec_each (struct address_bucket, bucket, &m->buckets)
        vec_release(bucket);
    vec_release(&m->buckets);
}

/* Returns the last bucket whose first range starts at or before an address, or 0 if none does. */
static size_t bucket_of(const struct address_map *m, uint64_t address)
{
    size_t low = 0, high = m->buckets.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (m->buckets.items[middle].items[0].start <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns how many ranges of a bucket start at or before an address. */
static size_t count_before(const struct address_bucket *bucket, uint64_t address)
{
    size_t low = 0, high = bucket->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (bucket->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct address_range *address_map_find(const struct address_map *m, uint64_t address)
{
    const struct address_bucket *bucket;
    size_t before;

    if (!m->buckets.count)
        return NULL;
    bucket = &m->buckets.items[bucket_of(m, address)];
    before = count_before(bucket, address);
    return before && bucket->items[before - 1].last >= address ? &bucket->items[before - 1] : NULL;
}

static void drop_bucket(struct address_map *m, size_t at)
{
    struct address_bucket *bucket = &m->buckets.items[at];

    vec_release(bucket);
    m->buckets.count--;
    memmove(bucket, bucket + 1, (m->buckets.count - at) * sizeof(*bucket));
}

/*
 * Removes the ranges [from, to) of a bucket. Returns true if the bucket became empty and was
 * removed.
 */
static bool drop_ranges(struct address_map *m, size_t at, size_t from, size_t to)
{
    struct address_bucket *bucket = &m->buckets.items[at];

    memmove(bucket->items + from, bucket->items + to,
            (bucket->count - to) * sizeof(*bucket->items));
    bucket->count -= to - from;
    if (bucket->count)
        return false;
    drop_bucket(m, at);
    return true;
}

/* Removes all ranges that overlap [start, last]. */
static void clear(struct address_map *m, uint64_t start, uint64_t last)
{
    size_t at = bucket_of(m, start);

    while (at < m->buckets.count) {
        struct address_bucket *bucket = &m->buckets.items[at];
        size_t from = count_before(bucket, start), to = count_before(bucket, last);

        if (from && bucket->items[from - 1].last >= start)
            from--;
        if (from == to && from < bucket->count)
            return;
        if (from == to || !drop_ranges(m, at, from, to))
            at++;
    }
}

/* Splits a full bucket in two. */
static void split_bucket(struct address_map *m, size_t at)
{
    struct address_bucket upper = {0}, *lower;

    vec_add(&m->buckets);
    memmove(&m->buckets.items[at + 2], &m->buckets.items[at + 1],
            (m->buckets.count - at - 2) * sizeof(upper));
    lower = &m->buckets.items[at];
    vec_reserve(&upper, BUCKET_MOST);
    memcpy(upper.items, lower->items + BUCKET_MOST / 2,
           (lower->count - BUCKET_MOST / 2) * sizeof(*upper.items));
    upper.count = lower->count - BUCKET_MOST / 2;
    lower->count = BUCKET_MOST / 2;
    m->buckets.items[at + 1] = upper;
}

void address_map_add(struct address_map *m, uint64_t start, uint64_t size, uint32_t value)
{
    uint64_t more = size ? size - 1 : 0;
    struct address_range range = {start, more > UINT64_MAX - start ? UINT64_MAX : start + more,
                                  value};
    struct address_bucket *bucket;
    size_t at, before;

    if (m->buckets.count)
        clear(m, range.start, range.last);
    if (!m->buckets.count)
        *vec_add(&m->buckets) = (struct address_bucket){0};
    at = bucket_of(m, start);
    if (m->buckets.items[at].count == BUCKET_MOST) {
        split_bucket(m, at);
        at = bucket_of(m, start);
    }
    bucket = &m->buckets.items[at];
    before = count_before(bucket, start);
    vec_add(bucket);
    memmove(bucket->items + before + 1, bucket->items + before,
            (bucket->count - 1 - before) * sizeof(range));
    bucket->items[before] = range;
}

/* Finds the range that starts at an address. Returns false if there is none. */
static bool find_start(const struct address_map *m, uint64_t start, size_t *at, size_t *place)
{
    if (!m->buckets.count)
        return false;
    *at = bucket_of(m, start);
    *place = count_before(&m->buckets.items[*at], start);
    return *place && m->buckets.items[*at].items[--*place].start == start;
}

bool address_map_remove(struct address_map *m, uint64_t start)
{
    size_t at, place;

    if (!find_start(m, start, &at, &place))
        return false;
    drop_ranges(m, at, place, place + 1);
    return true;
}

bool address_map_move(struct address_map *m, uint64_t from, uint64_t to)
{
    struct address_range range;
    size_t at, place;

    if (!find_start(m, from, &at, &place))
        return false;
    range = m->buckets.items[at].items[place];
    drop_ranges(m, at, place, place + 1);
    address_map_add(m, to, range.last - range.start + 1, range.value);
    return true;
}
