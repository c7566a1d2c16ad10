
#include "unit/support/claim.h"
#include "unit/support/patience.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* Short forms of the events of one thread. */
#define E0(ph, ts) "{\"ph\":\"" ph "\",\"pid\":1,\"tid\":1,\"ts\":" ts
#define B(name, ts) E0("B", ts) ",\"name\":\"" name "\"}"
#define E(name, ts) E0("E", ts) ",\"name\":\"" name "\"}"
#define X(name, ts, dur) E0("X", ts) ",\"dur\":" dur ",\"name\":\"" name "\"}"
#define ON(pid, tid, name)                                                                         \
    "{\"ph\":\"X\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":0,\"dur\":1,\"name\":\"" name "\"}"
#define NAMED(what, pid, tid, name)                                                                \
    "{\"ph\":\"M\",\"pid\":" pid ",\"tid\":" tid ",\"name\":\"" what                               \
    "\",\"args\":{\"name\":\"" name "\"}}"

struct read_case {
    const char *name;
    struct slice text;
    const char *folded;  /* all series, "# NAME" before each that has one */
    const char *message; /* part of the expected message; NULL for none */
};

static const struct read_case read_cases[] = {
    {"callers after what they call",
     SLICE(
         "[" X("c", "2", "3") "," X("b", "1", "5") "," X("b", "7", "2") "," X("a", "0", "10") "]"),
     "a 3\na;b 4\na;b;c 3\n", NULL},
    {"the longer of two that begin together is outside",
     SLICE("[" X("in", "5", "1") "," X("out", "5", "2") "," X("one", "9", "1") "," X("two", "9",
                                                                                     "1") "]"),
     "one 0\none;two 1\nout 1\nout;in 1\n", NULL},
    {"begin and end",
     SLICE("[" B("a", "0") "," B("b", "1.5") "," E("b", "2.25") "," E("a", "4") "]"),
     "a 3.25\na;b 0.75\n", NULL},
    {"an end without a name",
     SLICE("[" B("a", "0") "," B("b", "1") "," E0("E", "2") "}," E0("E", "4") "}]"), "a 3\na;b 1\n",
     NULL},
    {"in any order", SLICE("[" E("a", "4") "," E("b", "2") "," B("b", "1") "," B("a", "0") "]"),
     "a 3\na;b 1\n", NULL},
    {"B, E and X together",
     SLICE("[" X("x", "10", "2") "," B("b", "10") "," E("b", "12") "," B("c", "20") "," X(
         "y", "20", "5") "," E("c", "22") "]"),
     "b 0\nb;x 2\ny 3\ny;c 2\n", NULL},
    {"one ends as the next begins, written in reverse",
     SLICE("[" B("a", "0") "," B("b", "5") "," E("a", "5") "," E("b", "8") "]"), "a 5\nb 3\n",
     NULL},
    {"the end of what takes no time comes before its begin",
     SLICE("[" B("a", "0") "," E("z", "2") "," B("z", "2") "," E("a", "10") "]"), "a 10\n", NULL},
    {"an end that does not match the innermost slice",
     SLICE("[" B("a", "0") "," B("b", "1") "," E("a", "9") "," E("b", "10") "]"), "a 1\na;b 9\n",
     "skipped 1 end event that does not"},
    {"never ended", SLICE("[" B("a", "0") "," B("b", "1") "," X("c", "10", "1") "]"),
     "a 1\na;b 9\na;b;c 1\n", "2 slices are never ended"},
    {"an overlap is cut",
     SLICE("[" X("a", "0", "10") "," X("b", "5", "10") "," X("c", "12", "2") "]"),
     "a 5\na;b 5\nb 3\nb;c 2\n", "1 slice ends after the slice"},
    {"an overlap by rounding is not reported",
     SLICE("[" X("a", "0", "10") "," X("b", "5", "5.5") "]"), "a 5\na;b 5\nb 0.5\n", NULL},
    {"overlaps of three", SLICE("[" X("a", "0", "4") "," X("b", "2", "4") "," X("c", "3", "6") "]"),
     "a 2\na;b 1\na;b;c 1\nc 3\nc;b 2\n", "2 slices end after"},
    {"ends of one moment, callers first",
     SLICE("[" B("a", "0") "," B("b", "1") "," B("c", "1") "," E("b", "2") "," E("c", "2") "," E(
         "a", "10") "]"),
     "a 9\na;b 0\na;b;c 1\n", NULL},
    {"ends of one moment in any order",
     SLICE("[" B("a", "0") "," B("b", "1") "," B("c", "2") "," B("d", "3") "," E("b", "5") "," E(
         "d", "5") "," E("c", "5") "," E("a", "9") "]"),
     "a 5\na;b 1\na;b;c 1\na;b;c;d 2\n", NULL},
    {"no time", SLICE("[" X("a", "0", "0") "," X("b", "0", "1") "]"), "b 1\n", NULL},
    {"recursion", SLICE("[" B("f", "0") "," B("f", "1") "," E("f", "2") "," E("f", "3") "]"),
     "f 2\nf;f 1\n", NULL},
    {"times in strings, exponents and thread time",
     SLICE("[" X("a", "\"1.5e1\"", "\"2\"") "," E0("X", "15") ",\"tdur\":1}]"),
     "a 1\na;(unnamed) 1\n", NULL},
    {"times since 1970",
     SLICE("[" X("a", "1700000000000000.125", "10.5") "," X("b", "1700000000000001.125",
                                                            "0.0625") "]"),
     "a 10.437\na;b 0.063\n", NULL},
    {"before the beginning", SLICE("[" X("a", "-5", "10") "," X("b", "-1", "2") "]"),
     "a 8\na;b 2\n", NULL},
    {"malformed event",
     SLICE("[" X("a", "0", "1") ",5,{}," X("b", "null",
                                           "1") "," X("c", "1", "-1") "," X("d", "1", "\"x\"") "]"),
     "a 1\n", "skipped 5 records without a valid phase"},
    {"other phases",
     SLICE("[" X("a", "0", "1") "," E0("i", "0") "}," E0("C", "0") "}," E0("s", "0") "}," E0(
         "b", "0") "}," E0("e", "1") "}]"),
     "a 1\n", "1 asynchronous slice is not drawn"},
    {"an object",
     SLICE("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[" X("a", "0", "1") "],\"otherData\":{}}"),
     "a 1\n", NULL},
    {"no end", SLICE("[\n" X("a", "0", "1") ",\n" X("b", "1", "1") ",\n"), "a 1\nb 1\n",
     "ends in the middle"},
    {"a comma at the end", SLICE("[\n" X("a", "0", "1") ",\n" X("b", "1", "1") ",\n]"),
     "a 1\nb 1\n", NULL},
    {"cut in an event", SLICE("[" X("a", "0", "1") ",{\"ph\":\"X\",\"ts\":1,"), "a 1\n",
     "ends in the middle"},
    {"clang's sums",
     SLICE("{\"traceEvents\":[" X(
         "Source", "0",
         "7") ",{\"ph\":\"X\",\"pid\":1,\"tid\":9,\"ts\":0,"
              "\"dur\":7,\"name\":\"Total Source\",\"args\":{\"count\":1,\"avg ms\":7}}]}"),
     "Source 7\n", NULL},
    {"a slice called total", SLICE("[" X("Total cost", "0", "7") "]"), "Total cost 7\n", NULL},
    {"threads",
     SLICE(
         "[" ON("1", "1", "a") "," ON("1", "2", "b") "," NAMED("thread_name", "1", "2", "io") "]"),
     "io;b 1\ntid 1;a 1\n", NULL},
    {"processes",
     SLICE("[" ON("1", "1", "a") "," ON("2", "1", "b") "," NAMED(
         "process_name", "2", "7", "gpu") "," NAMED("thread_name", "2", "1", "io") "]"),
     "gpu;b 1\npid 1;a 1\n", NULL},
    {"processes and threads",
     SLICE("[" ON("1", "1", "a") "," ON("2", "1", "b") "," ON("2", "2", "c") "]"),
     "pid 1;tid 1;a 1\npid 2;tid 1;b 1\npid 2;tid 2;c 1\n", NULL},
    {"threads without slices do not count",
     SLICE("[" ON("1", "1", "a") ",{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"ts\":0,\"dur\":0}," NAMED(
         "thread_name", "1", "3", "io") "]"),
     "a 1\n", NULL},
    {"no thread",
     SLICE("{\"traceEvents\":[{\"ts\":1.25,\"ph\":\"B\",\"pid\":7,\"name\":\"main\"},"
           "{\"ts\":2,\"ph\":\"E\",\"pid\":7,\"name\":\"main\"}]}"),
     "main 0.75\n", NULL},
    {"samples",
     SLICE("{\"traceEvents\":[],\"samples\":[{\"sf\":2,\"ts\":\"10\",\"pid\":1,\"tid\":\"1\"},"
           "{\"sf\":\"1\",\"ts\":\"25\",\"pid\":1,\"tid\":\"1\"},"
           "{\"sf\":2,\"ts\":17,\"pid\":1,\"tid\":\"1\"}],"
           "\"stackFrames\":{\"2\":{\"name\":\"f\",\"parent\":1},\"1\":{\"name\":\"[root]\"}}}"),
     "[root] 0\n[root];f 15\n", NULL},
    {"samples of Hermes, whose names have the place that ran",
     SLICE("{\"traceEvents\":[],\"samples\":["
           "{\"sf\":1,\"ts\":10,\"pid\":1,\"tid\":1,\"weight\":3},"
           "{\"sf\":2,\"ts\":10,\"pid\":1,\"tid\":1,\"weight\":2},"
           "{\"sf\":3,\"ts\":10,\"pid\":1,\"tid\":1,\"weight\":1}],"
           "\"stackFrames\":{\"1\":{\"name\":\"f(h.js:3:35)\",\"line\":\"3\",\"column\":\"35\"},"
           "\"2\":{\"name\":\"f(h.js:3:53)\",\"line\":\"3\",\"column\":\"53\"},"
           "\"3\":{\"name\":\"g(h.js:3:53)\"}}}"),
     "f 5\ng(h.js:3:53) 1\n", NULL},
    {"weights of samples",
     SLICE("{\"traceEvents\":[],\"samples\":["
           "{\"sf\":1,\"ts\":10,\"pid\":1,\"tid\":1,\"weight\":3},"
           "{\"sf\":2,\"ts\":10,\"pid\":1,\"tid\":1,\"weight\":\"2.5\"},"
           "{\"sf\":1,\"ts\":99,\"pid\":1,\"tid\":1}],"
           "\"stackFrames\":{\"1\":{\"name\":\"f\"},\"2\":{\"name\":\"g\"}}}"),
     "f 4\ng 2.5\n", NULL},
    {"samples of threads, and slices",
     SLICE("{\"traceEvents\":[" ON("1", "1", "a") "," NAMED(
         "thread_name", "1", "1", "js") "],\"stackFrames\":{\"1\":{\"name\":\"f\"},"
                                        "\"2\":{\"name\":\"g\",\"parent\":3},"
                                        "\"3\":{\"name\":\"h\",\"parent\":2}},"
                                        "\"samples\":[{\"sf\":1,\"ts\":0,\"pid\":1,\"tid\":1},"
                                        "{\"sf\":2,\"ts\":5,\"pid\":1,\"tid\":2},"
                                        "{\"sf\":9,\"ts\":1,\"pid\":1,\"tid\":1},{},"
                                        "{\"sf\":1,\"ts\":3,\"pid\":1,\"tid\":1}]}"),
     "# samples\njs 2\njs;f 1\ntid 2 0\n# slices\na 1\n", "node 9 is undefined or in a circle"},
};

