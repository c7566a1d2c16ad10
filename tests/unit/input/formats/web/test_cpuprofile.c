
#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define ROOT "{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":-1}"
#define FRAME(id, name)                                                                            \
    "{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name                                      \
    "\",\"url\":\"http://h/d/f.js?v=1\",\"lineNumber\":9}"

struct read_case {
    const char *name;
    struct slice text;
    const char *folded;
    const char *message; /* part of the expected message; NULL for none */
};

static const struct read_case read_cases[] = {
    {"children",
     SLICE("{\"nodes\":[" ROOT ",\"children\":[2,4]}," FRAME(2, "main") ",\"children\":[3]}," FRAME(
         3, "") "}," FRAME(4, "(idle)") "}],"
                                        "\"startTime\":100,\"endTime\":200,\"samples\":[2,3,4,3],"
                                        "\"timeDeltas\":[5,10,20,"
                                        "40]}"),
     "(idle) 40\nmain 10\nmain;(anonymous f.js:10) 20\n",
     "0.005 ms before the first sample have no stack and are not counted"},
    {"parents, in any order",
     SLICE("{\"samples\":[\"3\",3],\"timeDeltas\":[0,7],\"nodes\":[" FRAME(
         3, "leaf") ",\"parent\":2}," FRAME(2, "main") ",\"parent\":1}," ROOT "}]}"),
     "main;leaf 7\n", NULL},
    {"a last sample of the root ends the one before",
     SLICE("{\"nodes\":[" ROOT ",\"children\":[2]}," FRAME(2, "a") "}],\"samples\":[2,1],"
                                                                   "\"timeDeltas\":[0,7]}"),
     "a 7\n", NULL},
    {"a time after the last sample",
     SLICE("{\"nodes\":[" FRAME(2, "a") "}],\"samples\":[2,2],\"timeDeltas\":[0,1,2]}"), "a 3\n",
     NULL},
    {"no time before the first sample",
     SLICE("{\"nodes\":[" FRAME(2, "a") "}," FRAME(3,
                                                   "b") "}],\"samples\":[2,3],\"timeDeltas\":[4]}"),
     "a 4\nb 0\n", NULL},
    {"deltas that do not match the samples",
     SLICE("{\"nodes\":[" FRAME(2, "a") "}," FRAME(
         3, "b") "}],\"samples\":[2,2,3,3,3],\"timeDeltas\":[0,4]}"),
     "a 4\nb 0\n", "5 samples do not match 2 time deltas; what has no counterpart is skipped"},
    {"the clock steps back",
     SLICE("{\"nodes\":[" FRAME(2, "a") "}," FRAME(
         3, "b") "}],\"samples\":[2,3,2,3],\"timeDeltas\":[0,10,-4,9.5]}"),
     "a 10\nb 5.5\n", NULL},
    {"a wait that only a gap between samples shows",
     SLICE("{\"nodes\":[" FRAME(2, "a") ",\"hitCount\":3}," FRAME(
         3, "b") ",\"hitCount\":1}],\"samples\":[2,2,3,2],\"timeDeltas\":[0,1,40,1]}"),
     "(idle) 39\na 2\nb 1\n",
     "0.039 ms in 1 gap between samples, each longer than 32 sampling intervals, are shown as"},
    {"the gap is no wait where the profile has (program)",
     SLICE("{\"nodes\":[" FRAME(
         2, "a") ",\"hitCount\":4},{\"id\":3,\"callFrame\":{"
                 "\"functionName\":\"(program)\",\"url\":\"\"}}],\"samples\":[2,2,2,2],"
                 "\"timeDeltas\":[0,1,40,1]}"),
     "a 42\n", NULL},
    {"no gap is a wait where weights were made times",
     SLICE("{\"nodes\":[" FRAME(2, "a") "}],\"samples\":[2,2,2,2],\"timeDeltas\":[0,1,40,1]}"),
     "a 42\n", NULL},
    {"samples without times",
     SLICE("{\"nodes\":[" FRAME(2, "a") ",\"hitCount\":9}],\"samples\":[2,2,2]}"), "a 3\n", NULL},
    {"hits", SLICE("{\"nodes\":[" FRAME(2, "a") ",\"hitCount\":9}]}"), "a 9\n", NULL},
    {"a node that is not there",
     SLICE("{\"nodes\":[" FRAME(2,
                                "a") ",\"parent\":8}],\"samples\":[2,7,2],\"timeDeltas\":[0,3,4]}"),
     " 4\na 3\n", "node 8 is undefined or in a circle"},
    {"a circle",
     SLICE("{\"nodes\":[" FRAME(2, "a") ",\"parent\":3}," FRAME(
         3, "b") ",\"parent\":2}],\"samples\":[2,3,2],\"timeDeltas\":[0,3,4]}"),
     " 3\nb 4\n", "node 2 is undefined or in a circle"},
    {"malformed node",
     SLICE("{\"nodes\":[" FRAME(2, "a") ",\"hitCount\":1},{\"id\":3},7],\"samples\":[[]]}"),
     "a 1\n", "malformed node: {\"id\": 3}; skipped"},
    {"cut", SLICE("{\"nodes\":[" FRAME(2, "a") "}],\"samples\":[2,2],\"timeDeltas\":[0,10,2"),
     "a 10\n", "ends in the middle"},
    {"the answer of Profiler.stop",
     SLICE("{\"profile\":{\"nodes\":[" FRAME(2, "a") "}," FRAME(
         3, "b") "}],\"startTime\":1,"
                 "\"endTime\":12,\"samples\":[2,3],\"timeDeltas\":[0,5,6]}}"),
     "a 5\nb 6\n", NULL},
    {"the older shape",
     SLICE("{\"head\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":0,\"hitCount\":0,"
           "\"id\":1,\"children\":[{\"functionName\":\"\",\"url\":\"a/b.js\",\"lineNumber\":9,"
           "\"hitCount\":5,\"id\":2,\"children\":[]}]},\"startTime\":1,\"endTime\":2,"
           "\"samples\":[2,1,2],\"timestamps\":[100,110,125]}"),
     " 15\n(anonymous b.js:9) 10\n", NULL},
    {"the older shape whose root has the id of another node, as cpuprofilify writes it",
     SLICE("{\"head\":{\"functionName\":\"app\",\"hitCount\":0,\"id\":0,\"children\":["
           "{\"functionName\":\"a\",\"hitCount\":0,\"id\":0,\"children\":["
           "{\"functionName\":\"b\",\"hitCount\":3,\"id\":1}]}]},\"samples\":[1,0,1]}"),
     "app;a 1\napp;a;b 2\n", NULL},
    {"the older shape without samples",
     SLICE("{\"head\":{\"functionName\":\"(root)\",\"hitCount\":1,\"children\":["
           "{\"functionName\":\"a\",\"hitCount\":2,\"children\":[{\"functionName\":\"b\","
           "\"hitCount\":3}]},{\"functionName\":\"b\",\"hitCount\":4}]}}"),
     " 1\na 2\na;b 3\nb 4\n", NULL},
};

