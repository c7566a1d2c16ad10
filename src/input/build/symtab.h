/*
 * A table of symbols, sorted by address: of a binary, of the kernel, or of code that was
 * compiled at run time.
 *
 * Of several symbols at one address the table keeps the one that perf keeps, so that both show
 * the same name. A symbol without a size ends where the next one begins; inside a symbol
 * with a size it is a label and left out. If symbols overlap, the one that begins last and contains
 * the address is found. The caller owns the names.
 */
#ifndef INPUT_BUILD_SYMTAB_H
#define INPUT_BUILD_SYMTAB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

enum symtab_binding { SYMTAB_LOCAL, SYMTAB_GLOBAL, SYMTAB_WEAK };

struct binary_symbol {
    uint64_t start, end; /* end is not part of it */
    struct slice name;
    uint32_t number; /* in the order in which they were added */
    uint32_t around; /* the nearest symbol before this one that ends later; UINT32_MAX for none */
    uint8_t binding;
};

enum { SYMTAB_MOST = 1 << 28 }; /* what is added beyond is left out */

struct symtab {
    VEC(struct binary_symbol) symbols;
};

void symtab_release(struct symtab *t);

void symtab_add(struct symtab *t, uint64_t start, uint64_t size, struct slice name,
                enum symtab_binding binding);

/*
 * Adds the symbols of /proc/kallsyms, "ffffffff81000000 T _text" and, for modules, a TAB and
 * "[ext4]"; of code and data alone.
 */
void symtab_add_kallsyms(struct symtab *t, struct slice text);

/* Sorts the table. No symbol may be added after that, and none found before. */
void symtab_sort(struct symtab *t);

/* Sorts a table in which a symbol that was added later hides what it covers of earlier ones. */
void symtab_sort_latest(struct symtab *t);

/* The symbol at an address, or NULL. */
const struct binary_symbol *symtab_find(const struct symtab *t, uint64_t address);

#endif
