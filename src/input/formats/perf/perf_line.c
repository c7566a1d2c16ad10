#include "input/formats/perf/perf_line.h"

#include "base/utf8.h"
#include "input/formats/perf/perf_frame.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* "file.c:12" or "lib.so[1f]": perf script -F +srcline writes it behind two blanks. */
static bool is_source(struct slice s)
{
    bool bracket = slice_ends(s, SLICE("]"));
    struct slice number = slice_skip(s, slice_find_last(s, bracket ? '[' : ':') + 1);

    if (bracket)
        number.len--;
    for (size_t i = 0; i < number.len; i++)
        if (!memchr("0123456789abcdef", number.ptr[i], bracket ? 16 : 10))
            return false;
    return number.len > 0;
}

/*
 * What perf script -F prints behind the frames: " ABI:2 AX:0x1", " insn: 48 89",
 * " main+0x1/f+0x0/P/-/-/3", " /user.slice"; and source code below its place.
 */
static bool is_extra(struct slice line, struct slice content)
{
    static const char *const starts[] = {"ABI:", "insn:", "ilen:", "/"};

    if (line.ptr[0] == '|')
        return line.len > 1 && line.ptr[1] >= '0' && line.ptr[1] <= '9';
    if (line.ptr[0] != ' ' || line.len < 2 || line.ptr[1] == ' ')
        return false;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(content, slice_str(starts[i])))
            return true;
    return slice_search(content, SLICE("/P/")) < content.len ||
           slice_search(content, SLICE("/M/")) < content.len;
}

static bool is_remark(struct slice content)
{
    static const char *const starts[] = {
        "Failed to open /", "no symbols found in ", "Check IO/CPU overload!", "[ perf record: ",
        "Warning:",         "addr2line: ",          "Cannot load tips.txt"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(content, slice_str(starts[i])))
            return true;
    return slice_starts(content, SLICE("Processed ")) &&
           slice_search(content, SLICE(" events and lost ")) < content.len;
}

/* What is no event, no frame and no place in the source. */
static enum perf_line_kind classify_other(struct slice line, struct slice content)
{
    if (slice_search(content, SLICE(" PERF_RECORD_")) < content.len)
        return PERF_RECORD;
    if (is_extra(line, content))
        return PERF_EXTRA;
    return is_remark(content) ? PERF_REMARK : PERF_OTHER;
}

/*
 * Some records look like events: "PERF_RECORD_COMM: sh:1/1", and a mapping's
 * ends in what could be an event of a process with a very long name.
 */
static bool is_record(const struct perf_event *e)
{
    enum { LONGEST = 15 }; /* names of threads in Linux */

    if (slice_starts(e->name, SLICE("PERF_RECORD_")))
        return true;
    return e->comm.len > LONGEST && slice_search(e->comm, SLICE(" PERF_RECORD_")) < e->comm.len;
}

static enum perf_line_kind classify_indented(struct slice line, struct slice content,
                                             struct perf_event *e)
{
    bool frame = perf_frame_address(line.ptr, line.ptr + line.len) > 0;

    /* "cafe" may be an address or the name of a process: only the latter has a time. */
    if (perf_event_parse(line, e) && (!frame || e->has_time))
        return PERF_EVENT;
    if (frame)
        return PERF_FRAME;
    return slice_starts(line, SLICE("  ")) && is_source(content) ? PERF_SOURCE : PERF_OTHER;
}

enum perf_line_kind perf_line_classify(struct slice line, struct perf_event *e)
{
    struct slice content = slice_trim(line);
    enum perf_line_kind kind = PERF_OTHER;

    if (!content.len)
        return PERF_BLANK;
    if (content.ptr[0] == '#')
        return PERF_COMMENT;
    if (is_blank(line.ptr[0]))
        kind = classify_indented(line, content, e);
    else if (perf_event_parse(line, e))
        kind = PERF_EVENT;
    if (kind == PERF_EVENT && is_record(e))
        return PERF_RECORD;
    return kind == PERF_OTHER ? classify_other(line, content) : kind;
}

/* What was seen of a file that may be perf script's. */
struct evidence {
    unsigned header; /* "# captured on" and the like */
    unsigned events; /* event lines with a time */
    unsigned timeless;
    unsigned frames; /* frames behind an event line */
    unsigned other;  /* lines that perf does not write */
};

static void weigh(struct slice line, struct evidence *seen)
{
    struct perf_event e;

    switch (perf_line_classify(line, &e)) {
    case PERF_COMMENT:
        seen->header +=
            slice_starts(line, SLICE("# captured on")) || slice_starts(line, SLICE("# cmdline :"));
        break;
    case PERF_EVENT:
        if (e.has_time && e.name.len)
            seen->events++;
        else
            seen->timeless++;
        seen->frames += e.has_time && e.rest.len > 0;
        break;
    case PERF_FRAME:
        seen->frames += seen->events + seen->timeless > 0;
        seen->other += seen->events + seen->timeless == 0;
        break;
    case PERF_OTHER:
        seen->other++;
        break;
    case PERF_BLANK:
    case PERF_SOURCE:
    case PERF_RECORD:
    case PERF_EXTRA:
    case PERF_REMARK:
        break;
    }
}

bool perf_line_claims(struct slice head, bool whole)
{
    enum { LINES = 64 };
    struct evidence seen = {0};
    unsigned lines = 0;
    struct slice line;

    while (lines < LINES && slice_line(&head, &line)) {
        if (!head.len && !whole)
            break; /* perhaps cut */
        weigh(line, &seen);
        if (!seen.events && !seen.timeless && seen.other)
            return false;
        lines += seen.events + seen.timeless > 0;
    }
    if (!seen.events && !seen.timeless)
        return whole && seen.header > 0;
    if (seen.other > (seen.events + seen.timeless + seen.frames) / 2)
        return false;
    return seen.frames > 0 || seen.events > 1 || (whole && seen.events > 0);
}

/* "name = cycles, , id = { 1 }" as "cycles". */
static struct slice event_name(struct slice value)
{
    const struct slice key = SLICE("name = ");

    if (!slice_starts(value, key))
        return value;
    value = slice_skip(value, key.len);
    return slice_take(value, slice_find(value, ','));
}

void perf_line_note(struct slice comment, struct profile *profile)
{
    static const char *const keys[] = {"hostname",    "os release", "perf version",
                                       "arch",        "cpudesc",    "nrcpus online",
                                       "captured on", "cmdline",    "total memory"};
    struct slice key, value, rest = slice_trim(slice_skip(slice_trim(comment), 1));
    size_t colon = slice_find(rest, ':');
    struct buf clean;

    if (colon == rest.len)
        return;
    key = slice_trim(slice_take(rest, colon));
    value = slice_trim(slice_skip(rest, colon + 1));
    buf_init(&clean);
    utf8_add_clean(&clean, value);
    value = buf_slice(&clean);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (slice_equal(key, slice_str(keys[i])) && value.len)
            profile_add_fact(profile, key, value);
    if (slice_equal(key, SLICE("event")))
        profile_add_fact(profile, key, event_name(value));
    buf_release(&clean);
}
