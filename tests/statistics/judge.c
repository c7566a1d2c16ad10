#include "statistics/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "stats/student.h"

void judge_that(struct judge *j, bool good, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs(good ? "ok   " : "FAIL ", stdout);
    vprintf(format, args);
    putchar('\n');
    fflush(stdout);
    va_end(args);
    j->passed += good;
    j->failed += !good;
}

void judge_skip(struct judge *j, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("SKIP ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    j->skipped++;
}

/* P(X >= hits) of a binomial distribution, 0 < p < 1, by F (Clopper and Pearson). */
static double tail_of(double p, double hits, double trials)
{
    double a = hits, b = trials - hits + 1;

    return stats_fisher_tail(a * (1 - p) / (b * p), 2 * b, 2 * a);
}

/* Returns the p at which `hits` or more (upper: or fewer) of `trials` have probability `tail`. */
static double limit(double hits, double trials, double tail, bool upper)
{
    double low = 0, high = 1;

    for (int n = 0; n < 60; n++) {
        double p = (low + high) / 2;
        double more = upper ? 1 - tail_of(p, hits + 1, trials) : tail_of(p, hits, trials);

        if (upper ? more > tail : more < tail)
            low = p;
        else
            high = p;
    }
    return (low + high) / 2;
}

double judge_lower(double hits, double trials, double tail)
{
    return hits > 0 ? limit(hits, trials, tail, false) : 0;
}

double judge_upper(double hits, double trials, double tail)
{
    return hits < trials ? limit(hits, trials, tail, true) : 1;
}

void mean_add(struct mean *m, double value)
{
    m->count++;
    m->sum += value;
    m->squares += value * value;
}

double mean_value(const struct mean *m)
{
    return m->count > 0 ? m->sum / m->count : 0;
}

double mean_error(const struct mean *m)
{
    double mean = mean_value(m);

    return m->count > 1 ? sqrt(fmax(0, m->squares / m->count - mean * mean) / (m->count - 1)) : 1;
}
