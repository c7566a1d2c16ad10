/*
 * Logarithm, exponential and gamma function, the same to the last bit on every machine.
 *
 * The C library's versions differ in the last bit between machines, and a verdict at the edge of a
 * threshold could differ with them. These use only +, -, *, / and powers of two, which IEEE 754
 * defines exactly. Relative errors are below 1e-14. Arguments outside a function's domain give the
 * value at the nearest point of the domain, so no result is infinite or not a number.
 */
#ifndef STATS_ELEMENTARY_H
#define STATS_ELEMENTARY_H

/* The natural logarithm of `x` > 0. */
double stats_log(double x);
/* log(1 + x), exact for small `x` also; `x` > -1. */
double stats_log1p(double x);
/* e^x; at most the largest double. */
double stats_exp(double x);
/* The natural logarithm of the gamma function of `x` > 0. */
double stats_lgamma(double x);

#endif
