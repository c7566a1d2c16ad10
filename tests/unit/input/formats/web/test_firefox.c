
#include <unistd.h>

#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* A raw thread whose stacks are 0: (root), 1: (root);alpha, 2: (root);alpha;0x1010. */
#define RAW_THREAD(name, type, samples)                                                            \
    "{\"name\": \"" name "\", \"processType\": \"" type "\", \"samples\": {\"schema\": "           \
    "{\"stack\": 0, \"time\": 1}, \"data\": [" samples "]}, \"stackTable\": {\"schema\": "         \
    "{\"prefix\": 0, \"frame\": 1}, \"data\": [[null, 0], [0, 1], [1, 2]]}, \"frameTable\": "      \
    "{\"schema\": {\"location\": 0}, \"data\": [[0], [1, {\"x\": []}], [2]]}, \"stringTable\": "   \
    "[\"(root)\", \"alpha (http://h/a.js:1:14)\", \"0x1010\"]}"
#define LIBS "[{\"name\": \"xul\", \"start\": 4096, \"end\": 8192, \"breakpadId\": \"A\"}]"
#define RAW(threads)                                                                               \
    "{\"meta\": {\"version\": 3, \"interval\": 1, \"processType\": 0}, \"libs\": " LIBS            \
    ", \"threads\": [" threads "]"

#define TABLES                                                                                     \
    "\"stackTable\": {\"length\": 4, \"prefix\": [null, 0, 1, 1], \"frame\": [0, 1, 2, 3]}, "      \
    "\"frameTable\": {\"func\": [0, 1, 2, 3], \"inlineDepth\": [0, 0, 1, 0], "                     \
    "\"nativeSymbol\": [null, 0, 0, null], \"line\": [null, 9, null, null], \"address\": [-1, 3, " \
    "3, 7]}, "                                                                                     \
    "\"funcTable\": {\"name\": [0, 1, 2, 3], \"isJS\": [false, false, false, false], "             \
    "\"resource\": [-1, 0, 0, 0], \"fileName\": [null, 4, null, null], \"lineNumber\": [null, 3, " \
    "null, null]}, "                                                                               \
    "\"resourceTable\": {\"length\": 1, \"lib\": [0], \"name\": [5]}, "                            \
    "\"nativeSymbols\": {\"libIndex\": [0], \"address\": [3], \"name\": [1]}"
#define STRINGS                                                                                    \
    "[\"(root)\", \"main(int)\", \"ns::inlined<int>(char)\", \"0x1f\", \"a.c\", \"libx.so\"]"
#define META "\"meta\": {\"preprocessedProfileVersion\": 58}, \"libs\": [{\"name\": \"libx.so\"}]"
#define OWNER(name, process, pid)                                                                  \
    "\"name\": \"" name "\", \"processName\": \"" process "\", \"pid\": \"" pid "\""
