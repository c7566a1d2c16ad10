/*
 * Stacks of all threads of a process by AIX's procstack or the pstack of Solaris and HP-
 * UX, one run or several.
 *
 *     7340350: /opt/db/bin/dbserver -p main                   a process
 *     ---------- tid# 29098445 (pthread ID:      1) ----------        AIX
 *     -----------------  lwp# 2 / thread# 2 [name]  ----------    Solaris
 *     --------------------  lwpid : 12345  -------------------      HP-UX
 *     0x0900000000040e5c  nsleep(??, ??) + 0x120                      AIX
 *      feee7a25 libc.so.1`lwp_wait (2, 8047d0c) + 25              Solaris
 *      0: c0000000001d8c90 : read() + 0x30 (/usr/lib/libc.so.1)     HP-UX
 *
 * Leaf first. Each thread's stack has weight 1. The first stack of a process may follow
 * the process's line without a thread's line. The first word of the command is the root
 * frame.
 *
 * Kept: name, address, module; process, pid, thread and tid as the origin. Dropped:
 * arguments, offsets. Counted: malformed lines.
 *
 * Grammar: stackcollapse-aix.pl (brendangregg/FlameGraph), procstack(1), pstack(1).
 */
#include "base/ascii.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

/* Lines; `entry` and `context` of a heading are its number and name in the texts of the sample. */
enum { PSTACK_FRAME = SAMPLE_KINDS, PSTACK_THREAD, PSTACK_PROCESS };

/* "7340350: /opt/db/bin/dbserver -p main", "1234:\t/usr/sbin/nfsd" */
static bool parse_process(struct slice line, struct slice *pid, struct slice *process)
{
    struct slice rest = line;

    return native_take_number(&rest, pid) && slice_starts(rest, SLICE(":")) &&
           (slice_starts(rest, SLICE(": ")) || slice_starts(rest, SLICE(":\t"))) &&
           (rest = slice_skip(rest, 1), slice_word(&rest, process));
}

/* Finds the number after the first of the words that a thread's line may have. */
static bool parse_thread(struct slice line, struct slice *tid, struct slice *name)
{
    static const char *const words[] = {"tid#", "lwpid :", "lwp#", "thread#"};
    size_t open;

    *name = SLICE("");
    if (!slice_starts(line, SLICE("-----")))
        return false;
    open = slice_find(line, '[');
    if (open < line.len) {
        *name = slice_skip(line, open + 1);
        *name = slice_take(*name, slice_find(*name, ']'));
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct slice word = slice_str(words[i]);
        struct slice rest = slice_skip(line, slice_search(line, word) + word.len);

        rest = slice_trim_left(rest);
        if (native_take_number(&rest, tid))
            return true;
    }
    return false;
}

/* Takes " + 0x1f", or " + 1f", off the end. */
static void cut_offset(struct slice *text)
{
    size_t plus = slice_find_last(*text, '+');

    if (plus > 1 && plus + 2 < text->len && text->ptr[plus - 1] == ' ' &&
        text->ptr[plus + 1] == ' ' &&
        slice_find(slice_skip(*text, plus + 2), ' ') == text->len - plus - 2)
        *text = slice_trim(slice_take(*text, plus));
}

/* " (/usr/lib/libc.so.1)" at the end, as HP-UX has it. */
static void cut_module(struct slice *text, struct frame *f)
{
    size_t at = slice_find_last(*text, '(');

    if (at >= text->len || at == 0 || text->ptr[at - 1] != ' ' ||
        !slice_starts(slice_skip(*text, at), SLICE("(/")) || !slice_ends(*text, SLICE(")")))
        return;
    f->module = slice_make(text->ptr + at + 1, text->len - at - 2);
    *text = slice_trim(slice_take(*text, at));
}

/*
 * Takes an address off the text: hex digits, on HP-UX with a number and a colon before and
 * a colon after them.
 */
static bool take_address(struct slice *text, struct frame *f)
{
    struct slice rest = slice_trim_left(*text), word, digits;
    struct slice numbered = rest;

    if (native_take_number(&numbered, &digits) && slice_starts(numbered, SLICE(": ")))
        rest = slice_trim_left(slice_skip(numbered, 2));
    if (!slice_word(&rest, &word))
        return false;
    if (slice_starts(word, SLICE("0x")))
        word = slice_skip(word, 2);
    if (word.len < 8 || !num_parse_hex(word, &f->address))
        return false;
    rest = slice_trim_left(rest);
    if (slice_starts(rest, SLICE(": ")))
        rest = slice_skip(rest, 2);
    f->has_address = true;
    *text = slice_trim(rest);
    return true;
}

