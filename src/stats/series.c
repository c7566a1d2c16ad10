#include "stats/series.h"

#include <math.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/vec.h"
#include "stats/student.h"

enum { BEFORE = 3, AFTER = 2, EXCEEDING = 20, PERMUTATIONS = 999 };
/* The variance of the median of four normal numbers, of which each has a variance of 1. */
static const double median_variance = 0.2982;

/* A point with data: its value, weight and place in the series. */
struct datum {
    double value, weight;
    size_t index;
};

static bool valid(const struct stats_point *p)
{
    return isfinite(p->share) && p->variance > 0 && isfinite(1 / p->variance) &&
           isfinite(p->variance);
}

/*
 * Returns the largest F of all splits of n points; `at` becomes its place. F grows with the squares
 * that a split explains, also as it is rounded, so that only the largest so far are divided by what
 * is left of all squares.
 */
static double best_split(const struct datum *x, size_t n, size_t *at)
{
    double weight = 0, sum = 0, squares = 0, w = 0, s = 0, rest, most = -1, best = -1;

    for (size_t i = 0; i < n; i++) {
        weight += x[i].weight;
        sum += x[i].weight * x[i].value;
        squares += x[i].weight * x[i].value * x[i].value;
    }
    rest = squares - sum * sum / weight;
    for (size_t i = 0; i + AFTER < n; i++) {
        double f, gain, lag;

        w += x[i].weight;
        s += x[i].weight * x[i].value;
        if (i + 1 < BEFORE)
            continue;
        lag = s - sum * (w / weight);
        gain = lag * lag / (w * ((weight - w) / weight));
        if (!(gain > most))
            continue;
        most = gain;
        f = gain / fmax((rest - gain) / (double)(n - 2), 1e-12 * (rest + 1e-300));
        if (f > best) {
            best = f;
            *at = i + 1;
        }
    }
    return best;
}

/* splitmix64, and a number below `n` without bias (Lemire, ACM Trans. Model. Comput. Simul. 29). */
static size_t below(uint64_t *state, size_t n)
{
    for (;;) {
        uint64_t z = *state += 0x9e3779b97f4a7c15u, low;
        unsigned __int128 product;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        product = (unsigned __int128)(z ^ z >> 31) * n;
        low = (uint64_t)product;
        if (low >= n || low >= -(uint64_t)n % n)
            return (size_t)(product >> 64);
    }
}

/*
 * The p-value of the best of all splits if the points were normal, by Bonferroni's bound: F with 1
 * and n - 2 degrees of freedom is the square of Student's t. It can be smaller than any p-value of
 * permutations, and among thousands of series only such p-values count.
 */
static double normal_p(double observed, size_t n)
{
    double splits = (double)n - BEFORE - AFTER + 1;

    return splits * stats_student_tails(sqrt(observed), (double)n - 2);
}

/*
 * Like normal_p(), of shares on a scale on which small and large ones are nearly normal: close to
 * the arcsine of the root. Shares of small functions that differ from label to label are skewed,
 * and their best split would have a p-value that is too small.
 */
static double straightened_p(const struct datum *x, size_t n)
{
    struct datum *straight = xreallocarray(NULL, n, sizeof(*straight));
    size_t at;
    double p;

    for (size_t i = 0; i < n; i++) {
        double share = fmin(fmax(x[i].value, 0), 1);

        straight[i] = (struct datum){.value = sqrt(share) - sqrt(1 - share), .weight = 1};
    }
    p = normal_p(best_split(straight, n, &at), n);
    free(straight);
    return p;
}

static double permutation_p(const struct datum *x, size_t n, double observed, uint64_t seed)
{
    struct datum *shuffled = xreallocarray(NULL, n, sizeof(*shuffled));
    size_t larger = 0, done = 0, at;

    memcpy(shuffled, x, n * sizeof(*x));
    while (done < PERMUTATIONS && larger < EXCEEDING) {
        for (size_t i = n - 1; i > 0; i--) {
            size_t k = below(&seed, i + 1);
            struct datum kept = shuffled[i];

            shuffled[i] = shuffled[k];
            shuffled[k] = kept;
        }
        larger += best_split(shuffled, n, &at) >= observed;
        done++;
    }
    free(shuffled);
    if (larger == EXCEEDING)
        return (double)larger / (double)done;
    if (!larger)
        return fmin(fmax(normal_p(observed, n), straightened_p(x, n)), 1 / (double)(done + 1));
    return (double)(larger + 1) / (double)(done + 1);
}

