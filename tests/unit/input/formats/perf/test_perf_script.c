
#include "unit/support/reading.h"

#include "unit/support/test.h"

#define EVENT "app 12/34 [001] 1.500000: 10 cycles: \n"

/* A few lines and the stacks of the first series, sorted. */
static const struct {
    const char *what, *input, *folded;
} cases[] = {
    {"leaf first", EVENT "\t 2 leaf (a)\n\t 1 main (a)\n\n", "app;main;leaf 10\n"},
    {"no blank line at the end", EVENT "\t 1 main (a)", "app;main 10\n"},
    {"no blank line between", EVENT "\t 1 main (a)\n" EVENT "\t 1 main (a)\n", "app;main 20\n"},
    {"CR LF", "app 1 1.5: 10 cycles: \r\n\t 1 main (a)\r\n\r\n", "app;main 10\n"},
    {"no period", "app 1 1.5: cycles: \n\t 1 main (a)\n\n", "app;main 1\n"},
    {"a sample without frames", EVENT "\n" EVENT "\t 1 main (a)\n", "app 10\napp;main 10\n"},
    {"one line", "  app 1 1.5: 10 cycles:  7f1e main+0x1 (a)\n", "app;main 10\n"},
    {"arguments are no frame", "app 1 1.5: x:y: (7f) a=1\n\t 1 main (a)\n", "app;main 1\n"},
    {"offsets go", EVENT "\t 1 main+0x1f (a)\n", "app;main 10\n"},
    {"a module with blanks", EVENT "\t 1 main (/opt/my app/bin)\n", "app;main 10\n"},
    {"a deleted module", EVENT "\t 1 main(int) (/bin/a (deleted))\n", "app;main 10\n"},
    {"no module", EVENT "\t 1 f<a (b)>::g(int)\n", "app;f<a (b)>::g 10\n"},
    {"no symbol", EVENT "\t 1 [unknown] (/lib/libc.so.6)\n", "app;[libc.so.6] 10\n"},
    {"an empty symbol", EVENT "\t 1  (/lib/libc.so.6)\n", "app;[libc.so.6] 10\n"},
    {"a deleted one without symbol", EVENT "\t 1 [unknown] (/bin/a (deleted))\n", "app;[a] 10\n"},
    {"brackets once", EVENT "\t 1 [unknown] ([kernel.kallsyms])\n", "app;[kernel.kallsyms] 10\n"},
    {"nothing known", EVENT "\t 1 [unknown] ([unknown])\n", "app;[unknown] 10\n"},
    {"a function in parentheses", EVENT "\t 2 (anonymous) (/bin/app)\n\t 1 main (a)\n",
     "app;main;(anonymous) 10\n"},
    {"lines that were written into one another",
     EVENT "\t 2 g ([kernel.kallsyms])/libc-2.19.so)\n\t 1 f (/lib/x86_64-linux-gnu\n",
     "app;f;g 10\n"},
    {"a namespace is one", EVENT "\t 1 (anonymous namespace)::f+0x1 (a)\n",
     "app;(anonymous namespace)::f 10\n"},
    {"inlined chain", EVENT "\t 1 a->b->c (/tmp/perf-1.map)\n", "app;a;b_[i];c_[i] 10\n"},
    {"inlined by perf", EVENT "\t 1 g (inlined)\n\t 1 f (a)\n", "app;f;g_[i] 10\n"},
    {"comm with blanks", "V8 Worker 7 1.5: 10 cycles: \n\t 1 main (a)\n", "V8 Worker;main 10\n"},
    {"comm with a semicolon", "a;b 7 1.5: 10 cycles: \n\t 1 main (a)\n", "a:b;main 10\n"},
    {"bad UTF-8", EVENT "\t 1 ma\xffin (a)\n", "app;ma\xef\xbf\xbdin 10\n"},
    {"source lines", EVENT "\t 1 main (a)\n  main.c:12\n\t 2 _start (a)\n  a[10]\n",
     "app;_start;main 10\n"},
    {"comments anywhere", "# x\n" EVENT "# y\n\t 1 main (a)\n  # z\n\n", "app;main 10\n"},
    {"no event", "app 1 1.5: 7 \n\t 1 main (a)\n\napp 1 1.6: \n\t 1 main (a)\n", "app;main 8\n"},
    {"no process", "7 1.5: 2 cycles: \n\t 1 main (a)\n", "7;main 2\n"},
    {"tasks", "sh 0 0.0: PERF_RECORD_COMM: sh:1/1\n" EVENT "\t 1 main (a)\n", "app;main 10\n"},
    {"a branch", "app 1 1.5: 1 branches:  7f1e main+0x1 (a) => 7f2e f+0x0 (b)\n", "app;main 1\n"},
    {"registers and branches", EVENT "\t 1 main (a)\n ABI:2 AX:0x1\n 0x1/0x2/P/-/-/0 \n\n",
     "app;main 10\n"},
    {"frames that are not indented", EVENT "2 leaf (a)\n7f1e2215d058 main+0x1 (a)\n\n",
     "app;main;leaf 10\n"},
    {"messages of perf among frames",
     "[vdso] with build id 17a4 not found, continuing without symbols\n" EVENT
     "\t 2 leaf (a)\ncmd__addr2line /usr/bin/a: could not read first record\n"
     "addr2line: DWARF error: 1\n\t 1 main (a)\n\n",
     "app;main;leaf 10\n"},
    {"messages of perf with blank lines",
     EVENT "\t 2 leaf (a)\nWarning:\nProcessed 9 events and lost 1 chunks!\n\n"
           "Check IO/CPU overload!\n\n\t 1 main (a)\n\n" EVENT "\t 1 main (a)\n",
     "app;main 10\napp;main;leaf 10\n"},
    {"call chains apart",
     EVENT
     "\t 9 sys (k)\n\t b6 (cookie) ([unknown])\n\n"
     "app 12/35 1.6: 10 cycles: \n\t 9 other (k)\n\t b6 (cookie) ([unknown])\n\n" EVENT
     "\t 8 run (k)\n\t b6 (cookie) ([unknown])\n\n"
     "app 12/34 [001] 1.7: DEFERRED CALLCHAIN [cookie: b6]\n\t 2 read+0x7 (a)\n\t 1 main (a)\n\n"
     "app 12/35 1.8: DEFERRED CALLCHAIN [cookie: b6]\n\t 3 poll (a)\n\t 1 main (a)\n\n" EVENT
     "\t 1 main (a)\n\n",
     "app;main 10\napp;main;poll;other 10\napp;main;read;run 10\napp;main;read;sys 10\n"},
    {"zero period", "app 1 1.5: 0 cycles: \n\t 1 main (a)\n", "app;main 0\n"},
    {"NUL in a name", EVENT "\t 1 ma\001in (a)\n", "app;ma\001in 10\n"},
};