#define STACKS(members) "\"samples\": {\"stack\": [3, 2, 1, null], " members "}"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"raw",
     RAW(RAW_THREAD("GeckoMain", "default", "[2, 0], [1, 1], [2, 2], [null, 3], [0, 4]")) "}",
     "== samples samples\n 2\nalpha 1\nalpha;[xul] 2\n"},
    {"within what DevTools writes",
     "{\"label\": \"a\", \"profile\": " RAW(RAW_THREAD("GeckoMain", "tab", "[1, 0]")) "}}",
     "== samples samples\nalpha 1\n"},
    {"threads and processes are first frames if there are several",
     RAW(RAW_THREAD("GeckoMain", "default", "[1, 0]") "," RAW_THREAD(
         "Worker", "default",
         "[1, 0]")) ", \"processes\": [" RAW(RAW_THREAD("GeckoMain", "tab",
                                                        "[1, 0], [2, 1]")) "}]}",
     "== samples samples\ndefault;GeckoMain;alpha 1\ndefault;Worker;alpha 1\n"
     "tab;GeckoMain;alpha 1\ntab;GeckoMain;alpha;[xul] 1\n"},
    {"a process as a string of JSON among the threads, its libraries as another",
     RAW(RAW_THREAD("GeckoMain", "default",
                    "[1, 0]") ", \"{\\\"libs\\\": \\\"[{\\\\\\\"name\\\\\\\": \\\\\\\"l\\\\\\\", "
                              "\\\\\\\"start\\\\\\\": 0, "
                              "\\\\\\\"end\\\\\\\": 99}]\\\", \\\"threads\\\": [{\\\"name\\\": "
                              "\\\"GeckoMain\\\", "
                              "\\\"processType\\\": \\\"tab\\\", \\\"samples\\\": "
                              "[{\\\"frames\\\": [{\\\"location\\\": "
                              "\\\"(root)\\\"}, {\\\"location\\\": \\\"0x10\\\"}, "
                              "{\\\"location\\\": \\\"f (in XUL)\\\"}]}]}]}\"") "}",
     "== samples samples\ndefault;alpha 1\ntab;[l];f 1\n"},
    {"a string that is no JSON", RAW("\"{\\\"x\\\"\"") "}",
     "in: byte 0x4: warning: the JSON ends in the middle; what is complete was read\n"
     "in: error: no stacks in this firefox file\nfailed\n"},
    {"processed",
     "{" META ", \"threads\": [{" OWNER("Main", "app", "7") ", " STACKS(
         "\"weight\": null") ", " TABLES ", \"stringArray\": " STRINGS "}]}",
     "== samples samples\n 1\nmain 1\nmain;[libx.so] 1\nmain;ns::inlined<int> 1\n"},
    {"tables and strings shared by the threads, weights that are times",
     "{" META ", \"shared\": {\"stringArray\": " STRINGS ", " TABLES "}, \"threads\": ["
     "{" OWNER("Main", "app", "7") ", " STACKS(
         "\"weight\": [1.5, 2, 3, 0.0000004], "
         "\"weightType\": \"tracing-ms\"") "}, {" OWNER("Main", "other",
                                                        "8") ", \"samples\": {\"stack\": []}}]}",
     "== tracing seconds e-3\n 0.0000004\nmain 3\nmain;[libx.so] 1.5\nmain;ns::inlined<int> 2\n"},
    {"allocations, given back too; differences of two profiles",
     "{" META ", \"threads\": [{" OWNER(
         "Main", "app", "7") ", \"samples\": {\"stack\": [1, 1], "
                             "\"weight\": [5, -2]}, \"jsAllocations\": {\"stack\": [1], "
                             "\"weight\": [64], \"weightType\": "
                             "\"bytes\"}, \"nativeAllocations\": {\"stack\": [1, 1], \"weight\": "
                             "[100, -30], \"weightType\": "
                             "\"bytes\"}, " TABLES ", \"stringArray\": " STRINGS "}]}",
     "== samples samples\nmain 5\n== samples before samples\nmain 2\n"
     "== JS allocations bytes\nmain 64\n"
     "== native allocations bytes\nmain 100\n== native allocations before bytes\nmain 30\n"},
    {"undefined stacks, stacks before their callers, malformed weights",
     "{" META
     ", \"threads\": [{" OWNER("M", "a", "7") ", \"samples\": {\"stack\": [9, 1, 0, 0], "
                                              "\"weight\": [1, 1, \"x\", -1.5]}, \"stackTable\": "
                                              "{\"prefix\": [1, 1], \"frame\": [0, 0]}, "
                                              "\"frameTable\": {\"func\": [0]}, \"funcTable\": "
                                              "{\"name\": [0]}, \"stringArray\": [\"f\"]}]}",
     "== samples samples\n 1\nf 1\n"
     "in: warning: stack 9 is not in the stack table, or precedes its caller; its frames are "
     "missing\n"
     "in: warning: stack 1 is not in the stack table, or precedes its caller; its frames are "
     "missing\n"
     "in: warning: stack 0 is not in the stack table, or precedes its caller; its frames are "
     "missing\n"
     "in: warning: the weight of a sample is not a number or is negative: \"x\"; sample skipped\n"
     "in: warning: the weight of a sample is not a number or is negative: -1.5; sample skipped\n"},
    {"a script as part of the name, in old processed profiles",
     "{" META
     ", \"threads\": [{" OWNER("M", "a", "7") ", \"samples\": {\"stack\": [0]}, "
                                              "\"stackTable\": {\"prefix\": [null], \"frame\": "
                                              "[0]}, \"frameTable\": {\"func\": [0]}, "
                                              "\"funcTable\": {\"name\": [0], \"isJS\": [true]}, "
                                              "\"stringArray\": [\"f (chrome://x:34)\"]}]}",
     "== samples samples\nf 1\n"},
    {"Cleopatra",
     "{\"format\": \"profileJSONWithSymbolicationTable,1\", \"profileJSON\": [{\"frames\": [9, 0, "
     "1], "
     "\"extraInfo\": {\"time\": 5}}, {\"frames\": [9, 0, 2, 7]}, {\"frames\": []}], "
     "\"symbolicationTable\": {\"0\": \"main(int) (in XUL) (a.cpp:3)\", \"1\": \"f "
     "(http://h/a.js:4)\", "
     "\"2\": \"g() (in lib) + 12\", \"9\": \"(root)\"}}",
     "== samples samples\n 1\nmain;f 1\nmain;g;[unknown] 1\n"
     "in: warning: 1 frame is not in the symbol table and is shown as unknown\n"},
    {"Cleopatra with threads",
     "{\"format\": \"profileJSONWithSymbolicationTable,1\", \"profileJSON\": {\"threads\": {\"0\": "
     "{\"name\": \"Gecko\", \"samples\": [{\"frames\": [0]}]}, \"1\": {\"name\": \"Content\", "
     "\"samples\": [{\"frames\": [0]}]}}}, \"symbolicationTable\": {\"0\": \"main\"}}",
     "== samples samples\nContent;main 1\nGecko;main 1\n"},
    {"no threads", "{" META "}", "in: error: the profile has no 'threads'\nfailed\n"},
};

