#include "convert/timeline.h"

/* Returns whether the moments are sorted and add up to the series. */
static bool is_whole(const struct series *s)
{
    unsigned __int128 sum = 0;
    uint64_t before = 0;

    vec_each (const struct moment, m, &s->moments.items) {
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

    t.timed = moments_are_timed(&s->moments) && is_whole(s);
    if (t.timed)
        t.count = s->moments.items.count;
    return t;
}
