/* The readers for exports of Windows profilers. */

#include "support/formats.h"
#include "unit/support/cases.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

/* ---- WPA ----------------------------------------------------------------------------------- */

#define WPA                                                                                        \
    "Process Name, Process, Stack, Module, Function, Thread ID, Weight, Count, TimeStamp\r\n"
#define EXPORTED "Process,Thread ID,Stack\r\n"

static const struct reading_case wpa_cases[] = {
    {"rows add up, the only process says nothing",
     WPA "a.exe, a.exe (12), [Root]/nt.dll!Start/a.exe!f, a.exe, f, 7, 1.5, 1, 0.1\r\n"
         "a.exe, a.exe (12), [Root]/nt.dll!Start/a.exe!f, a.exe, f, 7, 0.25, 2, 0.2\r\n",
     NAMES_CLEAN, INPUT_READ, "== CPU time\nStart;f 1.75\n== samples\nStart;f 3\n", NULL},
    {"several processes are distinguished",
     WPA "a.exe, a.exe (12), [Root]/a.exe!f, a.exe, f, 7, 1, 1, 0.1\r\n"
         ", , [Root]/a.exe!f, a.exe, f, 7, 1, 1, 0.1\r\n",
     NAMES_CLEAN, INPUT_READ,
     "== CPU time\n[unknown];f 1\na.exe;f 1\n== samples\n[unknown];f 1\na.exe;f 1\n", NULL},
    {"a function that the stack lacks is added",
     WPA "a.exe, a.exe (12), [Root]/a.exe!f, b.dll, g, 7, 1, 1, 0.1\r\n", NAMES_CLEAN, INPUT_READ,
     "== CPU time\nf;g 1\n== samples\nf;g 1\n", NULL},
    {"commas and slashes in names",
     WPA
     "a.exe, a.exe (12), [Root]/a.exe!f<int, 2>/a.exe!operator//a.exe!g, a.exe, g, 7, 1, 1, 0\n",
     NAMES_CLEAN, INPUT_READ,
     "== CPU time\nf<int, 2>;operator/;g 1\n== samples\nf<int, 2>;operator/;g 1\n", NULL},
    {"commas in the leaf",
     WPA "a.exe, a.exe (12), [Root]/a.exe!g/a.exe!f<a, b, c>, a.exe, f<a, b, c>, 7, 1, 1, 0\n",
     NAMES_CLEAN, INPUT_READ, "== CPU time\ng;f<a, b, c> 1\n== samples\ng;f<a, b, c> 1\n", NULL},
    {"the idle process is left out",
     WPA "Idle, Idle (0), n/a, ?, ?, 0, 1, 1, 0.1\r\n"
         "a.exe, a.exe (12), ?, a.exe, f, 7, 1, 1, 0.1\r\n",
     NAMES_CLEAN, INPUT_READ, "== CPU time\nf 1\n== samples\nf 1\n", NULL},
    {"a truncated row and a malformed weight",
     WPA "a.exe, a.exe (12), [Root]/a.exe!f, a.exe, f, 7, x, 1, 0.1\n"
         "a.exe, a.exe (12), [Root]/a.exe!f, a.exe, f, 7, 1, 1, 0.1\n"
         "a.exe, a.exe (12), [Root]/a.e",
     NAMES_CLEAN, INPUT_READ, "== CPU time\nf 1\n== samples\nf 1\n",
     "in:4: warning: fewer columns than the heading has"},
    {"wpaexporter: rows count one",
     EXPORTED "a.exe (12),7,[Root]/n.dll!Start/a.exe!f(int; int)\r\n"
              "a.exe (12),7,\"[Root]/n.dll!Start/a.exe!f(int, int)\"\r\n"
              "a.exe (12),8,n/a\r\nIdle (0),0,n/a\r\n",
     NAMES_CLEAN, INPUT_READ, "== samples\n 1\nStart;f 2\n", NULL},
    {"wpaexporter, as the reference writes it",
     EXPORTED "a.exe (12),7,[Root]/n.dll!it's a f(int; int)/<PDB_not_found>\r\n", NAMES_REFERENCE,
     INPUT_READ, "== samples\na.exe_12_7;[Root];n.dll!it`s_a_f(int:_int);Unknown 1\n", NULL},
    {"no stacks", EXPORTED "a.exe (12),7,n/a\n", NAMES_CLEAN, INPUT_EMPTY, NULL,
     "record with stacks"},
    {"only a heading", WPA, NAMES_CLEAN, INPUT_EMPTY, NULL, "no stacks"},
};

