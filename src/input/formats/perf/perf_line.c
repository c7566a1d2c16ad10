#include "input/formats/perf/perf_line.h"

#include "base/ascii.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/formats/perf/perf_frame.h"
#include "profile/event.h"

/* ---- event lines ----------------------------------------------------------------------------- */

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static inline const char *skip_word(const char *p, const char *end)
{
    while (p < end && !is_blank(*p))
        p++;
    return p;
}

static inline const char *skip_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

static inline struct slice between(const char *from, const char *to)
{
    return slice_make(from, (size_t)(to - from));
}

/* The end of the digits at `p`, and the number that the first `most` (eight or more) make. */
static inline const char *take_digits(const char *p, const char *end, unsigned most,
                                      uint64_t *value)
{
    const char *from = p;

    *value = 0;
    if (end - p >= 8)
        p += num_take_digits(p, value);
    for (; p < end && is_digit(*p); p++)
        if (p - from < most)
            *value = *value * 10 + (uint64_t)(*p - '0');
    return p;
}

/* Takes up to 18 digits, perhaps with a minus sign before them. Returns `p` if there are none. */
static inline const char *take_number(const char *p, const char *end, int64_t *value)
{
    enum { MOST = 18 };
    bool minus = p < end && *p == '-';
    uint64_t number;
    const char *digits = p + minus, *behind = take_digits(digits, end, MOST, &number);

    if (behind == digits || behind - digits > MOST)
        return p;
    *value = minus ? -(int64_t)number : (int64_t)number;
    return behind;
}

/*
 * Takes "17" or "17/42" and blanks ("-1" for a process that has exited). Returns NULL for
 * anything else.
 */
static inline const char *take_ids(const char *p, const char *end, struct perf_event *e)
{
    const char *digits = take_number(p, end, &e->tid);

    e->pid = PERF_NO_ID;
    if (p < digits && digits < end && *digits == '/') {
        e->pid = e->tid;
        p = digits + 1;
        digits = take_number(p, end, &e->tid);
    }
    if (p == digits || digits == end || !is_blank(*digits))
        return NULL;
    return skip_blanks(digits, end);
}

/* "[003]", or "[-01]" if unknown */
static inline const char *take_cpu(const char *p, const char *end, struct perf_event *e)
{
    const char *digits;
    int64_t cpu;

    e->has_cpu = false;
    e->cgroup = slice_make(NULL, 0);
    e->fields = NULL;
    if (p == end || *p != '[')
        return p;
    digits = take_number(p + 1, end, &cpu);
    if (digits == p + 1 || end - digits < 2 || *digits != ']' || !is_blank(digits[1]))
        return p;
    e->has_cpu = cpu >= 0;
    e->cpu = (uint64_t)cpu;
    return skip_blanks(digits + 1, end);
}

/* "4794564.109216:" in nanoseconds; digits after the ninth of the fraction are dropped. */
static inline const char *take_time(const char *p, const char *end, struct perf_event *e)
{
    enum { SECONDS = 10, FRACTION = 9 }; /* digits of the time since 1970, which perf -k has */
    uint64_t seconds, fraction;
    const char *dot = take_digits(p, end, SECONDS, &seconds), *colon;

    e->has_time = false;
    if (dot == p || dot == end || *dot != '.')
        return p;
    colon = take_digits(dot + 1, end, FRACTION, &fraction);
    if (colon == dot + 1 || colon == end || *colon != ':')
        return p;
    e->has_time = dot - p <= SECONDS;
    if (colon - dot <= FRACTION)
        fraction *= num_pow10(FRACTION - (unsigned)(colon - dot - 1));
    e->time_ns = seconds * num_pow10(FRACTION) + fraction;
    return skip_blanks(colon + 1, end);
}

/* "2021-03-04 10:11:12.123456 ", the time of day (perf script -F +tod). */
static const char *skip_time_of_day(const char *p, const char *end)
{
    static const char form[] = "0000-00-00 00:00:00.";
    const char *start = p;

    for (size_t i = 0; form[i]; i++, p++)
        if (p == end || (form[i] == '0' ? !is_digit(*p) : *p != form[i]))
            return start;
    p = skip_digits(p, end);
    return p < end && is_blank(*p) ? skip_blanks(p, end) : start;
}

