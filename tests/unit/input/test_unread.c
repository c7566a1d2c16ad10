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

#define HEAP(nodes, members)                                                                       \
    "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0,\"children\":[" nodes   \
    "]}" members "}"
#define HEAP_NODE(name, size)                                                                      \
    "{\"callFrame\":{\"functionName\":\"" name "\"},\"selfSize\":" size ",\"id\":1,\"children\":["
#define D3(nodes) "{\"name\":\"root\",\"children\":[" nodes "]}"
#define SAFARI(traces, durations)                                                                  \
    "{\"version\":1,\"recording\":{\"instrumentTypes\":[],\"sampleStackTraces\":[" traces          \
    "],\"sampleDurations\":[" durations "]}}"
#define BARS(levels) "{\"names\":[\"total\",\"a\",\"b\"],\"levels\":[" levels "],\"numTicks\":5}"
#define RUBY(mode, members)                                                                        \
    "{\"mode\":\"" mode "\",\"interval\":1,\"samples\":4,\"frames\":{\"11\":{\"name\":\"f\"},"     \
    "\"12\":{\"name\":\"g\"}}," members "}"
#define DHAT(points)                                                                               \
    "{\"dhatFileVersion\":2,\"pps\":[" points "],\"ftbl\":[\"[root]\",\"0x1F: f (a.c:3)\"]}"
#define CALIPER(rows)                                                                              \
    "{\"data\":[" rows "],\"columns\":[\"count\",\"path\"],\"column_metadata\":[{\"is_value\":"    \
    "true},{\"is_value\":false}],\"nodes\":[{\"column\":\"path\",\"label\":\"main\"}]}"
#define CALI                                                                                       \
    "__rec=node,id=120,attr=10,data=268,parent=3\n__rec=node,id=20,attr=8,data=function,parent="   \
    "120\n__rec=node,id=130,attr=10,data=21,parent=1\n__rec=node,id=30,attr=8,data=count,parent="  \
    "130\n__rec=node,id=40,attr=20,data=main,parent=3\n__rec=ctx,ref=40,attr=30,data=3\n"
#define HPCTOOLKIT(elements)                                                                       \
    "<?xml version=\"1.0\"?><HPCToolkitExperiment version=\"2.0\"><MetricTable><Metric i=\"3\" "   \
    "n=\"CYC:Sum (E)\" t=\"exclusive\"/></MetricTable><LoadModule i=\"1\" n=\"app\"/><File "       \
    "i=\"1\" "                                                                                     \
    "n=\"a.c\"/><Procedure i=\"1\" n=\"main\"/><PF n=\"1\" lm=\"1\" f=\"1\" l=\"3\">" elements     \
    "</PF></HPCToolkitExperiment>"
#define ASYNC(calls)                                                                               \
    "<!DOCTYPE html>\n<html>\n<script>\n\tfunction f(key, level, left, width, inln, c1, int) {}\n" \
    "const cpool = [\n'all',\n' f'\n];\n" calls
