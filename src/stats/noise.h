/*
 * How much a function's share differs from run to run when nothing has changed.
 *
 * Model: run i draws x_i ~ Binomial(n_i, q_i) with E q = p and Var q = rho p (1 - p), so
 *     Var y_i = v (1 / n_i + rho (1 - 1 / n_i)) s_k
 * rho is the correlation of two samples of one run, one number for a service; s_k scales it for
 * function k and is near 1. It is the quasi-likelihood of Lund, Nettleton, McCarthy and Smyth
 * (Stat. Appl. Genet. Mol. Biol. 11, 2012):
 *  1. rho is the mean over functions of (squares / plain - 1) / (surplus / plain), at least 0.
 *  2. u_k = squares / (plain + rho surplus) varies around 1 like s times F(d_k, d0), where d_k are
 *     the degrees of freedom of the function's runs. The maximum of its likelihood gives s and d0:
 *     few d0 if functions differ in their noise, many if they do not (Smyth, Stat. Appl. Genet.
 *     Mol. Biol. 3, 2004).
 *  3. s_k = (d_k u_k + d0 s) / (d_k + d0) with d_k + d0 degrees of freedom. In a test, s at least:
 *     few squares are chance more often than quietness. Intervals take s_k as it is, with fewer
 *     d_k where the function's share is skewed: its squares tell less (noise.c).
 *  4. A function whose u_k has a probability below STATS_WILD under chi-squared noise is `wild`:
 *     noisy in a way that the others are not, such as a cache that is warm in some runs only. It
 *     has its own variance, u_k with d_k degrees of freedom. If that probability is below
 *     STATS_WILD over all functions together, 1 and 2 are computed again without it (Phipson et
 *     al., Ann. Appl. Stat. 10, 2016).
 * Functions of one profile are not independent, so rho, s and d0 count as known with half the
 * degrees of freedom that they were estimated with.
 *
 * Without two runs on a side, and without a history of four labels with two runs each, the noise is
 * not known (`known` is false). With a history:
 *  - If the runs compared are noisier than the history, s is raised by that ratio.
 *  - If there is one run on each side, a finding must hold with `caution` = STATS_CAUTION times
 *    rho, because nothing shows that the runs compared are as alike as those before.
 * Without a history, p-values are raised by `split`: a program may have two modes, and if both are
 * equally frequent, R runs of the one side are all in one mode and those of the other side in the
 * other with probability 2^(1 - 2 R). What is left of the rate is for all other false findings.
 */
#ifndef STATS_NOISE_H
#define STATS_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/design.h"
#include "stats/moments.h"
#include "stats/prior.h"

#define STATS_CAUTION 2.0

/* Which functions are tested, and what is a finding; stats_settings_default() has the defaults. */
struct stats_settings {
    double min_share;  /* pooled share, as a part of 1 */
    double min_count;  /* pooled samples */
    double min_change; /* as a part of 1 */
    double rate;       /* of false discoveries, and 1 - level of the intervals */
};

struct stats_settings stats_settings_default(void);

struct stats_noise {
    bool known;
    double rho;
    double rho_error;   /* its standard error where rho is near 0 */
    double rho_freedom; /* degrees of freedom that it is estimated with */
    double scale;       /* s */
    double prior;       /* d0, less for what s, rho and d0 are estimated from */
    double caution;     /* of rho in tests: 1 or STATS_CAUTION */
    double split;       /* of p-values: 1 or more */
    double normal;      /* quantile of the intervals' level, if the noise were known exactly */
    size_t rows;        /* functions that it was estimated from */
};

/* What noise.h says of one function. */
struct stats_dispersion {
    double scale;   /* s_k, and s at least */
    double fair;    /* s_k */
    double freedom; /* degrees of freedom */
    bool wild;      /* point 4 above */
};

/* Whether a function has enough samples to be tested. */
bool stats_noise_tests(const struct stats_settings *settings, const struct stats_moments *m,
                       const struct stats_design *d);

/* Estimates the noise from the rows that are tested and pool. */
void stats_noise_fit(struct stats_noise *noise, const struct stats_design *d,
                     const struct stats_moments *rows, const bool *pools, size_t count,
                     const struct stats_settings *settings);

/* The noise that runs of this design show on average, if `rows` functions have this rho. */
void stats_noise_expect(struct stats_noise *noise, const struct stats_design *d, double rho,
                        size_t rows, const struct stats_settings *settings);

void stats_noise_of(struct stats_dispersion *out, const struct stats_noise *noise,
                    const struct stats_moments *m);

#endif
