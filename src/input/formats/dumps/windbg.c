/*
 * Output of WinDbg's and cdb's "~*k", "~*kn", "~*kb" and their like, once or several times.
 *
 *     .  0  Id: 1a2c.2b30 Suspend: 1 Teb: 00000000`002c3000 Unfrozen "main"
 *      # Child-SP          RetAddr               Call Site
 *     00 00000000`0014f8a8 00007ff9`3c1a2d7e     ntdll!NtWaitForSingleObject+0x14
 *     01 (Inline Function) --------`--------     app!next+0x7 [C:\src\app.c @ 9]
 *     02 00000000`0014f8b0 00007ff6`1b2c1000     app!main+0x10 [C:\src\app.c @ 12]
 *
 * Leaf first. A thread's stack weighs 1. Kept: name, module, file and line; the numbers of process
 * and thread, the thread's name. Dropped: addresses on the stack, arguments, offsets. Counted:
 * malformed frames.
 *
 * Grammar: the documentation of the command k of WinDbg.
 */
#include "base/ascii.h"
#include "base/num.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

enum { SHORTEST = 8 }; /* digits of an address */

struct windbg {
    struct sample sample;
};

/* "#  3  Id: 1a2c.2b30 Suspend: 1 Teb: ...": what follows "Id:". */
static bool parse_thread(struct slice line, struct slice *pid, struct slice *tid,
                         struct slice *name)
{
    struct slice rest = slice_trim_left(line), digits, word;

    if (slice_starts(rest, SLICE(".")) || slice_starts(rest, SLICE("#")))
        rest = slice_trim_left(slice_skip(rest, 1));
    if (!native_take_number(&rest, &digits) || !slice_word(&rest, &word) ||
        !slice_equal(word, SLICE("Id:")) || !slice_word(&rest, &word) ||
        !slice_cut(&word, '.', pid) || !slice_has(rest, SLICE("Teb:")))
        return false;
    *tid = word;
    rest = slice_skip(rest, slice_find(rest, '"') + 1);
    *name = slice_take(rest, slice_find(rest, '"'));
    return pid->len && tid->len;
}

/* "00000000`0014f8a8", "0014f8a8", "--------`--------" */
static bool is_address(struct slice word)
{
    size_t digits = 0;

    for (size_t i = 0; i < word.len; i++)
        if (ascii_is_hex(word.ptr[i]) || word.ptr[i] == '-')
            digits++;
        else if (word.ptr[i] != '`')
            return false;
    return digits >= SHORTEST;
}

/* "0a", "100": of two digits or more; longer words are addresses. */
static bool is_frame_number(struct slice word)
{
    uint64_t number;

    return word.len >= 2 && word.len < SHORTEST && num_parse_hex(word, &number);
}

/* Takes the addresses, and what else comes before the call site, off a line. */
static bool take_addresses(struct slice *text, bool *inlined)
{
    const struct slice inline_function = SLICE("(Inline Function)"), values = SLICE(" : ");
    struct slice rest = slice_trim_left(*text), after = rest, word;
    unsigned addresses = 0;

    if (slice_word(&after, &word) && is_frame_number(word))
        rest = slice_trim_left(after);
    *inlined = slice_starts(rest, inline_function);
    if (*inlined)
        rest = slice_skip(rest, inline_function.len);
    for (*text = rest; slice_word(&rest, &word) && is_address(word); *text = rest)
        addresses++;
    *text = slice_trim(*text);
    if (slice_starts(*text, SLICE(": ")))
        *text = slice_trim(slice_skip(*text, slice_search(*text, values) + values.len));
    return addresses >= 2 || (*inlined && addresses == 1);
}

/* Takes " [C:\src\app.c @ 12]" off the end. */
static void take_source(struct slice *text, struct frame *f)
{
    const struct slice open = SLICE(" ["), at = SLICE(" @ ");
    size_t start = slice_search(*text, open), end;
    struct slice inside = slice_skip(*text, start + open.len), number;

    if (start == text->len || !slice_ends(inside, SLICE("]")))
        return;
    inside.len--;
    end = slice_search(inside, at);
    f->file = slice_take(inside, end);
    number = slice_skip(inside, end + at.len);
    num_parse_u64(slice_trim(number), &f->line);
    *text = slice_trim_right(slice_take(*text, start));
}

/* "ntdll!NtWaitForSingleObject+0x14", "0x00007ff6`1b2c1000", "app+0x1000" */
static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice text = line;
    size_t mark, plus;
    bool inlined;

    if (!take_addresses(&text, &inlined) || !text.len)
        return false;
    *f = (struct frame){.kind = FRAME_NATIVE, .class = inlined ? SYMBOL_INLINED : SYMBOL_USER};
    take_source(&text, f);
    plus = slice_find_last(text, '+');
    if (slice_starts(slice_skip(text, plus), SLICE("+0x")))
        text = slice_take(text, plus);
    mark = slice_find(text, '!');
    if (mark < text.len) {
        f->module = slice_take(text, mark);
        f->name = slice_skip(text, mark + 1);
    } else if (!slice_starts(text, SLICE("0x"))) {
        f->module = text;
    }
    return true;
}

static bool is_heading(struct slice line)
{
    return slice_has(line, SLICE("RetAddr")) &&
           (slice_has(line, SLICE("Child-SP")) || slice_has(line, SLICE("ChildEBP")));
}

static bool windbg_claims(const struct head *head)
{
    struct frame f;
    bool heading = false;

    head_each (line, head) {
        if (heading && parse_frame(line, &f))
            return true;
        heading = is_heading(line);
    }
    return false;
}

static bool windbg_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct slice pid, tid, name;
    struct frame f;

    if (parse_thread(line, &pid, &tid, &name)) {
        if (!sample_close(s))
            return false;
        s->origin = (struct origin){
            .pid = sample_keep(s, pid), .tid = sample_keep(s, tid), .thread = sample_keep(s, name)};
        return true;
    }
    if (is_heading(line))
        return sample_open(s, SLICE(""));
    if (!slice_trim(line).len)
        return sample_close(s);
    if (!s->open)
        return true;
    if (parse_frame(line, &f))
        sample_frame(s, &f);
    else
        return text_skip_line(t, "expected addresses and 'MODULE!NAME+0xOFFSET'", line);
    return true;
}

const struct format format_windbg = {
    .name = "windbg",
    .family = FORMAT_SYSTEMS,
    .description = "stacks of WinDbg and cdb: ~*k",
    .recognised = "'Child-SP  RetAddr  Call Site', and below it addresses and 'MODULE!NAME+0x14'",
    .example = "cdb -p PID -pv -c \"~*k; qd\" >> app.windbg",
    .without_stacks = "run ~*k",
    .needs = "RetAddr",
    .claims = windbg_claims,
    .text = {SAMPLE_THREADS_READER(windbg, SAMPLE_STATE(struct windbg))},
};
