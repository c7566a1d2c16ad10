#include "text/shorten.h"

#include <criterion/criterion.h>

#include "base/buf.h"

/* NULL: the step changes nothing. Names are of the kinds that profilers print. */
static const struct {
    const char *name, *arguments, *templates;
} cases[] = {
    {"main", NULL, NULL},
    {"foo(int)", "foo", NULL},
    {"foo()", "foo", NULL},
    {"ns::foo(int, char const*) const", "ns::foo", NULL},
    {"foo(int) [clone .isra.0]", "foo", NULL},
    {"foo(int)&&", "foo", NULL},
    {"std::vector<int, std::allocator<int> >::push_back(int const&)",
     "std::vector<int, std::allocator<int> >::push_back", "std::vector::push_back"},
    {"void std::sort<int*>(int*, int*)", "std::sort<int*>", "std::sort"},
    {"std::pair<int, int> const& ns::get<a b>(int)", "ns::get<a b>", "ns::get"},
    {"char* ns::name(void (*)(int))", "ns::name", NULL},
    {"(anonymous namespace)::run(int)", "(anonymous namespace)::run", NULL},
    {"(anonymous namespace)::run", NULL, NULL},
    {"foo::operator()(int) const", "foo::operator()", NULL},
    {"foo::operator()", NULL, NULL},
    {"foo::operator<(foo const&)", "foo::operator<", NULL},
    {"foo::operator<<", NULL, NULL},
    {"foo::operator<< <int>(int)", "foo::operator<< <int>", NULL},
    {"foo::operator->() const", "foo::operator->", NULL},
    {"foo::operator bool() const", "foo::operator bool", NULL},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()", NULL},
    {"net/http.(*conn).serve", NULL, NULL},
    {"main.main.func1", NULL, NULL},
    {"sort.Slice[go.shape.int]", NULL, NULL},
    {"java/lang/String.indexOf(Ljava/lang/String;I)I", "java/lang/String.indexOf", NULL},
    {"Foo.bar([B)[I", "Foo.bar", NULL},
    {"Foo.bar(I)Ljava/util/List;", "Foo.bar", NULL},
    {"Foo::bar()V", "Foo::bar", NULL},
    {"handler (/srv/app/server.js:10:5)", "handler", NULL},
    {"run (worker.py:12)", "run", NULL},
    {"<module> (app.py:1)", "<module>", NULL},
    {"<module>", NULL, NULL},
    {"<anonymous>", NULL, NULL},
    {"(root)", NULL, NULL},
    {"(garbage collector)", NULL, NULL},
    {"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", NULL, "alloc::vec::Vec::extend"},
    {"<T as U>::f", NULL, "T::f"},
    {"py::make.<locals>.<genexpr>", NULL, NULL},
    {"java.util.List<E>.<init>", NULL, "java.util.List.<init>"},
    {"core::ptr::drop_in_place::<alloc::string::String>", NULL, "core::ptr::drop_in_place"},
    {"a::<T>::b", NULL, "a::b"},
    {"core::ops::function::FnOnce::call_once{{vtable.shim}}", NULL, NULL},
    {"a->b", NULL, NULL},
    {"x <- y", NULL, NULL},
    {"broken<int", NULL, NULL},
    {"broken>int", NULL, NULL},
    {"broken(int", NULL, NULL},
    {"broken)int", NULL, NULL},
    {")", NULL, NULL},
    {"(", NULL, NULL},
    {"()", NULL, NULL},
    {" ()", NULL, NULL},
    {"<>", NULL, NULL},
    {"* (x)", "*", NULL},
    {"-[NSView drawRect:]", NULL, NULL},
    {"C2 CompilerThread0", NULL, NULL},
};

static struct slice step(struct buf *b, const char *name, size_t (*shorten)(char *, size_t))
{
    buf_clear(b);
    buf_add_str(b, name);
    return slice_make(b->ptr, shorten(b->ptr, b->len));
}

Test(text_shorten, arguments)
{
    struct buf b;

    buf_init(&b);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *want = cases[i].arguments ? cases[i].arguments : cases[i].name;
        struct slice got = step(&b, cases[i].name, shorten_arguments);

        cr_expect(slice_equal(got, slice_str(want)), "'%s' became '%.*s', not '%s'", cases[i].name,
                  SLICE_ARG(got), want);
    }
    buf_release(&b);
}

Test(text_shorten, templates)
{
    struct buf b;

    buf_init(&b);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *name = cases[i].arguments ? cases[i].arguments : cases[i].name;
        const char *want = cases[i].templates ? cases[i].templates : name;
        struct slice got = step(&b, name, shorten_templates);

        cr_expect(slice_equal(got, slice_str(want)), "'%s' became '%.*s', not '%s'", name,
                  SLICE_ARG(got), want);
    }
    buf_release(&b);
}

/* All the names that are left, scope by scope, separated by blanks. */
Test(text_shorten, scopes)
{
    static const struct {
        const char *name, *rest;
    } names[] = {
        {"main", ""},
        {"a::b::c", "b::c c"},
        {"std::vector::push_back", "vector::push_back push_back"},
        {"com/foo/Bar.baz", "foo/Bar.baz Bar.baz baz"},
        {"com.foo.Bar.baz", "foo.Bar.baz Bar.baz baz"},
        {"net/http.(*conn).serve", "http.(*conn).serve (*conn).serve serve"},
        {"mysqld`JOIN::exec", "JOIN::exec exec"},
        {"kernel32.dll!Foo", "Foo"},
        {"libc-2.31.so!read", "read"},
        {"/usr/lib/libc.so.6", "usr/lib/libc.so.6 lib/libc.so.6 libc.so.6"},
        {"foo.isra.0", ""},
        {"foo.constprop.12.cold", ""},
        {"ns::foo.part.1", "foo.part.1"},
        {"app.py", ""},
        {"swapper/0", ""},
        {"kworker/u8:2", "u8:2"},
        {"kworker/3:1H", ""},
        {"(anonymous namespace)::run", "run"},
        {"main::{lambda(a::b)#1}::operator()", "{lambda(a::b)#1}::operator() operator()"},
        {"foo::operator->", "operator->"},
        {"foo::operator<", "operator<"},
        {"foo::~foo", "~foo"},
        {"Foo::operator/", "operator/"},
        {"a::", ""},
        {"::a", "a"},
        {"...", ""},
        {"GC task thread", ""},
        {"py::loads:/lib/json/decoder.py", "py::loads loads"},
        {"<module>:/srv/report.py", "<module>"},
        {"http://host/a", "host/a a"},
        {"void java.util.List.<init>", "java.util.List.<init> util.List.<init> List.<init> <init>"},
        {"java.lang.Object[] Words$1.next", "Words$1.next next"},
        {"void a.B$$Lambda$26/0x00f.accept", "a.B$$Lambda$26/0x00f.accept "
                                             "B$$Lambda$26/0x00f.accept accept"},
        {"run lib/app.main", ""},
        {"opt cgu.0", ""},
        {"node bench.js", ""},
        {"V8 WorkerThread", ""},
        {"C:/Windows/a.dll", "Windows/a.dll a.dll"},
        {"JS:~fn /srv/build.js:1:2", ""},
        {"dotted name. Then text", ""},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct slice rest = slice_str(names[i].name);
        struct buf all;

        buf_init(&all);
        while (shorten_scope(&rest))
            buf_printf(&all, "%s%.*s", all.len ? " " : "", SLICE_ARG(rest));
        cr_expect_str_eq(all.ptr, names[i].rest, "'%s' became '%s', not '%s'", names[i].name,
                         all.ptr, names[i].rest);
        buf_release(&all);
    }
}
