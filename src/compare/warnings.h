/*
 * Warns of differences between the runs of two sides that are not in the program, such as another
 * kernel or CPU.
 */
#ifndef COMPARE_WARNINGS_H
#define COMPARE_WARNINGS_H

#include "compare/comparison.h"

/* The runs of one service, with the side of each. */
struct sided_run {
    const struct run *run;
    enum stats_side side;
};

/*
 * Adds a sentence for each fact that differs between base and new, for lost samples, and for
 * `unknown`, the parts of base and new in functions without a name. Returns whether the kernels
 * differ.
 */
bool warnings_add(struct compared_service *s, const struct sided_run *runs, size_t count,
                  const double unknown[2], struct arena *memory);

#endif