/* Removes the values of arguments from the end of a name: "(0x5)", "(??, ??)", "(2, ff1c2000)". */
static void cut_values(struct slice *text)
{
    size_t open = slice_find_last(*text, '(');

    if (!open || open == text->len || text->ptr[text->len - 1] != ')')
        return;
    for (size_t i = open + 1; i + 1 < text->len; i++)
        if (!ascii_is_hex(text->ptr[i]) && !strchr("x?, -.", text->ptr[i]))
            return;
    *text = slice_trim_right(slice_take(*text, open));
}

static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice text = line;

    if (!take_address(&text, f))
        return false;
    cut_module(&text, f);
    cut_offset(&text);
    cut_values(&text);
    f->name = text;
    f->kind = FRAME_NATIVE;
    if (slice_starts(text, SLICE("????")))
        f->name = SLICE("");
    return true;
}

/* As stackcollapse-aix.pl has it: the name up to its first parenthesis, "[name]" as the address. */
static void use_reference_name(struct slice line, struct frame *f)
{
    struct slice name = slice_take(f->name, slice_find(f->name, '('));

    if (slice_starts(name, SLICE("["))) {
        line = slice_trim_left(line);
        name = slice_take(line, slice_find(line, ' '));
    }
    *f = (struct frame){.name = name, .kind = FRAME_PLAIN};
}

/* A thread's line and a frame below it, or a process's and two frames. */
static bool pstack_claims(const struct head *head)
{
    struct slice number, text;
    unsigned seen = 0;

    head_each (line, head) {
        struct frame f = {0};

        if (seen > 0 && parse_frame(line, &f) && f.name.len) {
            if (++seen == 3)
                return true;
        } else if (parse_thread(line, &number, &text)) {
            seen = 2;
        } else {
            seen = parse_process(line, &number, &text);
        }
    }
    return false;
}

static void push_entry(struct sample *s, uint32_t entry)
{
    if (!s->open)
        sample_open(s, s->origin.process);
    sample_push(s, entry);
}

/* The line of a process or, with a stack that follows, of a thread. */
static bool begin_part(struct sample *s, const struct line_meaning *m)
{
    struct slice number = intern_get(&s->texts, m->entry);
    struct slice name = intern_get(&s->texts, m->context);

    if (!sample_close(s))
        return false;
    if (m->kind == PSTACK_PROCESS) {
        s->origin = (struct origin){.pid = number, .process = name};
        return true;
    }
    s->origin.tid = number;
    s->origin.thread = name;
    return sample_open(s, s->origin.process);
}

static bool read_heading(struct text *t, struct sample *s, struct slice line)
{
    struct slice number, name;

    if (parse_thread(line, &number, &name))
        t->meaning.kind = PSTACK_THREAD;
    else if (parse_process(line, &number, &name))
        t->meaning.kind = PSTACK_PROCESS;
    else if (slice_trim(line).len)
        return text_skip(t, "expected a process, a thread or a frame; line skipped");
    else
        return true;
    t->meaning.entry = intern_add(&s->texts, number);
    t->meaning.context = intern_add(&s->texts, name);
    return begin_part(s, &t->meaning);
}

static bool pstack_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct frame f = {0};

    if (!parse_frame(line, &f))
        return read_heading(t, s, line);
    if (sample_is_reference(s))
        use_reference_name(line, &f);
    t->meaning =
        (struct line_meaning){.kind = PSTACK_FRAME, .entry = builder_entry(&s->builder, &f)};
    push_entry(s, t->meaning.entry);
    return true;
}

static enum text_again pstack_again(struct text *t, void *state, const struct line_meaning *m)
{
    (void)t;
    if (m->kind != PSTACK_FRAME)
        return begin_part(state, m) ? TEXT_DONE : TEXT_FAILED;
    push_entry(state, m->entry);
    return TEXT_DONE;
}

const struct format format_pstack = {
    .name = "pstack",
    .family = FORMAT_SYSTEMS,
    .description = "stacks of AIX's procstack, Solaris' and HP-UX' pstack",
    .recognised = "'PID: COMMAND', '--- tid# N ---' or '--- lwp# N ---', and addresses with names",
    .example = "procstack PID >> app.procstack",
    .without_stacks = "run procstack or pstack as the user of the process",
    .claims = pstack_claims,
    .text = {SAMPLE_THREADS_READER(pstack, sizeof(struct sample)), .again = pstack_again},
};
