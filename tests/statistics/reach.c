#include "statistics/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/suite.h"
#include "stats/reach.h"

void reach_write(char *out, size_t size)
{
    static const double rhos[] = {0, 0.0005, 0.001, 0.005, 0.01};
    static const size_t runs[] = {2, 3, 5, 10, 20};
    static const double samples[] = {300, 1000, 3000, 10000};
    size_t n = 0;

    n += (size_t)snprintf(out + n, size - n,
                          "| rho | runs a side | 300 samples a run | 1,000 | 3,000 | 10,000 |\n"
                          "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 5; k++) {
            n += (size_t)snprintf(out + n, size - n, "| %g | %zu |", rhos[i], runs[k]);
            for (size_t s = 0; s < 4; s++) {
                double points = 100 * stats_reach(rhos[i], runs[k], samples[s]);

                n += (size_t)snprintf(out + n, size - n, points < 100 ? " %.1f |" : " - |", points);
            }
            n += (size_t)snprintf(out + n, size - n, "\n");
        }
}

void suite_reach(struct judge *j)
{
    static char table[8192], text[65536];
    FILE *file = fopen("src/stats/README.md", "r");
    size_t got = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

    if (file)
        fclose(file);
    text[got] = '\0';
    reach_write(table, sizeof(table));
    judge_that(j, strstr(text, table) != NULL,
               "src/stats/README.md has the table of smallest changes; make statistics-table");
}
