/*
 * Many tests at once: Benjamini and Hochberg's limit on false discoveries.
 *
 * Of m p-values the k smallest are findings, k being the largest number for which the k-th smallest
 * is at most rate k / m. Then at most the part `rate` of the findings is false on average, and if
 * nothing has changed, any finding at all is that improbable (J. R. Stat. Soc. B 57, 1995).
 */
#ifndef STATS_DISCOVERY_H
#define STATS_DISCOVERY_H

#include <stddef.h>

struct stats_discovery {
    size_t tested, found;
    double threshold; /* a p-value up to this is a finding; 0 if there is none */
    double next;      /* the p-value with which one more function would be a finding */
};

/*
 * Tests `count` p-values; q[i], if `q` is not NULL, becomes the smallest rate at which p[i] is a
 * finding. The order of the p-values does not matter.
 */
void stats_discovery_of(struct stats_discovery *out, const double *p, size_t count, double rate,
                        double *q);

#endif
