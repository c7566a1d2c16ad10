/*
 * A table of symbols, sorted by address: of a binary, of the kernel, or of code that was
 * compiled at run time.
 *
 * Of several symbols at one address the table keeps the one that perf keeps, so that both show
 * the same name. A symbol without a size ends where the next one begins; inside of one with a
 * size it is a label and left out. Where symbols overlap, the one that begins last and contains
 * the address is found. The names stay with the caller.
 */
#ifndef INPUT_FORMATS_PERF_PERF_SYMTAB_H
#define INPUT_FORMATS_PERF_PERF_SYMTAB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

enum perf_binding { PERF_LOCAL, PERF_GLOBAL, PERF_WEAK };

struct perf_symbol {
    uint64_t start, end; /* end is not part of it */
    struct slice name;
    uint32_t number; /* in the order in which they were added */
    uint32_t around; /* the nearest symbol before this one that ends later; UINT32_MAX for none */
    uint8_t binding;
};

enum { PERF_SYMBOLS_MOST = 1 << 28 }; /* what is added beyond is left out */

struct perf_symtab {
    VEC(struct perf_symbol) symbols;
};

void perf_symtab_release(struct perf_symtab *t);

void perf_symtab_add(struct perf_symtab *t, uint64_t start, uint64_t size, struct slice name,
                     enum perf_binding binding);

/* Sorts the table. No symbol may be added after that, and none found before. */
void perf_symtab_sort(struct perf_symtab *t);

/* Sorts a table in which a symbol that was added later hides what it covers of earlier ones. */
void perf_symtab_sort_latest(struct perf_symtab *t);

/* The symbol at an address, or NULL. */
const struct perf_symbol *perf_symtab_find(const struct perf_symtab *t, uint64_t address);

#endif