Test(input_perf_script, samples_become_stacks)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf folded = {0}, said = {0};
        struct reading r;

        reading_text(&r, slice_str(cases[i].input), NULL);
        if (r.result == INPUT_READ)
            reading_fold(&r, 0, &folded);
        cr_expect_str_eq(buf_string(&folded), cases[i].folded, "%s: result %d, '%s'", cases[i].what,
                         r.result, buf_string(&folded));
        reading_messages(&r, &said);
        cr_expect(!said.len, "%s: has messages: %s", cases[i].what, buf_string(&said));
        reading_release(&r);
        buf_release(&said);
        buf_release(&folded);
    }
}

Test(input_perf_script, a_call_chain_that_is_missing)
{
    struct reading r;

    reading_text(&r,
                 SLICE(EVENT "\t 9 sys (k)\n\t b6 (cookie) ([unknown])\n\n" EVENT
                             "\t 8 run (k)\n\t b7 (cookie) ([unknown])\n\n"
                             "app 12/34 1.7: DEFERRED CALLCHAIN [cookie: b7]\n\t 1 main (a)\n"),
                 NULL);
    reading_expect_fold(&r, "missing", 0, "app;main;run 10\napp;sys 10\n");
    reading_expect_messages(
        &r, "missing", "in:1: warning: the deferred user call chain b6 of a sample is missing\n");
    cr_expect_eq(r.profile.ledger.truncated, 1);
    reading_release(&r);
}

#define PLAIN                                                                                      \
    "app 12/34 1.5: 10 cycles: \n\t 3 read ([kernel.kallsyms])\n\t 2 Lp/C;::m "                    \
    "(/tmp/perf-12.map)\n"                                                                         \
    "\t 1 [unknown] (/lib/libc.so)\n  x.c:7\n\n"

