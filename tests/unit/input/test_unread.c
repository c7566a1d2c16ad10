/*
 * What readers of text and JSON do not understand and leave out: it is counted as unreadable, and a
 * warning quotes the first one.
 */
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define V8_NODE(id, name)                                                                          \
    "{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"\",\"lineNumber\":1}}"
#define GECKO(samples)                                                                             \
    "{\"meta\":{\"version\":12,\"interval\":1,\"preprocessedProfileVersion\":41},\"threads\":["    \
    "{\"name\":\"a\",\"samples\":" samples ",\"stackTable\":{\"prefix\":[null],\"frame\":[0]},"    \
    "\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},\"stringArray\":[\"f\"]}]}"
#define SPEEDSCOPE(profile)                                                                        \
    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[" \
    "{\"name\":\"f\"}]},\"profiles\":[{\"name\":\"p\",\"unit\":\"none\"," profile "}]}"
#define V8_LOG                                                                                     \
    "v8-version,11,3,244,8,0\nshared-library,/bin/node,0x1000,0x2000,0\nprofiler,begin,1000\n"
#define JAVACORE "0SECTION       THREADS subcomponent dump routine\n1XMTHDINFO     Thread Details\n"
#define JAVACORE_END "NULL           END OF DUMP \n"
#define JAVA_THREAD                                                                                \
    "3XMTHREADINFO      \"main\" J9VMThread:0x15, state:R, prio=5\n"                               \
    "4XESTACKTRACE                at app/Main.run(Main.java:7)\n"
#define WRITE "write(1, \"\", 0) = 0\n > /bin/app(main+0x1) [0x11]\n"
#define SIMPLEPERF_SAMPLE                                                                          \
    "sample:\n  event_type: cpu-clock\n  time: 1\n  event_count: 5\n  thread_id: 7\n"              \
    "  thread_name: t\n  vaddr_in_file: 1\n  file: a.so\n  symbol: f\n"
#define XPERF                                                                                      \
    "BeginHeader\n  SampledProfile, TimeStamp, Process Name ( PID), ThreadID, PrgrmCtr, CPU, "     \
    "Image!Function\n  Stack, TimeStamp, ThreadID, No., Address, Image!Function\nEndHeader\n"      \
    "  SampledProfile, 2000, a.exe (5), 7, 0x1, 1, a.exe!paint\n"
#define XCTRACE(rows)                                                                              \
    "<?xml version=\"1.0\"?><trace-query-result><node><schema name=\"time-profile\"/>" rows        \
    "</node></trace-query-result>\n"
#define XCTRACE_ROW(weight)                                                                        \
    "<row>" weight "<backtrace><frame name=\"f\" addr=\"0x1\"/></backtrace></row>"

static const struct {
    const char *name, *input;
    uint64_t unreadable;
    const char *told;
} cases[] = {
    {"cpuprofile: a node",
     "{\"nodes\":[" V8_NODE(2, "a") ",{\"id\":3,\"callFrame\":7}],\"samples\":[2]}", 1,
     "malformed node: {\"id\": 3, \"callFrame\": 7}; skipped"},
    {"cpuprofile: a sample", "{\"nodes\":[" V8_NODE(2, "a") "],\"samples\":[2,[],{\"x\":1}]}", 2,
     "malformed sample: []; skipped"},
    {"cpuprofile: a time",
     "{\"nodes\":[" V8_NODE(2, "a") "],\"samples\":[2,2],\"timeDeltas\":[1,\"x\"]}", 1,
     "malformed time: \"x\"; skipped"},
    {"cpuprofile: a hit count",
     "{\"nodes\":[" V8_NODE(2, "a") ",{\"id\":3,\"callFrame\":{\"functionName\":\"b\"},"
                                    "\"hitCount\":-2}],\"samples\":[2]}",
     1, "malformed hit count: -2; skipped"},
    {"Firefox: a weight", GECKO("{\"stack\":[0,0,0],\"weight\":[1,\"x\",-1.5]}"), 2,
     "the weight of a sample is not a number or is negative: \"x\"; sample skipped"},
    {"Firefox: a stack", GECKO("{\"stack\":[0,7]}"), 1,
     "stack 7 is not in the stack table, or precedes its caller; its frames are missing"},
    {"speedscope: an event",
     SPEEDSCOPE("\"type\":\"evented\",\"startValue\":0,\"endValue\":2,\"events\":["
                "{\"type\":\"O\",\"frame\":0,\"at\":0},{\"type\":\"X\",\"frame\":0,\"at\":1}]"),
     1, "or no 'at': {\"type\": \"X\", \"frame\": 0, \"at\": 1}; skipped"},
    {"speedscope: a weight",
     SPEEDSCOPE("\"type\":\"sampled\",\"samples\":[[0],[0]],\"weights\":[1,-3]"), 1,
     "a weight is not a number or is negative: -3; it counts 0"},
    {"speedscope: a profile",
     SPEEDSCOPE("\"type\":\"sampled\",\"samples\":[[0]]},{\"type\":\"x\",\"name\":\"q\""), 1,
     "unknown profile type 'x'"},
    {"log of V8: a line", V8_LOG "tick,0x1001,1,0,0x0,0\ntick,x\nprofiler,end\n", 1,
     "not a line of V8's log: 'tick,x'; line skipped"},
    {"log of V8: a frame", V8_LOG "tick,0x1001,1,0,0x0,0,0x1010,+q7,+0x1\nprofiler,end\n", 1,
     "not the address of a caller: '+q7'; frame skipped"},
    {"ticks of V8: a tick",
     "{\"code\":[{\"name\":\"f\",\"type\":\"JS\",\"kind\":\"Opt\"}],\"ticks\":[{\"tm\":1,\"vm\":0,"
     "\"s\":[0,0]},{\"tm\":2,\"vm\":0}]}",
     1, "a tick without a stack: {\"tm\": 2, \"vm\": 0}; skipped"},
    {"ticks of V8: a frame",
     "{\"code\":[{\"name\":\"f\",\"type\":\"JS\",\"kind\":\"Opt\"}],\"ticks\":[{\"tm\":1,\"vm\":0,"
     "\"s\":[0,0,0]}]}",
     1, "the last frame of a tick is cut: {\"tm\": 1, \"vm\": 0, \"s\": [...]}; frame skipped"},
    {"javacore: a frame that is none",
     JAVACORE JAVA_THREAD "4XESTACKTRACE                app/Main.main\n" JAVACORE_END, 1,
     "expected 'at CLASS.METHOD(FILE:LINE)': 'app/Main.main'; line skipped"},
    {"javacore: a frame with an unknown tag",
     JAVACORE JAVA_THREAD
     "7XESTACKTRACE                at app/Main.main(Main.java:1)\n" JAVACORE_END,
     1, "a frame with an unknown tag: 'at app/Main.main(Main.java:1)'; line skipped"},
    {"javacore: frames below no thread",
     JAVACORE JAVA_THREAD "1XMTHDINFO     More\n4XENATIVESTACK               poll+0x2b "
                          "(0x00007F32 [libc.so.6+0x1a])\n" JAVACORE_END,
     1, "a frame below no thread: 'poll+0x2b (0x00007F32 [libc.so.6+0x1a])'"},
    {"strace", WRITE "a line of the program\n > /bin/app(f+0x1) [0x11]\n" WRITE, 1,
     "a frame below no call: ' > /bin/app(f+0x1) [0x11]'; line skipped"},
    {"simpleperf: frames outside of samples",
     SIMPLEPERF_SAMPLE "guess:\n  event_count: 7\n  vaddr_in_file: 2\n", 1,
     "a frame outside of any sample: '  vaddr_in_file: 2'; line skipped"},
    {"simpleperf: a weight",
     SIMPLEPERF_SAMPLE "sample:\n  event_type: cpu-clock\n  event_count: many\n", 1,
     "expected 'event_count: N': 'many'; line skipped"},
    {"gdb", "Thread 2 (LWP 9):\n#0  0x0000000000401136 in f (x=1) at a.c:1\n#1\n", 1,
     "expected '#N  NAME (ARGUMENTS)': '#1'; line skipped"},
    {"eu-stack: a frame", "PID 7 - process\nTID 7:\n#0  0x00007fe4 f\n#1  oxo g\n", 1,
     "expected '#N  0xADDRESS NAME': '#1  oxo g'; line skipped"},
    {"eu-stack: a heading", "TID 7:\n#0  0x00007fe4 f\nTID nine:\n#0  0x00007fe5 g\n", 2,
     "expected 'TID N:' or 'PID N - PROCESS': 'TID nine:'; line skipped"},
    {"DTrace: a stack without a count",
     "CPU     ID                    FUNCTION:NAME\n\n              app`f+0x1\n"
     "              app`main+0x1\n                3\n\n              app`g+0x1\nthe end\n\n",
     1, "stack without a count skipped: 'app`g'"},
    {"DTrace: a count",
     "CPU     ID                    FUNCTION:NAME\n\n              app`f+0x1\n                3\n\n"
     "              app`f+0x1\n                99999999999999999999\n",
     1, "the count 99999999999999999999 exceeds 63 bits; stack skipped"},
    {"WPA: a row", "Process,Thread ID,Stack,Weight\na.exe (5),7,[Root]/a.exe!f,1\na.exe (5),7\n", 1,
     "fewer columns than the heading has: 'a.exe (5),7'; line skipped"},
    {"WPA: a row without a weight",
     "Process,Thread ID,Stack,Weight\na.exe (5),7,[Root]/a.exe!f,1\na.exe (5),7,[Root]/a.exe!g,\n",
     1, "the weight is not a number: 'a.exe (5),7,[Root]/a.exe!g,'; line skipped"},
    {"xperf: a row", XPERF "  SampledProfile, x, a.exe (5), 7, 0x1, 1, a.exe!paint\n", 1,
     "of its heading: 'SampledProfile, x, a.exe (5), 7, 0x1, 1, a.exe!paint'; line skipped"},
    {"xperf: an event without a heading", XPERF "  CSwitch, 2001, a.exe (5), 7, 100\n", 1,
     "a type that the header does not name: 'CSwitch, 2001, a.exe (5), 7, 100'; line skipped"},
    {"xctrace: a weight",
     XCTRACE(XCTRACE_ROW("<weight>1</weight>") XCTRACE_ROW("<weight>1.5 ms</weight>")), 1,
     "the weight of this row is not a whole number: '1.5 ms'; it counts 0"},
    {"xctrace: a weight of another unit",
     XCTRACE(XCTRACE_ROW("<weight>1</weight>") XCTRACE_ROW("<cycle-weight>77</cycle-weight>")), 1,
     "the weight of this row, 77, has another unit than the rows before; skipped"},
    {"xctrace: a reference",
     XCTRACE(
         XCTRACE_ROW("<weight>1</weight>") "<row><weight>1</weight><backtrace ref=\"9\"/></row>"),
     1, "reference of 'backtrace' to an undefined id: '9'"},
    {"Austin", "# austin: 3.0\nP7;T7;a.py:f:1 5\nP7;T7;a.py:f:1 five\n", 1,
     "METRIC': 'P7;T7;a.py:f:1 five'; line skipped"},
};

Test(input_unread, what_is_left_out_is_counted_and_quoted)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_str(cases[i].input), NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ, "%s", cases[i].name);
        cr_expect_eq(r.profile.ledger.unreadable, cases[i].unreadable, "%s: %llu", cases[i].name,
                     (unsigned long long)r.profile.ledger.unreadable);
        cr_expect_not_null(strstr(buf_string(&messages), cases[i].told), "%s: '%s'", cases[i].name,
                           buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
}
