
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* Enough lines to fill the bytes that recognition reads. */
#define FIVE "new,C,0x1,2\nnew,C,0x1,2\nnew,C,0x1,2\nnew,C,0x1,2\nnew,C,0x1,2\n"
#define FILL FIVE FIVE FIVE FIVE
#define HEAD "v8-version,11,3,0\nshared-library,/usr/bin/node,0x1000,0x2000,0\n"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"code is looked up as it lay when the tick came",
     HEAD
     "code-creation,JS,10,5,0x9000,100,fib /a/w.js:3:13,0x77,~\n"
     "tick,0x9010,1000,0,0x0,0\n"
     "code-move,0x9000,0xa000\n"
     "tick,0xa010,2000,0,0x0,0\n"
     "code-creation,JS,13,5,0x9000,100,main /a/w.js:9:1,0x78,*\n"
     "tick,0xa010,3000,0,0x0,0,0x9020,+0x4\n"
     "code-delete,0xa000\ntick,0xa010,4000,0,0x0,0,0x9020,-0x18\n",
     "==  samples\nfib 2\nmain;main;[unknown] 1\nmain;main;fib 1\n"},
    {"frames that come again, and code that moved between",
     HEAD
     "code-creation,JS,10,5,0x9000,100,f /w.js:3:13,0x77,~\n"
     "tick,0x1001,1,0,0x0,0,0x9001,+0x2\n"
     "tick,0x1001,2,0,0x9001,0,0x9001,+0x2\r\n"
     "tick,0x1001,3,0,0x0,1,0x9001,+0x2\n"
     "tick,0x9010,3,0,0x0,0,-0x9,0x1234567890,-0x123455e88f,overflow\n"
     "code-move,0x9000,0xb000\n"
     "tick,0x1001,4,0,0x0,0,0x9001,+0x2\n"
     "tick,0x1001,4,0,0x0,0,0x9001,+0x2,\"0x1001\",x,4098\n",
     "==  samples\n[node];[node];[unknown];[unknown];[node] 1\n[unknown];[unknown];[node] 1\n"
     "f;[unknown];f;f 1\nf;f;(garbage collector);[node] 1\nf;f;[node] 1\nf;f;f;[node] 1\n"
     "in:10: warning: not the address of a caller: 'x'; frame skipped\n"},
    {"quoted names, commas, and functions without one",
     "v8-version,6,0,1\nshared-library,\"/bin/a,\"\"b\"\"\",0x1000,0x2000\n"
     "code-creation,LazyCompile,20,5,0x9000,64,\"get a,b /x y/w.js:3:1\",0x7,~\n"
     "code-creation,Function,20,5,0x9100,64,\" w.js:7:2\",0x8,~\n"
     "code-creation,Script,20,5,0x9200,64,\"w.js\",0x9,~\n"
     "tick,0x1001,1,0,0x0,0,0x9000,0x9100,0x9200\n",
     "==  samples\n(anonymous w.js:1);(anonymous w.js:7);get a,b;[a,\"b\"] 1\n"},
    {"escaped names, and code that is no function",
     HEAD
     "code-creation,RegExp,3,5,0x9000,64,a\\x2Cb\\\\c\n"
     "code-creation,Builtin,2,5,0x1400,64,ArrayMap\n"
     "tick,0x9001,1,0,0x0,0,0x1401,0x1501\n",
     "==  samples\n[node];Builtin:ArrayMap;RegExp:a,b\\c 1\n"},
    {"names in Latin-1 and UTF-16, paths in UTF-8",
     HEAD
     "shared-library,/b/\\xc3\\xa4.so,0x3000,0x4000\n"
     "code-creation,Eval,10,5,0x9000,64, /a/\\xe4 b.js:1:1,0x77,~\n"
     "code-creation,JS,10,5,0x9100,64,Gr\u00f6\u00dfe /\\u65e5\\ud83d\\ude00\\u.js:3:1,0x78,~\n"
     "code-creation,JS,10,5,0x9200,64, /\\ud83d\\u65e5\\x.js:4:1,0x79,~\n"
     "tick,0x3001,1,0,0x0,0,0x9000,0x9100,0x9200\n",
     "==  samples\n"
     "(anonymous \ufffd\u65e5\\x.js:4);Gr\u00f6\u00dfe;(anonymous \u00e4 b.js:1);[\u00e4.so] 1\n"},
    {"callbacks, and the top of the stack",
     HEAD
     "code-creation,JS,10,5,0x9000,100,f /w.js:3:13,0x77,~\n"
     "tick,0x9010,1,1,0x1001,0\n"
     "tick,0x1001,1,0,0x9001,0\n"
     "tick,0x1001,1,0,0x1002,0\n",
     "==  samples\n[node] 2\nf;[node] 1\n"},
    {"garbage is collected",
     HEAD "tick,0x1001,1,0,0x0,1\n",
     "==  samples\n(garbage collector);[node] 1\n"},
    {"of 2008: the stack pointer, marks in names, objects of functions",
     "shared-library,\"shell\",0x1000,0x2000\nprofiler,\"begin\",1\n"
     "code-creation,LazyCompile,0x9000,100,\"*exp native math.js:41\"\n"
     "function-creation,0x8000,0x9000\n"
     "tick,0x1010,0xffdfe880,0,0x8000,0,0x9001\nfunction-move,0x8000,0x8100\n"
     "tick,0x1010,0xffdfe880,0,0x8000,0\ntick,0x1010,0xffdfe880,0,0x8100,0\n"
     "profiler,\"end\"\n",
     "==  samples\n[shell] 1\nexp;[shell] 1\nexp;exp;[shell] 1\n"},
    {"of 2013: the stack pointer and the time",
     HEAD "tick,0x1010,0xffdfe880,1234,0,0x0,1,0x1020\n",
     "==  samples\n[node];(garbage collector);[node] 1\n"},
    {"skipped and malformed lines",
     HEAD FILL
     "new,Chunk,0x1,2\nheap-capacity,3\ncode-creation,JS,10\ntick,x\nhello world\n"
     "tick,0x1001,1,0,0x0,0,overflow\nprofiler,begin,1000\n",
     "==  samples\n[node] 1\n"
     "in:25: warning: not a line of V8's log: 'code-creation,JS,10'; line skipped\n"
     "in:26: warning: not a line of V8's log: 'tick,x'; line skipped\n"
     "in:27: warning: not a line of V8's log: 'hello world'; line skipped\n"
     "in: warning: the log does not contain 'profiler,end'; it may be truncated\n"},
    {"no ticks",
     HEAD, "in: note: no stacks in this v8-log file: nothing was measured\nempty\n"},
};
/* clang-format on */

