#include "input/perf_event.h"

#include "base/num.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A place in the line that moves forward. */
struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
}

/* Digits at the cursor, and the cursor behind them; empty where there are none. */
static struct slice take_digits(struct cursor *c)
{
    const char *from = c->at;

    while (c->at < c->end && is_digit(*c->at))
        c->at++;
    return slice_make(from, (size_t)(c->at - from));
}

static bool take_byte(struct cursor *c, char byte)
{
    if (c->at == c->end || *c->at != byte)
        return false;
    c->at++;
    return true;
}

static bool at_blank(const struct cursor *c)
{
    return c->at < c->end && is_blank(*c->at);
}

/* "17" or "17/42" and a blank. */
static bool take_ids(struct cursor *c, struct perf_event *e)
{
    e->pid = slice_make(NULL, 0);
    e->tid = take_digits(c);
    if (!e->tid.len)
        return false;
    if (take_byte(c, '/')) {
        e->pid = e->tid;
        e->tid = take_digits(c);
        if (!e->tid.len)
            return false;
    }
    return at_blank(c);
}

/* "[003]", which is passed over. */
static void take_cpu(struct cursor *c)
{
    struct cursor try = *c;

    if (take_byte(&try, '[') && take_digits(&try).len && take_byte(&try, ']') && at_blank(&try)) {
        skip_blanks(&try);
        *c = try;
    }
}

/* "4794564.109216:" as nanoseconds; digits behind the ninth are dropped. */
static void take_time(struct cursor *c, struct perf_event *e)
{
    struct cursor try = *c;
    struct slice seconds = take_digits(&try), fraction;
    uint64_t s, ns;

    e->has_time = false;
    if (!seconds.len || !take_byte(&try, '.'))
        return;
    fraction = take_digits(&try);
    if (!fraction.len || !take_byte(&try, ':'))
        return;
    *c = try;
    skip_blanks(c);
    fraction = slice_take(fraction, 9);
    if (!num_parse_u64(seconds, &s) || !num_mul(s, num_pow10(9), &s) ||
        !num_parse_u64(fraction, &ns) ||
        !num_add(s, ns * num_pow10(9 - (unsigned)fraction.len), &e->time_ns))
        return;
    e->has_time = true;
}

static void take_period(struct cursor *c, struct perf_event *e)
{
    struct cursor try = *c;

    e->period = take_digits(&try);
    if (e->period.len && at_blank(&try)) {
        skip_blanks(&try);
        *c = try;
    } else {
        e->period = slice_make(NULL, 0);
    }
}

/* One word that ends in a colon, or "raw 0x1a8:" as perf names unnamed events. */
static bool take_name(struct cursor *c, struct perf_event *e)
{
    struct slice rest = {c->at, (size_t)(c->end - c->at)};
    const char *from = c->at;
    size_t raw = slice_starts(rest, SLICE("raw 0x")) ? 4 : 0;

    c->at += raw;
    while (c->at < c->end && !is_blank(*c->at))
        c->at++;
    if ((size_t)(c->at - from) < 2 || c->at[-1] != ':')
        return false;
    e->name = slice_make(from, (size_t)(c->at - from) - 1);
    return true;
}

/* Everything behind the comm. */
static bool take_fields(struct cursor c, struct perf_event *e)
{
    if (!take_ids(&c, e))
        return false;
    skip_blanks(&c);
    take_cpu(&c);
    take_time(&c, e);
    take_period(&c, e);
    if (!take_name(&c, e))
        return false;
    e->rest = slice_trim(slice_make(c.at, (size_t)(c.end - c.at)));
    return true;
}

bool perf_event_parse(struct slice line, struct perf_event *e)
{
    enum { MOST_WORDS = 16 };
    struct cursor c = {line.ptr, line.ptr + line.len};
    const char *comm, *comm_end;

    skip_blanks(&c);
    if (c.at == c.end || *c.at == '#')
        return false;
    comm = c.at;
    /* The first number that the other fields follow ends the comm, which may hold numbers. */
    for (unsigned word = 0; word < MOST_WORDS; word++) {
        while (c.at < c.end && !is_blank(*c.at))
            c.at++;
        comm_end = c.at;
        skip_blanks(&c);
        if (c.at == c.end)
            return false;
        if (!is_digit(*c.at) || !take_fields(c, e))
            continue;
        e->comm = slice_make(comm, (size_t)(comm_end - comm));
        return true;
    }
    return false;
}

/* "uppp" and the like: what may follow an event's name behind a colon. */
static bool is_modifier(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!memchr("ukhGHIDeSWpPbR", s.ptr[i], 14))
            return false;
    return s.len <= 8;
}

struct slice perf_event_base(struct slice name)
{
    size_t colon = slice_find_last(name, ':');

    return is_modifier(slice_skip(name, colon + 1)) ? slice_take(name, colon) : name;
}

struct unit perf_event_unit(const struct perf_event *e)
{
    struct slice base = perf_event_base(e->name);

    if (!e->period.len)
        return unit_samples;
    if (slice_equal(base, SLICE("cpu-clock")) || slice_equal(base, SLICE("task-clock")))
        return (struct unit){.kind = UNIT_SECONDS, .exponent = -9};
    return (struct unit){.kind = UNIT_COUNT, .noun = base};
}
