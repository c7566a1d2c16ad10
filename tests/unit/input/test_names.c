#include "input/names.h"

#include <criterion/criterion.h>

/* The rules for names, case by case. */
static const struct {
    const char *name, *clean, *reference;
} cases[] = {
    /* plain */
    {"main", "main", "main"},
    {"", "", ""},
    {"std::vector<int, std::allocator<int> >::push_back",
     "std::vector<int, std::allocator<int> >::push_back",
     "std::vector<int, std::allocator<int> >::push_back"},
    {"a;b", "a:b", "a:b"},
    {"say \"hello\"", "say \"hello\"", "say hello"},
    {"main::'lambda'", "main::'lambda'", "main::lambda"},
    /* argument lists */
    {"foo(int, char)", "foo", "foo"},
    {"ns::foo(int) const", "ns::foo", "ns::foo"},
    {"foo(int) [clone .isra.0]", "foo", "foo"},
    {"void foo<int>(int)", "void foo<int>", "void foo<int>"},
    {"foo (int)", "foo", "foo "},
    {"unbalanced(int", "unbalanced", "unbalanced"},
    /* parentheses inside other brackets */
    {"std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()",
     "std::function<void "},
    {"f<g(int)>(int)", "f<g(int)>", "f<g"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()",
     "main::{lambda"},
    {"-[NSString(Category) length:]", "-[NSString(Category) length:]", "-[NSString"},
    /* a scope's arguments go, the rest stays */
    {"run(int)::{lambda()#1}::operator()() const", "run::{lambda()#1}::operator()", "run"},
    {"main::'lambda'(int)::operator()(int) const", "main::'lambda'::operator()", "main::lambda"},
    /* parentheses that are names */
    {"(anonymous namespace)::crunch(int)", "(anonymous namespace)::crunch",
     "(anonymous namespace)::crunch"},
    {"a::(anonymous namespace)::b(int)", "a::(anonymous namespace)::b",
     "a::(anonymous namespace)::b"},
    {"decltype(auto) f<int>(int)", "decltype(auto) f<int>", "decltype"},
    {"decltype (x) f(int)", "decltype (x) f", "decltype "},
    {"void (*signal(int, void (*)(int)))(int)", "void (*signal(int, void (*)(int)))(int)", "void "},
    {"V::Add(void (*)(int), int)", "V::Add", "V::Add"},
    {"RegExp:[&<>\"']", "RegExp:[&<>\"']", "RegExp:[&<>]"},
    {"RegExp:(a|b)", "RegExp:(a|b)", "RegExp:"},
    /* operators */
    {"operator new(unsigned long)", "operator new", "operator new"},
    {"std::operator<< <char>(std::ostream&)", "std::operator<< <char>", "std::operator<< <char>"},
    {"A::operator<(A const&) const", "A::operator<", "A::operator<"},
    {"A::operator->() const", "A::operator->", "A::operator->"},
    {"A::operator<=>(A const&)", "A::operator<=>", "A::operator<=>"},
    {"my_operator()(int)", "my_operator", "my_operator"},
    /* Go */
    {"net/http.(*Client).Do", "net/http.(*Client).Do", "net/http.(*Client).Do"},
    {"main.(*T).run.func1", "main.(*T).run.func1", "main.(*T).run.func1"},
    {"runtime.goexit", "runtime.goexit", "runtime.goexit"},
    /* Java, as perf-map-agent writes it; only a process called java loses its L in the reference */
    {"Lorg/mozilla/javascript/ContextFactory;::call", "org/mozilla/javascript/ContextFactory::call",
     "Lorg/mozilla/javascript/ContextFactory:::call"},
    {"Ljava/lang/Object;.<init>(Ljava/lang/reflect/Method;)V", "java/lang/Object.<init>",
     "Ljava/lang/Object:.<init>"},
    {"boolean Mix$$Lambda$5/0x00007fa444002000.test(int)",
     "boolean Mix$$Lambda$5/0x00007fa444002000.test",
     "boolean Mix$$Lambda$5/0x00007fa444002000.test"},
    {"LazyCompile:~body_0 evalmachine.<anonymous>:1",
     "LazyCompile:~body_0 evalmachine.<anonymous>:1",
     "LazyCompile:~body_0 evalmachine.<anonymous>:1"},
    /* Rust's legacy mangling; without the hash a dollar is a dollar */
    {"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place",
     "core::ptr::drop_in_place::h0123456789abcdef"},
    {"_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef",
     "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
     "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef"},
    {"a::h0123456789abcde", "a::h0123456789abcde", "a::h0123456789abcde"},
    {"$LT$x$GT$", "$LT$x$GT$", "$LT$x$GT$"},
};

Test(input_names, are_cleaned)
{
    struct buf out;

    buf_init(&out);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&out);
        names_add_clean(&out, slice_str(cases[i].name));
        cr_expect_str_eq(out.ptr, cases[i].clean, "'%s' became '%s'", cases[i].name, out.ptr);
    }
    buf_release(&out);
}

Test(input_names, are_as_the_reference_prints_them)
{
    struct buf out;

    buf_init(&out);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&out);
        names_add_reference(&out, slice_str(cases[i].name), false);
        cr_expect_str_eq(out.ptr, cases[i].reference, "'%s' became '%s'", cases[i].name, out.ptr);
    }
    buf_clear(&out);
    names_add_reference(&out, SLICE("Lorg/a/B;::call"), true);
    names_add_reference(&out, SLICE("Load"), true);
    cr_expect_str_eq(out.ptr, "org/a/B:::callLoad");
    buf_release(&out);
}

Test(input_names, cleaning_twice_changes_nothing)
{
    struct buf once, twice;

    buf_init(&once);
    buf_init(&twice);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&once);
        buf_clear(&twice);
        names_add_clean(&once, slice_str(cases[i].name));
        names_add_clean(&twice, buf_slice(&once));
        cr_expect_str_eq(twice.ptr, once.ptr, "'%s'", cases[i].name);
    }
    buf_release(&once);
    buf_release(&twice);
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
        struct slice out = names_strip_offset(slice_str(table[i][0]));

        cr_expect(slice_equal(out, slice_str(table[i][1])), "'%s' became '%.*s'", table[i][0],
                  SLICE_ARG(out));
    }
}

/* Parts of a chain, put together again with "|". */
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
        {"a->b->c", "a|b|c", "a|b|c"},
        {"plain", "plain", "plain"},
        {"A::operator->", "A::operator->", "A::operator"},
        {"A::operator->*", "A::operator->*", "A::operator|*"},
        {"f<fn(A) -> B>", "f<fn(A) -> B>", "f<fn(A) | B>"},
    };
    struct buf out;

    buf_init(&out);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        split(names_next_inlined, table[i][0], &out);
        cr_expect_str_eq(out.ptr, table[i][1], "'%s' became '%s'", table[i][0], out.ptr);
        split(names_next_inlined_reference, table[i][0], &out);
        cr_expect_str_eq(out.ptr, table[i][2], "'%s' became '%s'", table[i][0], out.ptr);
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
