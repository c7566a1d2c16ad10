
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define SCHEMA "\"$schema\": \"https://www.speedscope.app/file-format-schema.json\""
#define SHARED "\"shared\": {\"frames\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]}"
#define FILE_OF(profiles) "{" SCHEMA ", " SHARED ", \"profiles\": [" profiles "]}"
#define EVENTED(unit, start, end, events)                                                          \
    "{\"type\": \"evented\", \"name\": \"p\", \"unit\": \"" unit "\", \"startValue\": " start      \
    ", \"endValue\": " end ", \"events\": [" events "]}"
#define O(frame, at) "{\"type\": \"O\", \"frame\": " #frame ", \"at\": " #at "}"
#define C(frame, at) "{\"type\": \"C\", \"frame\": " #frame ", \"at\": " #at "}"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"sampled, the frames after the profiles",
     "{\"profiles\": [{\"type\": \"sampled\", \"name\": \"x\", \"unit\": \"milliseconds\", "
     "\"samples\": [[0, 1], [0, 1], [0, 2], [0]], \"weights\": [1, 2.5, 4, 0.0000004]}], " SCHEMA
     ", " SHARED "}",
     "== x seconds e-3\na;b 3.5\na;c 4\n"},
    {"evented: what passes between two events is of the stack between them",
     FILE_OF(EVENTED("none", "0", "14",
                     O(0, 1) "," O(1, 2) "," C(1, 5) "," O(2, 5) "," C(2, 9) "," C(0, 10))),
     "== p samples\n 5\na 2\na;b 3\na;c 4\n"},
    {"times to the nanosecond, from any zero",
     FILE_OF(EVENTED("microseconds", "1700000000000000.1234", "1700000000000002.1236",
                     O(0, 1700000000000000.1234) "," C(0, 1700000000000002.1236))),
     "== p seconds e-6\na 2.001\n"},
    {"type and unit after the samples, a repeated member",
     "{\"profiles\": [{\"samples\": [[2]], \"samples\": [[0], [0, 1]], \"weights\": [0.25, 4], "
     "\"unit\": \"milliseconds\", \"name\": \"x\", \"type\": \"sampled\"}, "
     "{\"events\": [" O(0, 1) "," C(0, 3) "], \"unit\": \"none\", \"name\": \"y\", "
                                          "\"startValue\": 0, \"type\": \"evented\"}], " SHARED
                                          ", " SCHEMA "}",
     "== x seconds e-3\na 0.25\na;b 4\n== y samples\n 1\na 2\n"},
    {"a profile that is cut off is left out",
     "{" SCHEMA ", " SHARED ", \"profiles\": ["
     "{\"type\": \"sampled\", \"name\": \"x\", \"samples\": [[0]], \"weights\": [1]}, "
     "{\"type\": \"sampled\", \"name\": \"y\", \"samples\": [[1], [2",
     "== x samples\na 1\n"
     "in: byte 0x10c: warning: the JSON ends in the middle; what is complete was read\n"},
    {"below zero", FILE_OF(EVENTED("seconds", "-2", "1", O(0, -1.5) "," C(0, 1))),
     "== p seconds e0\n 0.5\na 2.5\n"},
    {"a graph for each profile, the active one first, names made different, units unknown",
     "{" SCHEMA ", " SHARED ", \"activeProfileIndex\": 1, \"profiles\": ["
     "{\"type\": \"sampled\", \"name\": \"t\", \"unit\": \"bytes\", \"samples\": [[0]], "
     "\"weights\": [1]}, "
     "{\"type\": \"sampled\", \"name\": \"t\", \"unit\": \"frames\", \"samples\": [[1]], "
     "\"weights\": [2]}]}",
     "== t frames\nb 2\n== t (2) bytes\na 1\n"},
    {"never closed", FILE_OF(EVENTED("none", "0", "100", O(0, 0) "," O(1, 60))),
     "== p samples\na 60\na;b 40\n"
     "in: warning: 2 frames of a profile are never closed; they last until its end\n"},
    {"not balanced, out of order",
     FILE_OF(EVENTED("none", "0", "10",
                     O(0, 0) "," O(1, 2) "," C(0, 5) "," C(2, 6) "," O(0, 4) "," C(0, 10))),
     "== p samples\n 1\na 6\na;b 3\n"
     "in: warning: 1 event is earlier than the previous event; no time passes between both\n"
     "in: warning: 2 closing events name a frame that is not open or not the innermost one\n"},
    {"frames and weights that are not there",
     FILE_OF("{\"type\": \"sampled\", \"name\": \"\", \"unit\": \"none\", \"samples\": [[0, 7], "
             "[-1], [1], [2]], \"weights\": [1, 2, -3]}"),
     "==  samples\n[unknown] 2\na;[unknown] 1\n"
     "in: warning: a weight is not a number or is negative: -3; it counts 0\n"
     "in: warning: a profile has 4 samples but 3 weights; samples without a weight count nothing\n"
     "in: warning: 2 frames are not in the frame table; they are shown as unknown\n"},
    {"malformed events",
     FILE_OF(
         EVENTED("none", "0", "1",
                 O(0, 0) ",{\"type\": \"X\", \"at\": 1},{\"type\": \"O\", \"frame\": 1}," C(0, 1))),
     "== p samples\na 1\n"
     "in: warning: an event has a type other than 'O' and 'C', or no 'at': {\"type\": \"X\", "
     "\"at\": 1}; skipped\n"
     "in: warning: an event has a type other than 'O' and 'C', or no 'at': {\"type\": \"O\", "
     "\"frame\": 1}; skipped\n"},
    {"a profile of another kind", FILE_OF("{\"type\": \"x\", \"name\": \"y\"}"),
     "== y samples\nin: warning: unknown profile type 'x', expected 'sampled' or 'evented'; "
     "profile skipped\n"
     "in: error: no stacks in this speedscope file\nfailed\n"},
    {"no profiles", "{" SCHEMA "}", "in: error: the file contains no 'profiles'\nfailed\n"},
};

