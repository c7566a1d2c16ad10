#include "statistics/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

/* The functions that the second mode changes, by first and number, and those that drift. */
enum { MODE_FIRST = 2, MODE_COUNT = 3, DRIFT_FIRST = 1, DRIFT_COUNT = 4 };

void draw_init(struct draw *d, size_t functions)
{
    *d = (struct draw){0};
    d->counts = xcalloc(functions * WORLD_RUNS, sizeof(*d->counts));
}

void draw_release(struct draw *d)
{
    free(d->counts);
}

void world_costs(const struct world *w, double *costs)
{
    double sum = 0;

    for (size_t k = 0; k < w->functions; k++)
        sum += costs[k] = pow((double)k + 1, -1.1);
    for (size_t k = 0; k < w->functions; k++)
        costs[k] /= sum;
}

/* Working memory of one draw. */
struct scratch {
    const double *base; /* costs of the base */
    double *costs, *shares, *counts, *hosts;
};

/*
 * Returns the cost of a function on a host. What the new side has more is the same part of the
 * base's cost on each host, so that the true change is one number.
 */
static double host_cost(const struct world *w, const struct scratch *s, const double *side,
                        size_t host, size_t k, double whole)
{
    return s->base[k] * s->hosts[host * w->functions + k] + (side[k] - s->base[k]) * whole;
}

/* Returns what all functions of the base cost on a host. */
static double host_whole(const struct world *w, const struct scratch *s, size_t host)
{
    double whole = 0;

    for (size_t k = 0; w->hosts && k < w->functions; k++)
        whole += s->base[k] * s->hosts[host * w->functions + k];
    return whole;
}

/* Computes the costs of one run from its side, host, mode and time. */
static void run_costs(const struct world *w, struct random *r, const double *side, size_t host,
                      struct scratch *s)
{
    double whole = host_whole(w, s, host);
    double time = w->drift > 0 ? w->drift * (2 * random_uniform(r) - 1) : 0;
    bool second = w->mode_odds > 0 && random_uniform(r) < w->mode_odds;

    for (size_t k = 0; k < w->functions; k++) {
        double cost = side[k];

        if (w->hosts)
            cost = host_cost(w, s, side, host, k, whole);
        if (second && k >= MODE_FIRST && k < MODE_FIRST + MODE_COUNT)
            cost *= w->mode_cost;
        if (k >= DRIFT_FIRST && k < DRIFT_FIRST + DRIFT_COUNT)
            cost *= 1 + (k & 1 ? time : -time);
        s->costs[k] = cost;
    }
}

static void add_run(const struct world *w, struct random *r, struct draw *out, struct scratch *s,
                    double rho, enum stats_side side, uint32_t block)
{
    double n = fmax(50, floor(w->samples * (0.6 + 0.8 * random_uniform(r)))), sum = 0;
    const double *weights = s->costs;
    size_t i = out->count++;

    if (rho > 0) {
        for (size_t k = 0; k < w->functions; k++)
            sum += s->costs[k];
        for (size_t k = 0; k < w->functions; k++)
            s->shares[k] = random_gamma(r, s->costs[k] / sum * (1 / rho - 1));
        weights = s->shares;
    }
    random_multinomial(r, n, weights, w->functions, s->counts);
    for (size_t k = 0; k < w->functions; k++)
        out->counts[k * WORLD_RUNS + i] = s->counts[k];
    out->runs[i] = (struct stats_run){n, block, side};
}

static void draw_label(const struct world *w, struct random *r, const double *costs, double rho,
                       size_t runs, enum stats_side side, size_t label, struct draw *out,
                       struct scratch *s)
{
    if (w->rho_spread > 0)
        rho *= exp(w->rho_spread * random_normal(r));
    for (size_t i = 0; i < runs; i++) {
        /* If the number of runs is odd, the hosts of both sides differ in their number of runs. */
        size_t host = w->hosts ? (i + (side == STATS_NEW)) % w->hosts : 0;
        size_t hosts = w->hosts ? w->hosts : 1;

        run_costs(w, r, costs, host, s);
        add_run(w, r, out, s, rho, side, (uint32_t)(label * hosts + host));
    }
}

void world_draw(const struct world *w, struct random *r, const double *base, const double *new,
                struct draw *out)
{
    size_t n = w->functions, hosts = w->hosts ? w->hosts : 1;
    double now = w->rho * (w->rho_now > 0 ? w->rho_now : 1);
    struct scratch s = {.base = base};

    s.costs = xcalloc(n * (3 + hosts), sizeof(*s.costs));
    s.shares = s.costs + n;
    s.counts = s.costs + 2 * n;
    s.hosts = s.costs + 3 * n;
    for (size_t k = 0; w->hosts && k < n * hosts; k++)
        s.hosts[k] = exp(w->host_spread * random_normal(r));
    out->count = 0;
    out->blocks = (1 + w->labels) * hosts;
    for (size_t label = 1; label <= w->labels; label++)
        draw_label(w, r, base, w->rho, w->earlier, STATS_HISTORY, label, out, &s);
    draw_label(w, r, base, now, w->runs, STATS_BASE, 0, out, &s);
    draw_label(w, r, new, now, w->runs, STATS_NEW, 0, out, &s);
    free(s.costs);
}
