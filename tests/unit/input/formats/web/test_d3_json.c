
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"values are of a node with all below it",
     "{\"name\": \"root\", \"value\": 10, \"children\": [{\"name\": \"a\", \"value\": 9, "
     "\"children\": "
     "[{\"name\": \"b\", \"value\": 4}, {\"name\": \"c\", \"value\": 2.5, \"children\": []}]}]}",
     "==  samples\n 1\na 2.5\na;b 4\na;c 2.5\n"},
    {"short names; a root with a name is a frame",
     "{\"c\": [{\"n\": \"a\", \"v\": 3}, {\"n\": \"k_[k]\", \"v\": 2}], \"n\": \"app\", \"v\": 5}",
     "==  samples\napp;a 3\napp;k_[k] 2\n"},
    {"values only at the leaves",
     "{\"name\": \"all\", \"children\": [{\"name\": \"a\", \"children\": [{\"name\": \"b\", "
     "\"value\": 4}, "
     "{\"name\": \"c\", \"value\": 5}]}, {\"name\": \"d\", \"value\": 1}]}",
     "==  samples\na;b 4\na;c 5\nd 1\n"},
    {"values of their own",
     "{\"name\": \"root\", \"value\": 0, \"children\": [{\"name\": \"a\", \"value\": 2, "
     "\"children\": "
     "[{\"name\": \"b\", \"value\": 7}]}]}",
     "==  samples\na 2\na;b 7\nin: note: some nodes weigh less than their children: all values are "
     "taken as self values\n"},
    {"differential",
     "{\"name\": \"root\", \"value\": 10, \"delta\": 4, \"children\": [{\"name\": \"a\", "
     "\"value\": 7, "
     "\"delta\": 5, \"children\": []}, {\"name\": \"b\", \"value\": 3, \"delta\": -1}]}",
     "== base samples\na 2\nb 4\n== new samples\na 7\nb 3\n"},
    {"several trees; a delta of 0",
     "{\"77\": {\"name\": \"root\", \"value\": 3, \"delta\": 0, \"children\": [{\"name\": \"a\", "
     "\"value\": 3}]}, \"78\": {\"name\": \"java\", \"value\": 2, \"children\": [{\"name\": \"a\", "
     "\"value\": 2}]}, \"x\": 7}",
     "== 77 samples\na 3\n== 78 samples\njava;a 2\n"},
    {"malformed numbers, and a negative base",
     "{\"name\": \"root\", \"value\": 3, \"children\": [{\"name\": \"a\", \"value\": \"x\"}, "
     "{\"name\": "
     "\"b\", \"value\": 3, \"delta\": 9}]}",
     "== base samples\n 9\n== new samples\nb 3\n"
     "in: warning: the value of 'a' is not a number; it counts as the sum of its children\n"
     "in: warning: the self value of 'b' is negative; it counts as 0\n"},
    {"names and values after the list, a repeated list",
     "{\"children\": [{\"children\": [{\"name\": \"x\", \"value\": 9}], \"name\": \"a\", "
     "\"children\": [{\"name\": \"b\", \"value\": 1}], \"value\": 3}], \"name\": \"app\", "
     "\"value\": 3}",
     "==  samples\napp;a 2\napp;a;b 1\n"},
    {"lists with malformed nodes",
     "{\"name\": \"app\", \"value\": 3, \"children\": [{\"name\": \"a\", \"value\": 1, "
     "\"children\": null}, 7, [{\"name\": \"b\"}]]}",
     "==  samples\napp 2\napp;a 1\nin: warning: a child is no object: 7; skipped\n"
     "in: warning: a list among the children has {\"name\": \"b\"}; skipped\n"},
    {"a tree of one node, and a member that is none",
     "{\"1\": {\"name\": \"root\", \"value\": 1, \"children\": [{\"name\": \"a\", \"value\": 1}]}, "
     "\"2\": {\"name\": \"b\", \"value\": 4}, \"3\": {\"value\": 5}}",
     "== 1 samples\na 1\n== 2 samples\nb 4\n"},
    {"a tree beside trees",
     "{\"1\": {\"name\": \"x\", \"value\": 9, \"children\": []}, \"name\": \"app\", \"value\": "
     "2, \"children\": [{\"name\": \"a\", \"value\": 1}], \"2\": {\"children\": []}}",
     "==  samples\napp 1\napp;a 1\n"},
    {"cut within a node of one of several trees",
     "{\"1\": {\"name\": \"root\", \"value\": 1, \"children\": [{\"name\": \"a\", \"value\": 1}]}, "
     "\"2\": "
     "{\"name\": \"root\", \"children\": [{\"name\": \"b\", \"value\": 2}, {\"name\": \"c\", "
     "\"value\": 4, \"children\": [{\"name\": \"d\", \"value\": 4}",
     "== 1 samples\na 1\n== 2 samples\nb 2\nin: byte 0xcb: warning: the JSON ends in the middle; "
     "what is complete was read\n"},
};

Test(input_d3_json, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_d3_json, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
}

Test(input_d3_json, deep)
{
    enum { DEPTH = 20000 };
    struct buf text = {0};
    struct reading r;

    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, "{\"name\": \"f\", \"value\": 3, \"children\": [");
    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, "]}");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 3);
    reading_release(&r);
    buf_release(&text);
}

Test(input_d3_json, claims)
{
    static const char *const no[] = {
        "{\"name\": \"x\", \"version\": \"1\"}",
        "{\"name\": \"x\", \"children\": [{\"name\": \"y\"}]}",
        "{\"children\": [{\"name\": \"y\", \"value\": 1}]}",
        "[{\"name\": \"y\", \"value\": 1}]",
        "{\"c\": [1, 2], \"n\": 3, \"v\": 4}",
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (i != 2)
            cr_expect(claim_by(&format_d3_json, slice_str(cases[i].text), true), "%s",
                      cases[i].name);
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        cr_expect_not(claim_by(&format_d3_json, slice_str(no[i]), true), "%s", no[i]);
}
