#include "compare/keys.h"

#include "compare/names.h"

void compare_keys_learn(struct compare_keys *keys, const struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    bool *deep = xcalloc((size_t)count + 1, sizeof(*deep));
    bool owners = false;

    for (uint32_t i = 0; i < count; i++)
        owners |= symbol_class_is_owner(symbol_class(&p->symbols, i));
    for (uint32_t id = 1; id < p->stacks.count; id++)
        deep[p->stacks.symbol[id]] |= owners || p->stacks.parent[id] != STACK_ROOT;
    for (uint32_t i = 0; i < count; i++)
        if (deep[i])
            intern_add(&keys->deep, symbol_name(&p->symbols, i));
    xfree(deep);
}

void compare_keys_release(struct compare_keys *keys)
{
    intern_release(&keys->deep);
}

bool compare_keys_is_function(const struct compare_keys *keys, const struct symbols *symbols,
                              uint32_t symbol)
{
    return !symbol_class_is_owner(symbol_class(symbols, symbol)) &&
           intern_find(&keys->deep, symbol_name(symbols, symbol)) != MAP_NONE;
}

void compare_keys_add(const struct compare_keys *keys, const struct symbols *symbols,
                      uint32_t symbol, struct buf *out)
{
    struct slice name = symbol_name(symbols, symbol);

    if (symbol_class_is_owner(symbol_class(symbols, symbol)))
        compare_process_name_add(out, name);
    else if (compare_keys_is_function(keys, symbols, symbol))
        compare_name_add(out, name);
    else
        compare_thread_name_add(out, name);
}
