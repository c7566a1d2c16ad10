
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<svg width=\"1200\">\n<!-- Flame graph stack visualization. See "    \
    "https://github.com/brendangregg/FlameGraph -->\n<rect x=\"0\" y=\"0\" width=\"1200\"/>\n"
#define TAIL "</svg>\n"
#define BOX(title, x, y, w)                                                                        \
    "<g><title>" title "</title><rect x=\"" x "\" y=\"" y "\" width=\"" w                          \
    "\"/><text>..</text></g>\n"
#define EXACT(title, y, x, w)                                                                      \
    "<g><title>" title "</title><rect x=\"1%\" y=\"" y "\" width=\"2%\" fg:x=\"" x "\" fg:w=\"" w  \
    "\"/></g>\n"
#define THIN                                                                                       \
    "in: warning: frames that were too thin to draw may be missing in the picture; their weight "  \
    "is that of their callers\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"the root below, boxes in any order",
     HEAD BOX("b (1 samples, 10.00%)", "60.1", "20", "9.9")
         BOX("all (10 samples, 100%)", "10.0", "52", "100.0")
             BOX("a (10 samples, 100.00%)", "10.0", "36", "100.0")
                 BOX("b (2 samples, 20.00%)", "10.0", "20", "20.0") TAIL,
     "==  samples\na 7\na;b 3\n"},
    {"places in Deno's names",
     "<?xml version=\"1.0\"?>\n<svg width=\"9\">\n<script>// the Deno authors. MIT license.\n"
     "</script>\n" EXACT("a (x.js:3) (5 samples, 50.00%)", "36", "0", "5")
         EXACT("b (c) (5 samples, 50.00%)", "36", "5", "5")
             EXACT("op (2 samples, 20.00%)", "20", "0", "2") TAIL,
     "==  samples\na 3\na;op 2\nb (c) 5\n" THIN},
    {"the root at the top",
     HEAD BOX("all (1,000 ms, 100%)", "10", "20", "100")
         BOX("f(int, char) (1 ms, 0.10%)", "10.0", "36", "0.1") TAIL,
     "==  seconds e-3\n 999\nf(int, char) 1\n"},
    {"no root",
     HEAD BOX("a (3 samples, 30.00%)", "10", "36", "30")
         BOX("b (1 samples, 10.00%)", "40", "36", "10")
             BOX("c (1 samples, 10.00%)", "40", "20", "10") TAIL,
     "==  samples\na 3\nb;c 1\n"},
    {"changes of self weights",
     HEAD BOX("all (100 samples, 100%)", "10", "52", "100")
         BOX("a (100 samples, 100.00%; +5.00%)", "10", "36", "100")
             BOX("b (40 samples, 40.00%; -10.00%)", "10", "20", "40") TAIL,
     "== base samples\na 55\na;b 50\n== new samples\na 60\na;b 40\n" THIN},
    {"exact boxes, an attribute as title, and a factor",
     HEAD EXACT("all (25 samples, 100%)", "52", "0", "10") EXACT("named", "36", "2", "3")
         EXACT("<![CDATA[a<b> (3 samples, 1.00%)]]>", "36", "0", "1") TAIL,
     "==  samples\n 15\na<b> 2.5\nnamed 7.5\n"},
    {"a title of 2011",
     HEAD "<rect x=\"10\" y=\"36\" width=\"9\" onmouseover=\"s('a (-2 sample weight, 3 samples, "
          "100%)')\"/><rect x=\"10\" y=\"20\" width=\"9\" onmouseover=\"s(',b (1 samples, "
          "3%)')\"/>\n" TAIL,
     "==  samples\na 2\na;b 1\n"},
    {"callees heavier than their caller",
     HEAD BOX("all (3 ms, 100%)", "10", "36", "100") BOX("a (2 ms, 50.00%)", "10", "20", "50")
         BOX("b (2 ms, 50.00%)", "60", "20", "50") TAIL,
     "==  seconds e-3\na 1\nb 2\n"
     "in: warning: 1 frame is heavier than its caller because the picture rounds weights; it is "
     "cut\n"},
    {"boxes without weight, place or caller",
     HEAD BOX("a (1 samples, 100%)", "10", "36", "9") BOX("note", "10", "20", "9")
         BOX("b (1 samples, 9%)", "x", "20", "9") BOX("c (1 samples, 9%)", "50", "20", "9") TAIL,
     "==  samples\na 1\nin: warning: a frame has no weight or no place: 'note'; skipped\n"
     "in: warning: a frame has no weight or no place: 'b (1 samples, 9%)'; skipped\n"
     "in: warning: the frame 'c' is not within a caller; skipped\n"},
    {"an error picture", HEAD "<text>ERROR: No stack counts found</text>" TAIL,
     "in: note: no stacks in this flamegraph-svg file: nothing was measured\nempty\n"},
};

Test(input_flamegraph_svg, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

/* Coordinates that do not fit are ignored; sums of weights that do not fit are an error. */
Test(input_flamegraph_svg, large_numbers)
{
    struct reading r;

    reading_text(
        &r,
        SLICE(HEAD EXACT("a (18446744073709551615 x, 9%)", "36", "0", "1152921504606846975")
                  EXACT("b (18446744073709551615 x, 9%)", "36", "1152921504606846975",
                        "18446744073709551615") TAIL),
        NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_release(&r);
    reading_text(&r,
                 SLICE(HEAD BOX("a (18446744073709551615 x, 9%)", "0", "36", "5")
                           BOX("b (18446744073709551615 x, 9%)", "5", "36", "5")
                               BOX("c (1 x, 9%)", "99999999999999", "36", "5") TAIL),
                 NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_release(&r);
}

Test(input_flamegraph_svg, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
}
