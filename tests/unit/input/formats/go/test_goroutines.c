/* Goroutine dumps of Go. */

#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define MAIN "main.main()\n\t/src/main.go:16 +0x45\n"

static const struct {
    const char *name, *text, *folded, *messages;
} cases[] = {
    {"two of one stack",
     "goroutine 1 [running]:\nmain.f({0x1, 0x2}, 0x3?)\n\tC:/src/a.go:1 +0x1\n" MAIN "\n"
     "goroutine 2 [sleep, 5 minutes, locked to thread]:\nmain.f(...)\n\ta.go:1\n" MAIN,
     "main.main;main.f 2\n", ""},
    {"names",
     "goroutine 1 [select (no cases)]:\nmain.(*T[...]).f.func1(0x1)\n\t/a.go:1 +0x1\n"
     "main.g[go.shape.int](0x1)\n\t/a.go:1 fp=0xc0 sp=0xc0 pc=0x1\nmain.h[go.shape.struct { X int "
     "}]"
     "(...)\n\t/a.go:2\n" MAIN,
     "main.main;main.h[go.shape.struct { X int }];main.g[go.shape.int];main.(*T[...]).f.func1 1\n",
     ""},
    {"a panic",
     "log line\npanic: oh (no)\n\n[signal SIGSEGV: segmentation violation]\n\n"
     "goroutine 1 gp=0xc000002380 m=0 mp=0x5a [running]:\npanic({0x1, 0x2})\n\t/panic.go:5 "
     "+0x1\n" MAIN "exit status 2\n",
     "main.main;panic 1\n", ""},
    {"a creator and ancestors are no callers",
     "goroutine 25 [chan receive]:\nmain.bar(0x1)\n\t/a.go:57 +0x11c\ncreated by main.d1 in "
     "goroutine 24\n\t/a.go:69 +0x34\n[originating from goroutine 24]:\nmain.d1(...)\n\t/a.go:70\n"
     "created by main.d2\n\t/a.go:71\n",
     "main.bar 1\n", ""},
    {"elided", "goroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:1\n...23 frames elided...\n" MAIN,
     "main.main;main.f 1\n", ""},
    {"no stack",
     "goroutine 1 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by "
     "main.f\n\t/a.go:1\n\ngoroutine 2 [idle]:\n" MAIN,
     " 1\nmain.main 1\n", ""},
    {"C", "goroutine 1 [syscall]:\nnon-Go function\n\tpc=0x4567\n" MAIN,
     "main.main;non-Go function 1\n", ""},
    {"labels, bubbles and leaks",
     "goroutine 1 [sleep] {endpoint: \"/a ]: b\", user: \"x\\\"y\"}:\n" MAIN
     "\ngoroutine 2 [chan receive (leaked), 2 minutes] {\"k\": v}:\n" MAIN
     "\ngoroutine 3 [select (durable), synctest bubble 1]:\n" MAIN
     "\ngoroutine 4 gp=0x1 m=0 mp=0x2 [running] {k: v}:\n" MAIN,
     "main.main 4\n", ""},
    {"cut in a frame", "goroutine 1 [running]:\n" MAIN "runtime.main()\n",
     "runtime.main;main.main 1\n",
     "in: warning: the dump is truncated: its last function has no source line\n"},
    {"cut in a stack",
     "goroutine 1 [running]:\n" MAIN "\ngoroutine 2 [sleep]:\nmain.f()\n\ta.go:1\n",
     "main.f 1\nmain.main 1\n",
     "in: warning: the last goroutine ends neither in main.main nor with its creator; the dump may "
     "be truncated\n"},
    {"cut in a place", "goroutine 1 [running]:\nmain.f()\n\t", "main.f 1\n",
     "in: warning: the dump is truncated: its last function has no source line\n"},
    {"cut in a heading", "goroutine 1 [running]:\n" MAIN "\ngorouti", "main.main 1\n",
     "in: warning: the dump is truncated at the start of a goroutine\n"},
    {"bad lines", "goroutine 1 [running]:\n" MAIN "main.main)(\n\t/a.go:1\nf(\n", "main.main 1\n",
     "in:4: warning: malformed frame of a goroutine: 'main.main)('; line skipped\n"
     "in:6: warning: malformed frame of a goroutine: 'f('; line skipped\n"},
};