/* Cases of accelerators; ' stands for ". */
static const struct read_case device_cases[] = {
    {"the operations of XLA, not its steps and modules",
     SLICE("{'traceEvents':["
           "{'ph':'X','pid':3,'tid':1,'name':'0','ts':0,'dur':1000},"
           "{'ph':'X','pid':3,'tid':2,'name':'jit_step(42)','ts':0,'dur':1000},"
           "{'ph':'X','pid':3,'tid':3,'name':'fusion.1','ts':0,'dur':700},"
           "{'ph':'X','pid':4,'tid':1,'name':'Steps of a program','ts':0,'dur':9},"
           "{'ph':'M','pid':3,'name':'process_name','args':{'name':'/device:TPU:0'}},"
           "{'ph':'M','pid':4,'name':'process_name','args':{'name':'python'}},"
           "{'ph':'M','pid':3,'tid':1,'name':'thread_name','args':{'name':'Steps'}},"
           "{'ph':'M','pid':3,'tid':2,'name':'thread_name','args':{'name':'XLA Modules'}},"
           "{'ph':'M','pid':3,'tid':3,'name':'thread_name','args':{'name':'XLA Ops'}}]}"),
     "/device:TPU:0;fusion.1 700\npython;Steps of a program 9\n",
     "2 slices of devices are not counted: other slices have their time"},
    {"spans of PyTorch",
     SLICE("[{'ph':'X','cat':'Trace','pid':'Spans','tid':'PyTorch Profiler','ts':0,'dur':400,"
           "'name':'PyTorch Profiler (0)'},"
           "{'ph':'X','cat':'gpu_user_annotation','pid':0,'tid':7,'ts':0,'dur':300,'name':'step'},"
           "{'ph':'X','cat':'Trace','pid':1,'tid':1,'ts':0,'dur':4,'name':'mine'}]"),
     "mine 4\n", "2 spans of a recording or a device are not counted"},
};

