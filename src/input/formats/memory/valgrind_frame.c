#include "input/formats/memory/valgrind_frame.h"

#include "base/num.h"

/* Takes ":123" off the end. Returns false if the text has no such end. */
static bool cut_number(struct slice *s, uint64_t *number)
{
    size_t at = slice_find_last(*s, ':');

    if (at == s->len || at == 0 || !num_parse_u64(slice_skip(*s, at + 1), number))
        return false;
    *s = slice_take(*s, at);
    return true;
}

/* Reads the text in the parentheses at the end: a module, or file and line. */
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

/* Returns the start of " (in module)" or " (file:line)" at the end, s.len if there is none. */
static size_t find_place(struct slice s)
{
    size_t in = slice_search(s, SLICE(" (in ")), at = s.len;

    if (!slice_ends(s, SLICE(")")))
        return s.len;
    while (in == s.len && at > 0 && !slice_starts(slice_skip(s, --at), SLICE(" (")))
        ;
    return in < s.len ? in : at;
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
    at = find_place(f.name);
    if (at + 3 <= f.name.len &&
        read_place(slice_take(slice_skip(f.name, at + 2), f.name.len - at - 3), &f))
        f.name = slice_take(f.name, at);
    if (slice_equal(f.name, SLICE("???")))
        f.name = SLICE("");
    return f;
}