static int by_place(const void *a, const void *b)
{
    const struct stats_shift *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

static double level(const struct datum *x, size_t from, size_t to)
{
    double weight = 0, sum = 0;

    for (size_t i = from; i < to; i++) {
        weight += x[i].weight;
        sum += x[i].weight * x[i].value;
    }
    return sum / weight;
}

struct part {
    size_t from, to;
};

/* Splits until no part has a shift; `at` of the shifts are places in `x`. */
static void split_all(struct stats_shifts *out, const struct datum *x, size_t n, uint64_t seed)
{
    struct shift_list VEC_OF(struct stats_shift) found = {0};
    struct part_list VEC_OF(struct part) parts = {0};

    *vec_add(&parts) = (struct part){0, n};
    while (parts.count) {
        struct part part = parts.items[--parts.count];
        size_t length = part.to - part.from, at = 0;
        double best, p;

        if (length < STATS_SERIES_LEAST)
            continue;
        best = best_split(x + part.from, length, &at);
        p = permutation_p(x + part.from, length, best,
                          hash_mix(hash_mix(seed, part.from), part.to));
        if (length == n)
            out->p = p;
        if (p > STATS_SERIES_P)
            continue;
        *vec_add(&found) = (struct stats_shift){.at = part.from + at, .p = p};
        *vec_add(&parts) = (struct part){part.from, part.from + at};
        *vec_add(&parts) = (struct part){part.from + at, part.to};
    }
    vec_release(&parts);
    out->items = found.items;
    out->count = found.count;
}

void stats_series_find(struct stats_shifts *out, const struct stats_point *points, size_t count,
                       uint64_t seed)
{
    struct datum *x = xreallocarray(NULL, count, sizeof(*x));
    size_t n = 0;

    *out = (struct stats_shifts){.p = 1};
    for (size_t i = 0; i < count; i++)
        if (valid(&points[i]))
            x[n++] = (struct datum){points[i].share, 1 / points[i].variance, i};
    split_all(out, x, n, seed);
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_place);
    for (size_t i = 0; i < out->count; i++) {
        size_t end = i + 1 < out->count ? out->items[i + 1].at : n;

        out->items[i].before = i ? out->items[i - 1].after : level(x, 0, out->items[i].at);
        out->items[i].after = level(x, out->items[i].at, end);
    }
    for (size_t i = 0; i < out->count; i++)
        out->items[i].at = x[out->items[i].at].index;
    free(x);
}

void stats_series_release(struct stats_shifts *shifts)
{
    free(shifts->items);
    *shifts = (struct stats_shifts){0};
}

double stats_series_recent(const struct stats_point *points, size_t count, double freedom,
                           double *difference)
{
    double last[STATS_SERIES_RECENT], variance = 0, middle;
    size_t n = 0;

    *difference = 0;
    if (!count || !valid(&points[count - 1]))
        return 1;
    for (size_t i = count - 1; i-- > 0 && n < STATS_SERIES_RECENT;) {
        size_t place = n;

        if (!valid(&points[i]))
            continue;
        for (; place > 0 && last[place - 1] > points[i].share; place--)
            last[place] = last[place - 1];
        last[place] = points[i].share;
        variance += points[i].variance / STATS_SERIES_RECENT;
        n++;
    }
    if (n < STATS_SERIES_RECENT)
        return 1;
    middle = (last[1] + last[2]) / 2;
    *difference = points[count - 1].share - middle;
    variance = points[count - 1].variance + median_variance * variance;
    return stats_student_tails(*difference / sqrt(variance), freedom);
}