static const struct {
    const char *what, *folded;
    struct input_options options;
} options[] = {
    {"none", "app;[libc.so];p/C::m;read 10\n", {0}},
    {"pid", "app-12;[libc.so];p/C::m;read 10\n", {.pid = true}},
    {"tid", "app-12/34;[libc.so];p/C::m;read 10\n", {.tid = true}},
    {"kernel", "app;[libc.so];p/C::m;read_[k] 10\n", {.kernel = true}},
    {"jit", "app;[libc.so];p/C::m_[j];read 10\n", {.jit = true}},
    {"addrs", "app;[libc.so <1>];p/C::m;read 10\n", {.addrs = true}},
    {"srcline", "app;[libc.so]:x.c:7;p/C::m;read 10\n", {.srcline = true}},
    {"reference", "app;[libc.so];Lp/C:::m;read 10\n", {.names = NAMES_REFERENCE}},
};

Test(input_perf_script, options_change_names)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct input_options o = options[i].options;
        struct buf folded = {0};
        struct reading r;

        o.limits = input_options_default().limits;
        reading_text(&r, SLICE(PLAIN), &o);
        cr_assert_eq(r.result, INPUT_READ);
        reading_fold(&r, 0, &folded);
        cr_expect_str_eq(buf_string(&folded), options[i].folded, "%s: '%s'", options[i].what,
                         buf_string(&folded));
        reading_release(&r);
        buf_release(&folded);
    }
}

/*
 * perf script -F +srcline: the place is part of the name if that is asked for, and else known of
 * the symbol, the first one that is met. What ends an inlined frame comes after its place.
 */
Test(input_perf_script, places_in_the_source)
{
    static const struct slice input =
        SLICE(EVENT "\t 3 inner\n  /src/x.h:3 (inlined)\n\t 3 f (/bin/app)\n  x.c:7\n"
                    "\t 2 f (/bin/app)\n  x.c:9\n\t 1 g (/bin/app)\n  ??:0\n"
                    "\t 1 h (/bin/app)\n  app[1f]\n\t 1 main (/bin/app)\n  m.c:0\n\n");
    struct input_options o = input_options_default();
    struct symbols *symbols;
    struct reading r;
    uint32_t f;

    reading_text(&r, input, &o);
    reading_expect_fold(&r, "known", 0, "app;main;h;g;f;f;inner_[i] 10\n");
    cr_expect_eq(r.diag.counts[DIAG_WARNING], 0);
    symbols = &r.profile.symbols;
    f = symbols_find(symbols, SLICE("f"), SYMBOL_USER);
    cr_expect(slice_equal(symbol_file(symbols, f), SLICE("x.c")));
    cr_expect_eq(symbols->items.items[f].line, 7);
    f = symbols_find(symbols, SLICE("inner"), SYMBOL_INLINED);
    cr_expect(slice_equal(symbol_file(symbols, f), SLICE("/src/x.h")));
    f = symbols_find(symbols, SLICE("g"), SYMBOL_USER);
    cr_expect_eq(symbol_file(symbols, f).len, 0);
    reading_release(&r);

    o.srcline = true;
    reading_text(&r, input, &o);
    reading_expect_fold(&r, "named", 0, "app;main:m.c;h;g;f:x.c:9;f:x.c:7;inner:x.h:3_[i] 10\n");
    symbols = &r.profile.symbols;
    f = symbols_find(symbols, SLICE("f:x.c:9"), SYMBOL_USER);
    cr_expect(slice_equal(symbol_module(symbols, f), SLICE("/bin/app")));
    cr_expect_eq(symbols->items.items[f].line, 9);
    reading_release(&r);

    o.names = NAMES_REFERENCE;
    reading_text(&r, input, &o);
    reading_expect_fold(&r, "reference", 0, "app;main:m.c;h;g;f:x.c:9;f:x.c:7;inner:x.h:3 10\n");
    reading_release(&r);
}

/* A name in the kernel and in a program is two symbols only if classes are wanted. */
Test(input_perf_script, the_class_is_part_of_a_symbol)
{
    struct slice input = SLICE(EVENT "\t 2 read ([kernel.kallsyms])\n\t 1 read (/lib/libc.so)\n");
    struct input_options o = input_options_default();
    struct reading r;

    reading_text(&r, input, &o);
    cr_expect_eq(symbols_count(&r.profile.symbols), 2);
    reading_release(&r);
    o.kernel = true;
    reading_text(&r, input, &o);
    cr_expect_eq(symbols_count(&r.profile.symbols), 3);
    reading_release(&r);
}

