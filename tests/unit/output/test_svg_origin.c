/*
 * Modules and source lines as they are encoded for the script.
 */
#include <criterion/criterion.h>

#include "output/svg_origin.h"

static void expect_bytes(struct symbols *symbols, struct svg_tree_order *order, struct slice want)
{
    struct buf bytes = {0};

    svg_origin_write(symbols, order, &bytes);
    cr_expect(slice_equal(buf_slice(&bytes), want), "%zu bytes instead of %zu", bytes.len,
              want.len);
    buf_release(&bytes);
    vec_release(&order->symbols);
    symbols_release(symbols);
}

static uint32_t add(struct symbols *symbols, struct svg_tree_order *order, const char *name)
{
    uint32_t id = symbols_add(symbols, slice_str(name), SYMBOL_USER);

    *vec_add(&order->symbols) = id;
    return id;
}

Test(output_svg_origin, nothing_is_written_if_nothing_is_known)
{
    struct symbols symbols = {0};
    struct svg_tree_order order = {0};

    add(&symbols, &order, "main");
    add(&symbols, &order, "read");
    expect_bytes(&symbols, &order, SLICE(""));
}

Test(output_svg_origin, each_text_is_written_once)
{
    static const char want[] = "\2\2so\1c" /* texts */
                               "\1\0\1"    /* modules */
                               "\2\2\0"    /* files */
                               "\254\2\0"; /* lines */
    struct symbols symbols = {0};
    struct svg_tree_order order = {0};
    uint32_t id = add(&symbols, &order, "main");

    symbols_set_module(&symbols, id, SLICE("so"));
    symbols_set_source(&symbols, id, SLICE("c"), 300);
    id = add(&symbols, &order, "read");
    symbols_set_source(&symbols, id, SLICE("c"), 0);
    id = add(&symbols, &order, "write");
    symbols_set_module(&symbols, id, SLICE("so"));
    expect_bytes(&symbols, &order, slice_make(want, sizeof(want) - 1));
}
