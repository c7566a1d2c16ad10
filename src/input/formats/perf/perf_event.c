#include "input/formats/perf/perf_event.h"

#include "base/num.h"
#include "profile/event.h"

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

/* Digits with a minus sign before them, perhaps. */
static inline const char *skip_number(const char *p, const char *end)
{
    const char *digits = p + (p < end && *p == '-'), *behind = skip_digits(digits, end);

    return behind > digits ? behind : p;
}

/* "17" or "17/42" and blanks, "-1" for a process that is gone; NULL where it is not that. */
static inline const char *take_ids(const char *p, const char *end, struct perf_event *e)
{
    const char *digits = skip_number(p, end);

    e->pid = slice_make(NULL, 0);
    e->tid = between(p, digits);
    if (digits < end && *digits == '/') {
        e->pid = e->tid;
        p = digits + 1;
        digits = skip_number(p, end);
        e->tid = between(p, digits);
    }
    if (p == digits || digits == end || !is_blank(*digits))
        return NULL;
    return skip_blanks(digits, end);
}

/* "[003]", "[-01]" where it is not known */
static inline const char *take_cpu(const char *p, const char *end, struct perf_event *e)
{
    const char *digits;

    e->cpu = slice_make(NULL, 0);
    if (p == end || *p != '[')
        return p;
    digits = skip_number(p + 1, end);
    if (digits == p + 1 || end - digits < 2 || *digits != ']' || !is_blank(digits[1]))
        return p;
    if (p[1] != '-')
        e->cpu = between(p + 1, digits);
    return skip_blanks(digits + 1, end);
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

/* "4794564.109216:" in nanoseconds; digits behind the ninth of the fraction are dropped. */
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

/* "K     ", "Sp    ": where it was interrupted (perf script -F +misc). */
static const char *skip_mode(const char *p, const char *end)
{
    const char *start = p;

    while (p < end && memchr("KUHGgMESp", *p, 9))
        p++;
    return p > start && p < end && is_blank(*p) ? skip_blanks(p, end) : start;
}

/* What few people have printed before the time, and the time. */
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
    const char *digits = skip_digits(p, end);

    e->period = slice_make(NULL, 0);
    if (digits == p || digits == end || !is_blank(*digits))
        return p;
    e->period = between(p, digits);
    return skip_blanks(digits, end);
}

/* One word that ends in a colon, or "raw 0x1a8:" as perf names unnamed events; else NULL. */
static inline const char *take_name(const char *p, const char *end, struct perf_event *e)
{
    const char *word_end = skip_word(p, end);

    if (word_end - p == 3 && slice_starts(between(p, end), SLICE("raw 0x")))
        word_end = skip_word(word_end + 1, end);
    if (word_end - p < 2 || word_end[-1] != ':')
        return NULL;
    e->name = between(p, word_end - 1);
    return word_end;
}

/* Everything behind the comm. */
static inline bool take_fields(const char *p, const char *end, struct perf_event *e)
{
    p = take_ids(p, end, e);
    if (!p)
        return false;
    p = take_cpu(p, end, e);
    p = take_moment(p, end, e);
    p = take_period(p, end, e);
    if (p == end && e->has_time) {
        e->name = e->rest = slice_make(NULL, 0);
        return true;
    }
    p = take_name(p, end, e);
    if (!p)
        return false;
    e->rest = slice_trim(between(p, end));
    return true;
}

/* "12/34 [000] 1.5: cycles:", printed without the comm: a number stands for it. */
static bool take_nameless(const char *p, const char *end, struct perf_event *e)
{
    if (!take_fields(p, end, e) || !e->has_time || !e->name.len)
        return false;
    e->comm = e->pid.len ? e->pid : e->tid;
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
    static const char *const clocks[] = {"cpu-clock", "task-clock"};
    struct slice base = event_base(e->name);

    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
        if (slice_equal(base, slice_str(clocks[i])))
            return true;
    if (slice_starts(base, SLICE("sched:sched_stat_")))
        return true;
    /* perf inject -s makes the period of a switch the time off the CPU; no count is as high. */
    return slice_equal(base, SLICE("sched:sched_switch")) && e->period.len > 3;
}

struct unit perf_event_unit(const struct perf_event *e)
{
    if (!e->period.len)
        return unit_samples;
    if (counts_time(e))
        return (struct unit){.kind = UNIT_SECONDS, .exponent = -9};
    if (!e->name.len)
        return (struct unit){.kind = UNIT_COUNT, .noun = SLICE("events")};
    return (struct unit){.kind = UNIT_COUNT, .noun = event_base(e->name)};
}