#define WORK(cat, name, pid, ts, dur, correlation)                                                 \
    "{'ph':'X','cat':'" cat "','name':'" name "','pid':" #pid ",'tid':7,'ts':" #ts ",'dur':" #dur  \
    ",'args':{'correlation':" #correlation "}}"
#define CALL(cat, name, ts, dur, correlation)                                                      \
    "{'ph':'X','cat':'" cat "','name':'" name "','pid':9,'tid':9,'ts':" #ts ",'dur':" #dur         \
    ",'args':{'correlation':" #correlation "}}"
#define STEP "{'ph':'X','cat':'cpu_op','name':'step','pid':9,'tid':9,'ts':0,'dur':100}"
#define LABEL(pid)                                                                                 \
    "{'ph':'M','pid':" #pid ",'name':'process_labels','args':{'labels':'GPU " #pid "'}}"

/* Cases of PyTorch; ' stands for ". */
static const struct read_case kernel_cases[] = {
    {"work below its launch, whatever comes first; one device is no frame",
     SLICE("[" WORK("kernel", "k", 0, 90, 2.5, 3) "," CALL(
         "cuda_runtime", "launch", 10, 4, 3) "," STEP "," WORK("gpu_memset", "fill", 0, 95, 1,
                                                               3) "," LABEL(0) "]"),
     "# GPU time\nstep;launch;-;fill_[G] 1\nstep;launch;-;k_[G] 2.5\n"
     "# GPU kernels\nstep;launch;-;k_[G] 1\n"
     "# CPU time\nstep 96\nstep;launch 4\n",
     NULL},
    {"two devices",
     SLICE("[" STEP "," CALL("cuda_driver", "launch", 10, 4, 1) "," CALL(
         "hip_runtime", "launch", 20, 4, 2) "," WORK("kernel", "k", 0, 90, 2,
                                                     1) "," WORK("kernel", "k", 1, 90, 3,
                                                                 2) "," LABEL(0) "," LABEL(1) "]"),
     "# GPU time\nGPU 0;step;launch;-;k_[G] 2\nGPU 1;step;launch;-;k_[G] 3\n"
     "# GPU kernels\nGPU 0;step;launch;-;k_[G] 1\nGPU 1;step;launch;-;k_[G] 1\n"
     "# CPU time\nstep 92\nstep;launch 8\n",
     NULL},
    {"categories of 2021, a launch that takes no time, the last of two with a correlation",
     SLICE("[" STEP
           "," CALL("Runtime", "first", 10, 4, 1) "," CALL("Runtime", "none", 8, 0, 1) "," WORK(
               "Kernel", "k", 0, 90, 2, 1) "," WORK("Memcpy", "copy", 0, 93, 1, 1) "]"),
     "# GPU time\nstep;none;-;copy_[G] 1\nstep;none;-;k_[G] 2\n"
     "# GPU kernels\nstep;none;-;k_[G] 1\n# CPU time\nstep 96\nstep;first 4\n",
     NULL},
    {"no launch",
     SLICE("[" STEP "," WORK("kernel", "k", 0, 90, 2, 1) "," WORK(
         "kernel", "k", 0, 95, 2, null) "," WORK("kernel", "k", 0, 97, -1, 1) "]"),
     "# GPU time\n[unknown launch];-;k_[G] 4\n# GPU kernels\n[unknown launch];-;k_[G] 2\n"
     "# CPU time\nstep 100\n",
     "the launch of 2 events of a device is not in the recording"},
    {"times that no recording has",
     SLICE("[" STEP "," WORK("kernel", "k", 0, 9e15, 2, 1) "," CALL(
         "cuda_runtime", "launch", 10, 4,
         2) "," WORK("kernel", "k", 0, 1, 2, 2) "," CALL("cuda_runtime", "launch", -9e15, 1,
                                                         2) "]"),
     "# GPU time\nstep;launch;-;k_[G] 2\n# GPU kernels\nstep;launch;-;k_[G] 1\n"
     "# CPU time\nlaunch 1\nstep 96\nstep;launch 4\n",
     "skipped 2 events of devices with an impossible time"},
    {"memory that is allocated, not what is freed or the CPU's",
     SLICE("[" STEP ",{'ph':'i','name':'[memory]','pid':9,'tid':9,'ts':5,'args':{'Bytes':64,"
           "'Device Type':1,'Device Id':0}},{'ph':'i','name':'[memory]','pid':9,'tid':9,'ts':6,"
           "'args':{'Bytes':-64,'Device Type':1,'Device Id':0}},{'ph':'i','name':'[memory]',"
           "'pid':9,'tid':9,'ts':7,'args':{'Bytes':32,'Device Type':0,'Device Id':-1}}]"),
     "# CPU time\nstep 100\n# GPU memory allocated\nstep 64\n", NULL},
};