/* "K ", "Sp ": the mode of the CPU (perf script -F +misc). */
static const char *skip_mode(const char *p, const char *end)
{
    const char *start = p;

    while (p < end && memchr("KUHGgMESp", *p, 9))
        p++;
    return p > start && p < end && is_blank(*p) ? skip_blanks(p, end) : start;
}

/* Takes the rarely printed fields before the time, and the time. */
static const char *take_moment(const char *p, const char *end, struct perf_event *e)
{
    const char *behind = take_time(p, end, e), *day, *rest;

    if (e->has_time || behind != p)
        return behind;
    day = skip_mode(p, end);
    rest = skip_time_of_day(day, end);
    if (rest == p)
        return p;
    behind = take_time(rest, end, e);
    return behind != rest || rest != day ? behind : p;
}

static inline const char *take_period(const char *p, const char *end, struct perf_event *e)
{
    enum { MOST = 19 };
    const char *digits = take_digits(p, end, MOST, &e->period);

    e->too_high = slice_make(NULL, 0);
    e->has_period = digits > p && digits < end && is_blank(*digits);
    if (!e->has_period)
        return p;
    if (digits - p > MOST && !num_parse_u64(between(p, digits), &e->period))
        e->too_high = between(p, digits);
    return skip_blanks(digits, end);
}

/*
 * Whether a number that follows the ids is a period: perf pads it to ten columns, unlike the id in
 * "worker 1 4711 cycles:". With a time before it, nothing else can stand there.
 */
static inline bool is_padded(const char *period)
{
    enum { COLUMNS = 10 };
    const char *from = period, *to = period;

    while (is_blank(from[-1]))
        from--;
    while (is_digit(*to))
        to++;
    return to - from > COLUMNS;
}

/*
 * One word that ends in a colon, or "raw 0x1a8:" as perf names unnamed events; else NULL. A time is
 * no name: in "worker 1 4711 1.5: cycles:" the 1 belongs to the comm.
 */
static inline const char *take_name(const char *p, const char *end, struct perf_event *e)
{
    const char *word_end = skip_word(p, end);

    if (p < end && is_digit(*p) && take_time(p, end, e) != p)
        return NULL;
    if (word_end - p == 3 && slice_starts(between(p, end), SLICE("raw 0x")))
        word_end = skip_word(word_end + 1, end);
    if (word_end - p < 2 || word_end[-1] != ':')
        return NULL;
    e->name = between(p, word_end - 1);
    return word_end;
}

/* perf script --no-merge-callchains prints it in the place of an event's name. */
static const struct slice chain_mark = {"DEFERRED CALLCHAIN [cookie: ", 28};

/* Takes all fields after the comm. */
static inline bool take_fields(const char *p, const char *end, struct perf_event *e)
{
    const char *ids, *moment;

    p = take_ids(p, end, e);
    if (!p)
        return false;
    ids = take_cpu(p, end, e);
    moment = take_moment(ids, end, e);
    p = take_period(moment, end, e);
    if (moment == ids && e->has_period && !is_padded(moment))
        return false;
    if (e->has_time && (p == end || slice_starts(between(p, end), chain_mark))) {
        e->name = slice_make(NULL, 0);
        e->rest = between(p, end);
        return true;
    }
    p = take_name(p, end, e);
    if (!p)
        return false;
    e->rest = slice_trim(between(p, end));
    return true;
}

/* "12/34 [000] 1.5: cycles:", printed without the comm: a number replaces it. */
static bool take_nameless(const char *p, const char *end, struct perf_event *e)
{
    if (!take_fields(p, end, e) || !e->has_time || !e->name.len)
        return false;
    e->comm = between(p, skip_digits(p, end));
    return true;
}

bool perf_event_parse(struct slice line, struct perf_event *e)
{
    enum { MOST_WORDS = 16 };
    const char *end = line.ptr + line.len;
    const char *comm = skip_blanks(line.ptr, end), *comm_end, *p = comm;

    if (comm == end || *comm == '#')
        return false;
    if (is_digit(*comm) && take_nameless(comm, end, e))
        return true;
    /* The first number that the other fields follow ends the comm, which may hold numbers. */
    for (unsigned word = 0; word < MOST_WORDS; word++) {
        comm_end = skip_word(p, end);
        p = skip_blanks(comm_end, end);
        if (p == end)
            return false;
        if ((is_digit(*p) || *p == '-') && take_fields(p, end, e)) {
            e->comm = between(comm, comm_end);
            return true;
        }
    }
    return false;
}