Test(input_goroutines, forms)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", cases[i].name);
        reading_expect_fold(&r, cases[i].name, 0, cases[i].folded);
        reading_expect_messages(&r, cases[i].name, cases[i].messages);
        cr_expect_eq(r.profile.series.items[0].total, r.profile.series.items[0].samples);
        reading_release(&r);
    }
}

Test(input_goroutines, states_and_cuts_are_counted)
{
    struct reading r;

    reading_text(&r,
                 SLICE("goroutine 1 [sleep, 5 minutes]:\n" MAIN "...additional frames elided...\n\n"
                       "goroutine 2 [running]:\n" MAIN "[originating from goroutine 24]:\n" MAIN
                       "\ngoroutine 3 [sleep]:\n" MAIN),
                 NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("states")), SLICE("sleep 2, running 1")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("ancestors not drawn")), SLICE("1")));
    cr_expect_eq(r.profile.ledger.truncated, 1);
    reading_release(&r);
}

Test(input_goroutines, labels_select_and_split)
{
    static const char *const tags[] = {"user=x\"y", "user=z"};
    const struct slice text =
        SLICE("goroutine 1 [sleep] {endpoint: \"/a\", user: \"x\\\"y\"}:\n" MAIN
              "\ngoroutine 2 [sleep] {user: z}:\n" MAIN "\ngoroutine 3 [sleep] {user: zz}:\n" MAIN
              "\ngoroutine 4 [sleep]:\n" MAIN);
    struct input_options options = input_options_default();
    struct reading r;

    reading_text(&r, text, NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("labels not used")),
                          SLICE("endpoint (1), user (3)")));
    reading_release(&r);
    options.tags = tags;
    options.tag_count = 2;
    reading_text(&r, text, &options);
    cr_expect_eq(r.profile.series.items[0].total, 2);
    cr_expect_eq(r.profile.ledger.left_out, 2);
    reading_release(&r);
    options.tag_count = 0;
    options.split_tag = "endpoint";
    reading_text(&r, text, &options);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("goroutine, /a")));
    cr_expect_eq(r.profile.series.items[1].total, 3);
    reading_release(&r);
}

Test(input_goroutines, frames_nowhere_are_no_cut)
{
    struct reading r;

    reading_text(&r, SLICE("goroutine 1 [running]:\n\ngoroutine 2 [running]:\n"), NULL);
    cr_expect_eq(r.result, INPUT_EMPTY);
    reading_expect_messages(
        &r, "bare",
        "in: note: no stacks in this goroutines file: its goroutines have no frames; "
        "set GOTRACEBACK=all\n");
    reading_release(&r);
}

Test(input_goroutines, places_are_known)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.srcline = true;
    reading_text(&r, SLICE("goroutine 1 [sleep]:\nmain.f()\n\tC:/a b/f.go:7 +0x9\n" MAIN),
                 &options);
    reading_expect_fold(&r, "places", 0, "main.main:/src/main.go:16;main.f:C:/a b/f.go:7 1\n");
    reading_release(&r);
}

Test(input_goroutines, one_can_be_read_alone)
{
    static const char *const threads[] = {"2"};
    struct input_options options = input_options_default();
    struct reading r;

    options.threads = threads;
    options.thread_count = 1;
    reading_text(&r, SLICE("goroutine 1 [sleep]:\n" MAIN "\ngoroutine 2 [sleep]:\n" MAIN),
                 &options);
    cr_expect_eq(r.profile.series.items[0].total, 1);
    cr_expect_eq(r.profile.ledger.left_out, 1);
    reading_release(&r);
}

Test(input_goroutines, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"goroutine 1 [running]:\n" MAIN, true},
        {"panic: x\n\ngoroutine 1 [running]:\n" MAIN, true},
        {"goroutine 1 [running]:\n", true},
        {"goroutine x [running]:\n" MAIN, false},
        {"goroutine 1 running\n" MAIN, false},
        {"A goroutine\nis not\na thread\nand prints\nso:\ngoroutine 1 [running]:\n" MAIN, false},
        {MAIN, false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_goroutines, slice_str(rows[i].text), true), rows[i].claimed,
                     "%s", rows[i].text);
}
