#include "input/valgrind_frame.h"

#include "base/num.h"

/* Cuts ":123" off the end. */
static bool cut_number(struct slice *s, uint64_t *number)
{
    size_t at = slice_find_last(*s, ':');

    if (at == s->len || at == 0 || !num_parse_u64(slice_skip(*s, at + 1), number))
        return false;
    *s = slice_take(*s, at);
    return true;
}

/* What the brackets at the end hold: false where that is no place. */
static bool read_place(struct slice place, struct frame *f)
{
    uint64_t column;

    if (slice_starts(place, SLICE("in "))) {
        f->module = slice_skip(place, strlen("in "));
        return true;
    }
    if (!cut_number(&place, &f->line))
        return false;
    column = f->line;
    if (!cut_number(&place, &f->line))
        f->line = column;
    f->file = place;
    return true;
}

static size_t last_bracket(struct slice s)
{
    for (size_t i = s.len; i-- > 1;)
        if (s.ptr[i] == '(' && s.ptr[i - 1] == ' ')
            return i;
    return s.len;
}

struct frame valgrind_frame(struct slice text, const struct input_options *options)
{
    struct frame f = {.name = text, .kind = FRAME_NATIVE};
    size_t at = slice_search(text, SLICE(": "));

    if (options->names == NAMES_REFERENCE) {
        f.kind = FRAME_PLAIN;
        return f;
    }
    if (slice_starts(text, SLICE("0x")) && at < text.len) {
        f.has_address = num_parse_hex(slice_skip(slice_take(text, at), 2), &f.address);
        f.name = slice_skip(text, at + 2);
    }
    at = last_bracket(f.name);
    if (at < f.name.len && f.name.ptr[f.name.len - 1] == ')' &&
        read_place(slice_take(slice_skip(f.name, at + 1), f.name.len - at - 2), &f))
        f.name = slice_take(f.name, at - 1);
    if (slice_equal(f.name, SLICE("???")))
        f.name = SLICE("");
    return f;
}
