/* pprof's older text formats, and Go's profiles with debug=1. */

#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define MAP "MAPPED_LIBRARIES:\n00001000-00002000 r-xp 00000400 08:01 12   /lib/a b.so\n"

/* A text, one of its series, the folded stacks of that series, and the messages. */
static const struct {
    const char *name, *text, *series, *folded, *messages;
} cases[] = {
    {"a heap that was not sampled",
     "heap profile:    3:   96 [  3: 96] @ heapprofile\n"
     "  2: 64 [ 2: 64] @ 0x1011 0x1021\n"
     "  1: 32 [ 1: 32] @ 0x1011\n" MAP,
     "space", "a b.so+0x410 32\na b.so+0x420;a b.so+0x410 64\n",
     "in: warning: addresses without a symbol: 2 of 2: /lib/a b.so (2)\n"},
    {"objects of it", "heap profile: 2: 64 [2: 64] @ heapprofile\n2: 64 [2: 64] @ 0x1011\n" MAP,
     "objects", "a b.so+0x410 2\n",
     "in: warning: addresses without a symbol: 1 of 1: /lib/a b.so (1)\n"},
    {"a sampled heap", "heap profile: 1: 9216 [1: 9216] @ heapz_v2/524288\n1: 9216 [1: 9216] @ 0x9",
     "space", "0x8 528909\n", ""},
    {"half the rate is the period of Go",
     "heap profile: 1: 9216 [1: 9216] @ heap/1048576\n1: 9216 [1: 9216] @ 0x9", "objects",
     "0x8 57\n", ""},
    {"what was allocated", "heap profile: 1: 8 [3: 24] @ heapprofile\n1: 8 [3: 24] @ 0x9\n",
     "alloc_space", "0x8 24\n", ""},
    {"rows are missing", "heap profile: 2: 16 [2: 16] @ growthz\n1: 8 [1: 8] @ 0x9\n", "space",
     "0x8 8\n",
     "in: warning: the rows add up to 1, but the heading states 2; the file may be truncated\n"},
    {"contention",
     "--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 10\n"
     "ms since reset = 5\ndiscarded samples = 3\n 400 2 @ 0x1011\n--- Memory map: ---\n"
     "  1000-2000: /lib/x.so\n",
     "delay", "x.so+0x10 2000\n",
     "in: warning: addresses without a symbol: 1 of 1: /lib/x.so (1)\n"},
    {"contentions",
     "--- mutex:\ncycles/second=1000000000\nsampling period=5\n7 3 @ 0x9\nMAPPED_LIBRARIES:\n",
     "contentions", "0x8 15\n", ""},
    {"cycles, where their length is not told", "--- contention:\n7 3 @ 0x9\nMAPPED_LIBRARIES:\n",
     "delay", "0x8 7\n", ""},
    {"Java's heap",
     "--- heapz 1 ---\nformat = java\nresolution = bytes\n 1024 1 @ 0x3 0x4\n\n"
     " 0x3 com.example.A.f (A.java:3)\n 0x0000004 com.example.B.<init> (libx.so)\n",
     "space", "com.example.B.<init>;com.example.A.f 524800\n", ""},
    {"names of Go, the first of two at an address being inlined",
     "goroutine profile: total 3\n2 @ 0x11 0x21 0x31\n# labels: {\"a\":\"b\"}\n"
     "#\t0x20\tmain.(*T).f[...]+0x1f\t/src/a b.go:7\n"
     "#\t0x20\tmain.g+0x2f\t/src/a.go:8\n#\t0x30\tmain.main+0x3\t/src/a.go:9\n\n"
     "1 @ 0x11\n#\t0x10\n\n",
     "goroutine", "0x10 1\nmain.main;main.g;main.(*T).f[...] 2\n", ""},
    {"rows without a stack", "threadcreate profile: total 9\n4 @ 0x9\n5 @\n", "threadcreate",
     " 5\n0x8 4\n", ""},
    {"bad rows",
     "heap profile: 1: 8 [1: 8] @ growth\n1: 8 [1: 8] @ 0x9\n1: 8 [1: ] @ 0x9\n1: 8: 8 8 8 @ 0x9\n"
     "junk\n",
     "space", "0x8 8\n",
     "in:3: warning: malformed row of a pprof profile: '1: 8 [1: ] @ 0x9'; line skipped\n"
     "in:4: warning: malformed row of a pprof profile: '1: 8: 8 8 8 @ 0x9'; line skipped\n"
     "in:5: warning: malformed row of a pprof profile: 'junk'; line skipped\n"},
    {"a row that does not fit",
     "--- contention:\nsampling period = 9000000000000000000\n7 3 @ 0x9\n2 1 @ 0x5\n1 0 @ "
     "0x7\nMAPPED_LIBRARIES:\n",
     "delay", "0x6 9000000000000000000\n",
     "in:3: warning: the scaled values of the row exceed 63 bits; line skipped\n"
     "in:4: warning: the scaled values of the row exceed 63 bits; line skipped\n"},
    {"an address that is none", "threadcreate profile: total 1\n1 @ 0x9 zz\n", "threadcreate",
     "0x8 1\n", "in:2: warning: the row ends with text that is no address\n"},
    {"contention that was cut", "--- contention:\n7 3 @ 0x9\n", "delay", "0x8 7\n",
     "in: warning: neither names nor a memory map at the end; the file may be truncated\n"},
    {"Java's names that were cut",
     "--- contentionz 1 ---\nformat = java\n7 3 @ 0x9 0x8\n 0x9 A.f (A.java:1)\n", "delay",
     "0x8;A.f 7\n", "in: warning: 1 frame has no name; the file may be truncated\n"},
    {"threads",
     "--- threadz 1 ---\n\n--- Thread 7f (name: main/12) stack: ---\n"
     "  PC:  0x00001010: wait(int)\n  0x1021: main\n      creator: 0x1031\n"
     "--- Thread 8f (name: worker/13) stack: ---\n  [same as previous thread]\n"
     "--- Memory map: ---\n  1000-2000: /lib/x.so\n",
     "thread", "x.so+0x30;main;wait 2\n",
     "in: warning: addresses without a symbol: 1 of 1: /lib/x.so (1)\n"},
    {"threads without names, each with its creator",
     "--- threadz 1 ---\n\n--- Thread 7f (name: main/12) stack: ---\n"
     "  PC: 0x1010 0x1021\n      0x1031\n      creator: 0x1041 0x1051\n"
     "--- Thread 8f (name: worker/13) stack: ---\n  PC: 0x1010 0x1021\n      0x1031\n"
     "--- Memory map: ---\n  1000-2000: /lib/x.so\n",
     "thread",
     "x.so+0x30;x.so+0x20;x.so+0x10 1\nx.so+0x50;x.so+0x40;x.so+0x30;x.so+0x20;"
     "x.so+0x10 1\n",
     "in: warning: addresses without a symbol: 5 of 5: /lib/x.so (5)\n"},
    /* jeprof's scale for 3 objects of 2,048 bytes is 1 / (1 - exp(-2048 / 524288)) = 256.5... */
    {"jemalloc: a row is two lines, threads are parts of it",
     "heap_v2/524288\n  t*: 4: 8192 [0: 0]\n  t0: 4: 8192 [0: 0]\n@ 0x9 0x7\n  t*: 3: 6144 [0: 0]\n"
     "  t0: 3: 6144 [0: 0]\n@ 0x7\n  t*: 1: 2048 [0: 0]\n\nMAPPED_LIBRARIES:\n",
     "space", "0x6 525312\n0x6;0x8 1575937\n", ""},
    {"jemalloc: a stack without numbers",
     "heap_v2/1\n  t*: 3: 56 [0: 0]\n@ 0x9\n@ 0x7\n  t*: 3: 56 [0: 0]\nwhat\n  t*: 1: 1 [0: 0]\n",
     "objects", "0x6 3\n",
     "in:4: warning: malformed row of a pprof profile: '@ 0x9'; line skipped\n"
     "in:6: warning: malformed row of a pprof profile: 'what'; line skipped\n"
     "in:7: warning: malformed row of a pprof profile: '1: 1 [0: 0]'; line skipped\n"},
    {"labels are of the row before them",
     "goroutine profile: total 3\n2 @ 0x9\n# labels: {\"endpoint\":\"/a b\", \"user\":\"x\"}\n"
     "#\t0x8\tf+0x1\t/a.go:1\n\n1 @ 0x7\n#\t0x6\tg+0x1\t/a.go:1\n",
     "goroutine", "f 2\ng 1\n", ""},
    {"threads that were cut",
     "--- Thread 7f (name: main/12) stack: ---\n  PC: 0x10: f\n  [same as previous thread]\n  "
     "what\n",
     "thread", "f 1\n",
     "in:3: warning: '[same as previous thread]' without a previous thread; line skipped\n"
     "in:4: warning: malformed frame of a thread: 'what'; line skipped\n"
     "in: warning: no memory map at the end; the file may be truncated\n"},
};

