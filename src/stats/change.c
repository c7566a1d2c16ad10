#include "stats/change.h"

#include <math.h>

#include "base/die.h"
#include "stats/student.h"

enum { BISECTIONS = 60 };
static const double floor_freedom = 4;
static const double power = 0.8;
/* The mean of the part above 0 of a standard normal distribution: 1 / sqrt(2 pi). */
static const double near_zero = 0.39894228040143268;
/* Larger changes are not computed well by a normal distribution, and need no statistics. */
static const double most_visible = 0.25;
/*
 * Fitted by simulation, because shapes are estimates: bounds of seen_share() and of the shapes'
 * sum, and what stands in place of the 1 in N a + 1.
 */
static const double most_seen = 1.4, least_shapes = 2.15, sum_shape = 1.25;

/* The variance of a difference of shares: v(p_base) side[0] + v(p_new) side[1]. */
struct error_model {
    double side[2];
    double inside;
    double freedom;
};

static void error_model_init(struct error_model *e, const struct stats_design *d,
                             const struct stats_noise *noise, const struct stats_dispersion *s,
                             double strata, double inside, double caution)
{
    double plain = d->plain[0] + d->plain[1], c[2], scale;

    for (int g = 0; g < 2; g++)
        c[g] = d->plain[g] + caution * noise->rho * d->surplus[g];
    scale = fmax(s->scale, plain / (c[0] + c[1])) * strata;
    *e = (struct error_model){{scale * c[0], scale * c[1]},
                              inside,
                              s->freedom * (s->scale * (c[0] + c[1]) < plain ? floor_freedom : 1)};
}

/* V if `change` is the true one; the pooled share is `p`. */
static double variance_at(const struct error_model *e, double p, double change)
{
    double whole = e->side[0] + e->side[1], base = p - change * (e->side[0] / whole),
           new = p + change *(e->side[1] / whole);

    return fmax(0, stats_moments_unit(base, e->inside) * e->side[0] +
                       stats_moments_unit(new, e->inside) * e->side[1]);
}

static double pooled_share(const struct error_model *e, const double sides[2])
{
    return (sides[0] * e->side[1] + sides[1] * e->side[0]) / (e->side[0] + e->side[1]);
}

/* The roots of (change - x)^2 = t^2 variance_at(x). */
static void find_interval(struct stats_change *out, const struct error_model *e, double p, double t)
{
    double c0 = e->side[0], c1 = e->side[1], whole = c0 + c1, square = t * t;
    double b0 = c0 / whole, b1 = c1 / whole;
    double linear = (1 - 2 * e->inside * p) * (b1 * c1 - b0 * c0);
    double curve = 1 + square * e->inside * (b0 * b0 * c0 + b1 * b1 * c1);
    double middle = out->change + square * linear / 2;
    double rest = out->change * out->change - square * stats_moments_unit(p, e->inside) * whole;
    double root = middle * middle - curve * rest, half;

    if (curve > 0.1 && root >= 0) {
        half = sqrt(root) / curve;
        middle /= curve;
    } else { /* too few samples: the ratio's interval is unbounded */
        half = t * out->error;
        middle = out->change;
    }
    out->low = fmin(middle - half, out->change);
    out->high = fmax(middle + half, out->change);
}

/*
 * A function that grows makes the total grow by which it is measured. Returns the part of that
 * total that belongs to the others: 1 - P_new if all of its samples are in the total.
 */
static double others(const struct stats_design *d, double own, double new)
{
    return d->relative ? fmax(1 - own * new, 0.01) : 1;
}

/* A change relative to the other functions. */
static double relative(const struct stats_design *d, double own, double new, double change)
{
    return change / others(d, own, new);
}

/*
 * Shares that noise makes cannot be negative. If they are gamma with shape a = p (1 - rho) / rho, N
 * of them whose sum is S differ by squares of S^2 / (N a + 1), not of S: a large share that is
 * seen is large by chance, too. Returns by what rho is multiplied for this; p is that of all runs.
 */
static double seen_share(const struct stats_design *d, const struct stats_noise *noise,
                         const struct stats_moments *m)
{
    double runs = (double)(d->sides[0] + d->sides[1]) * (1 - noise->rho);

    return fmin(most_seen, runs * m->share / (runs * m->all_share + sum_shape * noise->rho));
}

/*
 * Given their sum S, the shares of both sides differ by S at most, so the tails of their difference
 * are light: if A is the sum of the shapes a, difference / S is distributed as t / sqrt(A + t^2),
 * with t of A degrees of freedom. Samples add normal noise, as if A were larger, the more the
 * smaller the part `between` of V is that noise between runs has. Returns by what the quantile of a
 * normal difference is multiplied.
 */
static double light_tails(const struct stats_design *d, const struct stats_noise *noise,
                          const struct stats_moments *m, double between, double level)
{
    double runs = (double)(d->sides[0] + d->sides[1]) * (1 - noise->rho), shapes, t;

    if (!(noise->rho > 0) || !(between > 0))
        return 1;
    shapes = fmax(runs * m->all_share / noise->rho, least_shapes);
    shapes = fmin((shapes + 3) / sqrt(sqrt(between)) - 3, STATS_MOST_FREEDOM);
    t = stats_student_quantile(level, shapes);
    return t * sqrt((shapes + 1) / (shapes + t * t)) / noise->normal;
}

