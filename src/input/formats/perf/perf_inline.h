/*
 * The functions that were inlined at an address of a binary, by its debug information (DWARF).
 */
#ifndef INPUT_FORMATS_PERF_PERF_INLINE_H
#define INPUT_FORMATS_PERF_PERF_INLINE_H

#include <stdint.h>

#include "base/slice.h"

struct Dwarf;
struct perf_elf;

enum { PERF_INLINE_MOST = 64 };

/* Returns the debug information of a binary, which must outlive it, or NULL. */
struct Dwarf *perf_inline_open(const struct perf_elf *e);
void perf_inline_close(struct Dwarf *dwarf);

/*
 * Fills `names` with the functions at an address, the innermost first, the last one that which
 * contains the others. Linkers' names if there are any. Returns how many, 0 if it is not known.
 */
unsigned perf_inline_find(struct Dwarf *dwarf, uint64_t address,
                          struct slice names[PERF_INLINE_MOST]);

#endif
