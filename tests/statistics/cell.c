#include "statistics/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "statistics/simulated.h"

/* How many worlds a cell draws: in the full size BATCH at a time, MOST in all. */
enum { NORMAL = 120, BATCH = 1000, MOST = 12000, MOST_SERVICES = 20 };
/* Beyond this the program says that no change could have been seen. */
static const double unseen = 1;

struct lab {
    const struct cell *cell;
    struct random random;
    struct draw draws[MOST_SERVICES];
    struct simulated trials[MOST_SERVICES];
    size_t services;
    double *base, *new;
    struct mean false_discovery, covered;
    double *smallest; /* of each null world */
    double worlds, any_false, risen, found;
};

static void lab_init(struct lab *lab, const struct cell *cell, uint64_t seed)
{
    size_t n = cell->world.functions;

    *lab = (struct lab){.cell = cell, .services = cell->services ? cell->services : 1};
    random_init(&lab->random, seed);
    lab->smallest = xcalloc(MOST, sizeof(*lab->smallest));
    lab->base = xcalloc(2 * n, sizeof(*lab->base));
    lab->new = lab->base + n;
    world_costs(&cell->world, lab->base);
    memcpy(lab->new, lab->base, n * sizeof(*lab->new));
    for (size_t i = 0; i < lab->services; i++) {
        draw_init(&lab->draws[i], n);
        simulated_init(&lab->trials[i], n);
    }
}

static void lab_release(struct lab *lab)
{
    for (size_t i = 0; i < lab->services; i++) {
        draw_release(&lab->draws[i]);
        simulated_release(&lab->trials[i]);
    }
    free(lab->base);
    free(lab->smallest);
}

/* Returns the true change of a function of the first service, in the unit of the measure. */
static double truth_of(const struct lab *lab, size_t function, bool null)
{
    double whole = 0;

    if (null)
        return 0;
    if (!lab->cell->shares)
        return lab->new[function] - lab->base[function];
    for (size_t k = 0; k < lab->cell->world.functions; k++)
        whole += lab->new[k];
    return lab->new[function] / whole - lab->base[function];
}

/* Draws and compares all services, of which the first one has the changes. Counts the intervals. */
static void draw_world(struct lab *lab, bool null)
{
    const struct cell *cell = lab->cell;
    double tested = 0, covered = 0;

    for (size_t i = 0; i < lab->services; i++) {
        world_draw(&cell->world, &lab->random, lab->base, null || i ? lab->base : lab->new,
                   &lab->draws[i]);
        simulated_compare(&lab->trials[i], &lab->draws[i], !cell->shares);
    }
    simulated_find(lab->trials, lab->services);
    for (size_t k = 0; k < cell->world.functions; k++) {
        const struct stats_change *c = &lab->trials[0].changes[k];
        double truth = truth_of(lab, k, null);

        if (!c->tested)
            continue;
        tested++;
        covered += c->low <= truth && truth <= c->high;
    }
    if (tested > 0)
        mean_add(&lab->covered, covered / tested);
}

