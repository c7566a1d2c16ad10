#include "stats/reach.h"

#include "base/die.h"
#include "stats/change.h"

double stats_reach(double rho, size_t runs, double samples)
{
    struct stats_settings settings = stats_settings_default();
    struct stats_run list[2 * STATS_REACH_RUNS];
    struct stats_design design;
    struct stats_noise noise;
    double result;

    if (runs > STATS_REACH_RUNS)
        BUG("%zu runs", runs);
    for (size_t i = 0; i < 2 * runs; i++)
        list[i] = (struct stats_run){samples, 0, i < runs ? STATS_BASE : STATS_NEW};
    stats_design_init(&design, list, 2 * runs, 1);
    design.relative = true;
    stats_noise_expect(&noise, &design, rho, STATS_REACH_TESTED, &settings);
    result = stats_change_smallest(&design, &noise, NULL, STATS_REACH_PERCENT / 100.0,
                                   settings.rate / STATS_REACH_TESTED, &settings);
    stats_design_release(&design);
    return result;
}
