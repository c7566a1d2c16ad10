
#include "support/formats.h"
#include "input/formats/memory/valgrind_frame.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEADER "desc: (none)\ncmd: ./a.out\ntime_unit: i\n"
#define SNAPSHOT(number, heap)                                                                     \
    "#-----------\nsnapshot=" number "\n#-----------\ntime=5\nmem_heap_B=" heap                    \
    "\nmem_heap_extra_B=3\nmem_stacks_B=4\n"
#define ROOT(children, heap)                                                                       \
    "n" children ": " heap " (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"the tree is inverted; what is below the threshold is a frame",
     HEADER SNAPSHOT("0", "100") "heap_tree=peak\n" ROOT(
         "3", "100") " n2: 60 0x4005: f(int) (a.c:3)\n  n0: 50 0x4006: main (a.c:9)\n"
                     "  n0: 10 in 2 places, all below massif's threshold (1.00%)\n"
                     " n0: 30 0x4007: ??? (in /lib/libx.so)\n"
                     " n0: 10 in 7 places, all below massif's threshold (1.00%)\n",
     "== mem_heap_B bytes\n(below massif's threshold) 10\n(below massif's threshold);f 10\n"
     "[libx.so] 30\nmain;f 50\n"},
    {"of several the peak",
     HEADER SNAPSHOT("0", "900") "heap_tree=detailed\n" ROOT(
         "1", "900") " n0: 900 0x1: a "
                     "(a.c:3)\n" SNAPSHOT(
                         "1",
                         "80"
                         "0") "heap_tree=peak\n" ROOT("1", "800") " n0: 800 0x1: b "
                                                                  "(a.c:3)"
                                                                  "\n" SNAPSHOT(
                                                                      "2", "95"
                                                                           "0") "heap_tree=empty\n",
     "== mem_heap_B bytes\nb 800\n"},
    {"without a peak the largest",
     HEADER SNAPSHOT("0", "700") "heap_tree=detailed\n" ROOT(
         "1",
         "700") " n0: 700 0x1: a "
                "(a.c:3)\n" SNAPSHOT(
                    "1",
                    "80"
                    "0") "heap_tree=detailed\n" ROOT("1",
                                                     "800") " n0: 800 0x1: b "
                                                            "(a.c:3)"
                                                            "\n" SNAPSHOT(
                                                                "2",
                                                                "60"
                                                                "0") "heap_tree="
                                                                     "detailed\n" ROOT(
                                                                         "1",
                                                                         "600") " n0: 600 0x1: c "
                                                                                "(a.c:3)\n",
     "== mem_heap_B bytes\nb 800\n"},
    {"what a node has beyond those below it stays with it",
     HEADER SNAPSHOT("0", "100") "heap_tree=peak\n" ROOT(
         "1", "100") " n1: 90 0x1: a (a.c:3)\n  n0: 70 0x1: b (a.c:3)\n",
     "== mem_heap_B bytes\n(heap allocation functions) malloc/new/new[], --alloc-fns, etc. 10\n"
     "a 20\nb;a 70\n"},
    {"cut in the tree",
     HEADER SNAPSHOT("0", "100") "heap_tree=peak\n" ROOT("2", "100") " n1: 90 0x1: a (a.c:3)\n",
     "== mem_heap_B bytes\n(heap allocation functions) malloc/new/new[], --alloc-fns, etc. 10\n"
     "a 90\nin: warning: the tree of snapshot 0 has 2 nodes, but states 4; the weight of missing "
     "nodes stays with their parents\n"},
    {"nodes that do not fit",
     HEADER SNAPSHOT("0", "100") "heap_tree=peak\n" ROOT(
         "1", "90") " n1: 90 0x1: a (a.c:3)\n  n0: 99 0x1: b (a.c:3)\n    n0: 1 0x1: deep\n nx: 3\n"
                    "n0: 5 second\nkey=5\nsnapshot=z\nwords\n",
     "== mem_heap_B bytes\nb;a 99\n"
     "in:15: warning: node without a parent: '    n0: 1 0x1: deep'; line skipped\n"
     "in:16: warning: expected 'nCHILDREN: BYTES FRAME': ' nx: 3'; line skipped\n"
     "in:17: warning: node without a parent: 'n0: 5 second'; line skipped\n"
     "in: ... and 3 more like it\n"
     "in: warning: snapshot 0 has a tree of 90 bytes, but a heap of 100; the tree is drawn\n"
     "in:13: warning: the entries below this line weigh more than the line itself\n"},
    {"no tree", HEADER SNAPSHOT("0", "5021305210") "heap_tree=empty\n",
     "== mem_heap_B bytes\n 5021305210\nin: note: no stacks in this massif file: no snapshot has "
     "an allocation tree; run the program for longer, or run: valgrind --tool=massif "
     "--detailed-freq=1 ./app\nempty\n"},
};

Test(input_massif, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_massif, facts)
{
    struct reading r;

    reading_text(&r, slice_str(cases[1].text), NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("command")), SLICE("./a.out")));
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("snapshot")),
                    SLICE("1 of 3, the peak; the largest heap, in a snapshot without a tree, was "
                          "950 bytes")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("stacks")), SLICE("4 bytes")));
    reading_release(&r);
}

Test(input_massif, places)
{
    static const struct {
        const char *text, *name, *file, *module;
        uint64_t line, address;
    } rows[] = {
        {"0x1F: f(int) (a.c:3)", "f(int)", "a.c", "", 3, 0x1f},
        {"0x1F: part2::main (part2.rs:13:16)", "part2::main", "part2.rs", "", 13, 0x1f},
        {"0x1F: (below main) (in /opt/app)", "(below main)", "", "/opt/app", 0, 0x1f},
        {"0x1F: ??? (in /lib/l (deleted))", "", "", "/lib/l (deleted)", 0, 0x1f},
        {"0x1F: ???", "", "", "", 0, 0x1f},
        {"0x1F: f(char (*)[3])", "f(char (*)[3])", "", "", 0, 0x1f},
        {"[root]", "[root]", "", "", 0, 0},
        {"", "", "", "", 0, 0},
    };
    struct input_options options = input_options_default();

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct frame f = valgrind_frame(slice_str(rows[i].text), &options);

        cr_expect(slice_equal(f.name, slice_str(rows[i].name)), "%s: name %.*s", rows[i].text,
                  SLICE_ARG(f.name));
        cr_expect(slice_equal(f.file, slice_str(rows[i].file)), "%s: file", rows[i].text);
        cr_expect(slice_equal(f.module, slice_str(rows[i].module)), "%s: module %.*s", rows[i].text,
                  SLICE_ARG(f.module));
        cr_expect_eq(f.line, rows[i].line, "%s: line", rows[i].text);
        cr_expect_eq(f.address, rows[i].address, "%s: address", rows[i].text);
    }
}

Test(input_massif, claims)
{
    cr_expect(claim_by(&format_massif, SLICE(HEADER "#---\n"), true));
    cr_expect_not(claim_by(&format_massif, SLICE("desc: x\ncmd: y\nother: z\n"), true));
    cr_expect_not(claim_by(&format_massif, SLICE("desc: x\n"), true));
}