Test(input_v8_log, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_v8_log, marks_are_classes)
{
    struct input_options options = input_options_default();
    struct slice text = SLICE(HEAD "code-creation,JS,10,5,0x9000,9,f /w.js:3:1,0x7,~\n"
                                   "code-creation,JS,13,5,0x9010,9,g /w.js:4:1,0x8,*\n"
                                   "tick,0x9011,1,0,0x0,0,0x9001\n");

    options.jit = true;
    told_expect("class", text, &options, "==  samples\nf_[0];g_[j] 1\n");
    options = input_options_default();
    options.srcline = true;
    told_expect("place", text, &options, "==  samples\nf:/w.js:3;g:/w.js:4 1\n");
}

Test(input_v8_log, reference_names_are_those_of_the_tick_processor)
{
    struct input_options options = input_options_default();

    options.names = NAMES_REFERENCE;
    told_expect("reference",
                SLICE(HEAD "code-creation,JS,10,5,0x9000,9,f /w.js:3:1,0x7,~\n"
                           "code-creation,Eval,10,5,0x9010,9, /w.js:1:1,0x8,~\n"
                           "tick,0x1001,1,0,0x0,1,0x9001,0x5,0x9011\ntick,0x5,1,0,0x0,0\n"),
                &options,
                "==  samples\nEval: ~<anonymous> /w.js:1:1;JS: ~f /w.js:3:1;/usr/bin/node 1\n"
                "UNKNOWN 1\n");
}

Test(input_v8_log, claims)
{
    cr_expect(claim_find(SLICE(HEAD), true) == &format_v8_log);
    cr_expect(claim_find(SLICE("shared-library,\"a\",0x1,0x2\nprofiler,\"begin\",1\n"), true) ==
              &format_v8_log);
    cr_expect_null(claim_find(SLICE("v8-version,1\n"), true));
    cr_expect_null(claim_find(SLICE("tick,tock\ntick,tock\n"), true));
    cr_expect_null(claim_find(SLICE(HEAD "Hello, world\n"), true));
}

/* ---- preprocessed -------------------------------------------------------------------------- */

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} documents[] = {
    {"all types of code",
     "{\"code\":[{\"name\":\"/usr/bin/node\",\"type\":\"SHARED_LIB\"},"
     "{\"name\":\"T node::Start(int)\",\"type\":\"CPP\"},"
     "{\"name\":\"ArrayMap\",\"type\":\"CODE\",\"kind\":\"Builtin\"},"
     "{\"name\":\"f /w.js:3:1\",\"type\":\"JS\",\"kind\":\"Opt\",\"func\":0}],"
     "\"functions\":[{\"name\":\"f\",\"codes\":[3]}],"
     "\"ticks\":[{\"tm\":1,\"vm\":0,\"s\":[2,5,3,7,1,0,0,9]},{\"tm\":2,\"vm\":1,\"s\":[-1,77]}]}",
     "==  samples\n(garbage collector);[unknown] 1\n[node];node::Start;f;Builtin:ArrayMap 1\n"},
    {"indices out of range",
     "{\"code\":[{\"name\":\"n\",\"type\":\"CPP\"}],"
     "\"ticks\":[{\"s\":[0,1,99,5,\"x\",4]},{\"s\":[0]},{},{\"s\":[0,1]}]}",
     "==  samples\n 1\n[unknown];[unknown];n 1\nn 1\n"
     "in: byte 0x4d: warning: the last frame of a tick is cut: {\"s\": [...]}; frame skipped\n"
     "in: byte 0x50: warning: a tick without a stack: {}; skipped\n"},
    {"ticks before the code",
     "{\"ticks\":[{\"s\":[0,1]}],\"code\":[{\"name\":\"n\",\"type\":\"CPP\"}]}",
     "in: error: 'ticks' precedes 'code', which it refers to\nfailed\n"},
};
/* clang-format on */

Test(input_v8_log, documents)
{
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
        told_expect(documents[i].name, slice_str(documents[i].text), NULL, documents[i].want);
}

Test(input_v8_log, claims_documents)
{
    cr_expect(claim_find(SLICE("{\"code\":[{\"name\":\"a\",\"type\":\"JS\"}]}"), true) ==
              &format_v8_ticks);
    cr_expect(claim_find(SLICE("{\"code\":[{\"name\":\"a\",\"type\":\"int\"}]}"), true) !=
              &format_v8_ticks);
    cr_expect(claim_find(SLICE("{\"code\":7,\"ticks\":[]}"), true) != &format_v8_ticks);
}
