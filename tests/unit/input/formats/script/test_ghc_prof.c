
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define TITLE                                                                                      \
    "\tSun Aug 13 10:47 2023 Time and Allocation Profiling Report  (Final)\n\n"                    \
    "\t   app +RTS -P -RTS\n\n"
#define TIMES(ticks, us) "\ttotal time  =  0.02 secs   (" ticks " ticks @ " us " us, 1 processor)\n"
#define ALLOC(bytes) "\ttotal alloc = " bytes " bytes  (excludes profiling overheads)\n\n"
#define FLAT                                                                                       \
    "COST CENTRE MODULE SRC  %time %alloc  ticks bytes\n\nmain Main a.hs:1:1 99 99 7 9\n\n\n"
#define TABLE                                                                                      \
    "      individual      inherited\n"                                                            \
    "COST CENTRE MODULE SRC   no. entries  %time %alloc   %time %alloc  ticks     bytes\n\n"
#define PERCENT_TABLE                                                                              \
    "      individual      inherited\n"                                                            \
    "COST CENTRE MODULE   no. entries  %time %alloc   %time %alloc\n\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"ticks and bytes; rows of weight nothing are rows",
     TITLE TIMES("7", "1000") ALLOC("1,234") FLAT TABLE
     "MAIN MAIN <built-in>  1 0  28.6 0.0 100.0 100.0 2 1000\n"
     " CAF:f Lib <no location info>  2 0 0.0 0.0 71.4 0.0 0 0\n"
     "  一二三 Lib src/Lib.hs:(14,1)-(15,41) 3 1 71.4 0.0 71.4 0.0 5 34\n"
     " CAF:f Lib <no location info>  4 0 0.0 0.0 71.4 0.0 0 200\n\n"
     "what follows is not of the table\n",
     "== time seconds e-3\nMAIN.MAIN 2\nMAIN.MAIN;Lib.CAF:f 0\nMAIN.MAIN;Lib.CAF:f;Lib.一二三 5\n"
     "== alloc bytes\nMAIN.MAIN 1000\nMAIN.MAIN;Lib.CAF:f 200\n"
     "MAIN.MAIN;Lib.CAF:f;Lib.一二三 34\n"},
    {"without its title", FLAT TABLE "MAIN MAIN x 1 0 1 1 1 1 2 1\n",
     "== time ticks\nMAIN.MAIN 2\n== alloc bytes\nMAIN.MAIN 1\n"},
    {"other ticks", TITLE TIMES("2", "333") ALLOC("1") TABLE "MAIN MAIN x 1 0 1 1 1 1 2 1\n",
     "== time ticks\nMAIN.MAIN 2\n== alloc bytes\nMAIN.MAIN 1\n"},
    {"percentages, and no column for the source",
     TITLE TIMES("7", "20000") ALLOC("1,234") PERCENT_TABLE
     "MAIN MAIN 1 0  28.6 0.5 100.0 100.0\n a B 1 0  71.4 99.5 71.4 99.5\n",
     "== time percent\nMAIN.MAIN 28.6\nMAIN.MAIN;B.a 71.4\n"
     "== alloc percent\nMAIN.MAIN 0.5\nMAIN.MAIN;B.a 99.5\n"},
    {"cut: the sums tell",
     TITLE TIMES("7", "1000") ALLOC("1,234") TABLE "MAIN MAIN x 1 0 1 1 1 1 2 1000\n",
     "== time seconds e-3\nMAIN.MAIN 2\n== alloc bytes\nMAIN.MAIN 1000\n"
     "in: warning: the ticks of the rows add up to 2, but the file states 7; the sum of the rows "
     "is shown\n"
     "in: warning: the bytes of the rows add up to 1000, but the file states 1234; the sum of the "
     "rows is shown\n"},
    {"rows that cannot be read",
     TITLE TIMES("2", "1000") ALLOC("1") TABLE
     "MAIN MAIN x 1 0 1 1 1 1 2 1\n A B x 1 0 1 1 1 1 2\n A B x 1 0 1 1 1 y 2 1\n A\n",
     "== time seconds e-3\nMAIN.MAIN 2\n== alloc bytes\nMAIN.MAIN 1\n"
     "in:12: warning: expected a cost centre, a module and 8 numbers; line skipped\n"
     "in:13: warning: expected a cost centre, a module and 8 numbers; line skipped\n"
     "in:14: warning: expected a cost centre, a module and 8 numbers; line skipped\n"},
    {"a row that is too deep",
     TITLE TIMES("2", "1000") ALLOC("1") TABLE
     "MAIN MAIN x 1 0 1 1 1 1 2 1\n  A B x 1 0 1 1 1 1 2 1\n",
     "== time seconds e-3\nMAIN.MAIN 2\n== alloc bytes\nMAIN.MAIN 1\n"
     "in:12: error: a row of level 2 follows a row of level 1\nfailed\n"},
    {"no table", TITLE TIMES("2", "1000") ALLOC("1"),
     "in: error: the file ends before its table of cost centres\nfailed\n"},
    {"no rows", TITLE TIMES("2", "1000") ALLOC("1") TABLE,
     "== time seconds e-3\n== alloc bytes\nin: error: the table of cost centres has no "
     "rows\nfailed\n"},
};

Test(input_ghc_prof, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_ghc_prof, as_inferno_folds, .init = corpus_need)
{
    golden_reference("ghc-prof/ticks.prof", "ghc-prof/expected/ticks_ticks.txt");
    golden_reference("ghc-prof/utf8.prof", "ghc-prof/expected/utf8_ticks.txt");
}

Test(input_ghc_prof, claims)
{
    cr_expect(claim_by(&format_ghc_prof, SLICE(TITLE), true));
    cr_expect_not(claim_by(&format_ghc_prof, SLICE("Time and Allocation\n" TITLE), true));
    cr_expect(claim_by(&format_ghc_prof, SLICE(FLAT), true));
    cr_expect_not(claim_by(&format_ghc_prof, SLICE("\n\n"), true));
    cr_expect_not(claim_by(&format_ghc_prof, SLICE("main;foo 12\n"), true));
}
