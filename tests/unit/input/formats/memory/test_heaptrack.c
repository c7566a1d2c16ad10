
#include "base/file.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* Strings 1 app, 2 main, 3 run, 4 a.cpp; instructions 1 main, 2 run; traces 1 main, 2 main;run. */
#define HEAD "v 10200 2\nX ./app\ns /bin/app\ns main\ns run\ns a.cpp\n"
#define STACKS "i 10 1 2 4 7\ni 20 1 3 4 9\nt 1 0\nt 2 1\na 10 1\na 20 2\n"
#define END(strings, instructions) "# strings: " strings "\n# ips: " instructions "\n"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"each of the series",
     HEAD STACKS "+ 0\n+ 1\n+ 1\nc a\n- 1\n- 1\n+ 1\n- 1\n" END("4", "2"),
     "== allocations allocations\nmain 1\nmain;run 3\n"
     "== allocated bytes\nmain 16\nmain;run 96\n"
     "== peak bytes\nmain 16\nmain;run 64\n"
     "== leaked bytes\nmain 16\n"
     "== temporary allocations\nmain;run 2\n"},
    {"the first of equal peaks counts",
     HEAD STACKS "+ 0\n+ 0\n- 0\n- 0\n+ 1\n- 1\n" END("4", "2"),
     "== allocations allocations\nmain 2\nmain;run 1\n"
     "== allocated bytes\nmain 32\nmain;run 32\n"
     "== peak bytes\nmain 32\n"
     "== leaked bytes\n"
     "== temporary allocations\nmain 1\nmain;run 1\n"},
    {"inlined functions, the innermost first; strings with their length",
     "v 10400 3\nX ./app\ns 4 main\ns 9 run(a\nb;)\ns 3 f.c\ni 10 0 2 3 1 1 3 2\ni 11 0\nt 1 0\n"
     "t 2 1\na 1 2\n+ 0\n" END("3", "2"),
     "== allocations allocations\nmain;run;0x11 1\n== allocated bytes\nmain;run;0x11 1\n"
     "== peak bytes\nmain;run;0x11 1\n== leaked bytes\nmain;run;0x11 1\n"
     "== temporary allocations\n"},
    {"what is no record keeps its number",
     HEAD "i zz\ni 20 1 3\nt 9 0\nt 2 0\na 1 1\na 1 9\na 1 2\n+ 0\n+ 1\n+ 2\n- 7\n? x\n"
     END("4", "2"),
     "== allocations allocations\n 1\nrun 1\n== allocated bytes\n 1\nrun 1\n"
     "== peak bytes\n 1\nrun 1\n== leaked bytes\n 1\nrun 1\n== temporary allocations\n"
     "in:7: warning: invalid record of heaptrack: 'i zz'; line skipped\n"
     "in:9: warning: invalid record of heaptrack: 't 9 0'; line skipped\n"
     "in:12: warning: invalid record of heaptrack: 'a 1 9'; line skipped\n"
     "in: ... and 3 more like it\n"},
    {"more given back than there was",
     HEAD STACKS "+ 0\n- 1\n- 0\n- 0\n" END("4", "2"),
     "== allocations allocations\nmain 1\n== allocated bytes\nmain 16\n== peak bytes\nmain 16\n"
     "== leaked bytes\n== temporary allocations\nmain 1\n"
     "in:14: warning: invalid record of heaptrack: '- 1'; line skipped\n"
     "in:16: warning: invalid record of heaptrack: '- 0'; line skipped\n"},
    {"an end that is missing",
     HEAD STACKS "+ 0\n",
     "== allocations allocations\nmain 1\n== allocated bytes\nmain 16\n== peak bytes\nmain 16\n"
     "== leaked bytes\nmain 16\n== temporary allocations\n"
     "in: warning: heaptrack's last lines are missing; the file may be truncated\n"},
    {"a middle that is missing",
     HEAD STACKS "+ 0\n" END("5", "2"),
     "== allocations allocations\nmain 1\n== allocated bytes\nmain 16\n== peak bytes\nmain 16\n"
     "== leaked bytes\nmain 16\n== temporary allocations\n"
     "in: warning: the file has 4 strings and 2 instructions, but states 5 and 2\n"},
    {"nothing allocated",
     HEAD END("4", "0"),
     "== allocations allocations\n== allocated bytes\n== peak bytes\n== leaked bytes\n"
     "== temporary allocations\n"
     "in: note: no stacks in this heaptrack file: nothing was measured\nempty\n"},
    {"sizes beyond 64 bits",
     HEAD STACKS "a ffffffffffffffff 1\n+ 2\n+ 2\n",
     "in: error: the sum of the weights does not fit in 64 bits\nfailed\n"},
    {"raw records",
     "v 10400 3\nX ./app\nx 4 ./app\nm 1 x 1\n",
     "in: error: heaptrack's raw data, without function names; "
     "run: heaptrack_interpret < FILE > NEW\n"
     "failed\n"},
    {"a version to come",
     "v 20000 9\nX ./app\n",
     "in: error: unsupported version 9 of heaptrack's file format; "
     "run: heaptrack_print -F app.folded "
     "FILE\nfailed\n"},
    {"a string longer than lines may be",
     "v 10400 3\nX ./app\ns ffffffffffff main\n" END("1", "0"),
     "== allocations allocations\n== allocated bytes\n== peak bytes\n== leaked bytes\n"
     "== temporary allocations\n"
     "in:3: warning: invalid record of heaptrack: 's ffffffffffff main'; line skipped\n"
     "in: error: no stacks in this heaptrack file\nfailed\n"},
};
/* clang-format on */

