/*
 * Tells whether libdw may run the rules of unwinding that a binary has (call frame information).
 *
 * For each address libdw runs the instructions of an entry from its begin, and copies all registers
 * at each instruction that remembers them. So no entry may be long, and the table that finds
 * entries by addresses may only lead to begins of entries, as it does in what linkers write.
 */
#ifndef INPUT_FORMATS_PERF_PERF_CFI_H
#define INPUT_FORMATS_PERF_PERF_CFI_H

#include <stdbool.h>

struct Elf;

bool perf_cfi_is_bounded(struct Elf *elf);

#endif
