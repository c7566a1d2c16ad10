/*
 * DTrace's aggregated stacks, and stacks printed sample by sample.
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s
 *
 *       mysqld
 *                   libc.so.1`read+0x15
 *                   mysqld`main+0x1f
 *                     12
 *
 * A record is frames, leaf first, and a count. @[stack(), ustack()] prints two
 * groups of frames with a blank line between, which are one stack. Keys of an
 * aggregation stand on a line right before the frames, between them, or before
 * the count on its line, and are first frames, each on its own. Several
 * aggregations simply follow each other and are added up; what one counts the
 * output does not say: samples, unless --countname tells better.
 *
 * Where no count follows, the probe's line or a line "exec pid time: probe:"
 * that a script printed stands right before the frames, and the stack counts 1
 * at the next such line or where text follows. Of these the probe names the
 * series, and the process is the first frame; in what unit its time is the
 * output does not say.
 *
 * The distributions of quantize() are no counts: such stacks are told and
 * skipped. So are stacks without any count. Rows of aggregations without
 * stacks, the program's own output and prose are not samples. "N drops" adds
 * to what was lost.
 *
 * Source of the grammar: libdtrace (dt_consume.c), the DTrace toolkit's
 * examples, stackcollapse.pl and inferno.
 */
#include "base/num.h"
#include "input/formats/kernel/dtrace_line.h"
#include "input/formats/kernel/dtrace_record.h"
#include "input/format.h"
#include "input/core/text.h"

/* What the line before was, while its meaning depends on the next one. */
enum dtrace_pending { PENDING_NONE, PENDING_TEXT, PENDING_NUMBER, PENDING_ROW, PENDING_PROBE };

struct dtrace {
    struct dtrace_record record; /* in hand */
    size_t indent;               /* of its last frame */
    enum dtrace_pending pending;
    struct buf text; /* what is pending: a text or key */
    int64_t number;  /* the same of a number and a row */
    bool histogram;  /* rows of a distribution are in hand */
    bool keys_last;  /* keys stand on the line of the count, and so has a row without frames one */
};

static bool dtrace_begin(struct text *t, void *state)
{
    struct dtrace *d = state;

    dtrace_record_init(&d->record, t);
    buf_init(&d->text);
    d->keys_last = dtrace_line_keys_last(t->start);
    return true;
}

static void dtrace_release(void *state)
{
    struct dtrace *d = state;

    dtrace_record_release(&d->record);
    buf_release(&d->text);
}

/* ---- lines whose meaning the next one decides ---------------------------------------------- */

/* What is pending belongs to the frame, or the count, that follows at once. */
static void settle_inside(struct dtrace *d)
{
    enum dtrace_pending pending = d->pending;

    d->pending = PENDING_NONE;
    d->histogram = false;
    switch (pending) {
    case PENDING_NONE:
        break;
    case PENDING_TEXT:
        dtrace_record_keys(&d->record, buf_slice(&d->text));
        break;
    case PENDING_ROW:
        dtrace_record_keys(&d->record, buf_slice(&d->text));
        dtrace_record_number(&d->record, d->number);
        break;
    case PENDING_NUMBER:
        dtrace_record_number(&d->record, d->number);
        break;
    case PENDING_PROBE:
        dtrace_record_sample(&d->record, &(struct origin){.event = buf_slice(&d->text)});
        break;
    }
}

/* No frame follows: numbers are counts of empty stacks, texts are of no use. */
static bool settle(struct text *t, struct dtrace *d)
{
    enum dtrace_pending pending = d->pending;

    d->pending = PENDING_NONE;
    switch (pending) {
    case PENDING_NUMBER:
        return dtrace_record_add(t, &d->record, d->number);
    case PENDING_ROW:
        if (!d->keys_last) {
            diag_add(t->diag, DIAG_NOTE, DIAG_AT_LINE(t->line),
                     "a row of an aggregation without stacks is left out");
            return true;
        }
        dtrace_record_keys(&d->record, buf_slice(&d->text));
        return dtrace_record_add(t, &d->record, d->number);
    case PENDING_TEXT:
        return d->record.stack.count ? dtrace_record_close(t, &d->record) : true;
    case PENDING_NONE:
    case PENDING_PROBE:
        return true;
    }
    BUG("no such pending line");
}

static void keep_pending(struct dtrace *d, enum dtrace_pending pending, struct slice text)
{
    d->pending = pending;
    buf_clear(&d->text);
    buf_add_slice(&d->text, text);
}

/* ---- lines --------------------------------------------------------------------------------- */

static inline void add_frame(struct text *t, struct dtrace *d, uint32_t index)
{
    if (d->pending != PENDING_NONE || d->histogram)
        settle_inside(d);
    dtrace_record_frame(&d->record, t->line, index);
}

