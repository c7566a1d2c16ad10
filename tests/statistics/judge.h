/*
 * Verdicts of the suite: counts, exact intervals, and one line for each test.
 */
#ifndef STATISTICS_JUDGE_H
#define STATISTICS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

struct judge {
    bool full;        /* the nightly size: every cell, and bounds on the estimates themselves */
    const char *word; /* only tests whose names have it; NULL: all */
    size_t passed, failed, skipped;
};

/* Counts a test and prints its line. */
void judge_that(struct judge *j, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Counts tests that could not be made, and prints why. */
void judge_skip(struct judge *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The limits of Clopper and Pearson of a rate, each exceeded with probability `tail`. */
double judge_lower(double hits, double trials, double tail);
double judge_upper(double hits, double trials, double tail);

/* A mean, from its sums. */
struct mean {
    double count, sum, squares;
};

void mean_add(struct mean *m, double value);
double mean_value(const struct mean *m);
/* Standard error. */
double mean_error(const struct mean *m);

#endif
