/*
 * Student's t and Fisher's F distribution, by the regularised incomplete beta function.
 *
 * With I_x(a, b) the regularised incomplete beta function:
 *     P(|T| > t) = I_x(df / 2, 1 / 2),  x = df / (df + t^2)                        for Student's t
 *     P(F > f)   = I_x(d2 / 2, d1 / 2), x = d2 / (d2 + d1 f)                       for F(d1, d2)
 * I_x is computed by its continued fraction (NIST Digital Library of Mathematical Functions,
 * 8.17.22) with the method of Lentz (Press et al., Numerical Recipes, 3rd edition, section 6.4).
 * Results agree with published tables to 1e-10. Degrees of freedom are limited to
 * STATS_MOST_FREEDOM, where t is the normal distribution for all purposes here, and to 0.01 below.
 */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

#define STATS_MOST_FREEDOM 1e5

/* P(|T| > |t|): the two-sided p-value of `t`. */
double stats_student_tails(double t, double df);
/* The t >= 0 of which P(|T| > t) is `tails`, for 1e-300 <= tails <= 1. */
double stats_student_quantile(double tails, double df);
/* P(F > f). */
double stats_fisher_tail(double f, double d1, double d2);

#endif
