#include "tree/group.h"

#include "unit/support/test.h"

Test(tree_group, modules_are_file_names)
{
    static const struct {
        const char *module, *group;
    } rows[] = {
        {"/usr/lib/libc.so.6", "libc.so.6"},
        {"C:\\Users\\ann\\app.exe", "app.exe"},
        {"\\\\server\\ann\\app.exe", "app.exe"},
        {"https://ann.example/a/app.js?token=/1#x", "app.js"},
        {"https://ann.example/a/app.js#x/y", "app.js"},
        {"/srv/what?/a#b.so", "a#b.so"},
        {"/tmp/perf-17.map", "[jit]"},
        {"[kernel.kallsyms]", "[kernel]"},
        {"app", "app"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct symbols symbols = {0};
        uint32_t id = symbols_add(&symbols, SLICE("main"), SYMBOL_USER);

        symbols_set_module(&symbols, id, slice_str(rows[i].module));
        buf_clear(&out);
        group_name(&symbols, id, GROUP_MODULE, &out);
        cr_expect(slice_equal(buf_slice(&out), slice_str(rows[i].group)), "%s: '%.*s', not '%s'",
                  rows[i].module, SLICE_ARG(buf_slice(&out)), rows[i].group);
        symbols_release(&symbols);
    }
    buf_release(&out);
}

Test(tree_group, packages)
{
    static const struct {
        const char *name, *package;
    } rows[] = {
        /* Java, with slashes and with dots */
        {"java/util/HashMap.get", "java.util"},
        {"java.util.HashMap.get", "java.util"},
        {"com.foo.Bar$Baz.lambda$run$0", "com.foo"},
        {"org/mozilla/javascript/ContextFactory::call", "org.mozilla.javascript"},
        {"Foo.bar", "Foo"},
        {"System.Collections.Generic.List.Add", "System.Collections.Generic"},
        /* Go */
        {"net/http.(*conn).serve", "net/http"},
        {"github.com/gorilla/mux.(*Router).ServeHTTP", "github.com/gorilla/mux"},
        {"runtime.mallocgc", "runtime"},
        {"main.main.func1", "main"},
        {"sync.(*Mutex).Lock", "sync"},
        {"sort.Slice[go.shape.int]", "sort"},
        /* C++ and Rust */
        {"std::vector<int, std::allocator<int> >::push_back", "std"},
        {"JOIN::exec", "JOIN"},
        {"tokio::runtime::task::run", "tokio"},
        {"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "alloc"},
        {"<&mut dyn core::fmt::Write as core::fmt::Write>::write_str", "core"},
        {"mysqld`rocksdb::Get", "rocksdb"},
        {"(anonymous namespace)::run", ""},
        {"operator<<", ""},
        /* Python and JavaScript, by their files */
        {"run (worker.py:12)", "worker.py"},
        {"<module> (/srv/app/main.py:1)", "main.py"},
        {"dot (/usr/lib/python3/site-packages/numpy/core.py:7)", "numpy"},
        {"handle (/srv/node_modules/express/lib/router.js:10:5)", "express"},
        {"get (/srv/node_modules/@scope/pkg/index.js:1)", "@scope/pkg"},
        {"json.decoder.decode", "json"},
        /* no package */
        {"main", ""},
        {"malloc", ""},
        {"", ""},
        {"[unknown]", ""},
        {"[libc.so.6]", ""},
        {"/usr/bin/python3.11", ""},
        {"-[NSView drawRect:]", ""},
        {".text", ""},
        {"(garbage collector)", ""},
        {"::", ""},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        buf_clear(&out);
        group_package(slice_str(rows[i].name), &out);
        cr_expect(slice_equal(buf_slice(&out), slice_str(rows[i].package)), "%s: '%.*s', not '%s'",
                  rows[i].name, SLICE_ARG(buf_slice(&out)), rows[i].package);
    }
    buf_release(&out);
}
