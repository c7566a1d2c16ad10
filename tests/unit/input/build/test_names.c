#include "input/build/names.h"

#include "base/file.h"
#include "input/parse/suffix.h"
#include "unit/support/test.h"

/* Checks each row of names.tsv, the rules for names. */
struct row {
    struct slice name, clean, reference;
};

static void each_row(void check(const struct row *))
{
    static const char table[] = "tests/unit/input/build/names.tsv";
    struct buf file = {0}, why = {0};
    struct slice rest, line;
    unsigned rows = 0;

    cr_assert(file_read(table, 1 << 20, &file, &why), "%s: %s", table, buf_string(&why));
    rest = buf_slice(&file);
    while (slice_line(&rest, &line)) {
        struct row row;

        if (!line.len || line.ptr[0] == '#')
            continue;
        slice_cut(&line, '\t', &row.name);
        slice_cut(&line, '\t', &row.clean);
        row.reference = line;
        if (slice_equal(row.clean, SLICE("=")))
            row.clean = row.name;
        if (slice_equal(row.reference, SLICE("=")))
            row.reference = row.name;
        else if (slice_equal(row.reference, SLICE("-")))
            row.reference = SLICE("");
        check(&row);
        rows++;
    }
    cr_expect_geq(rows, 100);
    buf_release(&why);
    buf_release(&file);
}

static void check_clean(const struct row *row)
{
    struct buf out = {0};

    names_add_native(&out, row->name, true);
    cr_expect(slice_equal(buf_slice(&out), row->clean), "'%.*s' became '%s'", SLICE_ARG(row->name),
              buf_string(&out));
    buf_release(&out);
}

Test(input_names, are_cleaned)
{
    each_row(check_clean);
}

static void check_reference(const struct row *row)
{
    struct buf out = {0};

    names_add_reference(&out, suffix_strip_offset(row->name), false);
    cr_expect(slice_equal(buf_slice(&out), row->reference), "'%.*s' became '%s'",
              SLICE_ARG(row->name), buf_string(&out));
    buf_release(&out);
}

Test(input_names, are_as_the_reference_prints_them)
{
    struct buf out = {0};

    each_row(check_reference);
    names_add_reference(&out, SLICE("Lorg/a/B;::call"), true);
    names_add_reference(&out, SLICE("Load"), true);
    cr_expect_str_eq(buf_string(&out), "org/a/B:::callLoad");
    buf_release(&out);
}

static void check_twice(const struct row *row)
{
    struct buf once = {0}, twice = {0};

    names_add_native(&once, row->name, true);
    names_add_native(&twice, buf_slice(&once), true);
    cr_expect_str_eq(buf_string(&twice), buf_string(&once), "'%.*s'", SLICE_ARG(row->name));
    buf_release(&once);
    buf_release(&twice);
}

Test(input_names, cleaning_twice_changes_nothing)
{
    each_row(check_twice);
}

