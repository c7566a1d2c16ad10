#include "input/format.h"

#include "input/refused.h"

/* A row each. */
/* clang-format off */
const struct format *const formats[] = {
    &format_jfr,
    &format_mojo,
    &format_heaptrack,
    &format_v8_log,
    &format_v8_ticks,
    &format_austin,
    &format_xctrace,
    &format_instruments,
    &format_macos_sample,
    &format_pmcstat,
    &format_eu_stack,
    &format_gdb,
    &format_bpftrace,
    &format_bpftrace_json,
    &format_faulthandler,
    &format_wall_clock,
    &format_pstack,
    &format_phpspy,
    &format_memleak,
    &format_perf_report,
    &format_xdebug_profile,
    &format_callgrind,
    &format_java_json,
    &format_jstack,
    &format_javacore,
    &format_hprof_text,
    &format_honest,
    &format_ljp,
    &format_vtune,
    &format_visual_studio,
    &format_xperf,
    &format_wpa,
    &format_pprof_cpu,
    &format_pprof_raw,
    &format_pprof_text,
    &format_pprof_threadz,
    &format_pprof_traces,
    &format_goroutines,
    &format_pprof,
    &format_papyrus,
    &format_sysprof,
    &format_sleepy,
    &format_trace_event,
    &format_cpuprofile,
    &format_heapprofile,
    &format_safari,
    &format_bcc,
    &format_xdebug_trace,
    &format_massif,
    &format_ghc_prof,
    &format_speedscope,
    &format_firefox,
    &format_ghc_json,
    &format_dhat,
    &format_stackprof,
    &format_d3_json,
    &format_stap,
    &format_dtrace,
    &format_perf_script,
    &format_java_exceptions,
    &format_folded,
};
/* clang-format on */
const size_t format_count = sizeof(formats) / sizeof(formats[0]);

/* What begins like this is known, and of no use here as it is. */
static const struct {
    struct slice magic;
    size_t at;
    const char *hint;
} refused[] = {
    {{"PERFFILE", 8}, 0, "a recording of perf itself; run: perf script -i FILE | flamepress graph"},
    {{"PERFILE2", 8}, 0, "a recording of perf itself; run: perf script -i FILE | flamepress graph"},
    {{"2ELIFREP", 8}, 0, "a recording of perf itself; run: perf script -i FILE | flamepress graph"},
    {{"PK\3\4", 4}, 0, "a zip archive; unpack it and name the profiles in it"},
    {{"ustar", 5}, 257, "a tar archive; unpack it and name the profiles in it"},
    {{"JAVA PROFILE 1.0.1\0", 19}, 0, "a Java heap dump: it holds objects and no stacks to draw"},
    {{"JAVA PROFILE 1.0.2\0", 19}, 0, "a Java heap dump: it holds objects and no stacks to draw"},
    {{"\177ELF", 4}, 0, "a program or core dump, not a profile of one"},
    {{"\4\b{", 3}, 0, "Ruby's own serialisation, as of stackprof; run: stackprof --json FILE"},
    {{"gmon\1\0\0\0", 8},
     0,
     "a recording of gprof, which has no stacks; run: perf record -g ./PROGRAM"},
    {{"memray\0", 7},
     0,
     "a capture of memray, which only memray reads; run: memray flamegraph FILE"},
    {{"\136\227\312\375", 4},
     0,
     "a capture of Sysprof 3 or later; run: perf record -g, perf script"},
    {{"Nettrace", 8}, 0, "a trace of .NET; run: dotnet-trace convert --format Speedscope FILE"},
    {{"heap_v2/", 8},
     0,
     "a heap of jemalloc, which has no names; run: jeprof --collapsed PROGRAM FILE | "
     "flamepress graph"},
    {{"rbspy0", 6}, 0, "rbspy's own recording; run: rbspy report -f collapsed -i FILE -o OUT"},
};

/* The same by a look at the content, and before it: a zip archive may be a profile. */
static const struct {
    bool (*is)(const struct head *head);
    const char *hint;
} refused_texts[] = {
    {refused_perf_report, "a report of perf with percentages and no folded stacks; run: "
                          "perf script | flamepress graph"},
    {refused_uftrace_replay, "a trace of uftrace as text; run: uftrace dump --flame-graph"},
    {refused_xdebug_trace, "an Xdebug trace made for reading, without the ends of the calls; "
                           "run PHP with: -d xdebug.mode=trace -d xdebug.trace_format=1"},
    {refused_aix_tprof, "a report of tprof, which has no stacks; run: procstack PID"},
    {refused_gprof, "a report of gprof: who calls whom and for how long, but no stacks; run: "
                    "perf record -g ./PROGRAM; perf script | flamepress graph"},
    {refused_vtune_gprof, "a call graph of VTune without stacks; run: vtune -report top-down "
                          "-call-stack-mode all -format csv -r RESULT"},
    {refused_v8_report, "a report of node --prof-process; give the log that it was made from, "
                        "isolate-*-v8.log"},
    {refused_scalene, "a profile of Scalene: shares of lines and no stacks; run: "
                      "py-spy record -f raw -o app.folded -- python app.py"},
    {refused_go_trace, "an execution trace of Go; run: go tool trace -pprof=sync FILE > app.pb.gz"},
    {refused_sleepy, "a profile of Very Sleepy; run: "
                     "unzip -p FILE Symbols.txt Callstacks.txt | flamepress graph"},
    {refused_pprof_table, "a table of pprof, without stacks; give the profile itself, or run: "
                          "go tool pprof -raw PROFILE"},
};

const char *format_family_title(enum format_family family)
{
    static const char *const titles[FORMAT_FAMILIES] = {
        [FORMAT_ANY] = "Any profiler",
        [FORMAT_LINUX] = "Linux: perf, eBPF, SystemTap, debuggers",
        [FORMAT_SYSTEMS] = "Other systems: DTrace, FreeBSD, AIX, macOS, Windows",
        [FORMAT_JAVA] = "Java",
        [FORMAT_GO] = "Go and pprof",
        [FORMAT_BROWSERS] = "Browsers and JavaScript",
        [FORMAT_LANGUAGES] = "Python, Ruby, PHP, Haskell and others",
        [FORMAT_MEMORY] = "Calls and memory: Valgrind, heaptrack",
    };

    return titles[family];
}

const char *format_refusal(size_t number)
{
    enum { MAGICS = sizeof(refused) / sizeof(refused[0]) };

    if (number < MAGICS)
        return refused[number].hint;
    number -= MAGICS;
    return number < sizeof(refused_texts) / sizeof(refused_texts[0]) ? refused_texts[number].hint
                                                                     : NULL;
}

const struct format *format_find(const struct head *head)
{
    for (size_t i = 0; i < format_count; i++)
        if (formats[i]->claims(head))
            return formats[i];
    return NULL;
}

const char *format_refused(const struct head *head)
{
    for (size_t i = 0; i < sizeof(refused_texts) / sizeof(refused_texts[0]); i++)
        if (refused_texts[i].is(head))
            return refused_texts[i].hint;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (slice_starts(slice_skip(head->bytes, refused[i].at), refused[i].magic))
            return refused[i].hint;
    return NULL;
}
