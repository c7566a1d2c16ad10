#include "unit/support/claim.h"

#include "unit/support/test.h"

static const struct {
    const char *text;
    const char *hint; /* a word of it */
} refused[] = {
    {"# Samples: 8  of event 'cycles'\n#\n# Overhead  Command\n# ........  .......\n#\n"
     "    37.56%  thr\n            |\n            |--8.18%--sin\n",
     "graph perf.data"},
    {"# Children      Self  Command\n#\n   100.00%     0.00%  app\n            |\n",
     "graph perf.data"},
    {"# Overhead  Command  Shared Object  Symbol\n    99.00%  thr  libm.so  [.] sin\n",
     "graph perf.data"},
    {"# Samples: 662  of event 'cpu-clock'\n# Event count (approx.): 165500000\n#\n"
     "# Children,    Self,Command,Symbol\n 99.55% , 0.00%  ,w      ,[.] main\n",
     "graph perf.data"},
    {"# ========\n# captured on    : Sun Nov 22\n# hostname : vm\n# ========\n#\n"
     "# Event count (approx.): 165500000\n#\n#      Samples  Overhead  Command\n"
     "           662   100.00%  w\n",
     "graph perf.data"},
    {"# Event 'cpu-clock'\n#\n# Baseline  Delta Abs  Shared Object\n#\n    98.49%     +0.00%  w\n",
     "graph perf.data"},
    {"    99.55%     0.00%  w        libc.so.6   [.] __libc_start_call_main\n            |\n",
     "graph perf.data"},
    {"Cmdline: /system/bin/simpleperf record -g\nArch: arm64\nEvent: cpu-cycles (type 0, config "
     "0)\n"
     "Samples: 9933\nEvent count: 9933000000\n\nChildren  Self    Command  Pid  Tid  Shared Object"
     "  Symbol\n100.00%   0.00%   app  10861  10886  /system/lib64/libc.so  __start_thread\n"
     "       |\n       -- __start_thread\n",
     "report-sample"},
    {"Samples: 2 of event 'cpu-clock'\nEvent count: 500000\n\nOverhead  Command  Pid\n"
     "50.00%    app      12\n",
     "report-sample"},
    {" Percent |\tSource code & Disassembly of w for cpu-clock (652 samples)\n", "graph perf.data"},
    {"# started on Sun Nov 22\n\n\n Performance counter stats for './w':\n\n", "perf record -g"},
    {"# To display the header info\n#\n\n0x108@p.data [0x50]: event: 69\n.\n", "graph perf.data"},
    {"         3 function calls in 0.000 seconds\n\n   Ordered by: cumulative time\n\n"
     "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n",
     "cProfile -o"},
    {"   Random listing order was used\n\nFunction               was called by...\n",
     "cProfile -o"},
    {"{\n \"snapshot\": {\n  \"meta\": {\n   \"node_fields\": [\n    \"type\"\n   ]}}}\n",
     "node --heap-prof"},
    {"                 Configuration information\n\nProcess   FREQ  Total Kernel   User\n"
     "=======   ====  ===== ======   ====\nwait  4  5810  5810  0\n",
     "procstack"},
    {"TRACE START [2020-09-15 15:49:45]\n    0.0002     392400   -> {main}() /a.php:0\n",
     "trace_format=1"},
    {"<table class='xdebug-trace' dir='ltr'>\n", "trace_format=1"},
    {"<table style='hyphens: auto;' class='xdebug-trace' dir='ltr'>\n\t<tr>", "trace_format=1"},
    {"*** File /src/w.c:\n                #include <stdio.h>\n"
     "     2400000 -> int inner(int n)\n       ##### -> int main(void)\n",
     "perf record -g"},
    {"*** File /src/w.c:\n                #include <stdio.h>\n       ##### -> int main(void)\n",
     "perf record -g"},
    {"/src/w.c:2: (inner:0x11c9) 2400000 executions\n", "perf record -g"},
    {"Index  % CPU Time:Total  CPU Time:Self  CPU Time:Children  Name     Index\n-----  ----\n"
     "[1]    100.0             0.0            16.945             BaseThreadInitThunk  [1]\n",
     "vtune -report"},
    {"File: app\nType: cpu\nShowing nodes accounting for 1s, 100% of 1s total\n"
     "      flat  flat%   sum%        cum   cum%\n"
     "     1.10s 98.21% 98.21%      1.10s 98.21%  main.f\n",
     "pprof -raw"},
    {"File: app\n----------+-------------\n      flat  flat%   sum%        cum   cum%   calls "
     "calls%"
     " + context\n----------+-------------\n        1s   100% |   main.g\n"
     "        1s 89.29% 89.29%         1s 89.29%                | main.f\n",
     "pprof -raw"},
    {"Total: 253 samples\n     10   4.0%   4.0%       20   7.9% main\n", "pprof -raw"},
    {"{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\"]}}}", "node --heap-prof"},
    {"HCAT\1\1\17\3", "sampling replay"},
    {"{\"type\":\"meta\",\"v\":0,\"run_id\":\"a\",\"sample_interval_usec\":1000}\n",
     "run --flamegraph"},
    {"Captured 14 samples in 1.41 seconds\nSample rate: 999.96 samples/sec\nProfile Stats:\n"
     "       nsamples   sample%  tottime (ms)\n",
     "run --flamegraph"},
    {"<!doctype html>\n<html>\n<title>Tachyon Profiler - Heatmap Report</title>\n",
     "run --flamegraph"},
    {"tid        task id              task name            coroutine stack    awaiter chain\n",
     "dump --async-aware"},
    {"└── (T) Task-1\n    └──  main app.py:9\n", "dump --async-aware"},
    {"<!DOCTYPE html>\n<html>\n<title>memray - table report</title>\n", "memray flamegraph"},
    {"📏 Total allocations:\n\t149\n\n📦 Total memory allocated:\n\t17.427MB\n", "memray flamegraph"},
    {"{\"total_num_allocations\":1,\"metadata\":{\"peak_memory\":7}}", "memray flamegraph"},
    {"# CPU Profile\n\n| Duration | Samples | Interval | Functions |\n", "bun --cpu-prof"},
    {"rbspy02\n{}", "rbspy report"},
    {"Statistical profiling result from v8.log, (13 ticks, 2 unaccounted, 0 excluded).\n",
     "isolate-*-v8.log"},
    {"PK\3\4........Stats.txt....PK\3\4.....Callstacks.txt...", "unzip -p"},
    {"PK\3\4........notes.txt....", "unpack it"},
    {"PERFFILEh", "perf script"},
    {"\n****** Process <0.84.0>    -- 88.63 % of profiled time *** \nFUNCTION  CALLS\n", "+JPperf"},
    {"\n****** Process <0.84.0>  --  95.45% of total *** \nFUNCTION  CALLS\n", "+JPperf"},
    {"{\"main()==>load\":{\"ct\":1,\"wt\":20},\"main()\":{\"ct\":1,\"wt\":25}}", "excimer"},
    {"a:1:{s:13:\"main()==>load\";a:2:{s:2:\"ct\";i:1;s:2:\"wt\";i:20;}}", "excimer"},
};

