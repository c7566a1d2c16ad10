
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE(data)                                                                                 \
    "<!doctype html>\n<html><title>Tachyon Profiler - Flamegraph Report</title><script>\n"         \
    "const EMBEDDED_DATA = " data ";\n</script></html>\n"
#define STRINGS "\"strings\":[\"\",\"a.py\",\"f\",\"g\",\"~\",\"<GC>\"]"
#define DIFFERENT(children, stats)                                                                 \
    PAGE("{\"name\":0,\"value\":9,\"children\":[" children "],\"stats\":{\"is_differential\":"     \
         "true," stats "}," STRINGS "}")
#define F(more) "{\"funcname\":2,\"filename\":1," more "}"
#define G(more) "{\"funcname\":3,\"filename\":1," more "}"

Test(input_sampling_page, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"what children leave, nodes that were left out included",
         PAGE("{\"name\":0,\"value\":10,\"children\":[" F("\"value\":8,\"self\":1,\"children\":[" G(
             "\"value\":5,\"self\":5,\"children\":[]") "]") "]," STRINGS "}"),
         "==  samples\n 2\nf 3\nf;g 5\n"},
        {"a top that is a function, and special frames",
         PAGE("{\"funcname\":2,\"filename\":1,\"lineno\":3,\"name\":0,\"value\":3,\"children\":["
              "{\"funcname\":5,\"filename\":4,\"lineno\":0,\"value\":1,\"children\":[]}]," STRINGS
              "}"),
         "==  samples\nf 2\nf;<GC> 1\n"},
        {"children that are too heavy",
         PAGE("{\"name\":0,\"value\":1,\"thread_values\":{\"7\":[1,0]},\"children\":[" F(
             "\"value\":2,\"thread_values\":{\"7\":[2,2]},\"children\":[]") "]," STRINGS "}"),
         "==  samples\nf 2\n"
         "in: warning: 1 node weighs less than its children; the children count in full\n"},
        {"damage",
         PAGE("{\"name\":0,\"value\":4,\"children\":[7,{\"funcname\":99,\"filename\":1,\"value\":1}"
              "," F("\"value\":\"x\"") "," F("\"thread_values\":{\"7\":[\"x\"]}") "]," STRINGS "}"),
         "==  samples\n 3\n[unknown] 1\n"
         "in: warning: malformed values of a thread: [\"x\"]; they count as 0\n"
         "in: warning: the value of a node is not a number: {\"funcname\": 2, \"filename\": 1, "
         "\"value\": \"x\"}; it counts as 0\n"
         "in: warning: a node has no function: {\"funcname\": 99, \"filename\": 1, \"value\": 1}; "
         "shown as unknown\n"
         "in: warning: a child is no object: 7; skipped\n"},
        {"no data", "<!doctype html>\n<title>Tachyon Profiler - Flamegraph Report</title>\n",
         "in: error: the page contains no data\nfailed\n"},
        {"the base is counted once for all lines of a function",
         DIFFERENT(F("\"value\":4,\"baseline_total\":6.0,\"children\":[]") "," F(
                       "\"value\":5,\"baseline_total\":6.0,\"children\":[]"),
                   "\"baseline_samples\":4,\"baseline_scale\":2.0"),
         "== base samples\n 1\nf 3\n== new samples\nf 9\n"},
        {"stacks that only the base has, below callers that both have",
         DIFFERENT(
             F("\"value\":9,\"baseline_total\":4.0,\"children\":[]"),
             "\"baseline_samples\":4,\"baseline_scale\":1.0,\"elided_flamegraph\":{"
             "\"name\":0,\"value\":3,\"children\":[" F("\"baseline_total\":4.0,\"children\":[" G(
                 "\"value\":3,\"baseline_total\":3.0,\"children\":[]") "]") "]," STRINGS "}"),
         "== base samples\nf 1\nf;g 3\n== new samples\nf 9\n"},
        {"no number of the base",
         DIFFERENT(F("\"value\":9,\"children\":[]"), "\"baseline_scale\":1.0"),
         "in: error: the page does not say how many samples the base has\nfailed\n"},
        {"a malformed scale",
         DIFFERENT(F("\"value\":9,\"children\":[]"),
                   "\"baseline_samples\":4,\"baseline_scale\":-1"),
         "in: error: malformed 'baseline_scale': -1\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_sampling_page, threads)
{
    static const char page[] = PAGE(
        "{\"name\":0,\"value\":10,\"thread_values\":{\"7\":[6,0],\"8\":[4,0]},\"children\":[" F(
            "\"value\":10,\"thread_values\":{\"7\":[6,2],\"8\":[4,4]},\"children\":[" G(
                "\"value\":4,\"thread_values\":{\"7\":[4,4]},\"children\":[]") "]") "]," STRINGS
                                                                                    "}");
    struct input_options options = input_options_default();

    options.split_thread = true;
    told_expect("by thread", slice_str(page), &options,
                "== 7 samples\nf 2\nf;g 4\n== 8 samples\nf 4\n");
}
