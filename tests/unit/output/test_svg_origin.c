/*
 * Modules and source lines as they are encoded for the script.
 */

#include "output/svg_origin.h"

#include "unit/support/test.h"

static void expect_bytes(const struct symbols *symbols, const struct svg_tree_order *order,
                         enum svg_origin what, struct slice want)
{
    struct buf bytes = {0};

    svg_origin_write(symbols, order, what, &bytes);
    cr_expect(slice_equal(buf_slice(&bytes), want), "%d: %zu bytes instead of %zu", (int)what,
              bytes.len, want.len);
    buf_release(&bytes);
}

static void release(struct symbols *symbols, struct svg_tree_order *order)
{
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
    expect_bytes(&symbols, &order, SVG_ORIGIN_WHOLE, SLICE(""));
    release(&symbols, &order);
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
    expect_bytes(&symbols, &order, SVG_ORIGIN_PUBLIC, slice_make(want, sizeof(want) - 1));
    release(&symbols, &order);
}

/* Two paths that end alike are one text; modules of compiled code have one name. */
Test(output_svg_origin, paths_are_shortened)
{
    struct symbols symbols = {0};
    struct svg_tree_order order = {0};
    uint32_t id = add(&symbols, &order, "main");

    symbols_set_module(&symbols, id, SLICE("/a/so"));
    symbols_set_source(&symbols, id, SLICE("/a/c"), 1);
    id = add(&symbols, &order, "read");
    symbols_set_module(&symbols, id, SLICE("/b/so"));
    id = add(&symbols, &order, "jit");
    symbols_set_module(&symbols, id, SLICE("/tmp/jitted-17-3.so"));
    id = add(&symbols, &order, "jit too");
    symbols_set_module(&symbols, id, SLICE("perf-17.map"));
    expect_bytes(&symbols, &order, SVG_ORIGIN_PUBLIC,
                 slice_make("\3\2so\1c\5[jit]\1\1\3\3\2\0\0\0\1", 21));
    expect_bytes(&symbols, &order, SVG_ORIGIN_WHOLE,
                 slice_make("\4\5/a/so\4/a/c\5/b/so\5[jit]\1\3\4\4\2\0\0\0\1", 33));
    expect_bytes(&symbols, &order, SVG_ORIGIN_MODULES,
                 slice_make("\2\2so\5[jit]\1\1\2\2\0\0\0\0", 18));
    expect_bytes(&symbols, &order, SVG_ORIGIN_NONE, SLICE(""));
    release(&symbols, &order);
}