Test(input_heaptrack, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_heaptrack, inlined_functions_have_their_class)
{
    struct input_options options = input_options_default();

    options.inlined = true;
    told_expect("class", SLICE(HEAD "i 10 1 3 4 7 2 4 1\nt 1 0\na 1 1\n+ 0\n- 0\n" END("4", "1")),
                &options,
                "== allocations allocations\nmain;run_[i] 1\n== allocated bytes\nmain;run_[i] 1\n"
                "== peak bytes\nmain;run_[i] 1\n== leaked bytes\n"
                "== temporary allocations\nmain;run_[i] 1\n");
}

Test(input_heaptrack, reference_names_are_those_of_heaptrack_print)
{
    struct input_options options = input_options_default();
    struct buf path = {0}, want = {0}, got = {0}, sorted = {0}, why = {0};
    struct reading r;
    struct slice lines, line;

    corpus_need();
    options.names = NAMES_REFERENCE;
    reading_path(&r, corpus_path(&path, "heaptrack/heaptrack.thr.zst"), "in", &options, 1);
    cr_assert_eq(r.result, INPUT_READ);
    reading_fold(&r, 0, &got);
    cr_assert(
        file_read(corpus_path(&path, "heaptrack/heaptrack-print.folded"), 1 << 20, &why, &sorted));
    /* The reference ends every stack in an empty frame. */
    for (lines = buf_slice(&why); slice_line(&lines, &line);) {
        size_t end = slice_find_last(line, ';');

        buf_printf(&want, "%.*s%.*s\n", SLICE_ARG(slice_take(line, end)),
                   SLICE_ARG(slice_skip(line, end + 1)));
    }
    buf_clear(&sorted);
    reading_sort(buf_slice(&want), &sorted);
    cr_expect_str_eq(buf_string(&got), buf_string(&sorted));
    reading_release(&r);
    buf_release(&path);
    buf_release(&want);
    buf_release(&got);
    buf_release(&sorted);
    buf_release(&why);
}

Test(input_heaptrack, claims)
{
    cr_expect(claim_find(SLICE(HEAD), true) == &format_heaptrack);
    cr_expect(claim_find(SLICE("v 10000\nX a\n"), true) == &format_heaptrack);
    cr_expect_null(
        claim_find(SLICE("v 1.0 0.5 2.0\nv 1 2 3\n"), true)); /* vertices of a 3D model */
    cr_expect_null(claim_find(SLICE("v 10400 3\n"), true));
    cr_expect_null(claim_find(SLICE("v 10400 3\nhello\n"), true));
}
