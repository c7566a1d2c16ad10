
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TOP "-----\nCommand:            ./a\nMassif arguments:   -\nms_print arguments: m\n-----\n"
#define ROOT "99.00% (1,000B) (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
#define WITHOUT_PEAK TOP " Detailed snapshots: [1, 2]\n"

static const struct folding cases[] = {
    {"the peak, though another heap is larger",
     TOP
     " Detailed snapshots: [1, 2 (peak)]\n  1 1 2,000 2,000 0 0\n"
     "99.00% (2,000B) (heap allocation functions) malloc\n->99.00% (2,000B) 0x1: f (a.c:1)\n"
     "  2 2 1,008 1,000 8 0\n" ROOT "->60.00% (600B) 0x1: g (a.c:1)\n"
     "| ->60.00% (600B) 0x2: main (a.c:2)\n|\n->10.00% (100B) in 3 places, all below ms_print's "
     "threshold (01.00%)\n",
     "(below massif's threshold) 100\n(heap allocation functions) malloc/new/new[], --alloc-fns, "
     "etc. 300\nmain;g 600\n",
     NULL},
    {"the largest tree without a peak",
     WITHOUT_PEAK "  1 1 10 10 0 0\n90.00% (10B) (heap allocation functions) malloc\n"
                  "->90.00% (10B) 0x1: f (a.c:1)\n  2 2 1,000 1,000 0 0\n" ROOT
                  "->99.00% (1,000B) 0x1: g (a.c:1)\n",
     "g 1000\n", NULL},
    {"a node that is too deep",
     WITHOUT_PEAK "  1 1 1,000 1,000 0 0\n" ROOT "->99.00% (1,000B) 0x1: g (a.c:1)\n"
                  "| | | ->99.00% (1,000B) 0x1: h (a.c:1)\n",
     "g 1000\n", "node without a parent"},
    {"numbers with too many digits",
     WITHOUT_PEAK "  1 1 1,000 1,000 0 0\n" ROOT "->99.00% (1,000B) 0x1: g (a.c:1)\n"
                  "->99.00% (999,999,999,999,999,999,999B) 0x1: h (a.c:1)\n",
     "g 1000\n", "in:10: warning: expected '->PERCENT% (BYTES) FRAME'"},
};

Test(input_ms_print, texts)
{
    folding_check("ms-print", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_ms_print, claims)
{
    cr_expect(claim_by(&format_ms_print, SLICE(TOP), true));
    cr_expect_not(claim_by(&format_ms_print, SLICE("desc: x\ncmd: ms_print arguments: y\n"), true));
}
