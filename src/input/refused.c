#include "input/refused.h"

#include "base/num.h"

enum { LINES = 500 };

/* Whether the line begins with these words. */
static bool has_words(struct slice line, const char *const *words, size_t count)
{
    struct slice word;

    for (size_t i = 0; i < count; i++)
        if (!slice_word(&line, &word) || !slice_equal(word, slice_str(words[i])))
            return false;
    return true;
}

/* "71 main;parse", at the start of a line. */
static bool is_folded_row(struct slice line)
{
    size_t digits = 0;

    while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
        digits++;
    return digits > 0 && digits + 1 < line.len && line.ptr[digits] == ' ';
}

bool refused_perf_report(const struct head *head)
{
    static const char *const columns[] = {"#", "Overhead"}, *const summed[] = {"#", "Children"};
    struct slice rest = head->bytes, line, word;
    bool table = false, row = false;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++) {
        table = table || has_words(line, columns, 2) || has_words(line, summed, 2);
        if (!table && line.len && line.ptr[0] != '#')
            return false;
        if (table && is_folded_row(line))
            return false;
        row = row || (table && slice_word(&line, &word) && slice_ends(word, SLICE("%")));
    }
    return row;
}

bool refused_uftrace_replay(const struct head *head)
{
    static const char *const columns[] = {"#", "DURATION", "TID", "FUNCTION"};
    struct slice rest = head->bytes, line;

    return head_line(head, &rest, &line) && has_words(line, columns, 4) &&
           head_line(head, &rest, &line) && slice_search(line, SLICE("] | ")) < line.len;
}

bool refused_xdebug_trace(const struct head *head)
{
    struct slice rest = head->bytes, line, word;
    struct decimal seconds;
    uint64_t bytes;

    if (slice_starts(rest, SLICE("<table class='xdebug-trace'")))
        return true;
    return head_line(head, &rest, &line) && slice_starts(line, SLICE("TRACE START [")) &&
           head_line(head, &rest, &line) && slice_word(&line, &word) &&
           num_parse_decimal(word, &seconds) && slice_word(&line, &word) &&
           num_parse_u64(word, &bytes);
}

bool refused_aix_tprof(const struct head *head)
{
    static const char *const columns[] = {"Process", "FREQ", "Total", "Kernel", "User"};
    struct slice rest = head->bytes, line;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++)
        if (has_words(line, columns, 5))
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
        below = below || has_words(line, words, count);
    }
    return false;
}

/* A number, with what a unit or a '%' adds to it. */
static bool is_figure(struct slice word, const char *unit)
{
    size_t n = 0;

    while (n < word.len && memchr("0123456789.", word.ptr[n], 11))
        n++;
    return n > 0 && (!unit || slice_equal(slice_skip(word, n), slice_str(unit)));
}

/* "[1]    100.0   0.16   1.77 ...": a function among its callers and callees. */
static bool is_call_graph_row(struct slice line)
{
    struct slice word;

    return slice_word(&line, &word) && slice_starts(word, SLICE("[")) &&
           slice_ends(word, SLICE("]")) && slice_word(&line, &word) && is_figure(word, "");
}

/* " 18.18      0.06     0.06    23480   0.00 ..." */
static bool is_flat_row(struct slice line)
{
    struct slice word;

    for (int i = 0; i < 3; i++)
        if (!slice_word(&line, &word) || !is_figure(word, ""))
            return false;
    return slice_trim(line).len > 0;
}

bool refused_gprof(const struct head *head)
{
    static const char *const gnu[] = {"index", "%", "time", "self", "children"};
    static const char *const bsd[] = {"index", "%time", "self", "descendents"};
    static const char *const flat[] = {"%", "cumulative", "self"};

    return has_table(head, gnu, 5, is_call_graph_row) ||
           has_table(head, bsd, 4, is_call_graph_row) || has_table(head, flat, 3, is_flat_row);
}

bool refused_vtune_gprof(const struct head *head)
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

bool refused_pprof_table(const struct head *head)
{
    static const char *const columns[] = {"flat", "flat%", "sum%", "cum", "cum%"};
    static const char *const total[] = {"Total:"};
    struct slice rest = head->bytes, line;

    if (has_table(head, columns, 5, is_pprof_row))
        return true;
    return head_line(head, &rest, &line) && has_words(line, total, 1) &&
           head_line(head, &rest, &line) && is_pprof_row(line);
}

bool refused_v8_report(const struct head *head)
{
    struct slice rest = head->bytes, line;

    return head_line(head, &rest, &line) &&
           slice_starts(line, SLICE("Statistical profiling result from ")) &&
           slice_search(line, SLICE(" ticks, ")) < line.len;
}

bool refused_scalene(const struct head *head)
{
    return head_has(head, "elapsed_time_sec") && head_has(head, "files") &&
           (head_has(head, "alloc_samples") || head_has(head, "max_footprint_mb"));
}

bool refused_sleepy(const struct head *head)
{
    static const char *const members[] = {"Stats.txt", "Symbols.txt", "Callstacks.txt",
                                          "IPCounts.txt"};
    int found = 0;

    if (!slice_starts(head->bytes, SLICE("PK\3\4")))
        return false;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        found += slice_search(head->bytes, slice_str(members[i])) < head->bytes.len;
    return found >= 2;
}

bool refused_go_trace(const struct head *head)
{
    enum { HEADER = 16 };
    struct slice first = slice_take(head->bytes, HEADER);

    return slice_starts(first, SLICE("go 1.")) &&
           slice_search(first, SLICE(" trace\0")) < first.len;
}