/* Computes the interval of a change, in shares of the design's samples. */
static void add_interval(struct stats_change *out, const struct stats_design *d,
                         const struct stats_noise *noise, const struct stats_moments *m,
                         const struct stats_dispersion *s, double level)
{
    double seen = seen_share(d, noise, m), surplus, plain, p, part, t;
    struct error_model e;

    error_model_init(&e, d, noise,
                     &(struct stats_dispersion){.scale = s->fair, .freedom = s->freedom}, m->strata,
                     m->inside, seen);
    p = pooled_share(&e, m->sides);
    out->error = sqrt(variance_at(&e, p, 0));
    if (!(out->error > 0))
        return;
    plain = d->plain[0] + d->plain[1];
    surplus = seen * noise->rho * (d->surplus[0] + d->surplus[1]);
    t = stats_student_quantile(level, e.freedom) *
        light_tails(d, noise, m, surplus / (plain + surplus), level);
    find_interval(out, &e, p, t);
    part = e.side[1] / (e.side[0] + e.side[1]);
    out->low = relative(d, m->own, p + part * out->low, out->low);
    out->high = relative(d, m->own, p + part * out->high, out->high);
    out->error = relative(d, m->own, out->new, out->error);
}

/* Tests a change, in shares of the design's samples. */
static void test(struct stats_change *out, const struct stats_design *d,
                 const struct stats_noise *noise, const struct stats_moments *m, double level)
{
    struct stats_dispersion s;
    struct error_model e;
    double p;

    stats_noise_of(&s, noise, m);
    out->wild = s.wild;
    out->freedom = s.freedom;
    add_interval(out, d, noise, m, &s, level);
    if (!(out->error > 0))
        return;
    out->tested = true;
    error_model_init(&e, d, noise, &s, m->strata, m->inside, noise->caution);
    p = pooled_share(&e, m->sides);
    out->p = fmin(1, noise->split *
                         stats_student_tails(m->change / sqrt(variance_at(&e, p, 0)), e.freedom));
}

void stats_change_test(struct stats_change *out, const struct stats_design *d,
                       const struct stats_noise *noise, const struct stats_moments *m,
                       const struct stats_settings *settings)
{
    double unit = d->unit;

    *out = (struct stats_change){.base = m->sides[STATS_BASE],
                                 .new = m->sides[STATS_NEW],
                                 .change = m->change,
                                 .p = 1,
                                 .low = -1 / unit,
                                 .high = 1 / unit};
    if (noise->known && stats_noise_tests(settings, m, d))
        test(out, d, noise, m, settings->rate);
    out->base *= unit;
    out->change = relative(d, m->own, out->new, out->change) * unit;
    out->new = d->relative ? out->base + out->change : out->new *unit;
    out->error *= unit;
    out->low = fmin(out->low * unit, out->change);
    out->high = fmax(out->high * unit, out->change);
}

double stats_change_smallest(const struct stats_design *d, const struct stats_noise *noise,
                             const struct stats_moments *m, double base, double threshold,
                             const struct stats_settings *settings)
{
    struct stats_dispersion s = {.scale = noise->scale, .freedom = noise->prior};
    struct stats_noise likely = *noise;
    struct error_model careful, real;
    double low = 0, high = 1, test, reach, inside = m ? m->inside : 1, strata = m ? m->strata : 1;
    double own = m ? m->own : 1;

    if (!noise->known || !(threshold > 0))
        return 1;
    /*
     * An estimated variance is below its median in half of the comparisons, and the median of
     * chi-squared, (1 - 2 / (9 d))^3 d, is below its mean. If rho is estimated as 0, half of the
     * comparisons estimate it as more.
     */
    likely.rho = fmax(noise->rho * (1 + 2 / (3 * fmax(1, noise->rho_freedom))),
                      near_zero * noise->rho_error);
    if (m)
        stats_noise_of(&s, noise, m);
    error_model_init(&careful, d, &likely, &s, strata, inside, noise->caution);
    error_model_init(&real, d, &likely, &s, strata, inside, 1);
    test = stats_student_quantile(threshold / noise->split, careful.freedom);
    /* A function that happens to be wild is hardly ever found. */
    reach = stats_student_quantile(2 * (1 - power / (1 - STATS_WILD)), real.freedom);
    for (int n = 0; n < BISECTIONS; n++) {
        double x = low + (high - low) / 2;
        double sides[2] = {base / d->unit, (base + x) / d->unit};
        double p0 = pooled_share(&careful, sides), p1 = pooled_share(&real, sides);
        double least = settings->min_change * others(d, own, sides[STATS_NEW]);
        double need = fmax(test * d->unit * sqrt(variance_at(&careful, p0, 0)), least) +
                      reach * d->unit * sqrt(variance_at(&real, p1, x / d->unit));

        if (x < need)
            low = x;
        else
            high = x;
    }
    high = relative(d, own, (base + high) / d->unit, high);
    return high <= most_visible ? high : 1;
}
