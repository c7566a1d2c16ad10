#include "compare/names.h"

#include "unit/support/test.h"

Test(compare_names, parts_that_differ_between_builds_are_taken_out)
{
    static const struct {
        const char *name, *want;
    } rows[] = {
        {"main", "main"},
        {"f.isra.0", "f"},
        {"f.constprop.12.part.3", "f"},
        {"f.cold", "f"},
        {"f.lto_priv.0.cold", "f"},
        {"ns::f(int) [clone .constprop.0]", "ns::f(int)"},
        {"f+0x1a", "f"},
        {"operator+", "operator+"},
        {"Wheel.part", "Wheel.part"},
        {"0x7fa4c0de", "0x"},
        {"at 0x7fa4c0de!", "at 0x!"},
        {"mode 0x10", "mode 0x10"},
        {"Foo$$Lambda$14/0x00000008000c.run", "Foo$$Lambda.run"},
        {"Foo$$Lambda$14.0x00007f12.run", "Foo$$Lambda.run"},
        {"Foo$$Lambda/0x00000008000c.run", "Foo$$Lambda.run"},
        {"Foo$$Lambda.0x00007f12.run", "Foo$$Lambda.run"},
        {"java.lang.invoke.LambdaForm$MH/0x0000000800.invoke",
         "java.lang.invoke.LambdaForm$MH.invoke"},
        {"com.app.Hidden+0x0000000800.call", "com.app.Hidden.call"},
        {"jdk.internal.reflect.GeneratedMethodAccessor12.invoke",
         "jdk.internal.reflect.GeneratedMethodAccessor.invoke"},
        {"com.sun.proxy.$Proxy17.get", "com.sun.proxy.$Proxy.get"},
        {"(anonymous app.js:12)", "(anonymous app.js)"},
        {"A$$EnhancerBySpringCGLIB$$a1b2c3d4.run", "A$$EnhancerBySpringCGLIB$$.run"},
        {"A$$SpringCGLIB$$0.run", "A$$SpringCGLIB$$.run"},
        {"core::f::h0123456789abcdef", "core::f"},
        {"core::f::h0123456789abcde", "core::f::h0123456789abcde"},
        {"core::f:h0123456789abcdef", "core::f:h0123456789abcdef"},
        {"memcpy@GLIBC_2.14", "memcpy"},
        {"memcpy@@GLIBC_2.14", "memcpy"},
        {"@GLIBC_2.14", "@GLIBC_2.14"},
        {"main@GLIBC", "main@GLIBC"},
        {"f@java.base_1", "f@java.base_1"},
        {"sha256_block", "sha256_block"},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct buf out = {0};

        compare_name_add(&out, slice_str(rows[i].name));
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: %s", rows[i].name, buf_string(&out));
        buf_release(&out);
    }
}

Test(compare_names, parts_that_differ_between_runs_are_taken_out)
{
    static const struct {
        const char *name, *want;
        bool generated;
    } rows[] = {
        {"Foo$$Lambda$14/0x00000008000c.run", "Foo$$Lambda.run", true},
        {"Foo$$Lambda.run", "Foo$$Lambda.run", true},
        {"A$$Lambda$1.f.B$$Lambda$2.g", "A$$Lambda.f.B$$Lambda.g", true},
        {"com.app.Hidden/0x0000000800.call", "com.app.Hidden.call", true},
        {"com.app.Hidden.0x0000000800.call", "com.app.Hidden.call", true},
        {"A$$EnhancerBySpringCGLIB$$a1b2c3d4.run", "A$$EnhancerBySpringCGLIB$$.run", true},
        {"com.sun.proxy.$Proxy17.get", "com.sun.proxy.$Proxy.get", true},
        {"f.isra.0", "f.isra.0", false},
        {"main+0x1a2b", "main+0x1a2b", false},
        {"0x7fa4c0de", "0x7fa4c0de", false},
        {"(anonymous app.js:12)", "(anonymous app.js:12)", false},
        {"core::f::h0123456789abcdef", "core::f::h0123456789abcdef", false},
        {"", "", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct buf out = {0};

        compare_run_name_add(&out, slice_str(rows[i].name));
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: %s", rows[i].name, buf_string(&out));
        cr_expect_eq(compare_is_generated(slice_str(rows[i].name)), rows[i].generated, "%s",
                     rows[i].name);
        buf_release(&out);
    }
}

Test(compare_names, numbers_of_threads_are_taken_out)
{
    static const struct {
        const char *name, *want;
    } rows[] = {
        {"worker-12", "worker-N"},      {"pool-1-thread-34", "pool-N-thread-N"},
        {"kworker/0:1", "kworker/N:N"}, {"Thread 7", "Thread N"},
        {"aes128", "aes128"},           {"7zip", "7zip"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct buf out = {0};

        compare_thread_name_add(&out, slice_str(rows[i].name));
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: %s", rows[i].name, buf_string(&out));
        buf_release(&out);
    }
}

Test(compare_names, alike)
{
    static const struct {
        const char *a, *b;
        double low, high;
    } rows[] = {
        {"parse_line", "parse_record", 0.5, 0.5},
        {"ingest::parse_line(int)", "ingest::parse_record(long)", 0.5, 0.5},
        {"f", "f", 1, 1},
        {"com.app.Old.run", "com.app.New.run", 0.7, 0.9},
        {"encode", "compress", 0, 0.4},
        {"std::map<a::b>::find", "std::map<a::c>::find", 0.9, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        double alike = compare_names_alike(slice_str(rows[i].a), slice_str(rows[i].b));

        cr_expect(alike >= rows[i].low && alike <= rows[i].high, "%s, %s: %.3f", rows[i].a,
                  rows[i].b, alike);
    }
}

Test(compare_names, scope)
{
    static const struct {
        const char *name, *want;
    } rows[] = {
        {"main", ""},
        {"com.app.Parser.read", "com.app.Parser."},
        {"ns::f<a::b>(c::d)", "ns::"},
        {"net/http.(*Server).Serve", "net/http.(*Server)."},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct slice scope = compare_name_scope(slice_str(rows[i].name));

        cr_expect(slice_equal(scope, slice_str(rows[i].want)), "%s: %.*s", rows[i].name,
                  SLICE_ARG(scope));
    }
}
