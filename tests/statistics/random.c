#include "statistics/random.h"

#include <math.h>
#include <string.h>

static uint64_t rotate(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

void random_init(struct random *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        uint64_t z = seed += 0x9e3779b97f4a7c15u;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        r->state[i] = z ^ z >> 31;
    }
}

static uint64_t next(struct random *r)
{
    uint64_t *s = r->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_uniform(struct random *r)
{
    return ((double)(next(r) >> 11) + 0.5) / 9007199254740992.0;
}

double random_normal(struct random *r)
{
    for (;;) { /* Marsaglia's polar method */
        double x = 2 * random_uniform(r) - 1, y = 2 * random_uniform(r) - 1, s = x * x + y * y;

        if (s > 0 && s < 1)
            return x * sqrt(-2 * log(s) / s);
    }
}

double random_gamma(struct random *r, double shape)
{
    double d, c, boost = 1;

    if (shape < 1) {
        boost = pow(random_uniform(r), 1 / shape);
        shape += 1;
    }
    d = shape - 1.0 / 3;
    c = 1 / sqrt(9 * d);
    for (;;) {
        double x = random_normal(r), v = 1 + c * x, u = random_uniform(r);

        if (v <= 0)
            continue;
        v = v * v * v;
        if (u < 1 - 0.0331 * x * x * x * x || log(u) < x * x / 2 + d * (1 - v + log(v)))
            return d * v * boost;
    }
}

/* Inversion from 0 upwards; for a small mean. */
static double binomial_small(struct random *r, double n, double p)
{
    double odds = p / (1 - p), f = exp(n * log1p(-p)), u = random_uniform(r), k = 0;

    while (u > f && k < n) {
        u -= f;
        f *= odds * (n - k) / (k + 1);
        k++;
    }
    return k;
}

/* Hormann's transformed rejection BTRS (J. Stat. Comput. Simul. 46, 1993), for n p >= 10. */
static double binomial_large(struct random *r, double n, double p)
{
    double deviation = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation;
    double a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5,
           alpha = (2.83 + 5.1 / b) * deviation;
    double vr = 0.92 - 4.2 / b, odds = log(p / (1 - p)), m = floor((n + 1) * p);
    double h = lgamma(m + 1) + lgamma(n - m + 1);

    for (;;) {
        double u = random_uniform(r) - 0.5, v = random_uniform(r), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + c);

        if (us >= 0.07 && v <= vr)
            return k;
        if (k < 0 || k > n)
            continue;
        if (log(v * alpha / (a / (us * us) + b)) <=
            h - lgamma(k + 1) - lgamma(n - k + 1) + (k - m) * odds)
            return k;
    }
}

double random_binomial(struct random *r, double n, double p)
{
    if (n <= 0 || p <= 0)
        return 0;
    if (p >= 1)
        return n;
    if (p > 0.5)
        return n - random_binomial(r, n, 1 - p);
    return n * p < 10 ? binomial_small(r, n, p) : binomial_large(r, n, p);
}

void random_multinomial(struct random *r, double n, const double *weights, size_t classes,
                        double *counts)
{
    double whole = 0, sum = 0, at = 0;
    size_t k = 0;

    memset(counts, 0, classes * sizeof(*counts));
    for (size_t i = 0; i < classes; i++)
        whole += weights[i];
    if (n < 6 * (double)classes) { /* sorted uniform numbers, from their gaps */
        at = 1;
        sum = weights[classes - 1];
        k = classes - 1;
        for (double left = n; left > 0; left--) {
            at *= exp(log(random_uniform(r)) / left);
            while (k > 0 && 1 - sum / whole >= at)
                sum += weights[--k];
            counts[k]++;
        }
        return;
    }
    for (; k + 1 < classes && n > 0; k++) {
        counts[k] = random_binomial(r, n, fmin(1, weights[k] / whole));
        n -= counts[k];
        whole -= weights[k];
    }
    counts[k] += n;
}