static void fold_all(const struct reading *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        if (r->profile.series.items[i].name.len)
            buf_printf(out, "# %.*s\n", SLICE_ARG(r->profile.series.items[i].name));
        reading_fold(r, i, out);
    }
}

static void check(const struct read_case *c, const struct input_options *options)
{
    struct reading r;
    struct buf folded = {0}, messages = {0};

    reading_text(&r, c->text, options);
    cr_expect_eq(r.result, INPUT_READ, "%s", c->name);
    fold_all(&r, &folded);
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&folded), c->folded, "%s: %s", c->name, buf_string(&folded));
    cr_expect(c->message ? strstr(buf_string(&messages), c->message) != NULL : !messages.len,
              "%s: %s", c->name, buf_string(&messages));
    reading_release(&r);
    buf_release(&folded);
    buf_release(&messages);
}

Test(input_trace_event, read)
{
    for (size_t i = 0; i < sizeof(read_cases) / sizeof(read_cases[0]); i++)
        check(&read_cases[i], NULL);
}

/* Cases with profiles of the developer tools; ' stands for ". */
static const struct read_case profile_cases[] = {
    {"pieces",
     SLICE("[{'ph':'P','pid':1,'tid':8,'id':'0x1','name':'ProfileChunk','args':{'data':{"
           "'cpuProfile':{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}},"
           "{'id':2,'parent':1,'callFrame':{'functionName':'f'}}],'samples':[2,3]},"
           "'timeDeltas':[5,10]}}},"
           "{'ph':'P','pid':1,'tid':4,'id':'0x1','name':'Profile','args':{'data':{'startTime':9}}},"
           "{'ph':'P','pid':1,'tid':8,'id':'0x1','name':'ProfileChunk','args':{'data':null}},"
           "{'ph':'P','pid':1,'tid':8,'id':'0x1','name':'ProfileChunk','args':{'data':{"
           "'cpuProfile':{'nodes':[{'id':3,'parent':2,'callFrame':{'functionName':'g'}}],"
           "'samples':[2]},'timeDeltas':[20]}}},"
           "{'ph':'M','pid':1,'tid':4,'name':'thread_name','args':{'name':'Main'}},"
           "{'ph':'X','pid':1,'tid':4,'ts':0,'dur':1,'name':'task'}]"),
     "# Main\nf 10\nf;g 20\n# slices\ntask 1\n",
     "0.005 ms before the first sample have no stack and are not counted"},
    {"in one",
     SLICE("[{'ph':'I','pid':1,'tid':3,'name':'CpuProfile','args':{'data':{'cpuProfile':{"
           "'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
           "{'id':2,'callFrame':{'functionName':'(idle)'}}],"
           "'samples':[2,1,2],'timeDeltas':[0,4,6,1]}}}}]"),
     "# thread 1/3\n 6\n(idle) 5\n", "1 piece of a CPU profile has more samples than times"},
    {"the thread that works most is the first",
     SLICE("[{'ph':'I','pid':1,'tid':3,'name':'CpuProfile','args':{'data':{'cpuProfile':{"
           "'nodes':[{'id':2,'callFrame':{'functionName':'(idle)'}},"
           "{'id':3,'callFrame':{'functionName':'f'}}],'samples':[2,3,3],"
           "'timeDeltas':[0,95,5]}}}},"
           "{'ph':'I','pid':2,'tid':3,'name':'CpuProfile','args':{'data':{'cpuProfile':{"
           "'nodes':[{'id':2,'callFrame':{'functionName':'g'}}],'samples':[2,2],"
           "'timeDeltas':[0,40]}}}}]"),
     "# thread 2/3\ng 40\n# thread 1/3\n(idle) 95\nf 5\n", NULL},
    {"two threads of a name",
     SLICE("[{'ph':'I','pid':1,'tid':3,'name':'CpuProfile','args':{'data':{'cpuProfile':{"
           "'nodes':[{'id':2,'callFrame':{'functionName':'f'}}],'samples':[2,2],"
           "'timeDeltas':[0,4]}}}},"
           "{'ph':'I','pid':2,'tid':3,'name':'CpuProfile','args':{'data':{'cpuProfile':{"
           "'nodes':[{'id':2,'parent':7,'callFrame':{'functionName':'g'}}],'samples':[2,2],"
           "'timeDeltas':[0,4]}}}},"
           "{'ph':'M','pid':1,'tid':3,'name':'thread_name','args':{'name':'js'}},"
           "{'ph':'M','pid':2,'tid':3,'name':'thread_name','args':{'name':'js'}}]"),
     "# js (1/3)\nf 4\n# js (2/3)\ng 4\n", "node 7 is undefined or in a circle"},
};

