#include "statistics/simulated.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"

void simulated_init(struct simulated *t, size_t functions)
{
    *t = (struct simulated){.functions = functions};
    t->changes = xcalloc(functions, sizeof(*t->changes));
    t->findings = xcalloc(functions, sizeof(*t->findings));
    t->rows = xcalloc(functions, sizeof(*t->rows));
    t->zeros = xcalloc(WORLD_RUNS, sizeof(*t->zeros));
}

static void drop_design(struct simulated *t)
{
    if (t->compared)
        stats_design_release(&t->design);
    t->compared = false;
}

void simulated_release(struct simulated *t)
{
    drop_design(t);
    free(t->changes);
    free(t->findings);
    free(t->rows);
    free(t->zeros);
}

void simulated_compare(struct simulated *t, const struct draw *d, bool reference)
{
    struct stats_settings settings = stats_settings_default();
    struct stats_reference r;

    drop_design(t);
    stats_design_init(&t->design, d->runs, d->count, d->blocks);
    t->compared = true;
    for (size_t k = 0; k < t->functions; k++)
        t->rows[k] = (struct stats_row){.counts = &d->counts[k * WORLD_RUNS], .pools = true};
    if (reference) {
        stats_reference_init(&r, &t->design, t->rows, t->functions, &settings);
        for (size_t k = 0; k < t->functions; k++)
            if (r.outside[k])
                t->rows[k].inside = t->zeros;
        stats_design_release(&t->design);
        t->design = r.design;
        r.design = (struct stats_design){0};
        stats_reference_release(&r);
    }
    stats_service_test(t->changes, &t->noise, &t->design, t->rows, t->functions, &settings);
}

void simulated_find(struct simulated *services, size_t count)
{
    struct stats_settings settings = stats_settings_default();
    struct stats_discovery found;
    size_t tested = 0, most = 0;
    double *p;

    for (size_t i = 0; i < count; i++)
        most += services[i].functions;
    p = xcalloc(most, sizeof(*p));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < services[i].functions; k++)
            if (services[i].changes[k].tested)
                p[tested++] = services[i].changes[k].p;
    stats_discovery_of(&found, p, tested, settings.rate, NULL);
    free(p);
    for (size_t i = 0; i < count; i++) {
        services[i].discovery = found;
        for (size_t k = 0; k < services[i].functions; k++) {
            const struct stats_change *c = &services[i].changes[k];

            services[i].findings[k] =
                c->tested && c->p <= found.threshold && fabs(c->change) >= settings.min_change;
        }
    }
}

double simulated_smallest(const struct simulated *t, double share)
{
    struct stats_settings settings = stats_settings_default();

    return stats_change_smallest(&t->design, &t->noise, NULL, share, t->discovery.next, &settings);
}
