#include "profile/event.h"

#include <string.h>

#include "base/ascii.h"

/* Whether `s` has only letters that perf accepts as modifiers after the last colon, as "uppp". */
static bool is_modifier(struct slice s)
{
    enum { LONGEST = 8 };

    for (size_t i = 0; i < s.len; i++)
        if (!memchr("ukhGHIDeSWpPbR", s.ptr[i], 14))
            return false;
    return s.len <= LONGEST;
}

/*
 * "cpu" and the units that hybrid processors have for their kinds of cores. Others, as ibs_op and
 * uncore_imc_0, give the same words another meaning.
 */
static bool is_core(struct slice unit)
{
    return slice_equal(unit, SLICE("cpu")) || slice_starts_any(unit, "cpu_", "armv", "apple_");
}

/* A name and any terms after it, "mem-loads,ldlat=30", but no code: "r3c", "event=0x3c". */
static bool is_event_name(struct slice event)
{
    struct slice name = slice_take(event, slice_find(event, ','));
    size_t digits = 1;

    if (!name.len || !ascii_is_letter(name.ptr[0]) || slice_has(name, SLICE("=")))
        return false;
    while (digits < name.len && ascii_is_hex(name.ptr[digits]))
        digits++;
    return name.ptr[0] != 'r' || digits < name.len;
}

/* Whether `name` has a unit of hardware, slashes around an event, and modifiers. */
static bool take_apart(struct slice name, struct event_parts *parts)
{
    size_t first = slice_find(name, '/');
    struct slice rest = slice_skip(name, first + 1);
    size_t second = slice_find(rest, '/');

    *parts = (struct event_parts){slice_take(name, first), slice_take(rest, second),
                                  slice_skip(rest, second + 1)};
    return second < rest.len && is_core(parts->unit) && is_modifier(parts->modifiers);
}

bool event_take_apart(struct slice name, struct event_parts *parts)
{
    return take_apart(name, parts) && is_event_name(parts->event);
}

struct slice event_base(struct slice name)
{
    struct event_parts parts;
    size_t colon = slice_find_last(name, ':');

    if (take_apart(name, &parts))
        return slice_take(name, name.len - parts.modifiers.len);
    return is_modifier(slice_skip(name, colon + 1)) ? slice_take(name, colon) : name;
}

struct slice event_modifiers(struct slice name)
{
    struct slice rest = slice_skip(name, event_base(name).len);

    return slice_starts(rest, SLICE(":")) ? slice_skip(rest, 1) : rest;
}

struct slice event_counted(struct slice name)
{
    struct event_parts parts;

    return event_take_apart(name, &parts) ? parts.event : event_base(name);
}