Test(input_refused, texts_that_are_known_and_cannot_be_drawn)
{
    cr_expect(claim_refused(SLICE("go 1.19 trace\0\0\0A"), true));
    cr_expect_not(claim_refused(SLICE("Nettrace\0\0\0\0\6\0\0\0"), true));
    cr_expect_not(claim_refused(SLICE("Nettrace\24\0\0\0!FastSerialization.1"), true));
    cr_expect_not(claim_refused(SLICE("go 1.19\n\nuse ./trace\n"), true));
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        const char *hint = claim_refused(slice_str(refused[i].text), true);

        cr_expect(hint && strstr(hint, refused[i].hint), "row %zu: %s", i, hint ? hint : "none");
    }
}

Test(input_refused, texts_that_only_look_like_them)
{
    static const char *const rows[] = {
        "# Overhead  Samples  Command\n#\n    37.56%  326  thr\n71 main;sin\n",
        "# Overhead is small\n",
        "Overhead\n# Overhead Command\n 3% x\n",
        "# DURATION     TID     FUNCTION\n",
        "# DURATION     TID     FUNCTION\nmain;f 1\n",
        "Process FREQ\n",
        "TRACE START [2020-09-15 15:49:45]\n",
        "main;foo 1\n",
        "*** File of the week:\nmain;foo 1\n",
        "main;foo 1 executions\n",
        "index  % time    self  children called     name\nand then some words\n",
        ".\\\" a manual page\n.nf\n  %   cumulative   self\n"
        " 18.18      0.06     0.06    23480     0.00     0.00  find_char_unquote\n",
        "The columns are\n%   cumulative   self\nin this order\n",
        "      flat  flat%   sum%        cum   cum%\n",
        "Total: 7\n7 of us\n",
        "50 % of all is [.] enough\n",
        "Function was called\n",
        "0x10 [0x5]: an event\n",
        ".TH sprof 1\n  %   cumulative   self\n time   seconds   seconds    calls\n"
        " 60.00      0.06     0.06    100     0.00     0.00  f\n",
        "",
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_null(claim_refused(slice_str(rows[i]), true), "row %zu", i);
}