Test(input_names, of_java_have_no_suffixes)
{
    static const char *const table[][2] = {
        {"Ljava/lang/Thread;::run", "java/lang/Thread::run"},
        {"java/lang/Thread.run()V", "java/lang/Thread.run"},
        {"void java.lang.Thread.run()", "java.lang.Thread.run"},
        {"a/Fridge.cold", "a/Fridge.cold"},
        {"java.util.ArrayList.<init>(int)", "java.util.ArrayList.<init>"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        buf_clear(&out);
        names_add_java(&out, slice_str(table[i][0]));
        cr_expect_str_eq(buf_string(&out), table[i][1], "'%s' became '%s'", table[i][0],
                         buf_string(&out));
    }
    buf_release(&out);
}

Test(input_names, lose_addresses)
{
    static const char *const table[][2] = {
        {"f", "f"},
        {"0x", "0x"},
        {"0xg 0x1", "0xg 0x..."},
        {"Mix$$Lambda$5/0x00007fa444002000.test", "Mix$$Lambda$5/0x....test"},
        {"Mix$$Lambda$5/1467865483.test", "Mix$$Lambda$5/....test"},
        {"Mix$$Lambda$5.test/12", "Mix$$Lambda$5.test/12"},
        {"<0xAbC><00x1>", "<0x...><00x...>"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        buf_clear(&out);
        names_add_without_addresses(&out, slice_str(table[i][0]));
        cr_expect_str_eq(buf_string(&out), table[i][1], "'%s' became '%s'", table[i][0],
                         buf_string(&out));
    }
    buf_release(&out);
}

Test(input_names, lose_their_offset)
{
    static const char *const table[][2] = {
        {"main+0x1f", "main"},
        {"f+0x800054e0213b", "f"},
        {"main", "main"},
        {"main+0x", "main+0x"},
        {"main+1f", "main+1f"},
        {"+0x1f", ""},
        {"operator+0x10", "operator"},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct slice out = suffix_strip_offset(slice_str(table[i][0]));

        cr_expect(slice_equal(out, slice_str(table[i][1])), "'%s' became '%.*s'", table[i][0],
                  SLICE_ARG(out));
    }
}

/* Joins the parts of a chain with "|". */
static void split(bool next(struct slice *, struct slice *), const char *chain, struct buf *out)
{
    struct slice rest = slice_str(chain), name;

    buf_clear(out);
    while (next(&rest, &name)) {
        if (out->len)
            buf_add_char(out, '|');
        buf_add_slice(out, name);
    }
}

Test(input_names, chains_of_inlined_functions_are_cut_at_arrows)
{
    static const char *const table[][3] = {
        {"A::a->B::b->C.c", "A::a|B::b|C.c", "A::a|B::b|C.c"},
        {"A::a->B::b", "A::a|B::b", "A::a|B::b"},
        {"a->b->c", "a|b|c", "a|b|c"},
        {"A::a->b->C.c", "A::a|b|C.c", "A::a|b|C.c"},
        {"Cart->total", "Cart->total", "Cart|total"},
        {"plain", "plain", "plain"},
        {"A::operator->", "A::operator->", "A::operator"},
        {"A::operator->*", "A::operator->*", "A::operator|*"},
        {"f<fn(A) -> B>", "f<fn(A) -> B>", "f<fn(A) | B>"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (names_is_chain(slice_str(table[i][0])))
            split(names_next_inlined, table[i][0], &out);
        else
            buf_clear(&out), buf_add_str(&out, table[i][0]);
        cr_expect_str_eq(buf_string(&out), table[i][1], "'%s' became '%s'", table[i][0],
                         buf_string(&out));
        split(names_next_inlined_reference, table[i][0], &out);
        cr_expect_str_eq(buf_string(&out), table[i][2], "'%s' became '%s'", table[i][0],
                         buf_string(&out));
    }
    buf_release(&out);
}

static const struct {
    const char *module, *base;
    enum symbol_class clean, reference;
} modules[] = {
    {"[kernel.kallsyms]", "[kernel.kallsyms]", SYMBOL_KERNEL, SYMBOL_KERNEL},
    {"[guest.kernel.kallsyms]", "[guest.kernel.kallsyms]", SYMBOL_KERNEL, SYMBOL_KERNEL},
    {"[nf_conntrack]", "[nf_conntrack]", SYMBOL_KERNEL, SYMBOL_KERNEL},
    {"[unknown]", "[unknown]", SYMBOL_USER, SYMBOL_USER},
    {"[vdso]", "[vdso]", SYMBOL_USER, SYMBOL_KERNEL},
    {"[heap]", "[heap]", SYMBOL_USER, SYMBOL_KERNEL},
    {"/usr/lib/debug/boot/vmlinux", "vmlinux", SYMBOL_KERNEL, SYMBOL_KERNEL},
    {"/usr/lib/debug/boot/vmlinux-5.4.14", "vmlinux-5.4.14", SYMBOL_KERNEL, SYMBOL_USER},
    {"/lib/modules/5.4/kernel/net/mlx5_core.ko", "mlx5_core.ko", SYMBOL_KERNEL, SYMBOL_USER},
    {"/lib/modules/6.1/kernel/fs/ext4.ko.xz", "ext4.ko.xz", SYMBOL_KERNEL, SYMBOL_USER},
    {"bpf_prog_2b956549c660136a_uni_l4lb", "bpf_prog_2b956549c660136a_uni_l4lb", SYMBOL_KERNEL,
     SYMBOL_USER},
    {"/tmp/perf-123.map", "perf-123.map", SYMBOL_JIT, SYMBOL_JIT},
    {"/proc/9/root/tmp/perf-123.map", "perf-123.map", SYMBOL_JIT, SYMBOL_JIT},
    {"/tmp/perf-.map", "perf-.map", SYMBOL_USER, SYMBOL_USER},
    {"/opt/a/jit/jitted-9-1.so", "jitted-9-1.so", SYMBOL_JIT, SYMBOL_USER},
    {"inlined", "inlined", SYMBOL_INLINED, SYMBOL_USER},
    {"/usr/lib/libc.so.6", "libc.so.6", SYMBOL_USER, SYMBOL_USER},
    {"/usr/lib/libc.so.6 (deleted)", "libc.so.6", SYMBOL_USER, SYMBOL_USER},
    {"/usr/lib/libc.so.6+0x1f00", "libc.so.6", SYMBOL_USER, SYMBOL_USER},
    {"//anon", "anon", SYMBOL_USER, SYMBOL_USER},
    {"", "", SYMBOL_USER, SYMBOL_USER},
};

Test(input_names, modules_tell_the_class)
{
    for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
        struct slice module = slice_str(modules[i].module);
        struct slice base = names_module_base(module);

        cr_expect(slice_equal(base, slice_str(modules[i].base)), "'%s' is '%.*s'",
                  modules[i].module, SLICE_ARG(base));
        cr_expect_eq(names_module_class(module), modules[i].clean, "'%s'", modules[i].module);
        cr_expect_eq(names_module_class_reference(module), modules[i].reference, "'%s'",
                     modules[i].module);
    }
}
