
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEADING "allocator,num_allocations,size,tid,thread_name,stack_trace\n"

static const struct folding cases[] = {
    {"bytes and allocations, leaf first",
     HEADING "MALLOC,2,100,1,0x1,f;a.py;3|<module>;a.py;9\nMMAP,1,50,1,0x1,\n",
     "[bytes]\n 50\n<module> (a.py);f 100\n[allocations]\n 1\n<module> (a.py);f 2\n", NULL},
    {"names with commas and semicolons",
     HEADING "MALLOC,2,100,1,0x1,\"f(a, b);x;;c.cc;3|<module>;a.py;9\"\n",
     "[bytes]\n<module> (a.py);f(a, b):x: 100\n[allocations]\n<module> (a.py);f(a, b):x: 2\n",
     NULL},
    {"rows that cannot be read", HEADING "MALLOC,x,100,1,0x1,f;a.py;3\nMALLOC,1,100\n", NULL,
     "in:2: warning: expected a row with number, size and stack"},
    {"a row cut before its stack", HEADING "MALLOC,2,100,1,0x1,f;a.py;3\nMALLOC,2,100,1,0x1\n",
     "[bytes]\nf 100\n[allocations]\nf 2\n",
     "in:3: warning: expected a row with number, size and stack"},
};

Test(input_memray_csv, texts)
{
    folding_check("memray-csv", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_memray_csv, claims)
{
    cr_expect(claim_by(&format_memray_csv, SLICE(HEADING), true));
    cr_expect_not(claim_by(&format_memray_csv, SLICE("allocator,size\n"), true));
}
