
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEAD(mode, interval)                                                                       \
    "{\"version\": 1.2, \"mode\": \"" mode "\", \"interval\": " interval ", \"samples\": 4, "      \
    "\"missed_samples\": 2, \"frames\": {\"11\": {\"name\": \"main\", \"file\": \"a.rb\"}, "       \
    "\"12\": {\"name\": \"A#a\", \"line\": 3}, \"13\": {\"file\": \"b.rb\"}, "                     \
    "\"14\": {\"name\": \"(garbage collection)\"}}, "

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"wall: the time up to each sample; a collection is on top of the stack before",
     HEAD("wall", "1000") "\"raw\": [2, 11, 12, 2, 1, 14, 1, 1, 14, 1, 1, 11, 1], "
                          "\"raw_timestamp_deltas\": [10, 20, 5, 6, 7]}",
     "== wall seconds e-6\nmain 7\nmain;A#a 30\nmain;A#a;(garbage collection) 11\n"},
    {"wall without times: the interval", HEAD("wall", "1000") "\"raw\": [2, 11, 12, 3]}",
     "== wall seconds e-6\nmain;A#a 3000\n"},
    {"cpu: count times interval",
     HEAD("cpu", "1000") "\"raw\": [2, 11, 12, 3], \"raw_timestamp_deltas\": [1, 2, 3]}",
     "== cpu seconds e-6\nmain;A#a 3000\n"},
    {"objects; a frame without a name", HEAD("object", "1") "\"raw\": [2, 11, 13, 3]}",
     "== object objects\nmain;(unknown) 3\n"},
    {"every tenth object, and what the program counts",
     HEAD("custom", "10") "\"raw\": [2, 11, 12, 3]}", "== custom samples\nmain;A#a 3\n"},
    {"frames that the table does not have", HEAD("cpu", "1") "\"raw\": [2, 11, 99, 3]}",
     "== cpu samples\nmain;(unknown) 3\n"
     "in: warning: frame 99 is not in the frame table; shown as (unknown)\n"},
    {"cut", HEAD("object", "1") "\"raw\": [2, 11, 12, 3, 9, 11, 12]}",
     "== object objects\nmain;A#a 3\n"
     "in: warning: 'raw' ends in the middle of a stack; 7 frames and the number of samples are "
     "missing\n"},
    {"damaged", HEAD("object", "1") "\"raw\": [2, 11, 12, \"x\"]}",
     "in: error: malformed number of samples in 'raw'\nfailed\n"},
    {"frames after the stacks, and a repeated member",
     "{\"raw\": [1, 99, 1], \"raw\": [2, 11, 12, 3, 1, 13, 2], \"frames\": {\"11\": {\"name\": "
     "\"main\"}, "
     "\"12\": {\"name\": \"A#a\"}}, \"mode\": \"object\", \"interval\": 1, \"samples\": 5}",
     "== object objects\n(unknown) 2\nmain;A#a 3\n"
     "in: warning: frame 99 is not in the frame table; shown as (unknown)\n"
     "in: warning: frame 13 is not in the frame table; shown as (unknown)\n"},
    {"sums of functions only", HEAD("object", "1") "\"gc_samples\": 0}",
     "in: error: the file contains no stacks, because it was recorded without 'raw'; run: "
     "StackProf.run(raw: true, ...)\nfailed\n"},
};

Test(input_stackprof, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_stackprof, lost_samples)
{
    struct reading r;

    reading_text(&r, slice_str(cases[0].text), NULL);
    cr_expect_eq(r.profile.ledger.lost, 2);
    reading_release(&r);
}

Test(input_stackprof, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
}

Test(input_stackprof, claims)
{
    cr_expect(claim_by(&format_stackprof, slice_str(cases[0].text), true));
    cr_expect_not(claim_by(&format_stackprof,
                           SLICE("{\"mode\": \"heap\", \"interval\": 1, \"samples\": 3, "
                                 "\"frames\": {}}"),
                           true));
    cr_expect_not(claim_by(&format_stackprof, SLICE("{\"mode\": \"wall\"}"), true));
    cr_expect(claim_refused(SLICE("\4\b{\r:\fversionf\b1.2"), true) != NULL);
}
