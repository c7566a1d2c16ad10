/*
 * Random numbers of the simulations: a generator with a seed, and the distributions they need.
 *
 * xoshiro256** (Blackman and Vigna), gamma by Marsaglia and Tsang's method, multinomials by sorted
 * uniform numbers or by binomials, whichever is faster.
 */
#ifndef STATISTICS_RANDOM_H
#define STATISTICS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_init(struct random *r, uint64_t seed);
/* Returns a number in (0, 1), uniformly distributed. */
double random_uniform(struct random *r);
double random_normal(struct random *r);
double random_gamma(struct random *r, double shape);
/* Returns the number of successes in `n` trials. */
double random_binomial(struct random *r, double n, double p);
/* Distributes `n` over classes with these weights. */
void random_multinomial(struct random *r, double n, const double *weights, size_t classes,
                        double *counts);

#endif
