#include "profile/event.h"

#include <string.h>

/* Whether `s` has only letters that perf accepts as modifiers after the last colon, as "uppp". */
static bool is_modifier(struct slice s)
{
    enum { LONGEST = 8 };

    for (size_t i = 0; i < s.len; i++)
        if (!memchr("ukhGHIDeSWpPbR", s.ptr[i], 14))
            return false;
    return s.len <= LONGEST;
}

struct slice event_base(struct slice name)
{
    size_t colon = slice_find_last(name, ':');

    return is_modifier(slice_skip(name, colon + 1)) ? slice_take(name, colon) : name;
}
