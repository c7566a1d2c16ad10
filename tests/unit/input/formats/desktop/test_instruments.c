
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEADER "Weight\tSelf Weight\t\tSymbol Name\n"

static const struct folding cases[] = {
    {"own weights", HEADER "9.0ms  100.0%\t0\t \tmain\n7.0ms   77.7%\t7\t \t f\n",
     "main 2\nmain;f 7\n", NULL},
    {"decimals", HEADER "9.25 ms  100.0%\t\t \tmain\n7.1 ms   77.7%\t\t \t f\n",
     "main 2.15\nmain;f 7.1\n", NULL},
    {"units of time", HEADER "1.00 min  100.0%\t\t \tmain\n1.5 s\t\t \t f\n20 us\t\t \t g\n",
     "main 58499.98\nmain;f 1500\nmain;g 0.02\n", NULL},
    {"cycles", HEADER "1.50 Kc  100.0%\t\t \tmain\n532 cycles\t\t \t f\n", "main 968\nmain;f 532\n",
     NULL},
    {"bytes", HEADER "1.50 KB  100.0%\t\t \tmain\n512 Bytes\t\t \t f\n", "main 1024\nmain;f 512\n",
     NULL},
    {"counts", "Calls\t\tSymbol Names\n1,200  100.0%\t\tmain\n200  16.6%\t\t f\n",
     "main 1000\nmain;f 200\n", NULL},
    {"a share below 1 %", "Calls\t\tSymbol Names\n1,200  100.0%\t\tmain\n2  0.1%\t\t f\n",
     "main 1198\nmain;f 2\n", NULL},
    {"a comma as the decimal point", HEADER "1.000,5 ms\t\t \tmain\n", NULL, "expected a weight"},
    {"the same without groups", HEADER "1000,5ms  100,0%\t\t \tmain\n0,5ms\t\t \t f\n",
     "main 1000\nmain;f 0.5\n", NULL},
    {"a margin before all names", HEADER "2 ms\t\t \t   main\n1 ms\t\t \t    f\n1 ms\t\t \t   g\n",
     "g 1\nmain 1\nmain;f 1\n", NULL},
    {"rounded children", HEADER "1.0 s\t\t \tmain\n600.4 ms\t\t \t f\n400.0 ms\t\t \t g\n",
     "main;f 600.4\nmain;g 400\n", NULL},
    {"no symbol", HEADER "2 ms\t\t \t<Unknown Address>\n", "[unknown] 2\n", NULL},
    {"CR LF and blank lines", "\r\nWeight\t\tSymbol Name\r\n2 ms\t\tmain\r\n\r\n", "main 2\n",
     NULL},
    {"a bad weight", HEADER "2 ms\t\t \tmain\nx ms\t\t \t f\n", "main 2\n",
     "in:3: warning: 'x ms': expected a weight"},
    {"an unknown unit", HEADER "2 ms\t\t \tmain\n1 furlongs\t\t \t f\n", "main 2\n",
     "in:3: warning: '1 furlongs': expected a weight"},
    {"another unit", HEADER "2 ms\t\t \tmain\n1 KB\t\t \t f\n", "main 2\n",
     "in:3: warning: '1 KB': expected a weight"},
    {"no tab", HEADER "2 ms\t\t \tmain\n1 ms f\n", "main 2\n", "in:3: warning: '1 ms f'"},
    {"too large", HEADER "2 Tc\t\t \tmain\n18446744073709551 Tc\t\t \t f\n", "main 2000000000000\n",
     "in:3: warning: '18446744073709551 Tc': expected a weight"},
    {"nothing", HEADER, NULL, "no stacks"},
    {"a leaf at the end", HEADER "9 ms  100.0%\t-\t \tmain\n7 ms   77.7%\t7 ms\t \t f\n",
     "main 2\nmain;f 7\n", NULL},
    {"an own weight in the unit of the row", HEADER "9.0ms  100.0%\t2\t \tmain\n7.0s\t7\t \t f\n",
     "main;f 7000\n", NULL},
    {"truncated after a caller", HEADER "9 ms  100.0%\t-\t \tmain\n7 ms   77.7%\t-\t \t f\n",
     "main 2\nmain;f 7\n", "in: warning: the callees of the last row are missing"},
    {"truncated after a row with little self weight",
     HEADER "9 ms  100.0%\t2 ms\t \tmain\n7 ms   77.7%\t100 us\t \t f\n", "main 2\nmain;f 7\n",
     "in: warning: the callees of the last row are missing"},
    {"no weight, no callees", HEADER "9 ms  100.0%\t-\t \tmain\n0 ms   0.0%\t-\t \t f\n",
     "main 9\n", NULL},
};

Test(input_instruments, copies_become_stacks)
{
    folding_check("instruments", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_instruments, units)
{
    static const struct {
        const char *input;
        struct unit unit;
    } rows[] = {
        {HEADER "2 s\t\tmain\n", {UNIT_SECONDS, -3, {NULL, 0}}},
        {HEADER "2 Mc\t\tmain\n", {UNIT_COUNT, 0, {"cycles", 6}}},
        {HEADER "2 MB\t\tmain\n", {UNIT_BYTES, 0, {NULL, 0}}},
        {HEADER "2\t\tmain\n", {UNIT_COUNT, 0, {"samples", 7}}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct unit *unit;
        struct reading r;

        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.profile.series.count, 1);
        unit = &r.profile.series.items[0].unit;
        cr_expect(unit->kind == rows[i].unit.kind && unit->exponent == rows[i].unit.exponent &&
                      slice_equal(unit->noun, rows[i].unit.noun),
                  "%s", rows[i].input);
        reading_release(&r);
    }
}

Test(input_instruments, claims)
{
    cr_expect_str_eq(claim_find(SLICE("\n" HEADER), true)->name, "instruments");
    cr_expect_null(claim_find(SLICE("Weight\tSelf\n"), true));
    cr_expect_null(claim_find(SLICE("text\n" HEADER), true));
    cr_expect_null(claim_find(SLICE("Symbol Name\n"), true));
}

Test(input_instruments, reference_names)
{
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    folding_check_stacks("shape-samples/instruments-csv-old.txt",
                         "shape-samples/expected/instruments-csv-old.txt.reference.folded", &o);
}
