#include "input/refused.h"

#include "base/ascii.h"
#include "base/num.h"

enum { LINES = 500, PAGE_TITLE = 4096 };

/* "71 main;parse", at the start of a line. */
static bool is_folded_row(struct slice line)
{
    size_t digits = 0;

    while (digits < line.len && ascii_is_digit(line.ptr[digits]))
        digits++;
    return digits > 0 && digits + 1 < line.len && line.ptr[digits] == ' ';
}

/* A number, with what a unit or a '%' adds to it. */
static bool is_figure(struct slice word, const char *unit)
{
    size_t n = 0;

    while (n < word.len && memchr("0123456789.", word.ptr[n], 11))
        n++;
    return n > 0 && (!unit || slice_equal(slice_skip(word, n), slice_str(unit)));
}

/* A share, as "37.56%", among the first words of a line. */
static bool has_share(struct slice line)
{
    enum { WORDS = 3 };
    struct slice word;

    for (int i = 0; i < WORDS && slice_word(&line, &word); i++)
        if (is_figure(word, "%"))
            return true;
    return false;
}

/* "37.56%  thr  libm.so  [.] sin", a row of perf report -q, which prints no heading. */
static bool is_bare_row(struct slice line)
{
    return has_share(line) && (slice_has(line, SLICE(" [.] ")) || slice_has(line, SLICE(" [k] ")));
}

/* perf report --stdio, perf diff: a table of percentages, with call graphs as trees or none. */
static bool is_perf_report(const struct head *head)
{
    static const char *const columns[] = {"#", "Overhead"}, *const summed[] = {"#", "Children"},
                             *const latency[] = {"#", "Latency"},
                             *const changed[] = {"#", "Baseline", "Delta"};
    struct slice rest = head->bytes, line;
    bool table = false, row = false;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++) {
        table = table || head_words(line, columns, 2) || head_words(line, summed, 2) ||
                head_words(line, latency, 2) || head_words(line, changed, 3) ||
                slice_starts(line, SLICE("# Event count (approx.):"));
        if (!table && line.len && line.ptr[0] != '#')
            return is_bare_row(line);
        if (table && is_folded_row(line))
            return false;
        row = row || (table && has_share(line));
    }
    return row;
}

/* Xdebug's traces for people, text and HTML (trace_format=0 and 2). */
static bool is_xdebug_trace(const struct head *head)
{
    struct slice rest = head->bytes, line, word;
    struct decimal seconds;
    uint64_t bytes;

    if (!head_line(head, &rest, &line))
        return false;
    if (slice_starts(line, SLICE("<table ")) && slice_has(line, SLICE(" class='xdebug-trace'")))
        return true;
    return slice_starts(line, SLICE("TRACE START [")) && head_line(head, &rest, &line) &&
           slice_word(&line, &word) && num_parse_decimal(word, &seconds) &&
           slice_word(&line, &word) && num_parse_u64(word, &bytes);
}

/* AIX tprof: a table of processes with the columns FREQ, Total, Kernel, User. */
static bool is_aix_tprof(const struct head *head)
{
    static const char *const columns[] = {"Process", "FREQ", "Total", "Kernel", "User"};
    struct slice rest = head->bytes, line;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++)
        if (head_words(line, columns, 5))
            return true;
    return false;
}

/* The source of a manual page, which may show such a table. */
static bool is_manual(const struct head *head)
{
    return slice_starts(head->bytes, SLICE(".")) || slice_starts(head->bytes, SLICE("'\\\""));
}

/* Whether a row that is_row() comes somewhere below a line that begins with these words. */
static bool has_table(const struct head *head, const char *const *words, size_t count,
                      bool (*is_row)(struct slice))
{
    struct slice rest = head->bytes, line;
    bool below = false;

    for (int i = 0; i < LINES && !is_manual(head) && head_line(head, &rest, &line); i++) {
        if (below && is_row(line))
            return true;
        below = below || head_words(line, words, count);
    }
    return false;
}

