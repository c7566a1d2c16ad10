/*
 * The functions through which a CPU enters the kernel, by their names.
 *
 * Where a profile does not say which functions are the kernel's, everything below such a function
 * is. What is below the entry of an interrupt is the machine's work, not the program's: its timer,
 * its devices, and other threads that take the CPU.
 */
#ifndef MATCH_KERNEL_ENTRY_H
#define MATCH_KERNEL_ENTRY_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether a function is at the root of the kernel's part of stacks. */
bool kernel_entry_is(struct slice name);

/* Whether an interrupt enters the kernel through a function, or the work of interrupts begins. */
bool kernel_entry_is_interrupt(struct slice name);

#endif
