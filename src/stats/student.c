#include "stats/student.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/die.h"
#include "stats/elementary.h"

/* The continued fraction needs about the square root of the larger parameter. */
enum { MOST_STEPS = 20000, QUANTILE_STEPS = 200 };

static double clamp(double x, double low, double high)
{
    return x > low ? x < high ? x : high : low;
}

/* log(gamma(a + 1/2) / gamma(a)): by its asymptotic series for large `a`, without cancellation. */
static double log_gamma_half(double a)
{
    static const double terms[] = {-1.0 / 8, 1.0 / 192, -1.0 / 640, 17.0 / 14336, -31.0 / 18432};
    double square, series = 0;

    if (a < 40)
        return stats_lgamma(a + 0.5) - stats_lgamma(a);
    square = 1 / (a * a);
    for (int n = 4; n >= 0; n--)
        series = series * square + terms[n];
    return 0.5 * stats_log(a) + series / a;
}

static double log_beta(double a, double b)
{
    if (b == 0.5)
        return 0.57236494292470008707 - log_gamma_half(a); /* log(gamma(1/2)) */
    if (a == 0.5)
        return 0.57236494292470008707 - log_gamma_half(b);
    return stats_lgamma(a) + stats_lgamma(b) - stats_lgamma(a + b);
}

static double away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The continued fraction of I_x(a, b), which converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;

    for (int n = 1; n <= MOST_STEPS; n++) {
        double m = n, step;
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        h *= c * d;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        step = c * d;
        h *= step;
        if (fabs(step - 1) < 1e-16)
            break;
    }
    return h;
}

/* I_x(a, b), where `log_x` and `log_rest` are log(x) and log(1 - x), without their rounding. */
static double beta(double x, double log_x, double log_rest, double a, double b)
{
    double front = a * log_x + b * log_rest - log_beta(a, b);

    if (x < (a + 1) / (a + b + 2))
        return clamp(stats_exp(front) * beta_fraction(x, a, b) / a, 0, 1);
    return clamp(1 - stats_exp(front) * beta_fraction(1 - x, b, a) / b, 0, 1);
}

double stats_student_tails(double t, double df)
{
    double square = clamp(t * t, 0, 1e300), ratio;

    df = clamp(df, 0.01, STATS_MOST_FREEDOM);
    if (!(square > 0))
        return 1;
    ratio = square / df;
    if (ratio < 1e-300)
        return 1;
    return beta(1 / (1 + ratio), -stats_log1p(ratio), -stats_log1p(1 / ratio), df / 2, 0.5);
}

/* The density of t, doubled: how fast the two tails shrink. */
static double student_density(double t, double df)
{
    double log_constant = log_gamma_half(df / 2) - 0.57236494292470008707 - 0.5 * stats_log(df);

    return 2 * stats_exp(log_constant - (df + 1) / 2 * stats_log1p(t * t / df));
}

/* The normal quantile to 1e-7 (Wichura, algorithm AS 241, PPND7), for 2e-11 < tails < 0.9. */
static double normal_guess(double tails)
{
    double q = 0.5 - tails / 2, r;

    if (q <= 0.425) {
        r = 0.180625 - q * q;
        return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
               (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1);
    }
    r = sqrt(-stats_log(tails / 2)) - 1.6;
    return (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
           ((0.12021132975 * r + 0.73700164250) * r + 1);
}

/* A first value of the quantile: the expansion of Cornish and Fisher (Abramowitz and Stegun,
   26.7.5). It is good to a few percent, or much better for many degrees of freedom. */
static double quantile_guess(double tails, double df)
{
    double x = normal_guess(tails);
    double square = x * x, first = (square + 1) * x / 4,
           second = ((5 * square + 16) * square + 3) * x / 96,
           third = (((3 * square + 19) * square + 17) * square - 15) * x / 384;

    return x + (first + (second + third / df) / df) / df;
}

/* Sets a bracket by doubling, and returns its middle. */
static double quantile_bracket(double tails, double df, double *low, double *high)
{
    while (*high < 1e150 && stats_student_tails(*high, df) > tails) {
        *low = *high;
        *high *= 2;
    }
    return *low + (*high - *low) / 2;
}

/* Halley's method within a bracket that bisection shrinks. */
double stats_student_quantile(double tails, double df)
{
    double low = 0, high = 1, t;

    df = clamp(df, 0.01, STATS_MOST_FREEDOM);
    tails = clamp(tails, 1e-300, 1);
    if (tails >= 1)
        return 0;
    if (df >= 4 && tails > 1e-6 && tails < 0.9) {
        high = 1e150;
        t = quantile_guess(tails, df);
    } else {
        t = quantile_bracket(tails, df, &low, &high);
    }
    for (int n = 0; n < QUANTILE_STEPS && high - low > 1e-15 * high; n++) {
        double miss = stats_student_tails(t, df) - tails, next;

        if (miss == 0)
            break;
        if (miss > 0)
            low = t;
        else
            high = t;
        next = miss / clamp(student_density(t, df), 1e-300, DBL_MAX);
        next = t + next / clamp(1 - next / 2 * (df + 1) * t / (df + t * t), 0.5, 2);
        if (fabs(next - t) < 1e-5 * t) /* each step makes three times as many digits right */
            return next;
        t = next > low && next < high ? next : low + (fmin(high, 2 * low + 1) - low) / 2;
    }
    return t;
}

double stats_fisher_tail(double f, double d1, double d2)
{
    double ratio;

    if (!(f > 0))
        return 1;
    d1 = clamp(d1, 0.01, STATS_MOST_FREEDOM);
    d2 = clamp(d2, 0.01, STATS_MOST_FREEDOM);
    ratio = clamp(d1 * f / d2, 1e-300, 1e300);
    return beta(1 / (1 + ratio), -stats_log1p(ratio), -stats_log1p(1 / ratio), d2 / 2, d1 / 2);
}