static bool is_share_row(struct slice line)
{
    struct slice word;

    return slice_word(&line, &word) && is_figure(word, "%");
}

/* simpleperf report, with call graphs or without: what comes before its table names the sum. */
static bool is_simpleperf_report(const struct head *head)
{
    static const char *const sum[] = {"Event", "count:"}, *const columns[] = {"Overhead"},
                             *const summed[] = {"Children", "Self"};
    struct slice rest = head->bytes, line;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++)
        if (head_words(line, sum, 2))
            return has_table(head, columns, 1, is_share_row) ||
                   has_table(head, summed, 2, is_share_row);
    return false;
}

/* "[1]    100.0   0.16   1.77 ...": a function among its callers and callees. */
static bool is_call_graph_row(struct slice line)
{
    struct slice word;

    return slice_word(&line, &word) && slice_starts(word, SLICE("[")) &&
           slice_ends(word, SLICE("]")) && slice_word(&line, &word) && is_figure(word, "");
}

/* "file.c:2: (main:0x11c9) 8000 executions", a row of gprof -C. */
static bool is_count_row(struct slice line)
{
    return slice_search(line, SLICE(": (")) < line.len && slice_ends(line, SLICE(" executions"));
}

/* "       ##### -> int main(void)", a line of annotated source that has a count, or should have. */
static bool is_annotated_row(struct slice line)
{
    struct slice word;

    return slice_word(&line, &word) && (slice_equal(word, SLICE("#####")) || is_figure(word, "")) &&
           slice_word(&line, &word) && slice_equal(word, SLICE("->"));
}

/* gprof -C and -A: how often each function was called, alone or beside the source. */
static bool is_gprof_count(const struct head *head)
{
    static const char *const file[] = {"***", "File"};
    struct slice rest = head->bytes, line;

    return has_table(head, file, 2, is_annotated_row) ||
           (head_line(head, &rest, &line) && is_count_row(line));
}

/* VTune's report gprof-cc: the same with columns of its own. */
static bool is_vtune_gprof(const struct head *head)
{
    static const char *const columns[] = {"Index", "%", "CPU", "Time:Total"};

    return has_table(head, columns, 4, is_call_graph_row);
}

/* "     1.10s 98.21% 98.21%      1.10s 98.21%  main.f" */
static bool is_pprof_row(struct slice line)
{
    static const char *const units[] = {NULL, "%", "%", NULL, "%"};
    struct slice word;

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (!slice_word(&line, &word) || !is_figure(word, units[i]))
            return false;
    return slice_trim(line).len > 0;
}

/* pprof -top, -tree and -peek, and the --text of the older pprof. */
static bool is_pprof_table(const struct head *head)
{
    static const char *const columns[] = {"flat", "flat%", "sum%", "cum", "cum%"};
    static const char *const total[] = {"Total:"};
    struct slice rest = head->bytes, line;

    if (has_table(head, columns, 5, is_pprof_row))
        return true;
    return head_line(head, &rest, &line) && head_words(line, total, 1) &&
           head_line(head, &rest, &line) && is_pprof_row(line);
}

/* node --prof-process: ticks by function, and by callers from the leaf up. */
static bool is_v8_report(const struct head *head)
{
    struct slice rest = head->bytes, line;

    return head_line(head, &rest, &line) &&
           slice_starts(line, SLICE("Statistical profiling result from ")) &&
           slice_has(line, SLICE(" ticks, "));
}

/* V8's heap snapshots. */
static bool is_heapsnapshot(const struct head *head)
{
    return head_has(head, "snapshot.meta.node_fields");
}

