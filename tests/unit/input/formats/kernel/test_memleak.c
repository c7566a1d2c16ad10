
#include "unit/support/claim.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TOP(n) "[11:16:33] Top " n " stacks with outstanding allocations:\n"
#define STACK                                                                                      \
    "\t80 bytes in 5 allocations from stack\n\t\tmalloc+0x6d [libc-2.21.so]\n"                     \
    "\t\tmain+0xf0 [allocs]\n"
#define OTHER                                                                                      \
    "        7 bytes in 1 allocations from stack\n"                                                \
    "                0 [<00007f12>] f(int)+0x1 [allocs]\n                0x00007f13\n"

Test(input_memleak, the_last_list_is_drawn_in_bytes_and_allocations)
{
    golden_text("lists", "memleak",
                "Attaching to pid 5193, Ctrl+C to quit.\n" TOP("1") STACK TOP("2") STACK
                "\taddr = 1a0 size = 10\n" OTHER TOP("0"),
                NULL,
                "[bytes]\n0x7f13;f 7\nmain;malloc 80\n"
                "[allocations]\n0x7f13;f 1\nmain;malloc 5\n",
                "in: note: only the last of 2 lists of outstanding allocations is drawn\n");
}

Test(input_memleak, a_cut_list_and_bad_numbers_are_told)
{
    golden_text("told", "memleak",
                TOP("3") STACK "\t1 bytes in x allocations from stack\n\t\tf\n"
                               "\t99999999999999999999 bytes in 1 allocations from stack\n\t\tf\n",
                NULL, "[bytes]\nmain;malloc 80\n[allocations]\nmain;malloc 5\n",
                "in:5: warning: malformed or too large number; stack skipped\n"
                "in:7: warning: malformed or too large number; stack skipped\n"
                "in:8: warning: the list is truncated: it has 1 of 3 stacks\n");
}

Test(input_memleak, lines_met_before_mean_what_their_place_says)
{
    golden_text("again", "memleak",
                TOP("3") STACK STACK "\t1 bytes in x allocations from stack\n"
                                     "\t\tmain+0xf0 [allocs]\n" STACK "\n\t\tmain+0xf0 [allocs]\n",
                NULL, "[bytes]\nmain;malloc 240\n[allocations]\nmain;malloc 15\n",
                "in:8: warning: malformed or too large number; stack skipped\n");
}

Test(input_memleak, claims)
{
    cr_expect(claim_by(&format_memleak, SLICE(STACK), true));
    cr_expect_not(claim_by(&format_memleak, SLICE("80 bytes in 5 allocations\n"), true));
    cr_expect_not(claim_by(&format_memleak,
                           SLICE("==7== 80 bytes in 5 blocks are lost in loss record\n"), true));
}