Test(input_speedscope, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

/* As dotnet-trace writes threads: what a thread does is a leaf. */
#define DOTNET                                                                                     \
    "{" SCHEMA ", \"shared\": {\"frames\": [{\"name\": \"Main\"}, {\"name\": \"Total\"}, "         \
    "{\"name\": \"CPU_TIME\"}, {\"name\": \"UNMANAGED_CODE_TIME\"}]}, \"profiles\": [" EVENTED(    \
        "milliseconds", "0", "100",                                                                \
        O(0, 0) "," O(1, 0) "," O(2, 0) "," C(2, 60) "," C(1, 60) "," O(3, 60) "," C(              \
            3, 100) "," C(0, 100)) ", "                                                            \
                                   "{\"type\": \"sampled\", \"name\": \"q\", \"unit\": "           \
                                   "\"milliseconds\", "                                            \
                                   "\"samples\": [[0, 2], [0, 3]], \"weights\": [3, 4]}]}"

Test(input_speedscope, states_are_no_functions)
{
    static const char *const managed[] = {"CPU_TIME"};
    struct input_options options = input_options_default();

    told_expect("all", slice_str(DOTNET), NULL,
                "== p seconds e-3\nMain 40\nMain;Total 60\n== q seconds e-3\nMain 7\n"
                "in: note: threads that wait count like those that work: their state is "
                "UNMANAGED_CODE_TIME, and --state CPU_TIME leaves them out\n");
    options.states = managed;
    options.state_count = 1;
    told_expect("managed code", slice_str(DOTNET), &options,
                "== p seconds e-3\nMain;Total 60\n== q seconds e-3\nMain 3\n");
}

Test(input_speedscope, cut)
{
    for (size_t i = 0; i < 4; i++)
        told_truncated(cases[i].name, slice_str(cases[i].text), 1);
}

/* Deep stacks and unmatched ends: the time is linear in the length of the file. */
Test(input_speedscope, deep)
{
    enum { DEPTH = 100000 };
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, "{" SCHEMA ", " SHARED ", \"profiles\": [{\"type\": \"evented\", "
                       "\"name\": \"p\", \"unit\": \"none\", \"endValue\": 9, \"events\": [");
    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, O(0, 0) ",");
    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&text, C(1, 0) ",");
    buf_add_str(&text, C(0, 1) "]}]}");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 9);
    reading_release(&r);
    buf_release(&text);
}

Test(input_speedscope, many_of_one_name)
{
    enum { COUNT = 20000 };
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, "{" SCHEMA ", " SHARED ", \"profiles\": [{\"name\": \"p (3)\"}");
    for (int i = 0; i < COUNT; i++)
        buf_add_str(&text, ", " EVENTED("none", "0", "1", O(0, 0) ", " C(0, 1)));
    buf_add_str(&text, "]}");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.profile.series.count, COUNT + 1);
    reading_release(&r);
    buf_release(&text);
}

Test(input_speedscope, claims)
{
    cr_expect(claim_by(&format_speedscope, SLICE("{" SCHEMA "}"), true));
    cr_expect(
        claim_by(&format_speedscope, SLICE("{" SHARED ", \"profiles\": [{\"type\": 1}]}"), true));
    cr_expect_not(claim_by(&format_speedscope, SLICE("{\"$schema\": \"x\"}"), true));
    cr_expect_not(claim_by(&format_speedscope, SLICE("{\"profiles\": []}"), true));
}