/* A zip archive of Very Sleepy. */
static bool is_sleepy(const struct head *head)
{
    static const char *const members[] = {"Stats.txt", "Symbols.txt", "Callstacks.txt",
                                          "IPCounts.txt"};
    int found = 0;

    if (!slice_starts(head->bytes, SLICE("PK\3\4")))
        return false;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        found += slice_has(head->bytes, slice_str(members[i]));
    return found >= 2;
}

/* Go's execution trace: "go 1.19 trace" and bytes. */
static bool is_go_trace(const struct head *head)
{
    enum { HEADER = 16 };
    struct slice first = slice_take(head->bytes, HEADER);

    return slice_starts(first, SLICE("go 1.")) && slice_has(first, SLICE(" trace\0"));
}

/* Whether a line starts so, and has this in it, among the first that are neither blank nor '#'. */
static bool has_line(const struct head *head, const char *start, const char *part)
{
    enum { FIRST_LINES = 5 };
    struct slice rest = head->bytes, line;
    int seen = 0;

    while (seen < FIRST_LINES && head_line(head, &rest, &line)) {
        line = slice_trim(line);
        if (!line.len || line.ptr[0] == '#')
            continue;
        if (slice_starts(line, slice_str(start)) && slice_has(line, slice_str(part)))
            return true;
        seen++;
    }
    return false;
}

static bool is_perf_annotate(const struct head *head)
{
    return has_line(head, "Percent |", "Source code & Disassembly of ");
}

static bool is_perf_stat(const struct head *head)
{
    return has_line(head, "Performance counter stats for ", "");
}

/* perf report -D and perf script -D: "0x108@perf.data [0x50]: event: 69", and bytes. */
static bool is_perf_dump(const struct head *head)
{
    return has_line(head, "0x", "]: event: ");
}

/* The tables of pstats, which python -m cProfile prints. */
static bool is_pstats_text(const struct head *head)
{
    return has_line(head, "ncalls ", " tottime  percall  cumtime") ||
           has_line(head, "Function ", " was called by...");
}

/* The other outputs of Python's profiling.sampling: a table, heat maps of lines, JSON lines. */
static bool is_sampling_output(const struct head *head)
{
    return (has_line(head, "Captured ", " samples in ") &&
            slice_has(head->bytes, SLICE("nsamples"))) ||
           slice_has(slice_take(head->bytes, PAGE_TITLE),
                     SLICE("<title>Tachyon Profiler - Heatmap")) ||
           (slice_starts(head->bytes, SLICE("{\"type\":\"meta\"")) && head_has(head, "run_id") &&
            head_has(head, "sample_interval_usec"));
}

/* python -m asyncio ps and pstree. */
static bool is_asyncio(const struct head *head)
{
    return has_line(head, "tid ", " coroutine stack ") || has_line(head, "└── (T) ", "") ||
           has_line(head, "├── (T) ", "");
}

/* Tables and statistics of memray. */
static bool is_memray_table(const struct head *head)
{
    return slice_has(slice_take(head->bytes, PAGE_TITLE), SLICE("<title>memray - table report")) ||
           (has_line(head, "📏 Total allocations:", "") &&
            slice_has(head->bytes, SLICE("Total memory allocated"))) ||
           (head_has(head, "total_num_allocations") && head_has(head, "metadata.peak_memory"));
}

/* The reports in Markdown of bun --cpu-prof-md and deno run --cpu-prof-md. */
static bool is_cpu_markdown(const struct head *head)
{
    struct slice rest = head->bytes, line;

    return head_line(head, &rest, &line) && slice_equal(line, SLICE("# CPU Profile")) &&
           slice_has(head->bytes, SLICE("| Duration | Samples | Interval | Functions |"));
}

/* Erlang's eprof and tprof: a table of functions for each process. */
static bool is_erlang_table(const struct head *head)
{
    struct slice line = head_first(head);

    return slice_starts(line, SLICE("****** Process <")) &&
           (slice_has(line, SLICE("of profiled time")) || slice_has(line, SLICE("% of total")));
}

