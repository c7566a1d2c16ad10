#include "stats/discovery.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/die.h"

struct ranked {
    double p;
    size_t index;
};

static int by_p(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void stats_discovery_of(struct stats_discovery *out, const double *p, size_t count, double rate,
                        double *q)
{
    struct ranked *order = xreallocarray(NULL, count, sizeof(*order));
    double least = 1;

    *out = (struct stats_discovery){.tested = count, .next = rate};
    for (size_t i = 0; i < count; i++)
        order[i] = (struct ranked){p[i] >= 0 && p[i] <= 1 ? p[i] : 1, i};
    qsort(order, count, sizeof(*order), by_p);
    for (size_t rank = count; rank > 0; rank--) {
        const struct ranked *r = &order[rank - 1];

        if (!out->found && r->p <= rate * (double)rank / (double)count) {
            out->found = rank;
            out->threshold = rate * (double)rank / (double)count;
        }
        least = fmin(least, r->p * (double)count / (double)rank);
        if (q)
            q[r->index] = least;
    }
    if (count)
        out->next = rate * (double)(out->found < count ? out->found + 1 : count) / (double)count;
    free(order);
}
