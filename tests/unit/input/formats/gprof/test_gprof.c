
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEAD "index % time    self  children    called     name\n"
#define RULE "-----------------------------------------------\n"

static const struct folding cases[] = {
    {"an entry is divided among its callers",
     HEAD "        <spontaneous>\n[1] 100.0 0.10 0.90 main [1]\n    0.30 0.00 3/4 g [3]\n" RULE
          "    0.00 0.60 1/1 main [1]\n[2] 60.0 0.20 0.40 1 f [2]\n" RULE
          "    0.30 0.00 3/4 main [1]\n    0.40 0.00 1/4 f [2]\n[3] 70.0 0.70 0.00 4 g [3]\n" RULE,
     "main 100000000\nmain;f 200000000\nmain;f;g 400000000\nmain;g 300000000\n", NULL},
    {"functions of a cycle are below those that enter it",
     HEAD "    0.50 0.00 1/1 main [3]\n[1] 90.9 0.50 0.00 1+5 <cycle 1 as a whole> [1]\n"
          "    0.30 0.00 3 b <cycle 1> [4]\n" RULE
          "        <spontaneous>\n[3] 100.0 0.05 0.50 main [3]\n" RULE
          "    3 a <cycle 1> [5]\n[4] 54.5 0.30 0.00 3 b <cycle 1> [4]\n" RULE
          "    0.50 0.00 1/1 main [3]\n    2 b <cycle 1> [4]\n"
          "[5] 36.4 0.20 0.00 3 a <cycle 1> [5]\n",
     "main 50000000\nmain;a 200000000\nmain;a;b 300000000\n", NULL},
    {"names of C++, of equal functions, and in BSD's columns",
     "index  %time    self descendents  called+self    name    index\n"
     "[1] 50.0 0.01 0.00 2+3 operator new[](unsigned long) [1]\n" RULE
     "[2] 50.0 0.01 0.00 3 S::f(int, char) [2]\n" RULE "[3] 50.0 0.01 0.00 3 S::f() [3]\n",
     "S::f 20000000\noperator new[] 10000000\n", NULL},
    {"a flat profile alone",
     "Flat profile:\n\nEach sample counts as 0.01 seconds.\n"
     "  %   cumulative   self              self     total\n"
     " time   seconds   seconds    calls  ms/call  ms/call  name\n"
     " 60.00      0.06     0.06       23     0.00     0.00  find(int)\n"
     " 40.00      0.10     0.04                             _init\n\n %         the percentage\n"
     " 1.00 1.00 1.00 text\n",
     "_init 40000000\nfind 60000000\n", NULL},
    {"of both parts the call graph",
     "  %   cumulative   self              self     total\n time   seconds  seconds  name\n"
     "100.00      0.10     0.10   f\n\n" HEAD "[1] 100.0 0.10 0.00 f [1]\n",
     "f 100000000\n", NULL},
    {"calls that cost more than the total of their caller",
     HEAD "[1] 1.0 0.01 0.00 main [1]\n" RULE
          "    15.0 0.00 1/1 main [1]\n[2] 1.0 0.00 0.01 1 a [2]\n" RULE
          "    15.0 0.00 1/1 main [1]\n[3] 1.0 0.00 0.01 1 b [3]\n" RULE
          "    0.14 0.00 1/2 a [2]\n    0.14 0.00 1/2 b [3]\n[4] 1.0 2.00 0.00 2 f [4]\n",
     "main 10000000\nmain;a;f 1000000000\nmain;b;f 1000000000\n", NULL},
    {"two cycles that nothing leads to",
     HEAD "    0.10 0.10 1/1 b [2]\n[1] 60.0 0.10 0.80 1 a [1]\n" RULE
          "    0.20 0.10 1/1 a [1]\n[2] 20.0 0.20 0.10 1 b [2]\n" RULE
          "    0.10 0.00 1/1 d [4]\n[3] 10.0 0.10 0.10 1 c [3]\n" RULE
          "    0.10 0.00 1/1 c [3]\n[4] 30.0 0.30 0.10 1 d [4]\n",
     "a 100000000\na;b 200000000\nd 300000000\nd;c 100000000\n", NULL},
    {"tabs between columns, and times of more digits than the quick way takes",
     HEAD "\t<spontaneous>\n[1]\t100.0\t1234567890.5\t0.\tmain [1]\n" RULE
          "\t0.123456789\t0.00\t1/1\tmain [1]\n[2] 1.0 0.123456789 0.00\t1\tf [2]\n",
     "main 1234567890500000000\nmain;f 123456789\n", NULL},
    {"indexes that begin with 0 or are far from the others",
     HEAD "        <spontaneous>\n[7] 100.0 0.10 0.30 main [7]\n" RULE
          "    0.10 0.00 1/1 main [7]\n[07] 25.0 0.10 0.00 1 f [07]\n" RULE
          "    0.20 0.00 1/1 main [7]\n[4000000000] 50.0 0.20 0.00 1 g [4000000000]\n",
     "main 100000000\nmain;f 100000000\nmain;g 200000000\n", NULL},
    {"lines that cannot be read",
     HEAD "[1] 100.0 0.10 0.00 f [1]\n" RULE "[2] x 0.10 0.00 g [2]\n[3] 1.0 0.10 0.00 9 h\n" RULE
          "[4] 1.0 0.10 0.00 9 h [5]\nnonsense\n",
     "f 100000000\n", "in:4: warning: expected '[INDEX] %TIME SELF CHILDREN"},
    {"times that do not fit",
     HEAD "[1] 100.0 1.0 0.00 f [1]\n" RULE "[2] 1.0 99999999999999999999.0 0.00 g [2]\n",
     "f 1000000000\n", "line skipped"},
    {"a sum that does not fit",
     HEAD "[1] 1.0 2000000000.0 0.00 f [1]\n[1] 1.0 2000000000.0 0.00 f [1]\n"
          "[1] 1.0 2000000000.0 0.00 f [1]\n[1] 1.0 2000000000.0 0.00 f [1]\n"
          "[1] 1.0 2000000000.0 0.00 f [1]\n",
     NULL, "exceeds 63 bits"},
};

