#include <stdio.h>

#include "statistics/cell.h"
#include "statistics/suite.h"

/* The normal size has every STRIDE-th cell; a prime number, so that all values occur. */
enum { STRIDE = 13, RISEN = 3, LABELS = 4, EARLIER = 2 };

void suite_grid(struct judge *j)
{
    static const double rhos[] = {0, 0.0005, 0.001, 0.005, 0.01};
    static const size_t runs[] = {1, 2, 3, 5, 10}, functions[] = {30, 200, 2000};
    static const double samples[] = {300, 1000, 3000, 10000};
    struct cell cell = {.smallest = true, .risen = RISEN};
    char name[100];

    cell.name = name;
    for (unsigned n = 0; n < 300; n++) {
        struct world *w = &cell.world;

        if (!j->full && n % STRIDE != 4)
            continue;
        w->rho = rhos[n % 5];
        w->samples = samples[n / 5 % 4];
        w->runs = runs[n / 20 % 5];
        w->functions = functions[n / 100];
        w->labels = w->runs == 1 ? LABELS : 0;
        w->earlier = EARLIER;
        snprintf(name, sizeof(name), "rho %g, %zu runs of %g samples, %zu functions", w->rho,
                 w->runs, w->samples, w->functions);
        cell_run(j, &cell, 1000 + n);
    }
}