Test(input_pprof_text, forms)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", cases[i].name);
        reading_expect_fold(&r, cases[i].name,
                            profile_find_series(&r.profile, slice_str(cases[i].series)),
                            cases[i].folded);
        reading_expect_messages(&r, cases[i].name, cases[i].messages);
        reading_release(&r);
    }
}

Test(input_pprof_text, weight_that_was_discarded_is_lost)
{
    struct reading r;

    reading_text(&r,
                 SLICE("--- contentionz 1 ---\nms since reset = 5\ndiscarded samples = 3\n"
                       "sampling period = 100\n7 3 @ 0x9\n"),
                 NULL);
    cr_expect_eq(r.profile.ledger.lost, 3);
    cr_expect_eq(r.profile.series.items[0].last_ns, 5000000);
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("period")), SLICE("1 of 100 contentions")));
    reading_release(&r);
}

Test(input_pprof_text, threads_can_be_told_apart)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_thread = true;
    reading_text(&r,
                 SLICE("--- threadz 1 ---\n--- Thread 7f (name: main/12) stack: ---\n"
                       "  PC:  0x00001010: f\n--- Memory map: ---\n"),
                 &options);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("thread, main (12)")));
    reading_release(&r);
}

Test(input_pprof_text, labels_select_and_split)
{
    static const char *const tags[] = {"endpoint=/a b"};
    const struct slice text =
        SLICE("goroutineleak profile: total 4\n2 @ 0x9\n# labels: {\"endpoint\":\"/a b\"}\n"
              "#\t0x8\tf+0x1\t/a.go:1\n\n1 @ 0x7\n# labels: {\"endpoint\":\"/b\"}\n"
              "#\t0x6\tg+0x1\t/a.go:1\n\n1 @ 0x5\n#\t0x4\th+0x1\t/a.go:1\n");
    struct input_options options = input_options_default();
    struct reading r;

    options.tags = tags;
    options.tag_count = 1;
    reading_text(&r, text, &options);
    reading_expect_fold(&r, "selected", 0, "f 2\n");
    cr_expect_eq(r.profile.ledger.left_out, 2);
    cr_expect_not(profile_fact(&r.profile, SLICE("labels not used")).len);
    cr_expect(slice_equal(r.profile.series.items[0].unit.noun, SLICE("goroutines")));
    reading_release(&r);
    options.tag_count = 0;
    options.split_tag = "endpoint";
    reading_text(&r, text, &options);
    cr_assert_eq(r.profile.series.count, 3);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("goroutineleak, /a b")));
    cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("goroutineleak, /b")));
    cr_expect(slice_equal(r.profile.series.items[2].name, SLICE("goroutineleak")));
    reading_release(&r);
}

