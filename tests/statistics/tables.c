#include <math.h>

#include "statistics/suite.h"
#include "stats/design.h"
#include "stats/discovery.h"
#include "stats/student.h"

/* Two-sided quantiles (Abramowitz and Stegun, table 26.10, with the digits of mpmath 1.3). */
static void check_student(struct judge *j)
{
    static const double tails[] = {0.2, 0.05, 0.01, 0.001, 1e-6};
    static const struct {
        double df, t[5];
    } rows[] = {
        {1,
         {3.0776835371752534, 12.706204736174705, 63.656741162871581, 636.61924876871962,
          636619.77236705774}},
        {2,
         {1.8856180831641267, 4.3026527297494639, 9.9248432009182931, 31.599054576443621,
          999.99924999984375}},
        {3,
         {1.6377443536962101, 3.1824463052837096, 5.8409093097333573, 12.923978636687483,
          130.15458955835795}},
        {5,
         {1.4758840488244811, 2.5705818356363155, 4.0321429835552281, 6.8688266258811102,
          28.47847346298421}},
        {10,
         {1.3721836411103356, 2.2281388519862747, 3.1692726726169512, 4.5868938587026359,
          10.516489956914905}},
        {25,
         {1.3163450726738702, 2.0595385527532977, 2.7874358136769705, 3.7251439497286502,
          6.4241477947263328}},
        {30,
         {1.3104150253913956, 2.0422724563012383, 2.7499956535672253, 3.6459586350420218,
          6.1190756203842168}},
        {120,
         {1.2886462336563779, 1.9799304050824408, 2.617421145106866, 3.3734537685625004,
          5.1575699729051121}},
        {1000,
         {1.2823987214609244, 1.9623390808264085, 2.5807546980659511, 3.3002826484239129,
          4.922289523429588}},
    };
    double worst = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t k = 0; k < 5; k++) {
            double t = rows[i].t[k], p = tails[k];

            worst = fmax(worst, fabs(stats_student_quantile(p, rows[i].df) / t - 1));
            worst = fmax(worst, fabs(stats_student_tails(t, rows[i].df) / p - 1));
            worst = fmax(worst, fabs(stats_student_tails(-t, rows[i].df) / p - 1));
        }
    judge_that(j, worst < 1e-10, "student: the largest relative difference is %.1e", worst);
}

static void check_fisher(struct judge *j)
{
    static const double rows[][4] = {
        {1, 1, 161.4476387975882, 0.050000000000000046},
        {4, 25, 2.758710470, 0.049999999983225267},
        {4, 64, 3.6, 0.01040109306813572},
        {2, 10, 4.1, 0.050077548481083847},
        {18, 120, 2, 0.014471073182088043},
        {7.5, 3.3, 0.5, 0.80397704913051477},
    };
    double worst = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        worst = fmax(worst,
                     fabs(stats_fisher_tail(rows[i][2], rows[i][0], rows[i][1]) / rows[i][3] - 1));
    judge_that(j, worst < 1e-10, "fisher: the largest relative difference is %.1e", worst);
}

/* The 15 p-values of section 4 of Benjamini and Hochberg's paper: four of them are findings. */
static void check_discovery(struct judge *j)
{
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
    struct stats_discovery d;
    double q[15];

    stats_discovery_of(&d, p, 15, 0.05, q);
    judge_that(j,
               d.found == 4 && fabs(d.threshold - 0.05 * 4 / 15) < 1e-15 &&
                   fabs(d.next - 0.05 * 5 / 15) < 1e-15 && fabs(q[3] - 0.0095 * 15 / 4) < 1e-15,
               "discovery: %zu findings below %.6f", d.found, d.threshold);
    stats_discovery_of(&d, p, 0, 0.05, NULL);
    judge_that(j, d.found == 0 && d.next > 0.049, "discovery: no p-values");
}

void suite_tables(struct judge *j)
{
    check_student(j);
    check_fisher(j);
    check_discovery(j);
}
