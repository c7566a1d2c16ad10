#include "profile/symbol.h"

#include "unit/support/test.h"

static struct symbols symbols;

static void tear_down(void)
{
    symbols_release(&symbols);
}

TestSuite(profile_symbol, .fini = tear_down);

Test(profile_symbol, ids_count_up_in_the_order_of_first_sight)
{
    cr_expect_eq(symbols_add(&symbols, SLICE("main"), SYMBOL_USER), 0);
    cr_expect_eq(symbols_add(&symbols, SLICE("read"), SYMBOL_USER), 1);
    cr_expect_eq(symbols_add(&symbols, SLICE("main"), SYMBOL_USER), 0);
    cr_expect_eq(symbols_count(&symbols), 2);
}

Test(profile_symbol, name_and_class_together_are_the_identity)
{
    uint32_t user = symbols_add(&symbols, SLICE("read"), SYMBOL_USER);
    uint32_t kernel = symbols_add(&symbols, SLICE("read"), SYMBOL_KERNEL);

    cr_expect_neq(user, kernel);
    cr_expect(slice_equal(symbol_name(&symbols, user), symbol_name(&symbols, kernel)));
    cr_expect_eq(symbol_class(&symbols, user), SYMBOL_USER);
    cr_expect_eq(symbol_class(&symbols, kernel), SYMBOL_KERNEL);
}

struct row {
    const char *text, *name;
    enum symbol_class class;
};

Test(profile_symbol, reads_annotated_text)
{
    static const struct row rows[] = {
        {"main", "main", SYMBOL_USER},
        {"read_[k]", "read", SYMBOL_KERNEL},
        {"f_[i]", "f", SYMBOL_INLINED},
        {"f_[j]", "f", SYMBOL_JIT},
        {"f_[0]", "f", SYMBOL_INTERPRETED},
        {"f_[1]", "f", SYMBOL_BASELINE},
        {"f_[w]", "f", SYMBOL_WAKER},
        {"f_[G]", "f", SYMBOL_DEVICE},
        {"f_[g]", "f", SYMBOL_DEVICE_INSTRUCTION},
        {"f_[k]_[i]", "f_[k]", SYMBOL_INLINED},
        {"f_[x]", "f_[x]", SYMBOL_USER},
        {"f[k]", "f[k]", SYMBOL_USER},
        {"_[k]", "_[k]", SYMBOL_USER},
        {"-", "-", SYMBOL_SEPARATOR},
        {"--", "--", SYMBOL_SEPARATOR},
        {"---", "---", SYMBOL_USER},
        {"-_[k]", "-", SYMBOL_KERNEL},
        {"", "", SYMBOL_USER},
        {"caf\xc3\xa9", "caf\xc3\xa9", SYMBOL_USER},
        {"bad\xff_[k]", "bad\xef\xbf\xbd", SYMBOL_KERNEL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t id = symbols_add_annotated(&symbols, slice_str(rows[i].text));

        cr_expect(slice_equal(symbol_name(&symbols, id), slice_str(rows[i].name)),
                  "'%s' is named '%.*s'", rows[i].text, SLICE_ARG(symbol_name(&symbols, id)));
        cr_expect_eq(symbol_class(&symbols, id), rows[i].class, "'%s' has class %d", rows[i].text,
                     (int)symbol_class(&symbols, id));
    }
}

Test(profile_symbol, a_nul_inside_the_brackets_is_no_class)
{
    uint32_t id = symbols_add_annotated(&symbols, slice_make("f_[\0]", 5));

    cr_expect_eq(symbol_name(&symbols, id).len, 5);
    cr_expect_eq(symbol_class(&symbols, id), SYMBOL_USER);
}

Test(profile_symbol, suffix_and_annotated_text_agree)
{
    for (int class = 0; class < SYMBOL_SEPARATOR; class ++) {
        struct slice suffix = symbol_suffix((enum symbol_class) class);
        char text[16];
        uint32_t id;

        snprintf(text, sizeof(text), "name%.*s", SLICE_ARG(suffix));
        id = symbols_add_annotated(&symbols, slice_str(text));
        cr_expect_eq((int)symbol_class(&symbols, id), class);
        cr_expect_gt(symbol_class_word((enum symbol_class) class).len, 0);
    }
}

Test(profile_symbol, the_first_module_stays)
{
    uint32_t id = symbols_add(&symbols, SLICE("read"), SYMBOL_USER);

    cr_expect_eq(symbols.items.items[id].module, SYMBOL_NONE);
    symbols_set_module(&symbols, id, SLICE("libc.so.6"));
    symbols_set_module(&symbols, id, SLICE("other"));
    cr_expect(slice_equal(intern_get(&symbols.names, symbols.items.items[id].module),
                          SLICE("libc.so.6")));
}
