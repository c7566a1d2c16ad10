#include "compare/costs.h"

#include <math.h>

#include "stats/student.h"

/* The runs of one side. */
struct cost_side {
    double weight, exposure, runs;
    double spread; /* sum of the squared differences from what the ratio predicts */
};

static double exposure_of(const struct compare_run *r, enum budget_kind basis)
{
    return basis == BUDGET_PER_REQUEST ? r->requests : basis == BUDGET_PER_SECOND ? r->seconds : 1;
}

/* Returns the weight of a run in the unit and with the decimals of its service. */
static double weight_of(const struct compared_service *s, const struct compare_run *r)
{
    int decimals = (int)s->decimals - (int)r->profile->decimals;

    return (double)compare_run_weight(r) * pow(10, r->exponent - s->unit.exponent + decimals);
}

static bool is_known(const struct compare_run *runs, size_t count, enum budget_kind basis)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i].run.side != STATS_HISTORY && !(exposure_of(&runs[i], basis) > 0))
            return false;
    return true;
}

static double rate_of(const struct cost_side *side)
{
    return side->weight / side->exposure;
}

/* The variance of the logarithm of a side's rate. */
static double variance_of(const struct cost_side *side)
{
    double n = side->runs;

    return side->spread * n / (n - 1) / (side->weight * side->weight);
}

static void add_interval(struct compared_cost *cost, const struct cost_side sides[2])
{
    double base = variance_of(&sides[STATS_BASE]), new = variance_of(&sides[STATS_NEW]);
    double freedom =
        (base + new) * (base + new) /
        (base * base / (sides[STATS_BASE].runs - 1) + new *new / (sides[STATS_NEW].runs - 1));
    double half;

    if (!(base + new > 0))
        return;
    half = stats_student_quantile(0.05, freedom) * sqrt(base + new);
    cost->low = (1 + cost->change) * exp(-half) - 1;
    cost->high = (1 + cost->change) * exp(half) - 1;
    cost->has_interval = true;
}

static void measure(struct cost_side sides[2], const struct compared_service *s,
                    const struct compare_run *runs, size_t count, enum budget_kind basis)
{
    sides[0] = sides[1] = (struct cost_side){0};
    for (size_t i = 0; i < count; i++) {
        struct cost_side *side = &sides[runs[i].run.side == STATS_NEW];

        if (runs[i].run.side == STATS_HISTORY)
            continue;
        side->weight += weight_of(s, &runs[i]);
        side->exposure += exposure_of(&runs[i], basis);
        side->runs++;
    }
    for (size_t i = 0; i < count; i++) {
        struct cost_side *side = &sides[runs[i].run.side == STATS_NEW];
        double off;

        if (runs[i].run.side == STATS_HISTORY)
            continue;
        off = weight_of(s, &runs[i]) - rate_of(side) * exposure_of(&runs[i], basis);
        side->spread += off * off;
    }
}

/*
 * Without requests: per second if runs differ in length and their costs follow it, as those of a
 * server do; per run if each does the same work, however long it waits.
 */
static enum budget_kind basis_of(const struct compared_service *s, const struct compare_run *runs,
                                 size_t count)
{
    struct cost_side second[2], run[2];

    if (is_known(runs, count, BUDGET_PER_REQUEST))
        return BUDGET_PER_REQUEST;
    if (!is_known(runs, count, BUDGET_PER_SECOND))
        return BUDGET_PER_RUN;
    measure(second, s, runs, count, BUDGET_PER_SECOND);
    measure(run, s, runs, count, BUDGET_PER_RUN);
    return variance_of(&second[0]) + variance_of(&second[1]) <
                   variance_of(&run[0]) + variance_of(&run[1])
               ? BUDGET_PER_SECOND
               : BUDGET_PER_RUN;
}

void costs_add(struct compared_service *s, const struct compare_run *runs, size_t count)
{
    struct compared_cost *cost = &s->cost;
    struct cost_side sides[2];

    cost->basis = basis_of(s, runs, count);
    measure(sides, s, runs, count, cost->basis);
    if (!(sides[STATS_BASE].weight > 0) || !(sides[STATS_NEW].weight > 0))
        return;
    cost->base = rate_of(&sides[STATS_BASE]);
    cost->new = rate_of(&sides[STATS_NEW]);
    cost->change = cost->new / cost->base - 1;
    for (int side = 0; side < 2; side++)
        cost->exposure[side] = sides[side].exposure / sides[side].runs;
    if (!s->exact && sides[STATS_BASE].runs > 2 && sides[STATS_NEW].runs > 2)
        add_interval(cost, sides);
}
