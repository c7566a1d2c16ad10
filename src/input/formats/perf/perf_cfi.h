/*
 * Bounds what libdw does to unwind by the rules that a binary has (call frame information).
 *
 * For each address libdw runs the instructions of an entry from the start, and copies all registers
 * at each instruction that remembers them. So no entry may be long, the table that finds entries by
 * address may only lead to where entries start, as it does in what linkers write, and the cost of
 * an address's entry is charged to the budget.
 */
#ifndef INPUT_FORMATS_PERF_PERF_CFI_H
#define INPUT_FORMATS_PERF_PERF_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct Elf;

/* Addresses that one entry, or several that overlap, have rules for. */
struct perf_cfi_span {
    uint64_t begin, end;
    uint64_t cost; /* steps, of the dearest entry */
};

/* Zeroed, there are no rules. */
struct perf_cfi {
    VEC(struct perf_cfi_span) spans; /* by addresses of the binary */
};

/* Returns false if libdw may not run the rules: they are unusual or too long. */
bool perf_cfi_read(struct perf_cfi *c, struct Elf *elf);
void perf_cfi_release(struct perf_cfi *c);

/* The steps that libdw takes at most for an address of the binary. */
uint64_t perf_cfi_cost(const struct perf_cfi *c, uint64_t address);

#endif
