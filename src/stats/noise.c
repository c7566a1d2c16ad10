#include "stats/noise.h"

#include <math.h>

#include "base/die.h"
#include "stats/prior.h"
#include "stats/student.h"
#include "stats/sum.h"

/* Least degrees of freedom that say something of the noise: of the runs compared, of a history. */
static const double least_now = 1.5;
static const double least_earlier = 3.5;
enum { ROUNDS = 3 };

struct stats_settings stats_settings_default(void)
{
    return (struct stats_settings){
        .min_share = 0.005, .min_count = 10, .min_change = 0.005, .rate = 0.05};
}

/* Whether the samples are enough, and not of one run alone if there are more than two runs. */
static bool enough(const struct stats_settings *settings, double count, double share, double most,
                   size_t runs)
{
    return count >= settings->min_count && share >= settings->min_share &&
           (runs <= 2 || count - most >= settings->min_count / 2) &&
           (runs <= 2 || (count - most) * share >= settings->min_share / 2 * count);
}

bool stats_noise_tests(const struct stats_settings *settings, const struct stats_moments *m,
                       const struct stats_design *d)
{
    return stats_moments_unit(m->share, m->inside) > 0 &&
           enough(settings, m->count, m->share, m->most,
                  d->sides[STATS_BASE] + d->sides[STATS_NEW]);
}

static struct stats_ratio ratio_of(const struct stats_moments *m, double rho)
{
    double expected = m->plain + rho * m->surplus;
    double spread = m->spread[0] + rho * (m->spread[1] + rho * m->spread[2]);

    if (!(expected > 0) || !(spread > 0))
        return (struct stats_ratio){1, 0};
    return (struct stats_ratio){m->squares * (expected / spread) / (expected * expected / spread),
                                expected * expected / spread};
}

/*
 * The squares of a skewed share inform less than those of a normal one. Returns the factor of their
 * degrees of freedom: 1 / (1 + kappa / 2), with the excess kurtosis kappa = 6 / a of a gamma
 * distribution of shape a = p (1 - rho) / rho.
 */
static double remaining_freedom(const struct stats_moments *m, double rho)
{
    double part = m->all_share * (1 - rho);

    return part > 0 ? part / (part + 3 * rho) : 1;
}

/* The rows that noise is estimated from. */
struct sample {
    const struct stats_moments **rows;
    struct stats_ratio *ratios;
    bool *left_out;
    size_t count;
};

/*
 * Says how well rho is known from functions that count for `equivalents` normal ones: they count
 * half, since they depend on each other, and where rho is 0, squares / plain has a variance of 2 /
 * d.
 */
static void set_error(struct stats_noise *noise, double freedom, double equivalents, double surplus)
{
    noise->rho_freedom = fmax(1, freedom * equivalents / 2);
    noise->rho_error = surplus > 0 ? sqrt(2 / noise->rho_freedom) / surplus : 0;
}

/* Returns for how many normal functions those that rho is read from count. */
static double equivalent_rows(const struct sample *s, double rho)
{
    struct stats_sum equivalents = {0};

    for (size_t k = 0; k < s->count; k++)
        if (!s->left_out[k] && s->rows[k]->plain > 0)
            stats_sum_add(&equivalents, remaining_freedom(s->rows[k], rho));
    return stats_sum_value(&equivalents);
}

/* Sets rho and its error. */
static void fit_rho(struct stats_noise *noise, const struct sample *s, double freedom)
{
    struct stats_sum over = {0}, under = {0};
    double rows = 0, rho;

    for (size_t k = 0; k < s->count; k++) {
        if (s->left_out[k] || !(s->rows[k]->plain > 0))
            continue;
        stats_sum_add(&over, s->rows[k]->squares / s->rows[k]->plain - 1);
        stats_sum_add(&under, s->rows[k]->surplus / s->rows[k]->plain);
        rows++;
    }
    noise->rho = noise->rho_error = 0;
    noise->rho_freedom = 1;
    if (!(stats_sum_value(&under) > 0))
        return;
    rho = stats_sum_value(&over) / stats_sum_value(&under);
    noise->rho = rho > 0 ? fmin(rho, 0.5) : 0;
    set_error(noise, freedom, equivalent_rows(s, noise->rho), stats_sum_value(&under) / rows);
}

static void fit_round(struct stats_noise *noise, struct sample *s, double runs_freedom)
{
    fit_rho(noise, s, runs_freedom);
    for (size_t k = 0; k < s->count; k++)
        s->ratios[k] = ratio_of(s->rows[k], noise->rho);
    stats_prior_fit(&noise->scale, &noise->prior, s->ratios, s->left_out, s->count);
}

/* Uses the noise of the compared runs if it is higher than that of the history. */
static void raise_to_now(struct stats_noise *noise, const struct stats_design *d,
                         const struct sample *s)
{
    struct stats_sum ratios = {0};
    double rows = 0, ratio;

    for (size_t k = 0; k < s->count; k++) {
        double expected = s->rows[k]->now.plain + noise->rho * s->rows[k]->now.surplus;

        if (s->left_out[k] || !(expected > 0))
            continue;
        stats_sum_add(&ratios, s->rows[k]->now.squares / expected);
        rows++;
    }
    ratio = rows > 0 ? stats_sum_value(&ratios) / rows : 0;
    if (!(ratio > 1))
        return;
    noise->scale *= ratio;
    noise->prior = fmin(noise->prior, rows * d->compared / 2);
}

