#include "input/formats/kernel/dtrace_line.h"

#include <stdint.h>

#include "base/ascii.h"

/* DTrace indents frames by 14 columns, and keys by fewer. */
enum { DEEP = 8 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_integer(struct slice s)
{
    if (slice_starts(s, SLICE("-")))
        s = slice_skip(s, 1);
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.ptr[i]))
            return false;
    return s.len > 0;
}

/* Takes the last word off, with the blanks before it. */
static struct slice cut_word(struct slice *s)
{
    size_t at = s->len;
    struct slice word;

    while (at > 0 && !is_blank(s->ptr[at - 1]))
        at--;
    word = slice_skip(*s, at);
    *s = slice_trim_right(slice_take(*s, at));
    return word;
}

/* "module`function": something stands directly at both sides of the backtick. */
static bool has_module(struct slice s)
{
    size_t tick = slice_find(s, '`');

    return tick > 0 && tick + 1 < s.len && !is_blank(s.ptr[tick - 1]) && !is_blank(s.ptr[tick + 1]);
}

/* "0x7fa4", perhaps with an offset, or with the name that a symbol map gave it. */
static bool is_address(struct slice s)
{
    size_t i = 2;

    if (!slice_starts(s, SLICE("0x")))
        return false;
    while (i < s.len && ascii_is_hex(s.ptr[i]))
        i++;
    return i > 2 && (i == s.len || s.ptr[i] == ' ' || s.ptr[i] == '+');
}

/* "[ file.py:16 (function) ]" */
static bool is_note(struct slice s)
{
    return s.len > 4 && slice_starts(s, SLICE("[ ")) && slice_ends(s, SLICE(" ]"));
}

/* "0  64091   :tick-60s" and, with what the program printed, "0 64091 read:entry 7". */
static bool parse_probe(struct slice s, struct dtrace_line *l)
{
    struct slice cpu, id, name;
    size_t colon;

    if (!slice_word(&s, &cpu) || !slice_word(&s, &id) || !slice_word(&s, &name) ||
        !is_integer(cpu) || !is_integer(id))
        return false;
    colon = slice_find(name, ':');
    if (colon + 1 >= name.len)
        return false;
    l->event = slice_skip(name, colon == 0);
    return true;
}

/* "iojs 86454 181012024: profile-1ms:" */
static bool parse_sample(struct slice s, struct dtrace_line *l)
{
    size_t colon = slice_search(s, SLICE(": "));
    struct slice front = slice_take(s, colon), time;

    if (colon == s.len)
        return false;
    time = cut_word(&front);
    l->pid = cut_word(&front);
    l->process = front;
    l->event = slice_trim(slice_skip(s, colon + 2));
    if (slice_ends(l->event, SLICE(":")))
        l->event = slice_take(l->event, l->event.len - 1);
    return is_integer(time) && is_integer(l->pid) && l->process.len && l->event.len &&
           slice_find(l->event, ' ') == l->event.len;
}

/* Numbers, the last of which is what counts, and other text that ends in one. */
static bool parse_number(struct slice s, struct dtrace_line *l)
{
    struct slice rest = s, keys, word;

    l->number = cut_word(&rest);
    if (!is_integer(l->number))
        return false;
    keys = rest;
    while (slice_word(&rest, &word))
        if (!is_integer(word)) {
            l->kind = DTRACE_ROW;
            l->text = keys;
            /* DTrace sets numbers apart by more than a blank. */
            return (size_t)(l->number.ptr - keys.ptr) >= keys.len + 2;
        }
    l->kind = keys.len ? DTRACE_ROW : DTRACE_NUMBER;
    l->text = keys;
    return true;
}

static bool is_histogram(struct slice s)
{
    return slice_starts(s, SLICE("value ")) && slice_search(s, SLICE("- Distribution -")) < s.len;
}