Test(input_gprof, texts)
{
    folding_check("gprof", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

/*
 * Tables have the file's totals: f and its children take 0.60, although the calls that the file
 * lists give f only 0.50, and a and b are parts of a cycle that costs 0.50.
 */
Test(input_gprof, totals_are_those_of_the_file)
{
    static const char *const rows[][2] = {
        {HEAD "[1] 100.0 0.10 0.90 main [1]\n" RULE
              "    0.20 0.40 1/1 main [1]\n[2] 60.0 0.20 0.40 1 f [2]\n" RULE
              "    0.40 0.00 3/4 main [1]\n    0.30 0.00 1/4 f [2]\n[3] 70.0 0.70 0.00 4 g [3]\n",
         "main 1000000000 g 700000000 f 600000000 "},
        {HEAD "[3] 100.0 0.05 0.50 main [3]\n" RULE
              "    3 a <cycle 1> [5]\n[4] 54.5 0.30 0.05 3 b <cycle 1> [4]\n" RULE
              "    0.50 0.00 1/1 main [3]\n    2 b <cycle 1> [4]\n"
              "[5] 36.4 0.20 0.10 3 a <cycle 1> [5]\n",
         "main 550000000 b 350000000 a 300000000 "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf out = {0};
        struct reading r;

        reading_text(&r, slice_str(rows[i][0]), NULL);
        reading_totals(&r, &out);
        cr_expect_str_eq(buf_string(&out), rows[i][1], "%zu: %s", i, buf_string(&out));
        reading_release(&r);
        buf_release(&out);
    }
}

Test(input_gprof, claims)
{
    cr_expect(claim_by(&format_gprof, SLICE(HEAD "[1] 100.0 0.10 0.00 f [1]\n"), true));
    cr_expect_not(claim_by(&format_gprof, SLICE(HEAD "and then some words\n"), true));
    cr_expect_not(claim_by(&format_gprof, SLICE(HEAD "[1] 100.0 0.10 0.00 f [2]\n"), true));
    cr_expect_not(claim_by(
        &format_gprof, SLICE(".\\\" a manual page\n" HEAD "[1] 100.0 0.10 0.00 f [1]\n"), true));
}
