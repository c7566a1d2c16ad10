#include "input/build/frame.h"

#include "base/file.h"
#include "unit/support/test.h"

/* Returns name and class of the first symbol of a frame. */
static void resolve(const struct frame *f, const struct input_options *options, struct buf *out)
{
    struct symbols symbols = {0};
    struct frame_symbols found = {0};
    struct buf scratch = {0};

    buf_clear(out);
    frame_resolve(f, options, &symbols, &scratch, &found);
    vec_each (uint32_t, id, &found) {
        if (out->len)
            buf_add_char(out, '|');
        buf_add_slice(out, symbol_name(&symbols, *id));
        buf_add_slice(out, symbol_suffix(symbol_class(&symbols, *id)));
    }
    vec_release(&found);
    buf_release(&scratch);
    symbols_release(&symbols);
}

Test(input_frame, one_function_has_one_name_whoever_saw_it)
{
    static const char table[] = "tests/unit/input/build/spellings.tsv";
    struct input_options options = input_options_default();
    struct buf file = {0}, why = {0}, got = {0};
    struct slice rest, row;
    unsigned rows = 0;

    cr_assert(file_read(table, 1 << 20, &file, &why), "%s: %s", table, buf_string(&why));
    rest = buf_slice(&file);
    while (slice_line(&rest, &row)) {
        struct slice want, who, text, module;

        if (!row.len || row.ptr[0] == '#')
            continue;
        slice_cut(&row, '\t', &want);
        slice_cut(&row, '\t', &who);
        slice_cut(&row, '\t', &text);
        slice_cut(&row, '\t', &module);
        resolve(&(struct frame){.name = text, .module = module}, &options, &got);
        cr_expect(slice_equal(buf_slice(&got), want), "%.*s: '%.*s' became '%s', not '%.*s'",
                  SLICE_ARG(who), SLICE_ARG(text), buf_string(&got), SLICE_ARG(want));
        rows++;
    }
    cr_expect_geq(rows, 50);
    buf_release(&got);
    buf_release(&why);
    buf_release(&file);
}

/* The effect of options and of a frame's fields. Texts that a row leaves out are empty. */
static const struct {
    const char *what, *name, *module, *file;
    struct frame rest;
    struct input_options options;
    const char *want;
} cases[] = {
    {.what = "demangling off",
     .name = "_Z3fooi",
     .options = {.no_demangling = true},
     .want = "_Z3fooi"},
    {.what = "no demangling in reference names",
     .name = "_Z3fooi",
     .options = {.names = NAMES_REFERENCE},
     .want = "_Z3fooi"},
    {.what = "a Java method's name is not a copy's",
     .name = "a/Fridge.cold",
     .rest = {.kind = FRAME_JAVA},
     .want = "a/Fridge.cold"},
    {.what = "plain text is left as it is",
     .name = "f(x) [a.js:12]+3",
     .rest = {.kind = FRAME_PLAIN},
     .want = "f(x) [a.js:12]+3"},
    {.what = "plain text that reads like nothing known",
     .name = "[unknown]",
     .module = "a.so",
     .rest = {.kind = FRAME_PLAIN},
     .want = "[unknown]"},
    {.what = "the suffix of folded text is the class",
     .name = "read_[k]",
     .rest = {.kind = FRAME_ANNOTATED},
     .want = "read_[k]"},
    {.what = "folded text, mangled",
     .name = "_ZN1A1fEi_[i]",
     .rest = {.kind = FRAME_ANNOTATED},
     .want = "A::f_[i]"},
    {.what = "folded text that is not",
     .name = "_ZA(int)_[i]",
     .rest = {.kind = FRAME_ANNOTATED},
     .want = "_ZA(int)_[i]"},
    {.what = "folded text with an address",
     .name = "_ZN1A1fEi at 0x12_[k]",
     .rest = {.kind = FRAME_ANNOTATED},
     .options = {.strip_addresses = true},
     .want = "_ZN1A1fEi at 0x..._[k]"},
    {.what = "a chain", .name = "a(int)->b->c+0x1", .want = "a|b_[i]|c_[i]"},
    {.what = "a demangled arrow makes no chain", .name = "_ZN1AptEv", .want = "A::operator->"},
    {.what = "inlined by perf", .name = "g", .module = "inlined", .want = "g_[i]"},
    {.what = "inlined frames are marked if wanted",
     .name = "g",
     .rest = {.class = SYMBOL_INLINED},
     .options = {.inlined = true},
     .want = "g_[i]"},
    {.what = "and else not", .name = "g", .rest = {.class = SYMBOL_INLINED}, .want = "g"},
    {.what = "kernel by module",
     .name = "read",
     .module = "[ext4]",
     .options = {.kernel = true},
     .want = "read_[k]"},
    {.what = "a class that is known",
     .name = "read",
     .module = "[vdso]",
     .rest = {.class = SYMBOL_KERNEL, .has_class = true},
     .options = {.kernel = true},
     .want = "read_[k]"},
    {.what = "user, and known to be",
     .name = "read",
     .module = "[ext4]",
     .rest = {.has_class = true},
     .options = {.kernel = true},
     .want = "read"},
    {.what = "an address", .rest = {.address = 0x1f, .has_address = true}, .want = "0x1f"},
    {.what = "an address, asked for",
     .rest = {.address = 0x1f, .has_address = true},
     .options = {.addrs = true},
     .want = "[unknown <1f>]"},
    {.what = "an address in a module",
     .module = "/lib/a.so",
     .rest = {.address = 0x1f, .has_address = true},
     .options = {.addrs = true},
     .want = "[a.so <1f>]"},
    {.what = "an address as the name",
     .name = "a.so`0x1f",
     .options = {.addrs = true},
     .want = "[a.so <1f>]"},
    {.what = "no address", .name = "0xyz", .want = "0xyz"},
    {.what = "file and line",
     .name = "f(int)",
     .file = "a.c",
     .rest = {.line = 7},
     .options = {.srcline = true},
     .want = "f:a.c:7"},
    {.what = "addresses stripped",
     .name = "Mix.at/0x00007fa444002000.test",
     .options = {.strip_addresses = true},
     .want = "Mix.at/0x....test"},
    {.what = "a lambda's address in folded text",
     .name = "Mix$$Lambda$5/0x00007fa444002000.test_[j]",
     .rest = {.kind = FRAME_ANNOTATED},
     .want = "Mix$$Lambda$5.test_[j]"},
    {.what = "addresses stripped from plain text",
     .name = "<built-in method 0x7F12 of A at 0x1>",
     .rest = {.kind = FRAME_PLAIN},
     .options = {.strip_addresses = true},
     .want = "<built-in method 0x... of A at 0x...>"},
    {.what = "and from frames without a name",
     .rest = {.address = 0x1f, .has_address = true},
     .options = {.strip_addresses = true},
     .want = "0x..."},
    {.what = "a separator of frames", .name = "a;b", .rest = {.kind = FRAME_PLAIN}, .want = "a:b"},
    {.what = "a backtick that is no module's", .name = "f(`x`)", .want = "f(`x`)"},
};

