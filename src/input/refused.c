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
    static const char *const columns[] = {"#", "Overhead"};
    struct slice rest = head->bytes, line, word;
    bool table = false, row = false;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++) {
        table = table || has_words(line, columns, 2);
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