/* Events whose periods are nanoseconds: clocks, and what the scheduler counts as delay or run. */
static bool counts_time(const struct perf_event *e)
{
    struct slice base = event_counted(e->name);

    if (slice_is_any(base, "cpu-clock", "task-clock") ||
        slice_starts(base, SLICE("sched:sched_stat_")))
        return true;
    /* perf inject -s makes the period of a switch the time off the CPU; no count is as high. */
    return slice_equal(base, SLICE("sched:sched_switch")) && e->period > 999;
}

struct unit perf_event_unit(const struct perf_event *e)
{
    if (!e->has_period)
        return unit_samples;
    if (counts_time(e))
        return (struct unit){.kind = UNIT_SECONDS, .exponent = -9};
    if (!e->name.len)
        return (struct unit){.kind = UNIT_COUNT, .noun = SLICE("events")};
    return (struct unit){.kind = UNIT_COUNT, .noun = event_counted(e->name)};
}

/* ---- kinds of lines -------------------------------------------------------------------------- */

/*
 * "file.c:12" or "lib.so[1f]", which perf script -F +srcline writes after two blanks. What ends an
 * inlined frame comes after it.
 */
static bool is_source(struct slice s)
{
    const struct slice inlined = SLICE(PERF_LINE_INLINED);
    struct slice number;
    bool bracket;

    if (slice_ends(s, inlined))
        s = slice_take(s, s.len - inlined.len);
    bracket = slice_ends(s, SLICE("]"));
    number = slice_skip(s, slice_find_last(s, bracket ? '[' : ':') + 1);
    if (bracket)
        number.len--;
    for (size_t i = 0; i < number.len; i++)
        if (!memchr("0123456789abcdef", number.ptr[i], bracket ? 16 : 10))
            return false;
    return number.len > 0;
}

/*
 * Further output of perf script -F after the frames: " ABI:2 AX:0x1", " insn: 48 89", "
 * main+0x1/f+0x0/P/-/-/3", " /user.slice"; and source code after its place.
 */
static bool is_extra(struct slice line, struct slice content)
{
    if (line.ptr[0] == '|')
        return line.len > 1 && ascii_is_digit(line.ptr[1]);
    if (line.ptr[0] != ' ' || line.len < 2 || line.ptr[1] == ' ')
        return false;
    return slice_starts_any(content, "ABI:", "insn:", "ilen:", "/") ||
           slice_has(content, SLICE("/P/")) || slice_has(content, SLICE("/M/"));
}

/* Messages of perf, its libraries and its helpers, which `2>&1` writes among the samples. */
static bool is_remark(struct slice content)
{
    return slice_starts_any(
               content, "Failed to open /", "no symbols found in ", "Check IO/CPU overload!",
               "[ perf record: ", "Warning:", "cmd__addr2line ", "Cannot load tips.txt",
               "BFD: ", "addr2line ", "WARNING: Kernel address maps ") ||
           slice_has_any(content, "addr2line: ", " continuing without symbols",
                         ": failed to process type: ", " out of order events recorded.") ||
           (slice_starts(content, SLICE("Processed ")) &&
            slice_has(content, SLICE(" events and lost ")));
}

/* True if perf wrote a message into a frame: "7f1e main+0x1cmd__addr2line /bin/a: could ...". */
static bool is_broken_frame(struct slice content)
{
    return slice_has_any(content, "cmd__addr2line /",
                         "addr2line: ", ": could not read first record",
                         " continuing without symbols");
}