Test(input_perf_script, each_event_is_a_series)
{
    struct slice input = SLICE("app 1 2.5: 10 cpu-clock: \n\t 1 f (a)\n\n"
                               "app 1 1.5: 3 page-faults:u: \n\t 1 g (a)\n\n"
                               "app 1 4.5: 20 cpu-clock: \n\t 1 f (a)\n\n");
    const struct series *s;
    struct reading r;

    reading_text(&r, input, NULL);
    cr_assert_eq(r.profile.series.count, 2);
    s = r.profile.series.items;
    cr_expect(slice_equal(s[0].name, SLICE("cpu-clock")));
    cr_expect_eq(s[0].unit.kind, UNIT_SECONDS);
    cr_expect_eq(s[0].total, 30);
    cr_expect_eq(s[0].samples, 2);
    cr_expect_eq(s[0].first_ns, 2500000000);
    cr_expect_eq(s[0].last_ns, 4500000000);
    cr_expect(slice_equal(s[1].name, SLICE("page-faults:u")));
    cr_expect(slice_equal(s[1].unit.noun, SLICE("page-faults")));
    cr_expect_eq(s[1].total, 3);
    reading_release(&r);
}

Test(input_perf_script, modules_and_facts_are_kept)
{
    struct reading r;
    const struct symbols *symbols = &r.profile.symbols;

    reading_text(&r, SLICE("# hostname : vm\n" EVENT "\t 1 main (/bin/a)\n"), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("hostname")), SLICE("vm")));
    cr_expect(
        slice_equal(intern_get(&symbols->names, symbols->items.items[1].module), SLICE("/bin/a")));
    cr_expect_str_eq(r.profile.format, "perf-script");
    cr_expect_eq(r.profile.ledger.lines, 3);
    reading_release(&r);
}

/* Faulty input: the result, and the messages. */
static const struct {
    const char *what, *input;
    enum input_result result;
    const char *messages;
} faults[] = {
    {"a line that is nothing", EVENT "\t 1 main (a)\nwhat is this\n\n", INPUT_READ,
     "in:3: warning: neither an event nor a frame: 'what is this'; line skipped\n"},
    {"a frame alone", EVENT "\t 1 main (a)\n\n\t 1 main (a)\n", INPUT_READ,
     "in:4: warning: a frame outside of any sample: '1 main (a)'; line skipped\n"},
    {"a second blank line after a message ends the sample",
     EVENT "\t 2 leaf (a)\nWarning:\n\n\n\t 1 main (a)\n\n", INPUT_READ,
     "in:6: warning: a frame outside of any sample: '1 main (a)'; line skipped\n"},
    {"a period beyond 64 bits",
     EVENT "\t 1 main (a)\n\napp 1 1.5: 18446744073709551616 cycles: \n\t 1 main (a)\n",
     INPUT_FAILED, "in:4: error: the period 18446744073709551616 is out of range\n"},
    {"a sum beyond 64 bits",
     EVENT "\t 1 main (a)\n\napp 1 1.5: 18446744073709551615 cycles: \n\t 1 main (a)\n",
     INPUT_FAILED, "in:4: error: the sum of the weights does not fit in 64 bits\n"},
    {"events without frames", "a 1 1.5: cycles: \nb 1 1.6: cycles: \n", INPUT_EMPTY,
     "in: note: no stacks in this perf-script file: record with -g and print with ip and sym: "
     "perf record -g, perf script\n"},
    {"a header alone", "# ========\n# captured on: today\n", INPUT_EMPTY,
     "in: note: no stacks in this perf-script file: nothing was measured\n"},
};

Test(input_perf_script, faults_are_told)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_str(faults[i].input), NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, faults[i].result, "%s: result %d", faults[i].what, r.result);
        cr_expect_str_eq(buf_string(&messages), faults[i].messages, "%s: '%s'", faults[i].what,
                         buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
}

Test(input_perf_script, lost_records_and_missing_frames_are_counted)
{
    struct reading r;

    reading_text(&r,
                 SLICE(EVENT "\t 1 main (a)\n\n" EVENT "\n"
                             "app 1 [000] 2.5: PERF_RECORD_LOST lost 12\nwhat\n"),
                 NULL);
    cr_expect_eq(r.profile.ledger.lost, 12);
    cr_expect_eq(r.profile.ledger.without_frames, 1);
    cr_expect_eq(r.profile.ledger.unreadable, 1);
    reading_release(&r);
}

