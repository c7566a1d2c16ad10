#include "input/formats/dumps/gdb_frame.h"

#include "base/num.h"
#include "input/parse/native.h"

/* The length of a character in quotes at `i`, as gdb shows values: 40 '(' or '\000'. */
static size_t quoted_char(struct slice s, size_t i)
{
    size_t end = i + 1;

    if (end < s.len && s.ptr[end] == '\\')
        for (end++; end < s.len && end < i + 6 && s.ptr[end] != '\'';)
            end++;
    else
        end++;
    return end < s.len && s.ptr[end] == '\'' ? end - i + 1 : 1;
}

static size_t quoted_string(struct slice s, size_t i)
{
    size_t end = i + 1;

    while (end < s.len && s.ptr[end] != '"')
        end += s.ptr[end] == '\\' ? 2 : 1;
    return end < s.len ? end - i + 1 : s.len - i;
}

/* Offset after the parenthesis that closes the one at `i`, or 0. */
static size_t group_end(struct slice s, size_t i)
{
    size_t open = 0;

    while (i < s.len) {
        size_t n = 1;

        if (s.ptr[i] == '(')
            open++;
        else if (s.ptr[i] == ')' && --open == 0)
            return i + 1;
        else if (s.ptr[i] == '"')
            n = quoted_string(s, i);
        else if (s.ptr[i] == '\'')
            n = quoted_char(s, i);
        i += n;
    }
    return 0;
}

static bool is_tail(struct slice s)
{
    return !slice_trim(s).len || slice_starts(s, SLICE(" at ")) || slice_starts(s, SLICE(" from "));
}

enum gdb_arguments gdb_frame_split(struct slice text, struct slice *name, struct slice *tail)
{
    size_t i = 0;

    *name = text;
    *tail = SLICE("");
    while (i < text.len) {
        bool begins = text.ptr[i] == '(' && (i == 0 || text.ptr[i - 1] == ' ');
        size_t end = text.ptr[i] == '(' ? group_end(text, i) : 0;

        if (begins && (!end || is_tail(slice_skip(text, end)))) {
            *name = slice_trim(slice_take(text, i));
            *tail = end ? slice_trim(slice_skip(text, end)) : SLICE("");
            return end ? GDB_ARGUMENTS_WHOLE : GDB_ARGUMENTS_OPEN;
        }
        if (text.ptr[i] == '(' && !end)
            break;
        i = end ? end : i + 1;
    }
    return GDB_ARGUMENTS_NONE;
}

/* "at FILE:LINE", "from LIBRARY", and "at LIBRARY" as other tools write it. */
static void parse_tail(struct slice tail, struct frame *f)
{
    struct slice word;

    if (!slice_word(&tail, &word))
        return;
    tail = slice_trim(tail);
    if (slice_equal(word, SLICE("at")))
        native_parse_source(tail, &f->file, &f->line);
    if (!f->line) {
        f->module = tail;
        f->file = SLICE("");
    }
}

void gdb_frame_take_address(struct slice *text, struct frame *f)
{
    struct slice rest = *text;

    if (!native_take_address(&rest, &f->address))
        return;
    f->has_address = true;
    *text = slice_trim_left(rest);
    if (slice_starts(*text, SLICE("in ")))
        *text = slice_trim_left(slice_skip(*text, 3));
}

bool gdb_frame_take_number(struct slice *line, uint64_t *number)
{
    struct slice rest = slice_skip(*line, 1), digits;

    if (!slice_starts(*line, SLICE("#")) || !native_take_number(&rest, &digits) ||
        !slice_starts(rest, SLICE(" ")) || !num_parse_u64(digits, number))
        return false;
    *line = slice_trim(rest);
    return line->len > 0;
}

void gdb_frame_reference_name(struct slice text, struct buf *out)
{
    struct slice words[4], rest = text;
    size_t count = 0;

    buf_clear(out);
    while (count < 3 && slice_cut(&rest, ' ', &words[count]))
        count++;
    if (count < 3)
        buf_add_slice(out, text);
    else
        buf_add_slice(out,
                      slice_search(words[0], SLICE("0x")) < words[0].len ? words[2] : words[0]);
}

bool gdb_frame_parse(struct slice text, struct frame *f)
{
    struct slice tail;
    bool whole;

    *f = (struct frame){.kind = FRAME_NATIVE};
    gdb_frame_take_address(&text, f);
    whole = gdb_frame_split(text, &f->name, &tail) == GDB_ARGUMENTS_WHOLE && tail.len;
    parse_tail(tail, f);
    if (slice_starts(f->name, SLICE("<")))
        f->kind = FRAME_PLAIN;
    return whole;
}
