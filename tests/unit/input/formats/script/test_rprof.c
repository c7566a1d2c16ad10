
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

static const struct folding cases[] = {
    {"a sample weighs its interval", "sample.interval=20000\n\"g\" \"f\" \n\"f\" \n\"g\" \"f\" \n",
     "f 20000\nf;g 40000\n", NULL},
    {"memory, lines and collections of garbage",
     "memory profiling: GC profiling: line profiling: sample.interval=1000\n#File 1: a.R\n"
     ":1:2:3:0:1#2 \"f\" \n:1:2:3:0:\"<GC>\" \"f\" \n:1:2:3:0:<GC> \"g\" 1#7 \"f\" \n",
     "f 1000\nf;<GC> 1000\nf;g;<GC> 1000\n", NULL},
    {"names have blanks and quotes",
     "sample.interval=10\n\"a\\\"b\\\\c\" \"<Anonymous>\" \"p::q r\" \n",
     "p::q r;<Anonymous>;a\"b\\c 10\n", NULL},
    {"empty samples are no samples", "sample.interval=10\n\n\"f\" \n\n:1:2:3:4:\n", "f 10\n", NULL},
    {"a second header", "sample.interval=10\n\"f\" \nGC profiling: sample.interval=5\n\"f\" \n",
     "f 15\n", NULL},
    {"lines that cannot be read",
     "sample.interval=10\n\"f\" \n\"g\n#File x: y\nfoo \"f\"\n\"f\\\n:1:2:\"f\"\n", "f 10\n",
     "in:3: warning: expected functions in quotes"},
};

Test(input_rprof, texts)
{
    folding_check("rprof", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_rprof, source_lines)
{
    struct input_options options = input_options_default();
    static const struct folding lines[] = {
        {"a mark is of the function after it",
         "line profiling: sample.interval=10\n#File 1: a.R\n1#2 \"f\" 1#9 \"main\" \n",
         "main:a.R:9;f:a.R:2 10\n", NULL},
    };

    options.srcline = true;
    folding_check("rprof", lines, 1, &options);
}

Test(input_rprof, claims)
{
    cr_expect(claim_by(&format_rprof, SLICE("sample.interval=20000\n"), true));
    cr_expect(claim_by(&format_rprof, SLICE("event=cpu sample.interval=20000\n"), true));
    cr_expect_not(claim_by(&format_rprof, SLICE("set sample.interval=20000\n"), true));
    cr_expect_not(claim_by(&format_rprof, SLICE("sample.interval=0\n"), true));
    cr_expect_not(claim_by(&format_rprof, SLICE("\"sample.interval=20 profiling: \"\n"), true));
}