Test(input_pprof_text, claims)
{
    static const struct {
        const char *text;
        bool text_claimed, threadz_claimed;
    } rows[] = {
        {"heap profile: 1: 96 [1: 96] @ heap_v2/524288\n", true, false},
        {"\n\nheap profile: 1: 96 [1: 96] @ heap/1\n", true, false},
        {"heap profile: 1: 96 [1: 96] @ stack/524288\n", false, false},
        {"heap profile: how to read one @ home\n", false, false},
        {"goroutine profile: total 7\n7 @ 0x1\n", true, false},
        {"goroutine profile: total 0\n", true, false},
        {"Our new profile: total 7\nof all who came\n", false, false},
        {"goroutine profile: total many\n7 @ 0x1\n", false, false},
        {"--- contentionz 1 ---\ncycles/second = 1\n", true, false},
        {"--- mutex: a lock\nwhich see\n", false, false},
        {"--- threadz 1 ---\n", false, true},
        {"--- Thread 7f (name: main/1) stack: ---\n", false, true},
        {"--- Thread safety\n", false, false},
        {"text\nheap profile: 1: 96 [1: 96] @ heap/1\n", false, false},
        {"", false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct slice text = slice_str(rows[i].text);

        cr_expect_eq(claim_by(&format_pprof_text, text, true), rows[i].text_claimed, "%s",
                     rows[i].text);
        cr_expect_eq(claim_by(&format_pprof_threadz, text, true), rows[i].threadz_claimed, "%s",
                     rows[i].text);
    }
}
