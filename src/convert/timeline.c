#include "convert/timeline.h"

/* Returns whether the timed samples are sorted and add up to the series. */
static bool is_whole(const struct series *s)
{
    unsigned __int128 sum = 0;
    uint64_t before = 0;

    vec_each (const struct timed_sample, m, &s->timed.items) {
        if (m->ns < before)
            return false;
        before = m->ns;
        sum += m->weight;
    }
    return sum == s->total;
}

struct timeline timeline_of(const struct series *s)
{
    struct timeline t = {.series = s, .count = s->count};

    t.timed = timed_samples_are_timed(&s->timed) && is_whole(s);
    if (t.timed)
        t.count = s->timed.items.count;
    return t;
}
