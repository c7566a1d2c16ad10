
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define AT(ns, ids) "app " ids " 7.0000001" #ns ": 1 branches:uH: "
#define B(ns, what) AT(ns, "1/2") what "\n"
#define MAIN "4f main+0x1 (a)"
#define F "60 f+0x0 (a)"
#define F8 "68 f+0x8 (a)"
#define G "70 g+0x0 (a)"
#define G8 "78 g+0x8 (a)"
#define NOWHERE "0 [unknown] (a)"
#define START(ns) B(ns, "tr strt " NOWHERE " => " MAIN)

static const struct folding cases[] = {
    {"calls and returns",
     START(00) B(01, "call " MAIN " => " F) B(03, "return " F8 " => " MAIN)
         B(06, "jcc " MAIN " => " MAIN),
     "main 4\nmain;f 2\n", NULL},
    {"the caller is known by its call", B(00, "call " MAIN " => " F) B(05, "jcc " F8 " => " F8),
     "main;f 5\n", NULL},
    {"a tail call",
     START(00) B(01, "call " MAIN " => " F) B(02, "jmp " F8 " => " G)
         B(04, "return " G8 " => " MAIN) B(05, "jcc " MAIN " => " MAIN),
     "main 2\nmain;f 1\nmain;g 2\n", NULL},
    {"an exception ends several functions",
     START(00) B(01, "call " MAIN " => " F) B(02, "call " F8 " => " G) B(04, "jmp " G8 " => " MAIN)
         B(07, "jcc " MAIN " => " MAIN),
     "main 4\nmain;f 1\nmain;f;g 2\n", NULL},
    {"a return to a function that is not known",
     START(00) B(01, "return " MAIN " => " G8) B(04, "jcc " G8 " => " G8), "g 3\nmain 1\n", NULL},
    {"what is not traced",
     START(00) B(01, "tr end  syscall " MAIN " => " NOWHERE) B(05, "tr strt " NOWHERE " => " MAIN)
         B(06, "jcc " MAIN " => " MAIN),
     "main 2\nmain;[not traced] 4\n", NULL},
    {"threads apart, and a step back in time",
     START(00) AT(01, "1/3") "call " MAIN " => " F "\n" B(05, "jcc " MAIN " => " MAIN)
         AT(04, "1/3") "jcc " F8 " => " F8 "\n" B(03, "jcc " MAIN " => " MAIN),
     "main 5\nmain;f 3\n", NULL},
    {"a gap",
     START(00) B(01, "call " MAIN " => " F) " instruction trace error type 1 time 7.000000102 cpu "
                                            "-1 pid 1 tid 2 ip 0x1 code 7: Overflow packet\n" B(
                                                05, "tr strt " NOWHERE " => " G8)
                                                B(07, "jcc " G8 " => " G8),
     "g 2\nmain 1\n", "the trace has 1 gap (an overflow"},
    {"lines that cannot be read",
     START(00) "x\n" B(01, "call " MAIN) B(02, "call z => " F) B(03, "jcc " MAIN " => " MAIN),
     "main 3\n", "in:2: warning: expected 'COMM PID/TID TIME"},
};

Test(input_perf_branches, texts)
{
    folding_check("perf-branches", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_perf_branches, claims)
{
    cr_expect(claim_by(&format_perf_branches, SLICE("# head\n" START(00)), true));
    cr_expect_not(
        claim_by(&format_perf_branches, SLICE("app 1/2 7.1: 1 branches:uH: 4f main\n"), true));
    cr_expect_not(claim_by(&format_perf_branches,
                           SLICE("app 1/2 7.1: 1 cycles: \n\t4f main (a)\n" START(00)), true));
}