/* What is no event, no frame and no place in the source. */
static enum perf_line_kind classify_other(struct slice line, struct slice content)
{
    if (slice_has(content, SLICE(" PERF_RECORD_")))
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
    return e->comm.len > LONGEST && slice_has(e->comm, SLICE(" PERF_RECORD_"));
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

/* A frame that is not indented, "7f1e main (/bin/a)", must have its module to be told from text. */
static bool is_bare_frame(struct slice line, struct slice content)
{
    return perf_frame_address(line.ptr, line.ptr + line.len) > 0 &&
           slice_ends(content, SLICE(")")) && slice_search(content, SLICE(" (")) < content.len;
}

/* Takes the place of the user's frames in a sample whose user call chain is printed apart. */
static const struct slice cookie_mark = {" (cookie) (", 11};

static size_t hex_length(struct slice text)
{
    size_t len = 0;

    while (len < text.len && memchr("0123456789abcdef", text.ptr[len], 16))
        len++;
    return len;
}

uint64_t perf_line_cookie(struct slice text)
{
    uint64_t cookie = 0;

    if (slice_starts(text, chain_mark))
        text = slice_skip(text, chain_mark.len);
    text = slice_trim(text);
    num_parse_hex(slice_take(text, hex_length(text)), &cookie);
    return cookie;
}

bool perf_line_has_chains(struct slice start)
{
    return slice_has(start, cookie_mark) || slice_has(start, chain_mark);
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
    else if (is_bare_frame(line, content))
        kind = PERF_FRAME;
    if (kind == PERF_EVENT && is_record(e))
        return PERF_RECORD;
    if (kind == PERF_EVENT && slice_starts(e->rest, chain_mark))
        return PERF_CHAIN;
    if (kind == PERF_FRAME && is_broken_frame(content))
        return PERF_OTHER;
    if (kind == PERF_FRAME && slice_has(content, cookie_mark))
        return PERF_COOKIE;
    return kind == PERF_OTHER ? classify_other(line, content) : kind;
}

/* What was seen of a file that may be perf script's. */
struct evidence {
    unsigned header; /* "# captured on" and the like */
    unsigned events; /* event lines with a time */
    unsigned timeless;
    unsigned frames; /* frames after an event line */
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
    case PERF_CHAIN:
        seen->events++;
        break;
    case PERF_COOKIE:
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

/* "name = cpu/event=0x3c,umask=0x1/, , id = { 1 }" as "cpu/event=0x3c,umask=0x1/". */
static struct slice event_name(struct slice value)
{
    const struct slice key = SLICE("name = "), end = SLICE(", ");

    if (!slice_starts(value, key))
        return value;
    value = slice_skip(value, key.len);
    return slice_take(value, slice_search(value, end));
}

/* "cycles, ..., { sample_period, sample_freq } = 1000, ...": notes the period unless it varies. */
static void note_period(struct slice event, struct profile *profile)
{
    static const char *const marks[] = {"{ sample_period, sample_freq } = ", "sample_period = "};
    struct slice name = event_name(event);

    if (slice_has(event, SLICE(" freq = 1")))
        return;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        struct slice mark = slice_str(marks[i]);
        struct slice value = slice_skip(event, slice_search(event, mark));
        uint64_t period;
        struct buf key = {0};

        value = slice_skip(value, mark.len);
        value = slice_take(value, slice_find(value, ','));
        if (!num_parse_u64(value, &period) || !period)
            continue;
        buf_printf(&key, "period of %.*s", SLICE_ARG(name));
        profile_add_fact(profile, buf_slice(&key), value);
        buf_release(&key);
        return;
    }
}

/* "perf record -c 1000 ...": notes the period of all events, if perf's own options give one. */
static void note_count(struct slice command, struct profile *profile)
{
    static const char *const options[] = {"--count=", "--count", "-c"};
    struct slice word;
    uint64_t period;

    while (slice_word(&command, &word) && !slice_equal(word, SLICE("--"))) {
        for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
            struct slice rest = command;

            if (!slice_starts(word, slice_str(options[i])))
                continue;
            word = slice_skip(word, slice_str(options[i]).len);
            if ((word.len || slice_word(&rest, &word)) && num_parse_u64(word, &period) && period) {
                profile_add_fact(profile, SLICE("period"), word);
                return;
            }
        }
    }
}

void perf_line_note(struct slice comment, struct profile *profile)
{
    static const char *const keys[] = {"hostname",    "os release", "perf version",
                                       "arch",        "cpudesc",    "nrcpus online",
                                       "captured on", "cmdline",    "total memory"};
    struct slice key, value, rest = slice_trim(slice_skip(slice_trim(comment), 1));
    size_t colon = slice_find(rest, ':');
    struct buf clean = {0};

    if (colon == rest.len)
        return;
    key = slice_trim(slice_take(rest, colon));
    value = slice_trim(slice_skip(rest, colon + 1));
    utf8_add_clean(&clean, value);
    value = buf_slice(&clean);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (slice_equal(key, slice_str(keys[i])) && value.len)
            profile_add_fact(profile, key, value);
    if (slice_equal(key, SLICE("event"))) {
        profile_add_fact(profile, key, event_name(value));
        profile_list_event(profile, event_name(value));
        note_period(value, profile);
    }
    if (slice_equal(key, SLICE("cmdline")))
        note_count(value, profile);
    buf_release(&clean);
}