/* Checks a case in which ' stands for ". */
static void check_quoted(struct read_case c, const struct input_options *options)
{
    struct buf text = {0};

    buf_add_slice(&text, c.text);
    for (size_t k = 0; k < text.len; k++)
        if (text.ptr[k] == '\'')
            text.ptr[k] = '"';
    c.text = buf_slice(&text);
    check(&c, options);
    buf_release(&text);
}

Test(input_trace_event, profiles)
{
    for (size_t i = 0; i < sizeof(profile_cases) / sizeof(profile_cases[0]); i++)
        check_quoted(profile_cases[i], NULL);
}

Test(input_trace_event, devices)
{
    for (size_t i = 0; i < sizeof(device_cases) / sizeof(device_cases[0]); i++)
        check_quoted(device_cases[i], NULL);
}

/* With the classes of frames. */
Test(input_trace_event, kernels)
{
    struct input_options options = input_options_default();

    options.kernel = true;
    for (size_t i = 0; i < sizeof(kernel_cases) / sizeof(kernel_cases[0]); i++)
        check_quoted(kernel_cases[i], &options);
}

/* Work is chosen by its device, and keeps the stack of the launch, which is the CPU's. */
Test(input_trace_event, a_device_is_chosen)
{
    static const char *const device[] = {"GPU 1"};
    struct input_options options = input_options_default();
    struct read_case c = kernel_cases[1];

    options.processes = device;
    options.process_count = 1;
    c.folded = "# GPU time\nGPU 1;step;launch;-;k 3\n# GPU kernels\nGPU 1;step;launch;-;k 1\n";
    check_quoted(c, &options);
}