static bool has_history(const struct stats_design *d)
{
    return d->freedom - d->compared >= least_earlier;
}

static bool can_know(const struct stats_design *d)
{
    return stats_design_compares(d) && (d->compared >= least_now || has_history(d));
}

/*
 * With two modes that are equally frequent, all runs of one side are in one mode and those of the
 * other side in the other mode with this probability. It is taken off the rate of false findings,
 * by raising all p-values; for two runs a side as if they were three, because nothing would be
 * left.
 */
static double split_factor(const struct stats_design *d, double rate)
{
    double runs = fmax(6, (double)(d->sides[STATS_BASE] + d->sides[STATS_NEW])), split = 2;

    if (has_history(d))
        return 1; /* it shows the modes */
    for (double n = 0; n < fmin(runs, 60); n++)
        split /= 2;
    return rate > 1.25 * split ? rate / (rate - split) : 5;
}

void stats_noise_fit(struct stats_noise *noise, const struct stats_design *d,
                     const struct stats_moments *rows, const bool *pools, size_t count,
                     const struct stats_settings *settings)
{
    struct sample s = {0};

    *noise = (struct stats_noise){.scale = 1, .caution = 1, .split = 1, .rho_freedom = 1};
    if (!can_know(d))
        return;
    s.rows = xreallocarray(NULL, count, sizeof(*s.rows));
    s.ratios = xcalloc(count, sizeof(*s.ratios));
    s.left_out = xcalloc(count, sizeof(*s.left_out));
    for (size_t k = 0; k < count; k++)
        if (pools[k] &&
            enough(settings, rows[k].all_count, rows[k].all_share, rows[k].all_most, d->count))
            s.rows[s.count++] = &rows[k];
    noise->rows = s.count;
    noise->known = s.count > 0;
    noise->normal = stats_student_quantile(settings->rate, STATS_MOST_FREEDOM);
    noise->split = split_factor(d, settings->rate);
    noise->caution = d->compared < least_now ? STATS_CAUTION : 1;
    for (int n = 0; n < ROUNDS && s.count > 0; n++)
        fit_round(noise, &s, d->freedom);
    if (s.count && d->compared >= least_now && has_history(d))
        raise_to_now(noise, d, &s);
    free(s.rows);
    free(s.ratios);
    free(s.left_out);
}

/* Returns what a row has of surplus for each unit of plain, if it is alike in all runs. */
static double surplus_of(const struct stats_design *d)
{
    struct stats_sum surplus = {0};

    for (size_t c = 0; c < 2 * d->blocks; c++)
        stats_sum_add(&surplus, d->cells[c].surplus);
    return d->freedom > 0 ? stats_sum_value(&surplus) / d->freedom : 0;
}

void stats_noise_expect(struct stats_noise *noise, const struct stats_design *d, double rho,
                        size_t rows, const struct stats_settings *settings)
{
    double pooled = (double)rows * d->freedom / 2;

    *noise = (struct stats_noise){
        .scale = 1, .caution = 1, .split = 1, .rho_freedom = 1, .rho = rho, .rows = rows};
    if (!can_know(d) || !rows)
        return;
    noise->known = true;
    noise->normal = stats_student_quantile(settings->rate, STATS_MOST_FREEDOM);
    set_error(noise, d->freedom, (double)rows, surplus_of(d));
    noise->prior = 1 / (1 / STATS_PRIOR_MOST + 1 / pooled);
    noise->split = split_factor(d, settings->rate);
    noise->caution = d->compared < least_now ? STATS_CAUTION : 1;
}

/* The scale of a function whose squares `u` have `freedom`. */
static double mixed_scale(const struct stats_noise *noise, double freedom, double u)
{
    return (freedom * u + noise->prior * noise->scale) / (freedom + noise->prior);
}

void stats_noise_of(struct stats_dispersion *out, const struct stats_noise *noise,
                    const struct stats_moments *m)
{
    struct stats_ratio r = ratio_of(m, noise->rho);

    *out = (struct stats_dispersion){
        .scale = noise->scale, .fair = noise->scale, .freedom = noise->prior};
    if (!(r.freedom > 0))
        return;
    out->wild = r.u > noise->scale &&
                stats_fisher_tail(r.u / noise->scale, r.freedom, STATS_MOST_FREEDOM) < STATS_WILD;
    if (out->wild) {
        out->scale = out->fair = r.u;
        out->freedom = r.freedom;
    } else {
        out->freedom = r.freedom + noise->prior;
        out->scale = fmax(mixed_scale(noise, r.freedom, r.u), noise->scale);
        out->fair = mixed_scale(noise, r.freedom * remaining_freedom(m, noise->rho), r.u);
    }
}
