#include "stats/elementary.h"

#include <float.h>
#include <math.h>

#include "base/die.h"

/* ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact. */
static const double ln2_high = 6.93147180369123816490e-01;
static const double ln2_low = 1.90821492927058770002e-10;

/* 2 atanh(f) = log((1 + f) / (1 - f)) by its series, for |f| <= 0.172. */
static double log_series(double f)
{
    static const double terms[] = {
        1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
        1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0,
    };
    double square = f * f, sum = 0;

    for (size_t n = 0; n < sizeof(terms) / sizeof(terms[0]); n++)
        sum = sum * square + terms[n];
    return 2 * f * sum;
}

double stats_log(double x)
{
    int exponent = 0;
    double m;

    if (!(x >= DBL_MIN))
        x = DBL_MIN;
    if (x > DBL_MAX)
        x = DBL_MAX;
    m = frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    return exponent * ln2_high + (log_series((m - 1) / (m + 1)) + exponent * ln2_low);
}

double stats_log1p(double x)
{
    double f = x / (2 + x);

    return x > -1 && fabs(f) < 0.17 ? log_series(f) : stats_log(1 + x);
}

double stats_exp(double x)
{
    double k, r, sum = 1;

    if (!(x > -708))
        return 0;
    if (x > 709)
        return DBL_MAX;
    k = floor(x / (ln2_high + ln2_low) + 0.5);
    r = x - k * ln2_high - k * ln2_low;
    for (int n = 16; n >= 1; n--)
        sum = 1 + r / n * sum;
    return ldexp(sum, (int)k);
}

/* Stirling's series (Abramowitz and Stegun 6.1.40), after a shift to an argument of 16 or more. */
double stats_lgamma(double x)
{
    static const double terms[] = {
        1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156,
    };
    double shift = 1, square, series = 0;

    if (!(x > DBL_MIN))
        x = DBL_MIN;
    if (x > 1e300)
        x = 1e300;
    for (; x < 16; x++)
        shift *= x;
    square = 1 / (x * x);
    for (int n = 6; n >= 0; n--)
        series = series * square + terms[n];
    return (x - 0.5) * stats_log(x) - x + 0.91893853320467274178 + series / x - stats_log(shift);
}
