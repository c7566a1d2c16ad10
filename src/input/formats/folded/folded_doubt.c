#include "input/formats/folded/folded_doubt.h"

#include <string.h>

/* "&lt", the semicolon behind it being the end of the frame. */
static bool ends_in_entity(struct slice s)
{
    size_t at = s.len;

    while (at > 0 && ((s.ptr[at - 1] | 0x20) >= 'a' && (s.ptr[at - 1] | 0x20) <= 'z'))
        at--;
    return at > 0 && at < s.len && s.ptr[at - 1] == '&';
}

static bool is_balanced(struct slice s)
{
    size_t quotes = 0;
    long depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        quotes += s.ptr[i] == '"';
        depth += s.ptr[i] == '(' || s.ptr[i] == '[' || s.ptr[i] == '{';
        depth -= s.ptr[i] == ')' || s.ptr[i] == ']' || s.ptr[i] == '}';
        if (depth < 0)
            return false;
    }
    return depth == 0 && quotes % 2 == 0;
}

static bool is_strange(struct slice frame)
{
    return !frame.len || frame.ptr[0] == ' ' || ends_in_entity(frame) || !is_balanced(frame);
}

bool folded_doubt_start(struct slice stack)
{
    size_t frames = 0, strange = 0;
    struct slice frame;

    while (slice_cut(&stack, ';', &frame)) {
        if (is_strange(frame) && !frames)
            return true;
        strange += is_strange(frame);
        frames++;
    }
    return strange * 4 > frames;
}

bool folded_doubt_comment(struct slice stack)
{
    struct slice last = slice_trim_left(slice_skip(stack, slice_find_last(stack, ';') + 1));

    return slice_ends(stack, SLICE(" #")) || slice_ends(stack, SLICE(" --")) ||
           slice_starts(last, SLICE("// "));
}

void folded_doubt_init(struct folded_doubt *d)
{
    *d = (struct folded_doubt){0};
    intern_init(&d->names);
}

void folded_doubt_release(struct folded_doubt *d)
{
    intern_release(&d->names);
}

/* "54328f6b27a45c51986ed436f3f609bf", a checksum. */
static bool is_checksum(struct slice name)
{
    enum { SHORTEST = 32 };

    for (size_t i = 0; i < name.len; i++)
        if (!memchr("0123456789abcdef", name.ptr[i], 16))
            return false;
    return name.len >= SHORTEST;
}

void folded_doubt_add(struct folded_doubt *d, struct slice name, uint64_t number)
{
    d->rising += d->lines > 0 && number == d->last + 1;
    d->repeated += is_checksum(name) || intern_find(&d->names, name) != MAP_NONE;
    intern_add(&d->names, name);
    d->last = number;
    d->lines++;
}

bool folded_doubt_lines(const struct folded_doubt *d)
{
    enum { LEAST_RISING = 8 };

    return d->repeated * 4 > d->lines || (d->rising >= LEAST_RISING && d->rising * 2 > d->lines);
}