Test(input_windows, wpa)
{
    reading_expect_all(wpa_cases);
}

/* ---- xperf --------------------------------------------------------------------------------- */

#define DUMPER                                                                                     \
    "BeginHeader\n"                                                                                \
    "  SampledProfile,  TimeStamp, Process Name ( PID), ThreadID, PrgrmCtr, CPU, Image!Function\n" \
    "  CSwitch,  TimeStamp, New Process Name ( PID), New TID, NPri, TmSinceLast, WaitTime\n"       \
    "  Stack,  TimeStamp, ThreadID, No., Address, Image!Function\n"                                \
    "EndHeader\nOS Version: 10\n"

static const struct reading_case xperf_cases[] = {
    {"a stack comes after its event, in two halves",
     DUMPER "SampledProfile, 10, a.exe (12), 7, 0x1, 1, a.exe!f\n"
            "SampledProfile, 11, a.exe (12), 8, 0x1, 1, a.exe!g\n"
            "Stack, 10, 7, 1, 0x1, ntoskrnl.exe!KiEnter\n"
            "Stack, 11, 8, 1, 0x1, a.exe!g<1,2>\n"
            "Stack, 10, 7, 1, 0x1, a.exe!f\nStack, 10, 7, 2, 0x2, a.exe!main\n",
     NAMES_CLEAN, INPUT_READ, "== SampledProfile\ng<1,2> 1\nmain;f;KiEnter 1\n", NULL},
    {"no stack: the function that the event names",
     DUMPER "SampledProfile, 10, a.exe (12), 7, 0x1, 1, a.exe!f<int, 2>\n"
            "Stack, 10, 9, 1, 0x1, b.exe!of_another\n",
     NAMES_CLEAN, INPUT_READ, "== SampledProfile\nf<int, 2> 1\n", NULL},
    {"context switches are another series, after the samples",
     DUMPER "CSwitch, 9, a.exe (12), 7, 8, 1500, 2\nStack, 9, 7, 1, 0x1, a.exe!wait\n\n"
            "SampledProfile, 10, a.exe (12), 7, 0x1, 1, a.exe!f\nStack, 10, 7, 1, 0x1, a.exe!f\n",
     NAMES_CLEAN, INPUT_READ, "== SampledProfile\nf 1\n== CSwitch\nwait 1500\n", NULL},
    {"idle is left out, other events are passed over",
     DUMPER "SampledProfile, 9, Idle (   0), 0, 0x1, 1, a.exe!f\n"
            "P-Start, 3, b.exe (1)\nStack, 3, 1, 1, 0x1, b.exe!main\n"
            "SampledProfile, 10, a.exe (  12), 7, 0x1, 1, a.exe!f\n",
     NAMES_CLEAN, INPUT_READ, "== SampledProfile\nf 1\n", NULL},
    {"damage is reported",
     DUMPER "SampledProfile, x, a.exe (12), 7, 0x1, 1, a.exe!f\n"
            "SampledProfile, 10, a.exe (12), 7, 0x1, 1, a.exe!f\nStack, 10\n",
     NAMES_CLEAN, INPUT_READ, "== SampledProfile\nf 1\n", "in:9: warning: the row does not have"},
    {"the reference's names",
     DUMPER "SampledProfile, 10, my app.exe (12), 7, 0x1, 1, a.exe!f\n"
            "Stack, 10, 7, 1, 0x1, a.exe!operator new\n",
     NAMES_REFERENCE, INPUT_READ, "== SampledProfile\nmy_app.exe_12_7;a.exe!operator_new 1\n",
     NULL},
    {"the header is cut", "BeginHeader\n SampledProfile,  TimeStamp, Process Name ( PID)\n",
     NAMES_CLEAN, INPUT_FAILED, NULL, "the file ends before"},
    {"nothing of use", DUMPER "P-Start, 3, b.exe (1)\n", NAMES_CLEAN, INPUT_EMPTY, NULL,
     "no stacks"},
};