static bool parse_count(struct slice digits, int64_t *count)
{
    bool negative = slice_starts(digits, SLICE("-"));
    uint64_t value;

    if (!num_parse_u64(slice_skip(digits, negative), &value) || value > INT64_MAX)
        return false;
    *count = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool on_number(struct text *t, struct dtrace *d, const struct dtrace_line *l)
{
    enum dtrace_pending pending = d->pending;
    int64_t count;

    if (!parse_count(l->number, &count)) {
        text_skip(t, "the count does not fit in 64 bits; its stack is skipped");
        d->pending = PENDING_NONE;
        dtrace_record_clear(&d->record);
        return true;
    }
    /* Under a key, of a stack that is empty or whose key stands behind it. */
    if (l->kind == DTRACE_NUMBER &&
        (d->record.stack.count || pending == PENDING_TEXT || pending == PENDING_NUMBER)) {
        settle_inside(d);
        return dtrace_record_add(t, &d->record, count);
    }
    if (d->record.stack.count) {
        settle_inside(d);
        dtrace_record_keys(&d->record, l->text);
        return dtrace_record_add(t, &d->record, count);
    }
    if (!settle(t, d))
        return false;
    keep_pending(d, l->kind == DTRACE_NUMBER ? PENDING_NUMBER : PENDING_ROW, l->text);
    d->number = count;
    return true;
}

static bool on_blank(struct text *t, struct dtrace *d)
{
    d->histogram = false;
    /* Indented prose is no stack. */
    if (!d->record.sure && !d->record.sample && d->pending == PENDING_NONE)
        dtrace_record_clear(&d->record);
    return settle(t, d);
}

static bool on_text(struct text *t, struct dtrace *d, struct slice text)
{
    if (!settle(t, d) || (d->record.sample && !dtrace_record_close(t, &d->record)))
        return false;
    keep_pending(d, PENDING_TEXT, text);
    return true;
}

/* The stack in hand has a distribution instead of a count. */
static bool on_histogram(struct text *t, struct dtrace *d)
{
    d->histogram = true;
    d->pending = PENDING_NONE;
    if (d->record.stack.count) {
        t->profile->ledger.distributions++;
        diag_warn_line(t->diag, t->line, "a distribution (quantize) is no count; stack skipped");
    }
    dtrace_record_clear(&d->record);
    return true;
}

/* The first frame: the process, with its number where that is asked for. */
static void add_process(struct text *t, struct dtrace *d, const struct dtrace_line *l)
{
    struct buf name;

    buf_init(&name);
    buf_add_slice(&name, l->process);
    if (t->options->pid || t->options->tid)
        buf_printf(&name, "-%.*s", SLICE_ARG(l->pid));
    *vec_add(&d->record.keys) = builder_entry(
        &d->record.builder, &(struct frame){.name = buf_slice(&name), .kind = FRAME_PLAIN});
    buf_release(&name);
}

static bool on_probe(struct text *t, struct dtrace *d, const struct dtrace_line *l)
{
    struct origin origin = {.event = l->event, .process = l->process, .pid = l->pid};

    if (!settle(t, d) || !dtrace_record_close(t, &d->record))
        return false;
    if (l->kind == DTRACE_HEADER)
        return true;
    if (l->kind == DTRACE_PROBE) {
        keep_pending(d, PENDING_PROBE, l->event);
        return true;
    }
    dtrace_record_sample(&d->record, &origin);
    add_process(t, d, l);
    return true;
}

/* "dtrace: 12 drops on CPU 0", "dtrace: 3 aggregation drops on CPU 1" */
static void on_message(struct text *t, struct slice text)
{
    struct slice rest = slice_skip(text, SLICE("dtrace: ").len), number;
    uint64_t lost;

    if (slice_word(&rest, &number) && num_parse_u64(number, &lost) &&
        slice_search(rest, SLICE("drops on CPU")) < rest.len &&
        !num_add(t->profile->ledger.lost, lost, &t->profile->ledger.lost))
        t->profile->ledger.lost = UINT64_MAX;
}

/* A line that the table of frames does not know. */
static bool read_line(struct text *t, struct dtrace *d, struct slice line)
{
    struct dtrace_line l = dtrace_line_parse(line);

    if (d->histogram && slice_find(l.text, '|') < l.text.len)
        return true;
    if (l.kind == DTRACE_TEXT && d->record.stack.count && l.indent && l.indent == d->indent)
        l.kind = DTRACE_DEEP;
    switch (l.kind) {
    case DTRACE_BLANK:
        return on_blank(t, d);
    case DTRACE_FRAME:
    case DTRACE_DEEP:
        d->indent = l.indent;
        d->record.sure = d->record.sure || l.kind == DTRACE_FRAME;
        add_frame(t, d,
                  dtrace_frames_add(&d->record.frames,
                                    dtrace_frames_strip(&d->record.frames, l.text),
                                    l.kind == DTRACE_DEEP));
        return true;
    case DTRACE_NUMBER:
    case DTRACE_ROW:
        return on_number(t, d, &l);
    case DTRACE_TEXT:
        return on_text(t, d, l.text);
    case DTRACE_HISTOGRAM:
        return on_histogram(t, d);
    case DTRACE_HEADER:
    case DTRACE_PROBE:
    case DTRACE_SAMPLE:
        return on_probe(t, d, &l);
    case DTRACE_MESSAGE:
        on_message(t, l.text);
        return true;
    }
    BUG("no such kind of line");
}

/* The plain count of a plain stack; 0 where a line is none. */
static size_t count_length(const char *text, uint64_t *count)
{
    enum { SAFE_DIGITS = 18 };
    size_t n = 0;

    *count = 0;
    while ((unsigned)text[n] - '0' < 10 && n < SAFE_DIGITS)
        *count = *count * 10 + ((unsigned)text[n++] - '0');
    return text[n] == '\n' ? n : 0;
}

/* A frame that was met before; false where it is none. */
static bool add_known(struct text *t, struct dtrace *d, struct slice line)
{
    struct slice text = line;
    uint32_t index;

    while (text.len && text.ptr[0] == ' ')
        text = slice_skip(text, 1);
    if (text.len == line.len || !text.len)
        return false;
    index = dtrace_frames_find(&d->record.frames, dtrace_frames_strip(&d->record.frames, text));
    if (index == UINT32_MAX || d->record.frames.texts.items[index].plain)
        return false;
    dtrace_frames_expected(&d->record.frames, index);
    d->indent = line.len - text.len;
    d->record.sure = true;
    add_frame(t, d, index);
    return true;
}

/*
 * Lines that were expected behind a frame, as most are, and the count behind
 * them; false where told. Leaves `*at` at the first other line.
 */
static bool add_expected(struct text *t, struct dtrace *d, const char **at, const char *end)
{
    size_t before = d->record.stack.count, blanks = 0, digits;
    uint64_t count;

    if (!d->record.sure || d->pending != PENDING_NONE)
        return true;
    *at = dtrace_frames_expect(&d->record.frames, *at, end, &d->record.stack, &d->indent);
    t->line += d->record.stack.count - before;
    while (*at < end && (*at)[blanks] == ' ')
        blanks++;
    digits = blanks ? count_length(*at + blanks, &count) : 0;
    if (!digits)
        return true;
    *at += blanks + digits + 1;
    t->line++;
    return dtrace_record_add(t, &d->record, (int64_t)count);
}

static bool dtrace_lines(struct text *t, void *state, struct slice block)
{
    struct dtrace *d = state;
    const char *at = block.ptr, *end = block.ptr + block.len;

    while (add_expected(t, d, &at, end)) {
        const char *line_end;
        struct slice line;

        if (at == end)
            return true;
        line_end = memchr(at, '\n', (size_t)(end - at));
        line = slice_make(at, (size_t)(line_end - at));
        at = line_end + 1;
        t->line++;
        if (line.len ? !add_known(t, d, line) && !read_line(t, d, line) : !on_blank(t, d))
            return false;
    }
    return false;
}

static bool dtrace_end(struct text *t, void *state)
{
    struct dtrace *d = state;

    t->profile->ledger.lines = t->line;
    return settle(t, d) && dtrace_record_close(t, &d->record);
}

/* A blank line behind a number: no key is apart from its frames, and no count from its stack. */
static bool dtrace_starts_behind(struct slice before, struct slice line)
{
    return !slice_trim(line).len && dtrace_line_parse(before).kind == DTRACE_NUMBER;
}

static const struct text_reader dtrace_reader = {
    .state_size = sizeof(struct dtrace),
    .begin = dtrace_begin,
    .lines = dtrace_lines,
    .end = dtrace_end,
    .release = dtrace_release,
    .starts_behind = dtrace_starts_behind,
};

const struct format format_dtrace = {
    .name = "dtrace",
    .family = FORMAT_SYSTEMS,
    .description = "stacks of DTrace: stack(), ustack(), jstack()",
    .recognised = "'CPU ID FUNCTION:NAME', or indented frames like 'module`function+0x1f' and a "
                  "count",
    .example = "dtrace -x ustackframes=100 -n 'profile-97 /pid == $target/ "
               "{ @[ustack()] = count(); }' -p PID -o app.dtrace",
    .without_stacks = "aggregate by a stack: @[ustack()] = count()",
    .claims = dtrace_line_claims,
    .reader = &dtrace_reader,
};
