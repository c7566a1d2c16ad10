/*
 * The kernel's part of stacks, and what a comparison does with it if one side lacks it.
 */
#ifndef COMPARE_KERNEL_H
#define COMPARE_KERNEL_H

#include <stdbool.h>

#include "profile/profile.h"

enum kernel_use {
    KERNEL_COMPARED,   /* both sides have it, or none */
    KERNEL_LEFT_OUT,   /* samples in the kernel are not compared */
    KERNEL_OF_CALLERS, /* they count for the functions that called the kernel */
    KERNEL_ALONE,      /* only samples in the kernel are compared */
};

/*
 * Returns by node whether its function is the kernel's. A profile that marks no function as the
 * kernel's has the kernel below the functions that enter it (match/kernel_entry.h). The caller
 * frees the array.
 */
bool *kernel_nodes(const struct profile *p);

/* Whether stacks that end in the kernel, or do not, are not compared. */
static inline bool kernel_is_apart(enum kernel_use use, bool kernel)
{
    return use == KERNEL_LEFT_OUT ? kernel : use == KERNEL_ALONE && !kernel;
}

#endif