struct dtrace_line dtrace_line_parse(struct slice line)
{
    struct dtrace_line l = {.text = slice_trim(line)};

    l.indent = (size_t)(l.text.len ? l.text.ptr - line.ptr : 0);
    if (!l.text.len)
        l.kind = DTRACE_BLANK;
    else if (slice_starts(l.text, SLICE("dtrace: ")))
        l.kind = DTRACE_MESSAGE;
    else if (has_module(l.text) || is_address(l.text) || is_note(l.text))
        l.kind = DTRACE_FRAME;
    else if (is_histogram(l.text))
        l.kind = DTRACE_HISTOGRAM;
    else if (slice_starts(l.text, SLICE("CPU ")) && slice_ends(l.text, SLICE(":NAME")))
        l.kind = DTRACE_HEADER;
    else if (parse_probe(l.text, &l))
        l.kind = DTRACE_PROBE;
    else if (l.indent == 0 && parse_sample(l.text, &l))
        l.kind = DTRACE_SAMPLE;
    else if (!parse_number(l.text, &l))
        l.kind = l.indent >= DEEP && !ascii_is_digit(l.text.ptr[0]) ? DTRACE_DEEP : DTRACE_TEXT;
    if (l.kind != DTRACE_ROW)
        l.text = slice_trim(line);
    return l;
}

bool dtrace_line_keys_last(struct slice start)
{
    enum dtrace_kind before = DTRACE_BLANK;
    struct slice line;

    while (slice_line(&start, &line)) {
        struct dtrace_line l = dtrace_line_parse(line);

        if (l.kind == DTRACE_ROW && before == DTRACE_FRAME)
            return true;
        before = l.kind;
    }
    return false;
}

/* ---- recognition --------------------------------------------------------------------------- */

/*
 * A module's name as they mostly are; "x=`date`" in a shell script has none,
 * and two backticks are quotes.
 */
static bool is_plain_frame(const struct dtrace_line *l)
{
    size_t tick = slice_find(l->text, '`');

    if (l->kind != DTRACE_FRAME || l->indent == 0 ||
        slice_find(slice_skip(l->text, tick + 1), '`') < slice_skip(l->text, tick + 1).len ||
        slice_ends(l->text, SLICE("`")))
        return false;
    for (size_t i = 0; i < tick && tick < l->text.len; i++)
        if (strchr("=$\"'();|&{}", l->text.ptr[i]))
            return false;
    return true;
}

/*
 * The header or a message of DTrace first; or a sample's line and a frame
 * right behind it; or frames and then a count or a histogram, a blank line
 * between them or not.
 */
bool dtrace_line_claims(const struct head *head)
{
    enum { LEAST_FRAMES = 12 };
    struct slice rest = head->bytes, line;
    enum dtrace_kind before = DTRACE_BLANK;
    bool ticks = false; /* a frame with a module was among those in hand */
    size_t frames = 0;

    if (slice_find(head->bytes, '\0') < head->bytes.len)
        return false;
    while (head_line(head, &rest, &line)) {
        struct dtrace_line l = dtrace_line_parse(line);

        if (l.kind == DTRACE_HEADER && l.indent == 0 &&
            slice_search(l.text, SLICE(" ID ")) < l.text.len)
            return true;
        if (ticks && (l.kind == DTRACE_NUMBER || l.kind == DTRACE_HISTOGRAM ||
                      (l.kind == DTRACE_ROW && before == DTRACE_FRAME)))
            return true;
        if (is_plain_frame(&l)) {
            if (before == DTRACE_SAMPLE || before == DTRACE_PROBE)
                return true;
            frames++;
            ticks = ticks || slice_find(l.text, '`') < l.text.len;
        } else if (l.kind != DTRACE_BLANK && l.kind != DTRACE_DEEP) {
            frames = 0;
            ticks = false;
        }
        before = l.kind;
    }
    return !head->whole && ticks && frames >= LEAST_FRAMES;
}
