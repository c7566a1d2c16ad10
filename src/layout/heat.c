#include "layout/heat.h"

#include <stdlib.h>

#include "profile/period.h"

enum { NS = 1000000000 };

bool heat_init(struct heat *h, const struct profile *p, uint32_t series, uint32_t most_columns)
{
    const struct series *s = &p->series.items[series];
    uint64_t start = p->start_ns ? p->start_ns : period_of(p).from;
    const struct timed_samples *m = &s->timed;
    uint64_t seconds;

    *h = (struct heat){0};
    if (!timed_samples_are_timed(m) || !s->total || !most_columns)
        return false;
    h->first = (m->items.items[0].ns - start) / NS;
    seconds = (m->items.items[m->items.count - 1].ns - start) / NS - h->first + 1;
    h->stride = (seconds + most_columns - 1) / most_columns;
    h->columns = (uint32_t)((seconds + h->stride - 1) / h->stride);
    h->weight = xcalloc((size_t)h->columns * HEAT_ROWS, sizeof(*h->weight));
    vec_each (const struct timed_sample, sample, &m->items) {
        uint64_t ns = sample->ns - start;
        uint64_t column = (ns / NS - h->first) / h->stride;
        uint64_t *weight = &h->weight[column * HEAT_ROWS + ns % NS / HEAT_ROW_NS];

        *weight += sample->weight;
        h->most = *weight > h->most ? *weight : h->most;
    }
    return true;
}

void heat_release(struct heat *h)
{
    free(h->weight);
    *h = (struct heat){0};
}

void heat_lay_out(struct layout *l, const struct tree *t, uint32_t extra)
{
    *l = (struct layout){
        .tree = t,
        .total = tree_weight(t),
        .whole = tree_weight(t),
        .rows = HEAT_ROWS / HEAT_ROWS_TO_A_FRAME + extra,
        .max_delta = 1,
    };
}