Test(input_frame, options_and_fields)
{
    struct buf got = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_options options = cases[i].options;
        struct frame f = cases[i].rest;

        options.limits = input_options_default().limits;
        f.name = slice_str(cases[i].name ? cases[i].name : "");
        f.module = slice_str(cases[i].module ? cases[i].module : "");
        f.file = slice_str(cases[i].file ? cases[i].file : "");
        resolve(&f, &options, &got);
        cr_expect_str_eq(buf_string(&got), cases[i].want, "%s: '%s'", cases[i].what,
                         buf_string(&got));
    }
    buf_release(&got);
}

Test(input_frame, names_are_cut_at_the_limit)
{
    struct input_options options = input_options_default();
    struct symbols symbols = {0};
    struct frame_symbols found = {0};
    struct buf scratch = {0};

    options.limits.max_name = 4;
    cr_expect(frame_resolve(&(struct frame){.name = SLICE("abcd")}, &options, &symbols, &scratch,
                            &found));
    cr_expect(!frame_resolve(&(struct frame){.name = SLICE("abcd\xc3\xa4")}, &options, &symbols,
                             &scratch, &found));
    cr_expect(!frame_resolve(&(struct frame){.name = SLICE("abc\xc3\xa4")}, &options, &symbols,
                             &scratch, &found));
    cr_assert_eq(found.count, 3);
    cr_expect_eq(found.items[0], found.items[1]);
    cr_expect(slice_equal(symbol_name(&symbols, found.items[2]), SLICE("abc")));
    vec_release(&found);
    buf_release(&scratch);
    symbols_release(&symbols);
}

/*
 * The module of a script's functions is the script; the module of compiled functions is not their
 * source.
 */
Test(input_frame, scripts_are_modules)
{
    static const struct {
        enum frame_kind kind;
        const char *module, *file, *want;
    } scripts[] = {
        {FRAME_PLAIN, "", "/srv/app.py", "/srv/app.py"},
        {FRAME_PLAIN, "", "", ""},
        {FRAME_PLAIN, "/usr/bin/node", "/srv/app.js", "/usr/bin/node"},
        {FRAME_NATIVE, "", "/src/app.c", ""},
        {FRAME_JAVA, "", "App.java", ""},
    };

    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        struct input_options options = input_options_default();
        struct frame_symbols ids = {0};
        struct symbols symbols = {0};
        struct buf scratch = {0};

        frame_resolve(&(struct frame){.name = SLICE("f"),
                                      .kind = scripts[i].kind,
                                      .module = slice_str(scripts[i].module),
                                      .file = slice_str(scripts[i].file)},
                      &options, &symbols, &scratch, &ids);
        cr_assert_eq(ids.count, 1);
        cr_expect(slice_equal(symbol_module(&symbols, ids.items[0]), slice_str(scripts[i].want)),
                  "case %zu", i);
        vec_release(&ids);
        symbols_release(&symbols);
        buf_release(&scratch);
    }
}
