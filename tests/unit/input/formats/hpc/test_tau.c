
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TIME "3 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n"
#define FLAT " 0 GROUP=\"TAU_USER\"\n"
#define PATH " 0 GROUP=\"TAU_CALLPATH|TAU_USER\"\n"

static const struct folding cases[] = {
    {"functions without paths", TIME "\"f\" 1 1 2 5" FLAT "\"g\" 1 0 3e0 3" FLAT "0 aggregates\n",
     "f 2000\ng 3000\n", NULL},
    {"what the paths do not have",
     TIME "\"f\" 1 1 2 5" FLAT "\"g\" 2 0 7 7" FLAT "\"f => g\" 1 0 3 3" PATH,
     "f 2000\nf;g 3000\ng 4000\n", NULL},
    {"another metric",
     "1 templated_functions_MULTI_PAPI_TOT_CYC\n\"f [{a.c} {1,1}]\" 1 0 12 12" FLAT, "f 12\n",
     NULL},
    {"a file of one clock", "1 templated_functions\n\"f\" 1 0 1 1" FLAT, "f 1000\n", NULL},
    {"events are no functions",
     TIME "\"f\" 1 1 2 5" FLAT "0 aggregates\n1 userevents\n\"size\" 1 4 4 4 16\n", "f 2000\n",
     NULL},
    {"rows that cannot be read",
     TIME "\"f\" 1 1 2 5" FLAT "\"g 1 0\n\"h\" 1 0 x 1" FLAT "\"i\" 1 0 1e300 1" FLAT
          "\"j\" 1 0 -4 1" FLAT,
     "f 2000\n", "in:4: warning: expected '\"NAME\""},
};

Test(input_tau, texts)
{
    folding_check("tau", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_tau, claims)
{
    cr_expect(claim_by(&format_tau, SLICE("23 templated_functions_MULTI_TIME\n"), true));
    cr_expect(claim_by(&format_tau, SLICE("23 templated_functions\n"), true));
    cr_expect_not(claim_by(&format_tau, SLICE("the templated_functions\n"), true));
    cr_expect_not(claim_by(&format_tau, SLICE("23 functions\n"), true));
}