Test(input_firefox, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

/* Version 70: the caller of a stack is so many rows before it, and frames name their library. */
#define LATEST                                                                                     \
    "{\"meta\": {\"preprocessedProfileVersion\": 70, \"categories\": [{\"name\": \"Other\"}, "     \
    "{\"name\": \"Idle\"}]}, \"libs\": [{\"name\": \"app\"}], \"shared\": {"                       \
    "\"stackTable\": {\"length\": 4, \"frame\": [0, 1, 2, 1], \"prefixOffset\": [0, 1, 1, 0]}, "   \
    "\"frameTable\": {\"func\": [0, 1, 2], \"lib\": [0, 0, -1], \"category\": [0, 1, null]}, "     \
    "\"funcTable\": {\"name\": [0, 1, 2], \"resource\": [-1, -1, -1]}, "                           \
    "\"stringArray\": [\"main\", \"work\", \"leaf.js\"]}, \"threads\": [{\"name\": \"t\", "        \
    "\"pid\": \"1\", \"samples\": {\"stack\": [2, 2, 1, 3, 0], \"length\": 5}}]}"

Test(input_firefox, callers_by_offset)
{
    struct input_options options = input_options_default();

    told_expect("latest", slice_str(LATEST), NULL,
                "== samples samples\nmain 1\nmain;work 1\nmain;work;leaf.js 2\nwork 1\n");
    options.mark_idle = true;
    told_expect("idle", slice_str(LATEST), &options,
                "== samples samples\nmain 1\nmain;work;(idle) 1\nmain;work;leaf.js;(idle) 2\n"
                "work;(idle) 1\n");
}

Test(input_firefox, cut)
{
    told_truncated(cases[0].name, slice_str(cases[0].text), 1);
    told_truncated(cases[6].name, slice_str(cases[6].text), 1);
}

Test(input_firefox, threads_are_chosen_and_parted)
{
    struct input_options options = input_options_default();

    options.split_process = true;
    told_expect("parted", slice_str(cases[2].text), &options,
                "== samples, default samples\ndefault;GeckoMain;alpha 1\ndefault;Worker;alpha 1\n"
                "== samples, tab samples\ntab;GeckoMain;alpha 1\ntab;GeckoMain;alpha;[xul] 1\n");
}

Test(input_firefox, inlined_frames_have_their_class)
{
    struct input_options options = input_options_default();

    options.inlined = true;
    told_expect("inlined", slice_str(cases[5].text), &options,
                "== samples samples\n 1\nmain 1\nmain;[libx.so] 1\nmain;ns::inlined<int>_[i] 1\n");
}

Test(input_firefox, places_in_the_source)
{
    struct input_options options = input_options_default();

    options.srcline = true;
    told_expect("processed", slice_str(cases[5].text), &options,
                "== samples samples\n 1\nmain:a.c:9 1\nmain:a.c:9;[libx.so] 1\n"
                "main:a.c:9;ns::inlined<int> 1\n");
    told_expect("raw", slice_str(cases[1].text), &options,
                "== samples samples\nalpha:http://h/a.js:1 1\n");
}

Test(input_firefox, claims)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_expect(claim_by(&format_firefox, slice_str(cases[i].text), true), "%s", cases[i].name);
    cr_expect_not(claim_by(&format_firefox, SLICE("{\"meta\": {}, \"threads\": []}"), true));
    cr_expect_not(claim_by(&format_firefox, SLICE("{\"threads\": [{\"name\": \"x\"}]}"), true));
}

extern const char __executable_start[];

/* A function that its address names. */
__attribute__((noinline)) static int found_by_its_address(int number)
{
    return number + 1;
}

/* samply writes addresses as names, which count from the beginning of the binary. */
Test(input_firefox, addresses_are_named_by_their_binary)
{
    uint64_t address =
        (uint64_t)(uintptr_t)found_by_its_address - (uint64_t)(uintptr_t)__executable_start;
    struct buf text = {0};
    struct reading r;
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

    cr_assert(len > 0 && found_by_its_address(1) == 2);
    path[len] = '\0';
    buf_printf(&text,
               "{\"meta\": {\"preprocessedProfileVersion\": 44}, \"libs\": [{\"name\": \"app\", "
               "\"path\": \"%s\"}], \"threads\": [{\"samples\": {\"length\": 1, \"stack\": [0], "
               "\"time\": [0]}, \"stackTable\": {\"length\": 1, \"prefix\": [null], \"frame\": "
               "[0]}, \"frameTable\": {\"length\": 1, \"func\": [0]}, \"funcTable\": {\"length\": "
               "1, \"name\": [0], \"isJS\": [false], \"resource\": [0]}, \"resourceTable\": "
               "{\"length\": 1, \"lib\": [0]}, \"stringArray\": [\"0x%llx\"]}]}",
               path, (unsigned long long)address);
    reading_text(&r, buf_slice(&text), NULL);
    reading_expect_fold(&r, "", 0, "found_by_its_address 1\n");
    reading_release(&r);
    buf_release(&text);
}
