/*
 * Functions that are inlined at an address, from the DWARF of a binary, by libdw.
 *
 * The functions of a compilation unit are gathered when an address in it is looked up for the
 * first time, so that each further address of the unit costs a binary search. Units without
 * entries in .debug_aranges are found by their own ranges. A damaged unit ends where the damage
 * is; the entries that are visited in one binary are bounded.
 */
#ifndef INPUT_FORMATS_PERF_PERF_INLINE_H
#define INPUT_FORMATS_PERF_PERF_INLINE_H

#include <stdint.h>

#include "base/slice.h"

struct binary;
struct perf_inline;

enum { PERF_INLINE_MOST = 64 }; /* functions at one address */

/* Returns NULL if the binary has no DWARF. The binary must outlive it. */
struct perf_inline *perf_inline_new(const struct binary *e);
/* `p` may be NULL. */
void perf_inline_free(struct perf_inline *p);

/*
 * Fills `names` with the functions at an address, the innermost first and the one that contains
 * the code last. Names are those of the linker, which may be mangled; the last one is empty if only
 * the symbol table has it. Returns their number, 0 if there is nothing about the address.
 */
unsigned perf_inline_find(struct perf_inline *p, uint64_t address,
                          struct slice names[PERF_INLINE_MOST]);

#endif
