#include "compare/kernel.h"

#include <stdlib.h>

#include "match/kernel_entry.h"

/* Returns by symbol whether its function is the kernel's, or enters it if none is marked. */
static bool *find_symbols(const struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    bool *kernel = xcalloc((size_t)count + 1, sizeof(*kernel)), marked = false;

    for (uint32_t i = 0; i < count; i++)
        marked |= kernel[i] = symbol_class(&p->symbols, i) == SYMBOL_KERNEL;
    for (uint32_t i = 0; i < count && !marked; i++)
        kernel[i] = symbol_class(&p->symbols, i) == SYMBOL_USER &&
                    kernel_entry_is(symbol_name(&p->symbols, i));
    return kernel;
}

bool *kernel_nodes(const struct profile *p)
{
    const struct stacks *stacks = &p->stacks;
    bool *symbols = find_symbols(p);
    bool *nodes = xcalloc(stacks->count, sizeof(*nodes));

    for (uint32_t id = 1; id < stacks->count; id++) {
        enum symbol_class class = symbol_class(&p->symbols, stacks->symbol[id]);
        bool other = symbol_class_is_waker(class) || !symbol_class_is_function(class);

        /* What the kernel calls is the kernel's, except the stack of a thread that it wakes. */
        nodes[id] = symbols[stacks->symbol[id]] || (nodes[stacks->parent[id]] && !other);
    }
    free(symbols);
    return nodes;
}