Test(input_cpuprofile, read)
{
    for (size_t i = 0; i < sizeof(read_cases) / sizeof(read_cases[0]); i++) {
        const struct read_case *c = &read_cases[i];
        struct reading r;
        struct buf folded = {0}, messages = {0};

        reading_text(&r, c->text, NULL);
        cr_expect_eq(r.result, INPUT_READ, "%s", c->name);
        if (r.result == INPUT_READ)
            reading_fold(&r, 0, &folded);
        reading_messages(&r, &messages);
        cr_expect_str_eq(buf_string(&folded), c->folded, "%s: %s", c->name, buf_string(&folded));
        cr_expect(c->message ? strstr(buf_string(&messages), c->message) != NULL : !messages.len,
                  "%s: %s", c->name, buf_string(&messages));
        reading_release(&r);
        buf_release(&folded);
        buf_release(&messages);
    }
}

/* Returns the number of samples of three in `a`, with the given times between them. */
static uint64_t count_samples(const char *deltas)
{
    struct buf text = {0};
    struct reading r;
    uint64_t samples;

    buf_printf(&text,
               "{\"nodes\":[" FRAME(2, "a") ",\"hitCount\":3}],\"samples\":[2,2,2],"
                                            "\"timeDeltas\":[%s]}",
               deltas);
    reading_text(&r, buf_slice(&text), NULL);
    samples = r.profile.series.items[0].samples;
    reading_release(&r);
    buf_release(&text);
    return samples;
}