Test(input_perf_script, lost_records_beyond_64_bits_are_the_most)
{
    struct reading r;

    reading_text(&r,
                 SLICE(EVENT "\t 1 main (a)\n\n"
                             "app 1 [000] 2.5: PERF_RECORD_LOST lost 18446744073709551615\n"
                             "app 1 [000] 2.6: PERF_RECORD_LOST lost 12\n"),
                 NULL);
    cr_expect_eq(r.profile.ledger.lost, UINT64_MAX);
    reading_release(&r);
}

/* A cut sample does not make the next one count as cut. */
Test(input_perf_script, only_the_deep_stack_is_cut)
{
    struct input_options o = input_options_default();
    struct reading r;

    o.limits.max_depth = 2;
    reading_text(&r,
                 SLICE(EVENT "\t 3 c (a)\n\t 2 b (a)\n\t 1 a (a)\n\n" EVENT
                             "\t 2 b (a)\n\t 1 a (a)\n\n" EVENT "\t 1 main (a)\n\n"),
                 &o);
    cr_expect_eq(r.profile.ledger.truncated, 1);
    cr_expect_eq(r.profile.series.items[0].samples, 3);
    reading_release(&r);
}

Test(input_perf_script, deep_stacks_keep_their_leaves)
{
    struct input_options o = input_options_default();
    struct buf folded = {0}, messages = {0};
    struct reading r;

    o.limits.max_depth = 2;
    reading_text(&r, SLICE(EVENT "\t 3 c (a)\n\t 2 b (a)\n\t 1 a (a)\n"), &o);
    reading_fold(&r, 0, &folded);
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&folded), "app;b;c 10\n");
    cr_expect_eq(r.profile.ledger.truncated, 1);
    cr_expect(strstr(buf_string(&messages), "in:1: warning: ") &&
                  strstr(buf_string(&messages), "--max-frames"),
              "'%s'", buf_string(&messages));
    reading_release(&r);
    buf_release(&folded);
    buf_release(&messages);
}

/* perf itself stops at 127 frames. */
Test(input_perf_script, stacks_that_perf_cut_are_counted)
{
    for (unsigned frames = 126; frames <= 128; frames++) {
        struct reading r;
        struct buf text = {0};

        buf_add_str(&text, EVENT);
        for (unsigned i = 0; i < frames; i++)
            buf_printf(&text, "\t %x f%u (a)\n", i + 1, i);
        reading_text(&r, buf_slice(&text), NULL);
        cr_expect_eq(r.profile.ledger.truncated, frames == 127, "%u frames", frames);
        reading_release(&r);
        buf_release(&text);
    }
}

/* Names are cut between characters. */
Test(input_perf_script, long_names_are_cut)
{
    struct input_options o = input_options_default();
    struct buf folded = {0};
    struct reading r;

    o.limits.max_name = 4;
    reading_text(&r, SLICE(EVENT "\t 1 abcdefg (a)\n\t 1 abc\xc3\xa9 (a)\n"), &o);
    reading_fold(&r, 0, &folded);
    cr_expect_str_eq(buf_string(&folded), "app;abc;abcd 10\n");
    reading_release(&r);
    buf_release(&folded);
}

/* The table of lines never changes the meaning of a line. */
Test(input_perf_script, remembered_lines_mean_the_same)
{
    struct buf input = {0}, folded = {0};
    struct reading r;

    for (unsigned i = 0; i < 100; i++) {
        buf_add_str(&input, "app 1 1.5: 1 cycles: \n");
        for (unsigned k = 0; k < 5; k++)
            buf_printf(&input, "\t%16x f%u (a)\n", i, (i * (k + 1)) % 3);
        buf_add_str(&input, "\n");
    }
    reading_text(&r, buf_slice(&input), NULL);
    reading_fold(&r, 0, &folded);
    /* f(i mod 3), f(2i mod 3), ... from the leaf on */
    cr_expect_str_eq(buf_string(&folded), "app;f0;f0;f0;f0;f0 34\n"
                                          "app;f1;f2;f0;f1;f2 33\n"
                                          "app;f2;f1;f0;f2;f1 33\n");
    reading_release(&r);
    buf_release(&input);
    buf_release(&folded);
}
