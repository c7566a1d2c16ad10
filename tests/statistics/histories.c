#include <math.h>
#include <stdlib.h>

#include "compare/trends.h"
#include "statistics/suite.h"
#include "statistics/world.h"

/* Histories of several services: what trends say of services of which some, or none, changed. */
enum { FUNCTIONS = 60, RISEN = 2 };
#define RISEN_NAME "f2" /* 7 % */

struct row {
    size_t labels, services;
    size_t changed;  /* the first services, whose function RISEN doubles its cost */
    size_t from, to; /* the labels in which it is doubled */
    double rho, samples;
    double found, dated; /* at least, of the changed services: their places are within a label */
    size_t histories;
};

struct counted {
    double histories, any; /* histories, and those in which a service without change has a shift */
    struct mean false_share;
    double changed, found, dated;
};

/* Adds a label of a service: three runs, in which every second function calls the one after it. */
static void add_table(struct function_tables *label, const struct world *w, struct random *r,
                      const double *costs, size_t service, struct draw *draw)
{
    struct function_table *t = vec_add(&label->items);

    *t =
        (struct function_table){.service = slice_str(arena_printf(&label->memory, "s%zu", service)),
                                .event = SLICE("cpu-clock")};
    world_draw(w, r, costs, costs, draw);
    for (size_t run = 0; run < w->runs; run++) {
        double samples = draw->runs[run].samples;

        *vec_add(&t->runs) = (struct run){.samples = (uint64_t)samples, .effective = samples};
        *vec_add(&t->weights) = (uint64_t)samples;
    }
    for (size_t k = 0; k < FUNCTIONS; k++) {
        struct slice name = slice_str(arena_printf(&label->memory, "f%zu", k));

        *vec_add(&t->functions) = (struct table_function){.key = name, .name = name};
        for (size_t run = 0; run < w->runs; run++) {
            double self = draw->counts[k * WORLD_RUNS + run];
            double called = k % 2 ? 0 : draw->counts[(k + 1) * WORLD_RUNS + run];

            *vec_add(&t->counts) = (uint64_t)self;
            *vec_add(&t->counts) = (uint64_t)(self + called);
        }
    }
}

static void draw_history(const struct row *row, struct random *r, struct function_tables *labels)
{
    struct world w = {.functions = FUNCTIONS, .rho = row->rho, .samples = row->samples, .runs = 3};
    double before[FUNCTIONS], after[FUNCTIONS];
    struct draw draw;

    world_costs(&w, before);
    world_costs(&w, after);
    after[RISEN] *= 2;
    draw_init(&draw, FUNCTIONS);
    for (size_t i = 0; i < row->labels; i++)
        for (size_t s = 0; s < row->services; s++)
            add_table(&labels[i], &w, r,
                      s < row->changed && i >= row->from && i < row->to ? after : before, s, &draw);
    draw_release(&draw);
}

static bool is_near(size_t a, size_t b)
{
    return a <= b + 1 && b <= a + 1;
}

/*
 * Counts whether the function that changed has shifts, and whether they are those of the row, each
 * within a label.
 */
static void count_changed(const struct row *row, const struct trend_service *s, struct counted *c)
{
    size_t shifts = 0, right = 0, there = (row->from > 0) + (row->to < row->labels);

    vec_each (const struct trend_shift, shift, &s->shifts) {
        const struct trend_series *one = &s->series.items[shift->series];

        if (one->scope != COMPARE_SELF || !slice_equal(one->function, SLICE(RISEN_NAME)))
            continue;
        shifts++;
        right += (row->from && is_near(shift->label, row->from)) ||
                 (row->to < row->labels && is_near(shift->label, row->to));
    }
    c->changed++;
    c->found += shifts > 0;
    c->dated += shifts == there && right == there;
}

static void release_labels(struct function_tables *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vec_each (struct function_table, t, &labels[i].items)
            release_all(t, vec, weights, functions, counts, runs);
        vec_release(&labels[i].items);
        arena_release(&labels[i].memory);
    }
    free(labels);
}

static void count_history(const struct row *row, struct random *r, struct counted *c)
{
    struct stats_settings settings = stats_settings_default();
    struct function_tables *labels = calloc(row->labels, sizeof(*labels));
    double listed = 0, wrong = 0;
    struct trends t;

    draw_history(row, r, labels);
    trends_init(&t, labels, row->labels, &settings);
    vec_each (const struct trend_service, s, &t.services) {
        bool changed = strtoul(s->name.ptr + 1, NULL, 10) < row->changed;

        listed += s->shifts.count > 0;
        wrong += s->shifts.count > 0 && !changed;
        if (changed)
            count_changed(row, s, c);
    }
    c->histories++;
    c->any += wrong > 0;
    mean_add(&c->false_share, listed > 0 ? wrong / listed : 0);
    trends_release(&t);
    release_labels(labels, row->labels);
}

void suite_histories(struct judge *j)
{
    static const struct row rows[] = {
        {12, 1, 0, 0, 0, 0.001, 1000, 0, 0, 400},
        {26, 1, 0, 0, 0, 0, 300, 0, 0, 300},
        {26, 20, 0, 0, 0, 0.001, 1000, 0, 0, 50},
        {52, 20, 0, 0, 0, 0.005, 1000, 0, 0, 30},
        {104, 5, 0, 0, 0, 0.0005, 3000, 0, 0, 60},
        {26, 20, 0, 0, 0, 0.01, 1000, 0, 0, 50},
        {26, 20, 5, 13, 26, 0.001, 1000, 0.95, 0.9, 30},
        {52, 10, 2, 26, 52, 0.005, 3000, 0.95, 0.9, 30},
        {20, 1, 1, 11, 15, 0, 1000, 0.95, 0.9, 100},
        {20, 1, 1, 11, 15, 0.001, 1000, 0.95, 0.9, 100},
        {20, 1, 1, 11, 15, 0.005, 1000, 0.95, 0.9, 100},
        {20, 1, 1, 11, 15, 0.01, 1000, 0, 0, 100},
        {20, 1, 1, 19, 20, 0, 1000, 0.95, 0.9, 100},
        {20, 1, 1, 19, 20, 0.001, 1000, 0.95, 0.9, 100},
        {20, 1, 1, 19, 20, 0.005, 1000, 0, 0, 100},
    };
    struct random r;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct row *row = &rows[i];
        size_t histories = row->histories * (j->full ? 10 : 1);
        struct counted c = {0};

        random_init(&r, 3000 + i);
        for (size_t n = 0; n < histories; n++)
            count_history(row, &r, &c);
        judge_that(j,
                   mean_value(&c.false_share) - 3.1 * mean_error(&c.false_share) <= 0.05 &&
                       (row->changed || judge_lower(c.any, c.histories, 0.001) <= 0.05) &&
                       (!row->changed || judge_upper(c.found, c.changed, 0.001) >= row->found) &&
                       (!row->changed || judge_upper(c.dated, c.changed, 0.001) >= row->dated),
                   "histories of %zu labels, %zu services, %zu changed in labels %zu to %zu, "
                   "rho %g: any false %.2f %% of %.0f, false among listed %.2f %%, changed found "
                   "%.1f %%, dated %.1f %%",
                   row->labels, row->services, row->changed, row->from, row->to, row->rho,
                   100 * c.any / c.histories, c.histories, 100 * mean_value(&c.false_share),
                   c.changed > 0 ? 100 * c.found / c.changed : 0,
                   c.changed > 0 ? 100 * c.dated / c.changed : 0);
    }
}