/* XHProf and Tideways: {"main()==>load":{"ct":1,"wt":20}}, as JSON or as PHP serialises it. */
static bool is_xhprof(const struct head *head)
{
    return (slice_starts(head->bytes, SLICE("{\"")) || slice_starts(head->bytes, SLICE("a:"))) &&
           slice_has(head->bytes, SLICE("==>")) && slice_has(head->bytes, SLICE("main()")) &&
           slice_has(head->bytes, SLICE("\"ct\"")) && slice_has(head->bytes, SLICE("\"wt\""));
}

/* ---- the tables --------------------------------------------------------------------------- */

struct signature {
    struct slice magic;
    size_t at;
    const char *hint;
};

static bool is_nsys_report(const struct head *head)
{
    struct slice path = slice_str(head->path ? head->path : "");

    return slice_ends(path, SLICE(".nsys-rep")) || slice_ends(path, SLICE(".qdrep"));
}

static bool is_ncu_report(const struct head *head)
{
    return head->path && slice_ends(slice_str(head->path), SLICE(".ncu-rep"));
}

/* Files that lie beside profiles, by how they begin. Looked for first: a Java archive is a zip. */
static const struct signature beside[] = {
    {{"\177ELF", 4}, 0, "a program or core dump, not a profile of one"},
    {{"META-INF/", 9}, 30, "a Java archive, not a profile of it"},
    {{"HPCPROF-metricdb", 16},
     0,
     "the values of HPCToolkit for one process, without stacks; read experiment.xml beside it"},
};

/* Files that begin like this are recognised, but cannot be read as they are. */
static const struct signature refused[] = {
    {{"PERFFILE", 8},
     0,
     "a recording of perf before Linux 3.6, of version 1; record again, or run the perf that wrote "
     "it: perf script -i FILE | flamepress graph"},
    {{"PK\3\4", 4}, 0, "a zip archive; unpack it and name the profiles in it"},
    {{"ustar", 5}, 257, "a tar archive; unpack it and name the profiles in it"},
    {{"JAVA PROFILE 1.0.1\0", 19}, 0, "a Java heap dump: it holds objects and no stacks to draw"},
    {{"JAVA PROFILE 1.0.2\0", 19}, 0, "a Java heap dump: it holds objects and no stacks to draw"},
    {{"\4\b{", 3}, 0, "Ruby's own serialisation, as of stackprof; run: stackprof --json FILE"},
    {{"memray\0", 7},
     0,
     "a capture of memray, which only memray reads; run: memray flamegraph FILE, which writes a "
     "page"},
    {{"HCAT\1", 5},
     0,
     "a recording of Python's profiling.sampling; run: "
     "python3.15 -m profiling.sampling replay FILE --collapsed -o app.folded"},
    {{"rbspy0", 6}, 0, "rbspy's own recording; run: rbspy report -f collapsed -i FILE -o OUT"},
};