Test(input_trace_event, options)
{
    static const struct slice text = SLICE(
        "[" ON("1", "1", "a") "," ON("1", "2", "b") "," NAMED("thread_name", "1", "2", "io") "]");
    struct input_options split = input_options_default(), one = input_options_default();
    const char *const thread = "io";

    split.split_thread = true;
    one.threads = &thread;
    one.thread_count = 1;
    check(&(struct read_case){"split", text, "# 1\na 1\n# io (2)\nb 1\n", NULL}, &split);
    check(&(struct read_case){"one", text, "io;b 1\n", NULL}, &one);
}

Test(input_trace_event, source_lines)
{
    struct input_options options = input_options_default();

    options.srcline = true;
    check(&(struct read_case){"hermes",
                              SLICE("[" E0("B", "0") ",\"name\":\"f\",\"args\":{\"url\":\"a.js\","
                                                     "\"line\":3,\"funcLine\":\"2\"}}," E("f",
                                                                                          "1") "]"),
                              "f:a.js:2 1\n", NULL},
          &options);
}

static const struct {
    bool claimed;
    struct slice text;
} claim_cases[] = {
    {true, SLICE("[" X("a", "0", "1") "]")},
    {true, SLICE("{\"traceEvents\":[]}")},
    {true, SLICE("{\"metadata\":{\"source\":\"DevTools\",\"dataOrigin\":\"TraceEvents\"},")},
    {true, SLICE("[{\"ph\":\"X\",\"ts\":1,\"na")},
    {false, SLICE("[{\"ph\":7.2,\"water\":\"acid\"}]")},
    {false, SLICE("[{\"name\":\"a\",\"ts\":1}]")},
    {false, SLICE("{\"events\":[" X("a", "0", "1") "]}")},
    {false, SLICE("[]")},
    {false, SLICE("the traceEvents of ph X and ts")},
};

