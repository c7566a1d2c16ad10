#include "stats/prior.h"

#include <math.h>

#include "base/die.h"
#include "stats/elementary.h"
#include "stats/student.h"
#include "stats/sum.h"

enum { SCALE_STEPS = 30 };

struct sample {
    const struct stats_ratio *ratios;
    const bool *left_out;
    size_t count;
};

/* The scale that makes the likelihood of s F(d, d0) largest, by the EM step of t distributions. */
static double fit_scale(const struct sample *s, double prior)
{
    double scale = 1;

    for (int n = 0; n < SCALE_STEPS; n++) {
        struct stats_sum over = {0}, under = {0};

        for (size_t k = 0; k < s->count; k++) {
            double d = s->left_out[k] ? 0 : s->ratios[k].freedom, u = s->ratios[k].u;

            stats_sum_add(&over, d * u * (d + prior) / (prior + d * u / scale));
            stats_sum_add(&under, d);
        }
        if (!(stats_sum_value(&over) > 0))
            break;
        scale = stats_sum_value(&over) / stats_sum_value(&under);
    }
    return scale;
}

static double log_likelihood(const struct sample *s, double prior, double scale)
{
    struct stats_sum sum = {0};
    double constant = stats_lgamma(prior / 2);

    for (size_t k = 0; k < s->count; k++) {
        double d = s->ratios[k].freedom, u = s->ratios[k].u;

        if (s->left_out[k] || !(d > 0))
            continue;
        stats_sum_add(&sum, stats_lgamma((d + prior) / 2) - stats_lgamma(d / 2) - constant +
                                d / 2 * stats_log(d / prior / scale) -
                                (d + prior) / 2 * stats_log1p(d * u / scale / prior));
    }
    return stats_sum_value(&sum);
}

void stats_prior_fit(double *scale, double *freedom, const struct stats_ratio *ratios,
                     bool *left_out, size_t count)
{
    static const double priors[] = {2, 3, 4, 6, 8, 12, 16, STATS_PRIOR_MOST};
    const struct sample s = {ratios, left_out, count};
    struct stats_sum sum = {0};
    double best = 0, pooled;

    for (size_t n = 0; n < sizeof(priors) / sizeof(*priors); n++) {
        double likely = fit_scale(&s, priors[n]);
        double likelihood = log_likelihood(&s, priors[n], likely);

        if (n == 0 || likelihood >= best) {
            best = likelihood;
            *scale = likely;
            *freedom = priors[n];
        }
    }
    for (size_t k = 0; k < count; k++) {
        stats_sum_add(&sum, left_out[k] ? 0 : ratios[k].freedom);
        left_out[k] = stats_fisher_tail(ratios[k].u / *scale, ratios[k].freedom,
                                        STATS_MOST_FREEDOM) < STATS_WILD / (double)count;
    }
    pooled = stats_sum_value(&sum) / 2;
    *freedom = pooled > 0 ? 1 / (1 / *freedom + 1 / pooled) : 0;
}
