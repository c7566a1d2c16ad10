
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define TEXT(levels)                                                                               \
    "{\"flamebearer\":{\"names\":[\"total\",\"a\",\"b\",\"c\"],\"levels\":" levels                 \
    ",\"numTicks\":10},\"metadata\":{\"format\":\"single\",\"units\":\"samples\"}}"

static const struct folding cases[] = {
    {"a bar is called by the one above its start",
     TEXT("[[0,10,1,0],[0,4,1,1,1,5,2,2],[1,2,2,3,3,3,3,1]]"), " 1\na 1\na;c 2\nb 2\nb;a 3\n",
     NULL},
    {"bars that touch", TEXT("[[0,10,0,0],[0,4,0,1,0,6,0,2],[0,4,4,3,0,6,6,3]]"), "a;c 4\nb;c 6\n",
     NULL},
    {"an empty bar is none", TEXT("[[0,4,0,0],[0,4,4,1,0,0,0,2]]"), "a 4\n", NULL},
    {"metadata first; other units",
     "{\"metadata\":{\"units\":\"lock_nanoseconds\"},\"flamebearer\":{\"levels\":"
     "[[0,5,0,0],[0,5,5,1]],\"names\":[\"total\",\"a\"],\"numTicks\":5}}",
     "a 5\n", NULL},
    {"names and levels at the top",
     "{\"names\":[\"total\",\"a\"],\"levels\":[[0,5,0,0],[0,5,5,1]],\"numTicks\":5}", "a 5\n",
     NULL},
    {"two profiles",
     "{\"flamebearer\":{\"names\":[\"total\",\"a\",\"b\"],\"levels\":[[0,4,0,0,7,0,0],"
     "[0,3,3,0,5,5,1,0,1,1,0,2,2,2]],\"numTicks\":11},\"metadata\":{\"format\":\"double\","
     "\"units\":\"samples\"}}",
     "[base]\na 3\nb 1\n[new]\na 5\nb 2\n", NULL},
    {"a name that is not there", TEXT("[[0,4,1,0],[0,2,2,1,0,1,1,9,0,1,1,1]]"), " 1\na 2\n",
     "a bar of level 2 has the name 9, which is not in the list"},
    {"a bar beyond its caller", TEXT("[[0,4,0,0],[0,2,2,1,7,1,1,1]]"), "a 2\n",
     "the bar 'a' of level 2 is not within a caller; the rest of the level is skipped"},
    {"numbers that do not fit, and a bar that is cut",
     TEXT("[[0,4,0,0],[0,2,2,1,0,99999999999999999999,1,1],[0,1,1,1,0,1]]"), "a 2\na;a 1\n",
     "a number of level 2 is 99999999999999999999; the rest of the level is skipped\n"
     "in: warning: level 3 ends within a bar"},
    {"places that do not fit", TEXT("[[0,9,0,0],[0,2,2,1,18446744073709551615,1,1,1]]"), "a 2\n",
     "the bar 'a' of level 2 is not within 64 bits"},
};

Test(input_flamebearer, texts)
{
    folding_check("flamebearer", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_flamebearer, nothing_is_read_after_an_error)
{
    struct reading r;

    reading_text(&r,
                 SLICE(TEXT("[[0,9,18000000000000000000,0],[0,9,18000000000000000000,1],"
                            "[0,3,1,1,9]]")),
                 NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_messages(&r, "two weights that do not fit",
                            "in: error: the sum of the weights does not fit in 64 bits\n");
    reading_release(&r);
}

Test(input_flamebearer, claims)
{
    cr_expect(
        claim_by(&format_flamebearer, SLICE("{\"names\":[],\"levels\":[],\"numTicks\":1}"), true));
    cr_expect_not(claim_by(&format_flamebearer, SLICE("{\"names\":[],\"levels\":[]}"), true));
    cr_expect_not(claim_by(&format_flamebearer, SLICE("{\"flamebearer\":{\"names\":[]}}"), true));
    cr_expect(claim_by(&format_flamebearer, SLICE("{\"flamebearer\":{\"names\":[\"a\""), false));
}