Test(input_cpuprofile, time_without_a_sample_is_no_sample)
{
    cr_expect_eq(count_samples("10,20,30"), 3);
    cr_expect_eq(count_samples("0,1,90"), 3);
}

/*
 * More samples than wait for their order: small steps back are put right, a wide one is reported.
 */
Test(input_cpuprofile, order)
{
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, "{\"nodes\":[" FRAME(2, "a") "}," FRAME(3, "b") "}],\"samples\":[2");
    for (unsigned i = 1; i < 20000; i++)
        buf_add_str(&text, i % 100 == 50 || i == 19999 ? ",3" : ",2");
    buf_add_str(&text, "],\"timeDeltas\":[0");
    for (unsigned i = 1; i < 19999; i++)
        buf_add_str(&text, i % 100 == 50 ? ",-7" : i % 100 == 51 ? ",9" : ",1");
    buf_add_str(&text, ",-19000]}");
    reading_text(&r, buf_slice(&text), NULL);
    reading_expect_fold(&r, "order", 0, "a 19797\nb 201\n");
    reading_expect_message(&r, "1 sample is too far out of order in time; it counts as taken at");
    reading_release(&r);
    buf_release(&text);
}

/* 10^16 microseconds are 317 years. */
Test(input_cpuprofile, times_that_the_clock_cannot_reach_are_told)
{
    struct reading r;

    reading_text(&r,
                 SLICE("{\"nodes\":[" FRAME(2, "a") "}," FRAME(
                     3, "b") "}],\"samples\":[2,3,2],"
                             "\"timeDeltas\":[0,5000000000000000,5000000000000000]}"),
                 NULL);
    reading_expect_fold(&r, "a century", 0, "a 5000000000000000\nb 0\n");
    reading_expect_message(&r, "1 sample is more than 292 years after the first, and its time is");
    reading_release(&r);
}

static const struct {
    const char *format; /* NULL if no format claims it */
    struct slice text;
} claim_cases[] = {
    {"cpuprofile", SLICE("{\"nodes\":[" ROOT "}]}")},
    {"cpuprofile", SLICE("{\"profile\":{\"nodes\":[" ROOT "}]}}")},
    {"cpuprofile",
     SLICE("{\"typeId\":\"CPU\",\"head\":{\"functionName\":\"(root)\",\"hitCount\":0,")},
    {"heapprofile",
     SLICE("{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0,")},
    {"safari", SLICE("{\"version\":1,\"recording\":{\"instrumentTypes\":[")},
    {NULL, SLICE("{\"nodes\":[{\"id\":1,\"label\":\"a\"}],\"edges\":[]}")},
    {NULL, SLICE("{\"head\":{\"functionName\":\"a\"}}")},
    {NULL, SLICE("{\"head\":{\"title\":\"page\"},\"recording\":{\"title\":\"song\"}}")},
    {NULL, SLICE("nodes callFrame functionName")},
};

Test(input_cpuprofile, claims)
{
    for (size_t i = 0; i < sizeof(claim_cases) / sizeof(claim_cases[0]); i++) {
        const struct format *f = claim_find(claim_cases[i].text, true);

        if (claim_cases[i].format)
            cr_expect(f && strcmp(f->name, claim_cases[i].format) == 0, "%s",
                      claim_cases[i].text.ptr);
        else
            cr_expect_null(f, "%s", claim_cases[i].text.ptr);
    }
}

/* Nodes nested `depth` levels deep, and the sum of their weights. */
Test(input_cpuprofile, deep)
{
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, "{\"nodes\":[");
    for (unsigned i = 1; i <= 100000; i++)
        buf_printf(&text,
                   "%s{\"id\":%u,\"parent\":%u,\"hitCount\":1,\"callFrame\":"
                   "{\"functionName\":\"f\"}}",
                   i > 1 ? "," : "", i, i - 1);
    buf_add_str(&text, "]}");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 100000);
    reading_release(&r);
    buf_release(&text);
}
