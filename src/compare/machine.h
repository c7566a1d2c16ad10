/*
 * Functions that are the machine's: nearly all of their samples are in interrupts, which other
 * programs, devices and the clock cause (match/kernel_entry.h). They change with the load of the
 * machine, so they are not tested.
 */
#ifndef COMPARE_MACHINE_H
#define COMPARE_MACHINE_H

#include "compare/functions.h"

/* Marks these functions, and sets the parts of base and new that interrupts have. */
void machine_mark(struct functions *f);

#endif