Test(input_windows, xperf)
{
    reading_expect_all(xperf_cases);
}

/* More events wait than the reader keeps: the oldest are added without their stacks. */
Test(input_windows, xperf_events_do_not_wait_for_ever)
{
    enum { EVENTS = 5000 };
    struct reading r;
    struct buf text = {0}, out = {0};

    buf_add_str(&text, DUMPER);
    for (unsigned i = 0; i < EVENTS; i++)
        buf_printf(&text, "SampledProfile, %u, a.exe (12), 7, 0x1, 1, a.exe!f\n", i);
    buf_add_str(&text, "Stack, 0, 7, 1, 0x1, a.exe!late\nStack, 4999, 7, 1, 0x1, a.exe!last\n");
    reading_text(&r, buf_slice(&text), NULL);
    reading_fold(&r, 0, &out);
    cr_expect_str_eq(buf_string(&out), "f 4999\nlast 1\n");
    reading_release(&r);
    buf_release(&out);
    buf_release(&text);
}

/* ---- VTune --------------------------------------------------------------------------------- */

#define HOTSPOTS "Function Stack,CPU Time:Self,Module\n"

static const struct reading_case vtune_cases[] = {
    {"a tree by blanks, own weights at every depth",
     HOTSPOTS
     "Total,0.0,[Unknown]\n main,0.5,a.exe\n  \"f(int, int)\",1.25,a.exe\n g,0.001,b.dll\n",
     NAMES_CLEAN, INPUT_READ, "== CPU Time\ng 0.001\nmain 0.5\nmain;f 1.25\n", NULL},
    {"semicolons and decimal commas",
     "war:Column filter is ON.\nFunction Stack;CPU Time:Self;Module\nTotal;0;\n main;1,5;a.exe\n",
     NAMES_CLEAN, INPUT_READ, "== CPU Time\nmain 1.5\n", NULL},
    {"tabs", "Function Stack\tCPU Time:Self\tModule\nTotal\t0\t\n main\t1.5\ta.exe\n", NAMES_CLEAN,
     INPUT_READ, "== CPU Time\nmain 1.5\n", NULL},
    {"sizes and counts, empty cells",
     "Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module\n"
     "Total,,,0,[Unknown]\n main,4096,10,2,app\n",
     NAMES_CLEAN, INPUT_READ,
     "== Allocation Size\nmain 4096\n== Deallocation Size\nmain 10\n== Allocations\nmain 2\n",
     NULL},
    {"memory, as the reference writes it",
     "Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module\n"
     "Total,,,0,[Unknown]\n main,4096,10,2,app\n",
     NAMES_REFERENCE, INPUT_READ,
     "== Allocation Size\nTotal([Unknown]);main(app) 4096\n"
     "== Allocations\nTotal([Unknown]);main(app) 2\n",
     NULL},
    {"time, as inferno writes it",
     HOTSPOTS "Total,0.0,[Unknown]\n main,0.0015,a.exe\n f,0.0004,a.exe\n", NAMES_REFERENCE,
     INPUT_READ, "== CPU Time\n[Unknown]`Total;a.exe`main 2\n", NULL},
    {"the module first",
     "Function Stack,Module,Source File,CPU Time:Self\nTotal,,,0\n main,a.exe,m.c,0.01\n",
     NAMES_REFERENCE, INPUT_READ, "== CPU Time\nTotal;a.exe!main 10\n", NULL},
    {"weight of the whole stays at the root", HOTSPOTS "Total,1,\n main,2,a.exe\n", NAMES_CLEAN,
     INPUT_READ, "== CPU Time\n 1\nmain 2\n", NULL},
    {"a level left out", HOTSPOTS "Total,0,\n  main,1,a.exe\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: more than one level deeper than the row before: 'main'"},
    {"a bad number", HOTSPOTS "Total,0,\n main,1.2.3,a.exe\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: not a number: '1.2.3'"},
    {"an open quote", HOTSPOTS "Total,0,\n \"main,1,a.exe\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: unclosed quote"},
    {"no name", HOTSPOTS "Total,0,\n ,1,a.exe\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "missing function name"},
    {"no own weights", "Function Stack,CPU Time:Total,Module\nTotal,1,\n", NAMES_CLEAN,
     INPUT_FAILED, NULL, "-column=\"CPU Time:Self\""},
    {"no heading", "war:Column filter is ON.\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "ends before the heading"},
    {"too much", HOTSPOTS "Total,0,\n a,18446744073,x\n b,18446744073,x\n c,0.000000001,x\n",
     NAMES_CLEAN, INPUT_FAILED, NULL, "64 bits"},
};

Test(input_windows, vtune)
{
    reading_expect_all(vtune_cases);
}

/* ---- Visual Studio ------------------------------------------------------------------------- */

#define BOM "\xef\xbb\xbf"
#define SAMPLES "Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,\r\n"
#define CALLS                                                                                      \
    BOM "Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,"   \
        "Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name,\r\n"

static const struct reading_case studio_cases[] = {
    {"own samples at every level",
     SAMPLES
     "1,\"main\",\"8,735\",120,\"a.exe\",\r\n2,\"f(int, int)\",\"8,615\",\"8,000\",\"a.exe\",\r\n"
     "3,\"g\",615,615,\"b.dll\",\r\n2,h,0,0,\"\",\r\n",
     NAMES_CLEAN, INPUT_READ, "== samples\nmain 120\nmain;f 8000\nmain;f;g 615\n", NULL},
    {"calls and the share of time",
     CALLS "0,\"a.exe\",0,100.00,0.00,0.00,0.00,\"\",\r\n"
           "1,\"f\",\"1,000\",100.00,25.50,1.0,0.5,\"a.exe\",\r\n"
           "2,\"g\",3,74.50,74.50,1.0,0.5,\"a.exe\",\r\n",
     NAMES_CLEAN, INPUT_READ,
     "== calls\na.exe;f 1000\na.exe;f;g 3\n== elapsed time %\na.exe;f 25.5\na.exe;f;g 74.5\n",
     NULL},
    {"only inclusive figures",
     "Level;Function Name;Inclusive Samples;Module Name;\n1;main;10;a\n2;f;4;a\n3;g;4;a\n2;h;5;a\n",
     NAMES_CLEAN, INPUT_READ, "== samples\nmain 1\nmain;f;g 4\nmain;h 5\n", NULL},
    {"times with decimal commas",
     "Level;Function Name;Elapsed Inclusive Time;Elapsed Exclusive "
     "Time\n1;f;\"1.234,5\";\"0,25\"\n",
     NAMES_CLEAN, INPUT_READ, "== elapsed time\nf 0.25\n", NULL},
    {"samples, as the reference writes them",
     SAMPLES "1,\"main\",10,1,\"a\",\n2,\"f<a, b >\",5,1,\"a\",\n3,\"g\",4,4,\"a\",\n2,h,4,4,a,\n",
     NAMES_REFERENCE, INPUT_READ, "== samples\nmain;f<a,b>;g 4\nmain;h 4\n", NULL},
    {"calls, as inferno writes them",
     CALLS "0,\"a.exe\",0,0,0,0,0,\"\",\n1,\"f\",10,0,0,0,0,\"\",\n2,\"g\",3,0,0,0,0,\"\",\n"
           "1,\"h\",5,0,0,0,0,\"\",\n",
     NAMES_REFERENCE, INPUT_READ, "== calls\nf 7\nf;g 3\nh 5\n", NULL},
    {"not a level", SAMPLES "1,f,1,1,a\nx,f,1,1,a\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: malformed level: 'x'"},
    {"methods of .NET",
     SAMPLES "1,Shop.Cart.Total(int32),1,0,a\n2,System.List`1.get_Item(int32),1,1,a\n", NAMES_CLEAN,
     INPUT_READ, "== samples\nShop.Cart.Total;System.List`1.get_Item 1\n", NULL},
    {"a level left out", SAMPLES "1,f,1,1,a\n3,g,1,1,a\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: more than one level deeper"},
    {"above the first", SAMPLES "1,f,1,1,a\n0,g,1,1,a\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: a level above that of the first row: '0'"},
    {"a bad number", SAMPLES "1,f,\"4,718.25\",\"4,718.25\",a\n", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:2: error: not a number: '4,718.25'"},
    {"cut in a row", SAMPLES "1,f,1,1,a\n2", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: missing function name: '2"},
    {"cut in a quote", SAMPLES "1,f,1,1,a\n2,\"g", NAMES_CLEAN, INPUT_FAILED, NULL,
     "in:3: error: unclosed quote"},
};

Test(input_windows, visual_studio)
{
    reading_expect_all(studio_cases);
}

/* ---- recognition --------------------------------------------------------------------------- */

static const struct {
    const char *head;
    const struct format *format;
} heads[] = {
    {WPA, &format_wpa},
    {EXPORTED, &format_wpa},
    {"Process,Stack\n", NULL},
    {"Process Name, Weight, Count\n", NULL},
    {DUMPER, &format_xperf},
    {"BeginHeader\nhello\n", NULL},
    {"  SampledProfile,  TimeStamp\n", NULL},
    {HOTSPOTS, &format_vtune},
    {"war: x\n" HOTSPOTS, &format_vtune},
    {"war:Column filter is ON.\n", &format_vtune},
    {"war: there was one\n", NULL},
    {"Function Stack overflow, as they say\n", NULL},
    {SAMPLES, &format_visual_studio},
    {"Level,Function Name,Colour\n", NULL},
    {"Level,Name,Number of Calls\n", NULL},
    {"Level of the sea\n", NULL},
    {"This is not a correct header\n", NULL},
};

Test(input_windows, recognition)
{
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        cr_expect_eq(claim_find(slice_str(heads[i].head), true), heads[i].format, "%s",
                     heads[i].head);
}

/* ---- the collection ------------------------------------------------------------------------ */

static const struct {
    const char *file, *event, *expected;
    unsigned overwritten; /* inferno keeps the last value of a stack that occurs twice */
} references[] = {
    {"vtune-csv/vtune.csv", "CPU Time", "vtune-csv/expected/vtune-default.txt", 0},
    {"shape-samples/vtune-memory-consumption.csv", "Allocation Size",
     "shape-samples/expected/vtune-memory-consumption.csv.bytes.reference.folded", 0},
    {"shape-samples/vtune-memory-consumption.csv", "Allocations",
     "shape-samples/expected/vtune-memory-consumption.csv.count.reference.folded", 0},
    {"shape-samples/vs2015-samples-level.csv", "samples",
     "shape-samples/expected/vs2015-samples-level.csv.reference.folded", 0},
    {"vs-csv/CallTreeSummary.csv", "calls", "vs-csv/expected/CallTreeSummary.vsprof-default.txt",
     9},
};

Test(input_windows, as_the_reference_converters, .init = corpus_need)
{
    for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
        reading_expect_reference(references[i].file, references[i].event, references[i].expected,
                                 references[i].overwritten);
}