/* Recognised by content, and checked before the signatures: a zip archive may be a profile. */
static const struct {
    bool (*is)(const struct head *head);
    const char *hint;
} refused_texts[] = {
    {is_perf_report, "a report of perf with percentages and no folded stacks; run: "
                     "flamepress graph perf.data"},
    {is_simpleperf_report,
     "a report of simpleperf: rounded shares, which count callers again for their callees; run: "
     "simpleperf report-sample --show-callchain | flamepress graph"},
    {is_perf_annotate, "a report of perf with percentages and no folded stacks; run: "
                       "flamepress graph perf.data"},
    {is_perf_stat, "a table of perf stat: counts and no stacks; run: "
                   "perf record -g COMMAND; flamepress graph perf.data"},
    {is_perf_dump, "a dump of the records of a perf.data; run: "
                   "flamepress graph perf.data"},
    {is_xdebug_trace, "an Xdebug trace made for reading, without the ends of the calls; "
                      "run PHP with: -d xdebug.mode=trace -d xdebug.trace_format=1"},
    {is_aix_tprof, "a report of tprof, which has no stacks; run: procstack PID"},
    {is_gprof_count, "a report of gprof: how often each function was called, but no stacks; run: "
                     "perf record -g ./PROGRAM; flamepress graph perf.data"},
    {is_vtune_gprof, "a call graph of VTune without stacks; run: vtune -report top-down "
                     "-call-stack-mode all -format csv -r RESULT"},
    {is_v8_report, "a report of node --prof-process; give the log that it was made from, "
                   "isolate-*-v8.log"},
    {is_pstats_text, "a table of Python's cProfile; write its profile into a file: "
                     "python -m cProfile -o app.pstats app.py"},
    {is_sampling_output, "an output of Python's profiling.sampling without stacks; run: "
                         "python3.15 -m profiling.sampling run --flamegraph -o app.html app.py"},
    {is_asyncio, "a table of asyncio's tasks; run: "
                 "python3.15 -m profiling.sampling dump --async-aware --async-mode all PID"},
    {is_memray_table, "a table of memray, without stacks; run: memray flamegraph CAPTURE, which "
                      "writes a page"},
    {is_cpu_markdown, "a report of Bun or Deno, made for reading; run without --cpu-prof-md: "
                      "bun --cpu-prof app.js, or: deno run --cpu-prof app.js"},
    {is_erlang_table, "a table of Erlang's eprof or tprof, which has no stacks; run: "
                      "erl +JPperf true, and perf record -g -p PID; flamepress graph perf.data"},
    {is_xhprof, "calls of XHProf, each with its caller alone; record stacks: "
                "php -d extension=excimer, or phpspy -p PID -o app.phpspy"},
    {is_heapsnapshot, "a heap snapshot of V8: objects and no stacks; run: node --heap-prof app.js, "
                      "which writes a .heapprofile"},
    {is_go_trace, "an execution trace of Go; run: go tool trace -pprof=sync FILE > app.pb.gz"},
    {is_sleepy, "a profile of Very Sleepy; run: "
                "unzip -p FILE Symbols.txt Callstacks.txt | flamepress graph"},
    {is_nsys_report, "a report of Nsight Systems, which only its tools read; run: "
                     "nsys export --type sqlite -o app.sqlite FILE"},
    {is_ncu_report,
     "a report of Nsight Compute: counters of single kernels and no stacks; run: "
     "nsys profile -o app COMMAND; nsys export --type sqlite -o app.sqlite app.nsys-rep"},
    {is_pprof_table, "a table of pprof, without stacks; give the profile itself, or run: "
                     "go tool pprof -raw PROFILE"},
};

static const char *find_signature(const struct signature *rows, size_t count,
                                  const struct head *head)
{
    for (size_t i = 0; i < count; i++)
        if (slice_starts(slice_skip(head->bytes, rows[i].at), rows[i].magic))
            return rows[i].hint;
    return NULL;
}

const char *refused_beside(const struct head *head)
{
    return find_signature(beside, sizeof(beside) / sizeof(beside[0]), head);
}

const char *refused_hint(const struct head *head)
{
    for (size_t i = 0; i < sizeof(refused_texts) / sizeof(refused_texts[0]); i++)
        if (refused_texts[i].is(head))
            return refused_texts[i].hint;
    return find_signature(refused, sizeof(refused) / sizeof(refused[0]), head);
}

const char *refused_hints(size_t number)
{
    enum {
        BESIDE = sizeof(beside) / sizeof(beside[0]),
        MAGICS = sizeof(refused) / sizeof(refused[0]),
        TEXTS = sizeof(refused_texts) / sizeof(refused_texts[0])
    };

    if (number < BESIDE)
        return beside[number].hint;
    number -= BESIDE;
    if (number < MAGICS)
        return refused[number].hint;
    number -= MAGICS;
    return number < TEXTS ? refused_texts[number].hint : NULL;
}
