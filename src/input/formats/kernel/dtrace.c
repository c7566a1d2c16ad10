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
#include <stdbool.h>
#include <stdint.h>

#include "base/ascii.h"
#include "base/num.h"
#include "base/slice.h"
#include "input/build/builder.h"
#include "input/core/text.h"
#include "input/format.h"
#include "input/formats/kernel/dtrace_frame.h"
#include "input/parse/head.h"

/*
 * The lines of DTrace's output, told apart by themselves.
 *
 *     CPU     ID                    FUNCTION:NAME      header
 *       0  64091                        :tick-60s      probe
 *                   unix`trap+0x2c7                    frame
 *                   (anon) as f at x.js                deep: a frame, if frames are around it
 *                     [ site.py:16 (main) ]            note of a helper, a frame
 *                     1971                             number: a count or a key
 *       mysqld                                         text: a key or anything else
 *       mysqld                          12             row: a key and a count
 *            value  ---- Distribution ---- count       histogram
 *     iojs 86454 181012024: profile-1ms:               sample
 *
 * What a deep line, a number, a text and a row mean depends on the lines
 * around them.
 */

enum dtrace_kind {
    DTRACE_BLANK,
    DTRACE_HEADER,
    DTRACE_PROBE,
    DTRACE_FRAME,
    DTRACE_DEEP,
    DTRACE_NUMBER,
    DTRACE_TEXT,
    DTRACE_ROW,
    DTRACE_HISTOGRAM,
    DTRACE_SAMPLE,
    DTRACE_MESSAGE, /* "dtrace: ..." */
};

struct dtrace_line {
    enum dtrace_kind kind;
    size_t indent;
    struct slice text;   /* trimmed; of a row: the key alone */
    struct slice number; /* of a number and a row, with its sign */
    struct slice event;  /* of a probe and a sample */
    struct slice process, pid;
};

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

static struct dtrace_line dtrace_line_parse(struct slice line)
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

/* Says whether a key and a count stand together behind frames, in the first bytes of a file. */
static bool dtrace_line_keys_last(struct slice start)
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
/* Says whether the content is DTrace's. */
static bool dtrace_line_claims(const struct head *head)
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

/*
 * A record of DTrace's output: keys, a stack, and what it counts.
 */

struct dtrace_record {
    struct builder builder;
    struct dtrace_frames frames;
    struct dtrace_stack stack;      /* texts of `frames` */
    VEC(uint32_t) keys;             /* entries of the builder: the first frames */
    uint64_t line;                  /* of its first frame */
    bool sure;                      /* one of the frames could be nothing else */
    bool sample;                    /* it counts 1 without a count */
    uint32_t series, sample_series; /* SERIES_NONE before the first */
};

static inline void dtrace_record_frame(struct dtrace_record *r, uint64_t line, uint32_t text)
{
    if (!r->stack.count)
        r->line = line;
    *vec_add(&r->stack) = text;
}

static void dtrace_record_init(struct dtrace_record *r, struct text *t)
{
    *r = (struct dtrace_record){.series = SERIES_NONE, .sample_series = SERIES_NONE};
    builder_init(&r->builder, t->profile, t->options, t->diag);
    dtrace_frames_init(&r->frames, &r->builder);
}

static void dtrace_record_release(struct dtrace_record *r)
{
    dtrace_frames_release(&r->frames);
    builder_release(&r->builder);
    vec_release(&r->stack);
    vec_release(&r->keys);
}

/* Drops what is in hand. */
static void dtrace_record_clear(struct dtrace_record *r)
{
    vec_clear(&r->stack);
    vec_clear(&r->keys);
    r->sure = r->sample = false;
}

static void push(struct dtrace_record *r)
{
    builder_begin(&r->builder);
    vec_each (uint32_t, key, &r->keys)
        builder_push(&r->builder, *key);
    builder_leaf_first(&r->builder);
    vec_each (uint32_t, index, &r->stack) {
        const struct dtrace_text *text = &r->frames.texts.items[*index];

        for (uint32_t i = 0; i < text->count; i++)
            builder_push(&r->builder, r->frames.entries.items[text->first + i]);
    }
}

/* Adds the record with its count and begins the next. False where told. */
static bool dtrace_record_add(struct text *t, struct dtrace_record *r, int64_t count)
{
    bool ok;

    if (r->series == SERIES_NONE)
        r->series = builder_series(&r->builder, &(struct origin){.event = SLICE("")}, unit_samples);
    if (!r->stack.count && r->keys.count)
        t->profile->ledger.without_frames++;
    push(r);
    ok = count >= 0 ? builder_add(&r->builder, r->series, (uint64_t)count)
                    : builder_add_signed(&r->builder, r->series, count);
    dtrace_record_clear(r);
    return ok;
}

/*
 * The same where no count came: adds a sample, and tells of any other stack.
 * A probe's line, text and the end of the input are such places.
 */
static bool dtrace_record_close(struct text *t, struct dtrace_record *r)
{
    bool ok = true;

    if (r->sample) {
        if (!r->stack.count)
            t->profile->ledger.without_frames++;
        push(r);
        ok = builder_add(&r->builder, r->sample_series, 1);
    } else if (r->sure) {
        t->profile->ledger.unreadable++;
        diag_warn_line(t->diag, r->line, "a stack without a count; skipped");
    }
    dtrace_record_clear(r);
    return ok;
}

/* Adds keys. Each word that more than a blank sets apart is a frame. */
static void dtrace_record_keys(struct dtrace_record *r, struct slice text)
{
    text = slice_trim(text);
    while (text.len) {
        size_t end = slice_search(text, SLICE("  "));
        struct slice key = slice_take(text, end);

        *vec_add(&r->keys) = builder_entry(
            &r->builder, &(struct frame){.name = slice_trim(key), .kind = FRAME_PLAIN});
        text = slice_trim(slice_skip(text, end));
    }
}

static void dtrace_record_number(struct dtrace_record *r, int64_t number)
{
    struct buf digits;

    buf_init(&digits);
    buf_add_i64(&digits, number);
    dtrace_record_keys(r, buf_slice(&digits));
    buf_release(&digits);
}

/* The record is a sample of that origin. */
static void dtrace_record_sample(struct dtrace_record *r, const struct origin *origin)
{
    r->sample = true;
    r->sample_series = builder_series(&r->builder, origin, unit_samples);
}

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
    .text =
        {
            .state_size = sizeof(struct dtrace),
            .begin = dtrace_begin,
            .lines = dtrace_lines,
            .end = dtrace_end,
            .release = dtrace_release,
            .starts_behind = dtrace_starts_behind,
        },
};
