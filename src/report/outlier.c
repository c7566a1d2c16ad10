#include "report/outlier.h"

#include <math.h>

#include "base/hash.h"
#include "base/map.h"

/* The smallest gap between two shares, and how many standard errors it has at least. */
static const double least_gap = 0.1, errors = 4;

/* The shares of one function. */
struct candidate {
    uint64_t name_hash;
    struct outlier_share most, second;
    size_t graphs; /* that list it */
};

struct outlier_search {
    VEC(struct candidate) candidates;
    struct map map;
    struct outlier_share floors[2]; /* the largest that a function out of sight can have */
    size_t graphs;
    uint64_t least_samples; /* of a graph */
};

static uint64_t hash_name(struct slice name)
{
    return hash_bytes(name.ptr, name.len);
}

static double ratio(const struct outlier_share *s)
{
    return s->graph && s->graph->total ? (double)s->weight / (double)s->graph->total : 0;
}

/* Puts a share into its place of the two largest. */
static void rank(struct outlier_share share, struct outlier_share *first,
                 struct outlier_share *second)
{
    if (!first->graph || ratio(&share) > ratio(first)) {
        *second = *first;
        *first = share;
    } else if (!second->graph || ratio(&share) > ratio(second)) {
        *second = share;
    }
}

static bool same_name(const void *context, uint32_t id, const void *key)
{
    const struct outlier_search *s = context;

    return s->candidates.items[id].name_hash == *(const uint64_t *)key;
}

static struct candidate *candidate_of(struct outlier_search *s, uint64_t name_hash)
{
    uint64_t hash = map_hash_pair(&s->map, name_hash, 0);
    uint32_t id = map_find(&s->map, hash, same_name, s, &name_hash);

    if (id == MAP_NONE) {
        id = (uint32_t)s->candidates.count;
        map_add(&s->map, hash, id);
        *vec_add(&s->candidates) = (struct candidate){.name_hash = name_hash};
    }
    return &s->candidates.items[id];
}

static void add_graph(struct outlier_search *s, const struct report_graph *g)
{
    uint64_t last = 0, rest = g->total; /* what functions out of sight have: each, all */

    s->graphs++;
    if (g->samples < s->least_samples)
        s->least_samples = g->samples;
    vec_each (const struct report_leading, f, &g->leading) {
        last = f->weight;
        rest -= last < rest ? last : rest;
        if (!f->idle) {
            struct candidate *c = candidate_of(s, f->name_hash);

            c->graphs++;
            rank((struct outlier_share){g, f->weight}, &c->most, &c->second);
        }
    }
    rank((struct outlier_share){g, last < rest ? last : rest}, &s->floors[0], &s->floors[1]);
}

/* The largest share that the function can have outside the graph of its largest one. */
static struct outlier_share next_of(const struct outlier_search *s, const struct candidate *c)
{
    const struct outlier_share *floor = &s->floors[s->floors[0].graph == c->most.graph];

    return floor->graph && ratio(floor) > ratio(&c->second) ? *floor : c->second;
}

static double variance(double p, uint64_t samples)
{
    return p * (1 - p) / (double)samples;
}

/* The number of samples of the smallest graph stands for those of any other. */
static bool is_evident(const struct outlier_search *s, double most, uint64_t samples, double next)
{
    double error = sqrt(variance(most, samples) + variance(next, s->least_samples));

    return most - next >= least_gap && most - next > errors * error;
}

static const struct report_function *row_of(const struct report_graph *g, uint64_t name_hash)
{
    vec_each (const struct report_function, f, &g->by_self)
        if (!f->idle && hash_name(f->name) == name_hash)
            return f;
    return NULL;
}

static bool choose(const struct outlier_search *s, struct outlier *out)
{
    double best = 0;

    *out = (struct outlier){.others = s->graphs - 1};
    vec_each (const struct candidate, c, &s->candidates) {
        struct outlier_share next = next_of(s, c);
        double most = ratio(&c->most), gap = most - ratio(&next);

        if (c->graphs < 2 || gap <= best ||
            !is_evident(s, most, c->most.graph->samples, ratio(&next)))
            continue;
        best = gap;
        out->function = row_of(c->most.graph, c->name_hash);
        out->most = c->most;
        out->next = next;
    }
    return out->function != NULL;
}

bool outlier_find(const struct report *r,
                  bool comparable(const void *context, const struct report_graph *g),
                  const void *context, struct outlier *out)
{
    struct outlier_search s = {.least_samples = UINT64_MAX};
    bool found;

    vec_each (const struct report_graph, g, &r->graphs)
        if (g->samples >= REPORT_LEAST_SAMPLES && !g->differential && g->total &&
            comparable(context, g))
            add_graph(&s, g);
    found = choose(&s, out);
    vec_release(&s.candidates);
    map_release(&s.map);
    return found;
}

void outlier_add_leading(struct report_graph *g)
{
    vec_each (const struct report_function, f, &g->by_self)
        *vec_add(&g->leading) =
            (struct report_leading){hash_name(f->name), f->self.weight, f->idle};
}

bool outlier_needs(const struct report_graph *g, uint64_t self)
{
    return (double)self >= least_gap * (double)g->total;
}
