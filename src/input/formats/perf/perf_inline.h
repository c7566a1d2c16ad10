/*
 * Functions that are inlined at an address, and its place in the source, from the DWARF of a
 * binary, by libdw; the line tables are read by input/build/line_table.h.
 *
 * The functions of a compilation unit are gathered when an address in it is looked up for the
 * first time, so that each further address of the unit costs a binary search; likewise its line
 * table. Units without entries in .debug_aranges are found by their own ranges. A damaged unit
 * ends where the damage is. Entries are visited in the order of their bytes, each once, and what
 * libdw does for one binary is counted in steps and bounded, as are the steps of its line tables.
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

/* What libdw did so far, in steps: a test asserts that it is linear. */
uint64_t perf_inline_steps(const struct perf_inline *p);

/* A place in the source; the file is empty, or the line 0, if it is not known. */
struct perf_place {
    struct slice file; /* a path */
    uint32_t line;
};

/* A function at an address. */
struct perf_function {
    struct slice name;
    struct perf_place place; /* where it is: at the address, or at the call that was inlined */
    bool is_base;            /* the others are inlined into it */
};

/*
 * Fills `found` with the functions at an address, the innermost first and the one that contains
 * the code last, and `*place` with the place of the address. Names are those of the linker, which
 * may be mangled; the last one is empty if only the symbol table has it. Returns the number of
 * functions, 0 if none is known or `found` is NULL. Texts belong to `p`.
 */
unsigned perf_inline_find(struct perf_inline *p, uint64_t address, struct perf_place *place,
                          struct perf_function found[PERF_INLINE_MOST]);

/* The place where the function begins whose first address this is. */
struct perf_place perf_inline_find_start(struct perf_inline *p, uint64_t address);

#endif