static void null_world(struct lab *lab)
{
    size_t any = 0;

    draw_world(lab, true);
    for (size_t i = 0; i < lab->services; i++)
        for (size_t k = 0; k < lab->cell->world.functions; k++)
            any += lab->trials[i].findings[k];
    lab->any_false += any > 0;
    lab->smallest[(size_t)lab->worlds++] =
        simulated_smallest(&lab->trials[0], lab->base[lab->cell->risen]);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Returns the median of the smallest visible changes that the null worlds reported. */
static double median_smallest(struct lab *lab)
{
    qsort(lab->smallest, (size_t)lab->worlds, sizeof(*lab->smallest), by_size);
    return lab->smallest[(size_t)lab->worlds / 2];
}

static void changed_world(struct lab *lab)
{
    const struct cell *cell = lab->cell;
    size_t rises = cell->rises ? cell->rises : 1;
    double all = 0, wrong = 0;

    draw_world(lab, false);
    for (size_t i = 0; i < lab->services; i++)
        for (size_t k = 0; k < cell->world.functions; k++) {
            bool real = i == 0 && k >= cell->risen && k < cell->risen + rises;

            all += lab->trials[i].findings[k];
            wrong += lab->trials[i].findings[k] &&
                     (!real || lab->trials[i].changes[k].change < 0) && !(cell->shares && i == 0);
        }
    mean_add(&lab->false_discovery, all > 0 ? wrong / all : 0);
    lab->risen++;
    lab->found += lab->trials[0].findings[cell->risen];
}

/* Returns what a function must cost to have `rise` more: relative to the others, or as a share. */
static double risen_cost(const struct lab *lab, size_t function, double rise)
{
    double base = lab->base[function];

    if (!lab->cell->shares)
        return base + rise;
    return (base + rise) * (1 - base) / fmax(1 - base - rise, 0.01);
}

static void raise_costs(struct lab *lab)
{
    size_t rises = lab->cell->rises ? lab->cell->rises : 1;
    double rise = lab->cell->smallest ? median_smallest(lab) : lab->cell->rise;

    for (size_t k = lab->cell->risen; k < lab->cell->risen + rises; k++)
        lab->new[k] = risen_cost(lab, k, rise);
}

/* Returns 1 if a mean is in a range on the safe side, -1 if it is not, 0 if that is undecided. */
static int within(double value, double error, double low, double high)
{
    if (value - 2 * error >= low && value + 2 * error <= high)
        return 1;
    return value + 2 * error < low || value - 2 * error > high ? -1 : 0;
}

/* Returns whether the full size has drawn enough worlds for each bound. */
static bool decided(const struct lab *lab, bool null)
{
    double power = lab->risen > 0 ? lab->found / lab->risen : 0;

    if (!lab->cell->any_cover &&
        !within(mean_value(&lab->covered), mean_error(&lab->covered), 0.93, 0.97))
        return false;
    if (null)
        return judge_upper(lab->any_false, lab->worlds, 0.025) <= 0.06 ||
               judge_lower(lab->any_false, lab->worlds, 0.025) > 0.05;
    return within(mean_value(&lab->false_discovery), mean_error(&lab->false_discovery), -1, 0.06) &&
           (!lab->cell->smallest ||
            within(power, sqrt(power * (1 - power) / lab->risen), 0.75, 0.85));
}

static void draw_all(struct judge *j, struct lab *lab, bool null)
{
    int most = j->full ? MOST : NORMAL / (1 + (int)lab->services / 8);

    for (int n = 0; n < most; n++) {
        if (j->full && n && n % BATCH == 0 && decided(lab, null))
            return;
        if (null)
            null_world(lab);
        else
            changed_world(lab);
    }
}

static bool mean_holds(const struct judge *j, const struct mean *m, double low, double high)
{
    double slack = j->full ? 0 : 4 * mean_error(m);

    return mean_value(m) + slack >= low && mean_value(m) - slack <= high;
}

void cell_run(struct judge *j, const struct cell *cell, uint64_t seed)
{
    struct lab lab;
    bool good, seen = true;

    lab_init(&lab, cell, seed);
    draw_all(j, &lab, true);
    good = j->full ? lab.any_false <= 0.05 * lab.worlds &&
                         judge_upper(lab.any_false, lab.worlds, 0.025) <= 0.06
                   : judge_lower(lab.any_false, lab.worlds, 0.001) <= 0.05;
    if (cell->smallest)
        seen = median_smallest(&lab) < unseen;
    if (seen && (cell->smallest || cell->rise > 0)) {
        raise_costs(&lab);
        draw_all(j, &lab, false);
        good &= mean_holds(j, &lab.false_discovery, 0, 0.06);
        if (cell->smallest)
            good &= j->full ? lab.found >= 0.75 * lab.risen && lab.found <= 0.85 * lab.risen
                            : judge_lower(lab.found, lab.risen, 0.001) <= 0.85 &&
                                  judge_upper(lab.found, lab.risen, 0.001) >= 0.75;
    }
    if (!cell->any_cover)
        good &= mean_holds(j, &lab.covered, 0.93, 0.97);
    judge_that(j, good,
               "%s: any false %.2f %% of %.0f, false discoveries %.2f %%, intervals %.2f %%, "
               "smallest %.2f points, found %.1f %% of %.0f",
               cell->name, 100 * lab.any_false / lab.worlds, lab.worlds,
               100 * mean_value(&lab.false_discovery), 100 * mean_value(&lab.covered),
               100 * median_smallest(&lab), lab.risen > 0 ? 100 * lab.found / lab.risen : 0,
               lab.risen);
    lab_release(&lab);
}
