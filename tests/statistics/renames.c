#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "statistics/suite.h"
#include "statistics/simulated.h"
#include "stats/renames.h"

/*
 * A world with 60 functions. RENAMED of them have another name in the new runs, one is gone and
 * one is new. Functions have a few callers each; their names are as similar as those of one
 * module.
 */
enum { FUNCTIONS = 60, RENAMED = 4, FIRST = 3, CALLERS = 5, GONE = RENAMED + 1 };

static const struct world renamed_world = {
    .functions = FUNCTIONS, .rho = 0.0005, .samples = 1000, .runs = 3};

struct tally {
    double worlds, any_false, pairs, wrong;
};

/* The samples of one function by caller. */
static void draw_callers(struct random *r, const double *weights, double samples, double *out)
{
    random_multinomial(r, samples, weights, CALLERS, out);
}

static double sum_side(const struct draw *d, size_t function, enum stats_side side)
{
    double sum = 0;

    for (size_t i = 0; i < d->count; i++)
        if (d->runs[i].side == side)
            sum += d->counts[function * WORLD_RUNS + i];
    return sum;
}

/* Pairs functions that are gone with functions that are new. Returns the number of pairs. */
static size_t choose(struct random *r, const struct draw *d, struct stats_rename *list)
{
    double weights[GONE + 1][CALLERS], gone[GONE][CALLERS], new[GONE][CALLERS];
    size_t n = 0;

    for (size_t k = 0; k <= GONE; k++)
        for (size_t c = 0; c < CALLERS; c++)
            weights[k][c] = random_gamma(r, 0.5) + 1e-6;
    for (size_t k = 0; k < GONE; k++) {
        /* The last one of each list is really gone or really new. */
        draw_callers(r, weights[k], sum_side(d, FIRST + k, STATS_BASE), gone[k]);
        draw_callers(r, weights[k < RENAMED ? k : GONE], sum_side(d, FIRST + k, STATS_NEW), new[k]);
    }
    for (size_t a = 0; a < GONE; a++)
        for (size_t b = 0; b < GONE; b++)
            list[n++] = (struct stats_rename){
                .gone = (uint32_t)a,
                .new = (uint32_t)b,
                .overlap = stats_renames_overlap(gone[a], new[b], CALLERS),
                .alike =
                    a == b &&a < RENAMED ? 0.5 + 0.5 * random_uniform(r) : 0.7 * random_uniform(r),
                .same_place = true,
            };
    return stats_renames_choose(list, n, GONE, GONE);
}

/*
 * Makes row k of the base and row `new` of the new runs one row. Rows without a partner have
 * zeros.
 */
static void split_names(struct draw *d, const struct stats_rename *list, size_t count,
                        struct draw *out)
{
    memset(out->counts, 0, (FUNCTIONS + GONE) * WORLD_RUNS * sizeof(*out->counts));
    memcpy(out->counts, d->counts, FUNCTIONS * WORLD_RUNS * sizeof(*out->counts));
    memcpy(out->runs, d->runs, sizeof(out->runs));
    out->count = d->count;
    out->blocks = d->blocks;
    for (size_t k = 0; k < GONE; k++)
        for (size_t i = 0; i < d->count; i++) {
            size_t row = FUNCTIONS + k;

            if (d->runs[i].side != STATS_NEW)
                continue;
            for (size_t n = 0; n < count; n++)
                if (list[n].chosen && list[n].new == k)
                    row = FIRST + list[n].gone;
            if (row != FIRST + k) {
                out->counts[row * WORLD_RUNS + i] = d->counts[(FIRST + k) * WORLD_RUNS + i];
                if (row >= FUNCTIONS)
                    out->counts[(FIRST + k) * WORLD_RUNS + i] = 0;
            }
        }
}

static void draw_renamed(struct tally *t, struct random *r, struct draw *d, struct draw *named,
                         struct simulated *trial, const double *costs)
{
    struct stats_rename list[GONE * GONE];
    bool wrong = false;

    world_draw(&renamed_world, r, costs, costs, d);
    choose(r, d, list);
    split_names(d, list, GONE * GONE, named);
    simulated_compare(trial, named, true);
    simulated_find(trial, 1);
    t->worlds++;
    for (size_t n = 0; n < GONE * GONE; n++) {
        t->pairs += list[n].chosen && list[n].gone == list[n].new &&list[n].gone < RENAMED;
        t->wrong += list[n].chosen && !(list[n].gone == list[n].new &&list[n].gone < RENAMED);
        wrong |= list[n].chosen && !(list[n].gone == list[n].new &&list[n].gone < RENAMED);
    }
    for (size_t k = 0; k < FUNCTIONS; k++)
        if (trial->findings[k] && !(k >= FIRST && k < FIRST + GONE)) {
            t->any_false++;
            return;
        }
    for (size_t k = FIRST; k < FIRST + RENAMED && !wrong; k++)
        if (trial->findings[k]) {
            t->any_false++;
            return;
        }
}

void suite_renames(struct judge *j)
{
    double costs[FUNCTIONS];
    struct draw d, named;
    struct simulated trial;
    struct tally t = {0};
    struct random r;

    random_init(&r, 77);
    world_costs(&renamed_world, costs);
    draw_init(&d, FUNCTIONS);
    draw_init(&named, FUNCTIONS + GONE);
    simulated_init(&trial, FUNCTIONS + GONE);
    for (int n = 0; n < (j->full ? 3000 : 300); n++)
        draw_renamed(&t, &r, &d, &named, &trial, costs);
    judge_that(
        j, judge_lower(t.any_false, t.worlds, 0.001) <= 0.05 && t.pairs >= 0.9 * RENAMED * t.worlds,
        "renames: any false %.2f %% of %.0f, %.1f %% of renames found, %.3f wrong pairs",
        100 * t.any_false / t.worlds, t.worlds, 100 * t.pairs / (RENAMED * t.worlds),
        t.wrong / t.worlds);
    draw_release(&d);
    draw_release(&named);
    simulated_release(&trial);
}