#define PERF_JSON(samples) "{\"linux-perf-json-version\":1,\"samples\":[" samples "]}"

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
    {"heapprofile: a size", HEAP(HEAP_NODE("a", "-1") "]}," HEAP_NODE("b", "7") "]}", ""), 1,
     "the selfSize of 'a' is missing or no number; it counts 0"},
    {"heapprofile: a node", HEAP(HEAP_NODE("a", "5") "]},7,{\"selfSize\":3,\"callFrame\":[1]}", ""),
     2, "a node has no callFrame; skipped with its 3 bytes"},
    {"heapprofile: a sample",
     HEAP(HEAP_NODE("a", "5") "]}", ",\"samples\":[{\"size\":4},{\"size\":\"x\",\"nodeId\":1}]"), 1,
     "malformed sample: {\"size\": \"x\", \"nodeId\": 1}; skipped"},
    {"d3: a value", D3("{\"name\":\"a\",\"value\":\"x\"},{\"name\":\"b\",\"value\":2}"), 1,
     "the value of 'a' is not a number; it counts as the sum of its children"},
    {"d3: a delta", D3("{\"name\":\"a\",\"value\":2,\"delta\":[]}"), 1,
     "the delta of 'a' is not a number; it counts as 0"},
    {"d3: a child", D3("{\"name\":\"a\",\"value\":2},7"), 1, "a child is no object: 7; skipped"},
    {"d3: a list of children", D3("{\"name\":\"a\",\"value\":2,\"children\":\"x\"}"), 1,
     "the children of a node are no list: \"x\"; skipped"},
    {"d3: a base", D3("{\"name\":\"a\",\"value\":1,\"delta\":9},{\"name\":\"b\",\"value\":3}"), 1,
     "the self value of 'a' is negative; it counts as 0"},
    {"Safari: a duration", SAFARI("{\"stackFrames\":[{\"name\":\"f\"}]}", "\"x\""), 1,
     "malformed duration: \"x\"; it counts as 0"},
    {"Safari: too few durations",
     SAFARI("{\"stackFrames\":[{\"name\":\"f\"}]},{\"stackFrames\":[]},{\"stackFrames\":[]}", "1"),
     2, "samples from number 2 on have no duration; they count as 0"},
    {"Safari: too many durations", SAFARI("{\"stackFrames\":[{\"name\":\"f\"}]}", "1,2,3"), 2,
     "durations from number 2 on belong to no sample; skipped"},
    {"Safari: a stack trace",
     SAFARI("{\"stackFrames\":[{\"name\":\"f\"}]},{\"frames\":[1]}", "1,2"), 1,
     "a sample has no list of frames: {\"frames\": [...]}; it counts as one without a stack"},
    {"Safari: a frame", SAFARI("{\"stackFrames\":[{\"name\":\"f\"},7]}", "1"), 1,
     "malformed frame: 7; shown as anonymous"},
    {"flamebearer: a number", BARS("[0,4,0,0],[0,2,2,1,0,\"x\",1,1]"), 1,
     "a number of level 2 is \"x\"; the rest of the level is skipped"},
    {"flamebearer: a name", BARS("[0,4,0,0],[0,2,2,1,0,1,1,9]"), 1,
     "a bar of level 2 has the name 9, which is not in the list; the rest of the level is skipped"},
    {"flamebearer: a bar without a caller", BARS("[0,4,0,0],[0,2,2,1,7,1,1,2]"), 1,
     "the bar 'b' of level 2 is not within a caller; the rest of the level is skipped"},
    {"flamebearer: places that do not fit", BARS("[0,9,0,0],[0,2,2,1,18446744073709551615,1,1,2]"),
     1, "the bar 'b' of level 2 is not within 64 bits; the rest of the level is skipped"},
    {"flamebearer: a bar that is cut", BARS("[0,4,0,0],[0,2,2,1,0,1]"), 1,
     "level 2 ends within a bar; skipped"},
    {"flamebearer: a level", BARS("[0,4,0,0],[0,2,2,1],7"), 1, "level 3 is no list: 7; skipped"},
    {"flamebearer: a self weight without a width", BARS("[0,4,0,0],[0,2,2,1,0,0,3,2]"), 1,
     "the bar 'b' of level 2 has a self weight but no width; skipped"},
    {"pyinstrument: a time",
     "{\"root_frame\":{\"function\":\"a\",\"time\":1,\"children\":[{\"function\":\"b\",\"time\":"
     "\"x\",\"children\":[]},{\"identifier\":\"c\\u0000a.py\\u00001\"}]}}",
     2, "the time of 'b' is missing or no number; it counts as 0"},
    {"pyinstrument: a node", "{\"root_frame\":{\"function\":\"a\",\"time\":1,\"children\":[7]}}", 1,
     "a child is no object: 7; skipped"},
    {"pyinstrument: a record", "{\"frame_records\":[[[\"a\"],0.5],[[\"a\"],null],5]}", 2,
     "malformed record: [[...], null]; skipped"},
    {"stackprof: a delta", RUBY("wall", "\"raw\":[1,11,2],\"raw_timestamp_deltas\":[5,\"x\"]"), 1,
     "malformed time delta: \"x\"; it counts as 0"},
    {"stackprof: too few deltas", RUBY("wall", "\"raw\":[1,11,3],\"raw_timestamp_deltas\":[5]"), 2,
     "2 samples have no time delta; they count as 0"},
    {"stackprof: too many deltas",
     RUBY("wall", "\"raw\":[1,11,1],\"raw_timestamp_deltas\":[5,6,7]"), 2,
     "2 time deltas belong to no sample; skipped"},
    {"stackprof: a time", RUBY("cpu", "\"raw\":[1,11,2],\"raw_sample_timestamps\":[5,-6]"), 1,
     "malformed time of a sample: -6; it has no time"},
    {"stackprof: a frame", RUBY("cpu", "\"raw\":[2,11,99,3,2,11,99,1]"), 1,
     "frame 99 is not in the frame table; shown as (unknown)"},
    {"stackprof: a stack that is cut", RUBY("cpu", "\"raw\":[1,11,2,9,11,12]"), 1,
     "'raw' ends in the middle of a stack; 7 frames and the number of samples are missing"},
    {"Proton: a child",
     "[{\"children\":[7,{\"children\":[],\"frame\":{\"name\":\"k\",\"type\":\"function\"},"
     "\"metrics\":{\"device_id\":\"0\",\"device_type\":\"CUDA\",\"time (ns)\":5}}],"
     "\"frame\":{\"name\":\"ROOT\",\"type\":\"function\"},\"metrics\":{}}]",
     1, "a child is no object: 7; skipped"},
    {"DHAT: a weight", DHAT("{\"tb\":1,\"fs\":[1]},{\"tb\":\"x\",\"fs\":[1]}"), 1,
     "malformed 'tb' of a program point: \"x\"; it counts as 0"},
    {"DHAT: a point", DHAT("{\"tb\":1,\"fs\":[1]},7"), 1, "malformed program point: 7; skipped"},
    {"DHAT: frames", DHAT("{\"tb\":1,\"fs\":[1,99,99]},{\"tb\":1,\"fs\":[1,99,99]}"), 2,
     "frame 99 is not in the frame table; shown as unknown"},
    {"DHAT: a malformed frame", DHAT("{\"tb\":1,\"fs\":[1,\"x\"]},{\"tb\":1,\"fs\":[-7]}"), 2,
     "malformed frame: \"x\"; shown as unknown"},
    {"Caliper: a row", CALIPER("[2,0],[3],{\"x\":1}"), 2, "malformed row: {\"x\": 1}; skipped"},
    {"Caliper: a row without a column", CALIPER("[2,0],[3]"), 1,
     "a row does not have one cell for each column: '3'; skipped"},
    {"Caliper: a value", CALIPER("[2,0],[\"x\",0],[-1,0]"), 2,
     "a value of 'count' is not a number or is negative; skipped"},
    {"Caliper: a path", CALIPER("[2,0],[1,true]"), 1,
     "the node of a row is no number; the row has no stack"},
    {"Caliper: a node", CALIPER("[2,0],[1,9]"), 1,
     "node 9 is undefined or in a circle; its weight is charged to its nearest known caller"},
    {"Caliper: an attribute", CALI "__rec=ctx,ref=40,attr=30=31,data=3=4\n", 1,
     "value 2 of a snapshot is of an attribute that is not defined: '4'"},
    {"Caliper: a value that is missing", CALI "__rec=ctx,ref=40,attr=12=30,data=3\n", 2,
     "value 2 of a snapshot, its 'count', is missing"},
    {"Caliper: values without an attribute", CALI "__rec=ctx,ref=40,attr=30,data=3=9=8\n", 1,
     "a snapshot has more values than attributes: '9=8'; line skipped"},
    {"HPCToolkit: a value", HPCTOOLKIT("<S><M n=\"3\" v=\"4\"/></S><S><M n=\"3\" v=\"x\"/></S>"), 1,
     "the value 'x' of metric 3 is no number, negative or too large; skipped"},
    {"HPCToolkit: a metric", HPCTOOLKIT("<S><M n=\"3\" v=\"4\"/><M n=\"99\" v=\"1\"/></S>"), 1,
     "metric 99 is not in the table of metrics; its value 1 is skipped"},
    {"HPCToolkit: a procedure",
     HPCTOOLKIT("<PF n=\"77\" lm=\"1\"><S><M n=\"3\" v=\"4\"/></S></PF>"), 1,
     "procedure 77 is not in its table; shown as unknown"},
    {"HPCToolkit: an element", HPCTOOLKIT("<S><M n=\"3\" v=\"4\"/></S><Z n=\"1\"/>"), 1,
     "unknown element 'Z' in the tree"},
    {"page of async-profiler: a call", ASYNC("n(3,10)\nu(99,1)\nu(9,4)\n"), 1,
     "malformed frame: 'u(99,1)'; skipped"},
    {"page of async-profiler: a call without a number", ASYNC("n(3,10)\nu(9,4)\nn(x)\n"), 1,
     "malformed frame: 'n(x)'; skipped"},
    {"page of async-profiler: a frame without a caller", ASYNC("n(3,10)\nu(9,4)\nf(9,1,20,4)\n"), 1,
     "the frame 'f' is not within a caller; skipped"},
    {"page of async-profiler: a frame that is too wide", ASYNC("n(3,10)\nu(9,14)\n"), 1,
     "the frame 'f' is wider than its caller; it is cut"},
    {"page of async-profiler: a name",
     "<!DOCTYPE html>\n<html>\n<script>\n\tfunction f(key, level, left, width, inln, c1, int) {}\n"
     "const cpool = [\n'all',\nf,\n' g'\n];\nn(3,10)\nu(17,4)\n",
     1, "malformed name: 'f,'; shown as unknown"},
    {"perf as JSON: a sample", PERF_JSON("{\"callchain\":[{\"symbol\":\"f\"}]},{\"pid\":7}"), 1,
     "a sample has no callchain: {\"pid\": 7}; skipped"},
    {"perf as JSON: a frame", PERF_JSON("{\"callchain\":[{\"symbol\":\"f\"},7]}"), 1,
     "malformed frame: 7; shown as unknown"},
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
