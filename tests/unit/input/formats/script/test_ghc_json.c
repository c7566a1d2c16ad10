
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEAD                                                                                       \
    "{\"program\": \"app\", \"tick_interval\": 1000, \"total_ticks\": 3, \"total_alloc\": 30, "
#define CENTRES                                                                                    \
    "\"cost_centres\": [{\"id\": 1, \"label\": \"MAIN\", \"module\": \"MAIN\", \"src_loc\": "      \
    "\"<built-in>\"}, {\"id\": 2, \"label\": \"f\", \"module\": \"Lib\", \"src_loc\": "            \
    "\"Lib.hs:(3,1)-(4,9)\"}], "
#define TREE                                                                                       \
    "\"profile\": {\"id\": 1, \"ticks\": 1, \"alloc\": 10, \"children\": ["                        \
    "{\"id\": 2, \"ticks\": 2, \"alloc\": 0, \"children\": [{\"id\": 2, \"ticks\": 0, "            \
    "\"alloc\": 20, \"children\": []}]}]}}"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"ticks and bytes", HEAD CENTRES TREE,
     "== time seconds e-3\nMAIN.MAIN 1\nMAIN.MAIN;Lib.f 2\n"
     "== alloc bytes\nMAIN.MAIN 10\nMAIN.MAIN;Lib.f;Lib.f 20\n"},
    {"other sums, unknown cost centres",
     "{\"tick_interval\": 333, \"total_ticks\": 9, " CENTRES
     "\"profile\": {\"id\": 7, \"ticks\": 1, \"alloc\": 10}}",
     "== time ticks\n[unknown] 1\n== alloc bytes\n[unknown] 10\n"
     "in: warning: 1 node has a cost centre that is not in the table; it is shown as unknown\n"
     "in: warning: total_ticks is 9, but the nodes add up to 1; the sum of the nodes is shown\n"},
    {"a last node without members",
     "{" CENTRES "\"profile\": {\"id\": 1, \"ticks\": 1, \"alloc\": 0, \"children\": [{}]}}",
     "== time ticks\nMAIN.MAIN 1\n== alloc bytes\n"
     "in: warning: 1 node has a cost centre that is not in the table; it is shown as "
     "unknown\n"},
};

Test(input_ghc_json, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_ghc_json, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
}

Test(input_ghc_json, deep)
{
    enum { DEPTH = 20000 };
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, "{" CENTRES "\"profile\": ");
    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, "{\"id\": 2, \"ticks\": 1, \"children\": [");
    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, "]}");
    buf_add_str(&text, "}");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, DEPTH);
    reading_release(&r);
    buf_release(&text);
}

Test(input_ghc_json, claims)
{
    cr_expect(claim_by(&format_ghc_json, slice_str(cases[0].text), true));
    cr_expect_not(claim_by(&format_ghc_json, SLICE(HEAD CENTRES "\"x\": 1}"), true));
    cr_expect_not(claim_by(&format_ghc_json, SLICE("{\"profile\": {}}"), true));
}
