
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEAD "{\"dhatFileVersion\": 2, \"cmd\": \"./app\", \"pps\": ["
#define TABLE                                                                                      \
    "], \"ftbl\": [\"[root]\", \"0x1F: malloc (in /lib/m.so)\", "                                  \
    "\"0x2F: main (a.c:3)\", \"0x3F: ??? (in /lib/libx.so)\"]}"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"a graph for each number that is not zero throughout",
     HEAD
     "{\"tb\": 10, \"tbk\": 2, \"gb\": 5, \"gbk\": 1, \"eb\": 0, \"ebk\": 0, \"mb\": 9, "
     "\"fs\": [1, 2]}, "
     "{\"tb\": 7, \"tbk\": 1, \"gb\": 0, \"gbk\": 0, \"rb\": 3, \"wb\": 4, \"fs\": [1, 3]}" TABLE,
     "== total bytes bytes\n[libx.so];malloc 7\nmain;malloc 10\n"
     "== total blocks blocks\n[libx.so];malloc 1\nmain;malloc 2\n"
     "== peak bytes bytes\nmain;malloc 5\n== peak blocks blocks\nmain;malloc 1\n"
     "== read bytes bytes\n[libx.so];malloc 3\n== written bytes bytes\n[libx.so];malloc 4\n"},
    {"other things than bytes",
     "{\"dhatFileVersion\": 2, \"bsu\": \"units\", \"bksu\": \"events\", "
     "\"pps\": [{\"tb\": 10, \"tbk\": 2, \"fs\": [1]}], \"ftbl\": [\"[root]\", \"0x1F: f "
     "(a.c:1)\"]}",
     "== total units units\nf 10\n== total events events\nf 2\n"},
    {"frames that the table does not have", HEAD "{\"tb\": 1, \"fs\": [1, 99, \"x\"]}" TABLE,
     "== total bytes bytes\n[unknown];[unknown];malloc 1\n"
     "in: warning: malformed frame: \"x\"; shown as unknown\n"
     "in: warning: frame 99 is not in the frame table; shown as unknown\n"},
    {"points with the same frames, a table before them",
     "{\"dhatFileVersion\": 2, \"ftbl\": [\"[root]\", \"0x1F: f (a.c:1)\"], \"pps\": ["
     "{\"tb\": 1, \"fs\": [1, 7]}, {\"fs\": [1, 7], \"tb\": 2}, {\"tb\": 4, \"fs\": [1]}]}",
     "== total bytes bytes\n[unknown];f 3\nf 4\n"
     "in: warning: frame 7 is not in the frame table; shown as unknown\n"},
    {"more than 64 bits have room for",
     HEAD "{\"tb\": 18446744073709551615, \"fs\": [1]}, {\"tb\": 1, \"fs\": [1]}" TABLE,
     "in: error: the sum of the weights does not fit in 64 bits\nfailed\n"},
    {"without stacks", HEAD "{\"tb\": 1, \"fs\": [0]}, {\"tb\": 2}" TABLE,
     "== total bytes bytes\n 3\nin: note: no stacks in this dhat file: it was recorded without "
     "backtraces ('bklt' is false)\nempty\n"},
    {"no points", "{\"dhatFileVersion\": 2}",
     "in: error: the profile has no program points ('pps')\nfailed\n"},
};

Test(input_dhat, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_dhat, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
}

Test(input_dhat, claims)
{
    cr_expect(claim_by(&format_dhat, slice_str(cases[0].text), true));
    cr_expect_not(claim_by(&format_dhat, SLICE("{\"pps\": [], \"ftbl\": []}"), true));
}
