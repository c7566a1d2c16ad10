/*
 * How far numbers of samples support a change.
 *
 * Sampling is counting: a frame met in k samples has a standard error of sqrt(k) samples (Poisson;
 * Knoll, "Radiation Detection and Measurement", chapter 3). So the change of a frame from the
 * weight `base` to `now` has the error sqrt(now * n + base * b), where n and b are the weights of a
 * sample of either side (profile_sample_weight()). Where nothing changed, changes below two errors
 * are common; a graph has many frames, so only a change of four errors counts in full.
 *
 * The error is that of sampling alone. Two runs of the same program differ by more, which two
 * profiles cannot show; stats/noise.h measures it from several.
 */
#ifndef TREE_EVIDENCE_H
#define TREE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Standard errors up to which a change counts for nothing, and from which it counts in full. */
enum { EVIDENCE_NONE = 2, EVIDENCE_FULL = 4 };

/* The weight of a sample of each side; 0 if it is not known. */
struct evidence {
    double now, base;
};

static inline bool evidence_is_known(const struct evidence *e)
{
    return e->now > 0 && e->base > 0;
}

/* Returns how far a change is supported, from 0 to 1; 1 if the weight of a sample is not known. */
double evidence_of(const struct evidence *e, uint64_t now, uint64_t base);

#endif