Test(input_trace_event, claims)
{
    for (size_t i = 0; i < sizeof(claim_cases) / sizeof(claim_cases[0]); i++)
        cr_expect_eq(claim_find(claim_cases[i].text, true) == &format_trace_event,
                     claim_cases[i].claimed, "%s", claim_cases[i].text.ptr);
}

Test(input_trace_event, nothing_to_draw)
{
    struct reading r;
    struct buf messages = {0};

    reading_text(&r, SLICE("{\"traceEvents\":[" X("a", "0", "0") "]}"), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_EMPTY);
    cr_expect(strstr(buf_string(&messages), "no stacks in this trace-event file") != NULL, "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}

/*
 * Slices that all overlap each other, the worst case: the sum is the time in which any slice was
 * open, and the test ends in time.
 */
Test(input_trace_event, many_overlaps)
{
    enum { COUNT = 20000 };
    struct reading r;
    struct buf text = {0};

    patience(60);
    buf_add_char(&text, '[');
    for (unsigned i = 0; i < COUNT; i++)
        buf_printf(&text, "%s{\"ph\":\"X\",\"name\":\"f%u\",\"ts\":%u,\"dur\":%u}", i ? "," : "",
                   i % 10, i, i % 2 ? 300 : 3 * (i % 100) + 1);
    buf_add_char(&text, ']');
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, COUNT - 1 + 300);
    reading_release(&r);
    buf_release(&text);
}

/* More events than are kept in memory, callers last: two functions called in turns. */
Test(input_trace_event, more_than_is_held)
{
    enum { COUNT = 300000 };
    struct reading r;
    struct buf text = {0}, folded = {0};

    patience(120);
    buf_add_char(&text, '[');
    for (unsigned i = 0; i < COUNT; i++)
        buf_printf(&text, "{\"ph\":\"X\",\"name\":\"%c\",\"ts\":%u,\"dur\":2},", i % 2 ? 'b' : 'c',
                   i * 3);
    buf_printf(&text, "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":%u}]", COUNT * 3);
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    reading_fold(&r, 0, &folded);
    cr_expect_str_eq(buf_string(&folded), "a 300000\na;b 300000\na;c 300000\n", "%s",
                     buf_string(&folded));
    reading_release(&r);
    buf_release(&text);
    buf_release(&folded);
}
