/*
 * Reader of DTrace's output: aggregated stacks, and stacks printed sample by sample.
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
 * groups of frames separated by a blank line; they are one stack. Keys of an
 * aggregation precede the frames on a line of their own, stand between them or
 * before the count, and become root frames. Aggregations that follow each other
 * are added up. The output does not tell what is counted: samples, unless
 * --countname says otherwise.
 *
 * A stack without a count is one sample if a probe's line, or a line "exec pid
 * time: probe:" that a script printed, precedes it; the stack ends at the next
 * such line or at other text. The probe names the series, and the process is
 * the root frame. The unit of the time is unknown, so times are ignored.
 *
 * Stacks with distributions (quantize()) and other stacks without a count are
 * skipped with a warning. Rows of aggregations without stacks, other output of
 * the program and prose are ignored. "N drops" adds to the ledger's lost samples.
 *
 * Source: libdtrace's dt_consume.c, the examples of the DTrace toolkit,
 * stackcollapse.pl and inferno.
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

/* ---- kinds of lines ------------------------------------------------------------------------ */

/*
 * The kinds of lines, as far as a line alone tells:
 *
 *     CPU     ID                    FUNCTION:NAME      header
 *       0  64091                        :tick-60s      probe
 *                   unix`trap+0x2c7                    frame
 *                   (anon) as f at x.js                deep: a frame if among frames
 *                     [ site.py:16 (main) ]            a helper's note, a frame
 *                     1971                             number: a count or a key
 *       mysqld                                         text: a key or anything else
 *       mysqld                          12             row: a key and a count
 *            value  ---- Distribution ---- count       histogram
 *     iojs 86454 181012024: profile-1ms:               sample
 *
 * The meaning of deep lines, numbers, texts and rows depends on adjacent lines.
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
    struct slice text;   /* trimmed; for a row only the key */
    struct slice number; /* of a number or row, with its sign */
    struct slice event;  /* of a probe or sample */
    struct slice process, pid;
};

/* Least indent of a deep line; DTrace indents frames by 14 columns and keys by fewer. */
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

/* Takes off and returns the last word. */
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

/* Whether the text contains "module`function", without blanks beside the backtick. */
static bool has_module(struct slice s)
{
    size_t tick = slice_find(s, '`');

    return tick > 0 && tick + 1 < s.len && !is_blank(s.ptr[tick - 1]) && !is_blank(s.ptr[tick + 1]);
}

/* "0x7fa4", alone or followed by an offset or by a name from a symbol map. */
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

/* "0  64091   :tick-60s", or "0 64091 read:entry 7" with output of the script. */
static bool parse_probe(struct slice s, struct dtrace_line *l)
{
    struct slice cpu, id, name;
    size_t colon;

    /* Said first, because words of other formats' lines may be long. */
    if (!s.len || (s.ptr[0] != '-' && !ascii_is_digit(s.ptr[0])))
        return false;
    if (!slice_word(&s, &cpu) || !is_integer(cpu) || !slice_word(&s, &id) || !is_integer(id) ||
        !slice_word(&s, &name))
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

/* A number, or a row: a key of words or numbers, and a count. */
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
            /* DTrace separates columns by at least two blanks. */
            return (size_t)(l->number.ptr - keys.ptr) >= keys.len + 2;
        }
    l->kind = keys.len ? DTRACE_ROW : DTRACE_NUMBER;
    l->text = keys;
    return true;
}

static bool is_histogram(struct slice s)
{
    return slice_starts(s, SLICE("value ")) && slice_has(s, SLICE("- Distribution -"));
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

/* Whether, in the first bytes of a file, a line after frames has a key and a count. */
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
 * Whether a frame's module looks like one: not "x=`date`" or `quotes` in a shell script, nor a
 * stack in a comment.
 */
static bool is_plain_frame(const struct dtrace_line *l)
{
    size_t tick = slice_find(l->text, '`');

    if (l->kind != DTRACE_FRAME || l->indent == 0 || strchr("*/#>", l->text.ptr[0]) ||
        slice_find(slice_skip(l->text, tick + 1), '`') < slice_skip(l->text, tick + 1).len ||
        slice_ends(l->text, SLICE("`")))
        return false;
    for (size_t i = 0; i < tick && tick < l->text.len; i++)
        if (strchr("=$\"'();|&{}", l->text.ptr[i]))
            return false;
    return true;
}

/* Whether there may be a header, or a frame with a blank before it. Looks at no lines. */
static bool may_claim(struct slice bytes)
{
    return slice_find(bytes, '\0') == bytes.len &&
           (slice_find(bytes, '`') < bytes.len ||
            slice_has_any(bytes, " 0x", "\t0x", " [ ", "\t[ ", ":NAME"));
}

/*
 * Requires DTrace's header, a sample's or probe's line directly followed by a
 * frame, or frames followed by a count or histogram.
 */
static bool dtrace_line_claims(const struct head *head)
{
    enum { LEAST_FRAMES = 12 };
    enum dtrace_kind before = DTRACE_BLANK;
    bool ticks = false; /* a frame of the current group had a module */
    size_t frames = 0;

    if (!may_claim(head->bytes))
        return false;
    head_each (line, head) {
        struct dtrace_line l = dtrace_line_parse(line);

        if (l.kind == DTRACE_HEADER && l.indent == 0 && slice_has(l.text, SLICE(" ID ")))
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

/* ---- records ------------------------------------------------------------------------------- */

/* The current record: keys, a stack, and whether it is a sample. */
struct dtrace_record {
    struct builder builder;
    struct dtrace_frames frames;
    struct dtrace_stack stack;      /* indexes in frames.texts */
    VEC(uint32_t) keys;             /* the builder's entries of the root frames */
    uint64_t line;                  /* line number of its first frame */
    bool sure;                      /* a line of it cannot be anything but a frame */
    bool sample;                    /* it counts 1 if no count follows */
    uint32_t series, sample_series; /* SERIES_NONE before the first record */
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
    release_each(r, (dtrace_frames, frames), (builder, builder), (vec, stack, keys));
}

/* Drops the current record. */
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

/* Adds the record with its count and clears it. Returns false after reporting an error. */
static bool dtrace_record_add(struct dtrace_record *r, int64_t count)
{
    bool ok;

    if (r->series == SERIES_NONE)
        r->series = builder_series(&r->builder, &(struct origin){.event = SLICE("")}, unit_samples);
    if (!r->stack.count && r->keys.count)
        builder_note_bare(&r->builder, r->series, 1);
    push(r);
    ok = count >= 0 ? builder_add(&r->builder, r->series, (uint64_t)count)
                    : builder_add_signed(&r->builder, r->series, count);
    dtrace_record_clear(r);
    return ok;
}

/* Returns the text of the leaf of a stack, shortened, for a message. */
static struct slice dtrace_record_leaf(const struct dtrace_record *r)
{
    enum { SHOWN = 60 };
    const struct dtrace_text *leaf = &r->frames.texts.items[r->stack.items[0]];

    return slice_take(slice_make(leaf->text, leaf->len), SHOWN);
}

/*
 * Ends a record without a count, at a probe's line, text or the end of the
 * input: adds a sample, or warns about any other stack. Returns false after
 * reporting an error.
 */
static bool dtrace_record_close(struct dtrace_record *r)
{
    bool ok = true;

    if (r->sample) {
        if (!r->stack.count && r->keys.count)
            builder_note_bare(&r->builder, r->sample_series, 1);
        push(r);
        ok = builder_add(&r->builder, r->sample_series, 1);
    } else if (r->sure) {
        builder_skip(&r->builder, DIAG_AT_LINE(r->line), "stack without a count skipped: '%.*s'",
                     SLICE_ARG(dtrace_record_leaf(r)));
    }
    dtrace_record_clear(r);
    return ok;
}

/* Adds keys; they are separated by at least two blanks. */
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
    struct buf digits = {0};

    buf_add_i64(&digits, number);
    dtrace_record_keys(r, buf_slice(&digits));
    buf_release(&digits);
}

/* Makes the record a sample of that origin. */
static void dtrace_record_sample(struct dtrace_record *r, const struct origin *origin)
{
    r->sample = true;
    r->sample_series = builder_series(&r->builder, origin, unit_samples);
}

/* ---- the reader ---------------------------------------------------------------------------- */

/* The kind of the previous line, if its meaning depends on the current one. */
enum dtrace_pending { PENDING_NONE, PENDING_TEXT, PENDING_NUMBER, PENDING_ROW, PENDING_PROBE };

struct dtrace {
    struct dtrace_record record;
    size_t indent; /* of the record's last frame */
    enum dtrace_pending pending;
    struct buf text; /* text, key or event of the pending line */
    int64_t number;  /* number of the pending line */
    bool histogram;  /* the rows of a distribution have begun */
    bool keys_last;  /* keys precede the count on its line, so a row without frames is a record */
};

static bool dtrace_begin(struct text *t, void *state)
{
    struct dtrace *d = state;

    dtrace_record_init(&d->record, t);
    d->keys_last = dtrace_line_keys_last(t->start);
    return true;
}

STATE_RELEASE(dtrace, (dtrace_record, record), (buf, text));

/* ---- pending lines ------------------------------------------------------------------------- */

/* A frame or count follows directly: the pending line is a key or probe of that record. */
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

/* No frame follows: a pending number is the count of an empty stack, a text is ignored. */
static bool settle(struct text *t, struct dtrace *d)
{
    enum dtrace_pending pending = d->pending;

    d->pending = PENDING_NONE;
    switch (pending) {
    case PENDING_NUMBER:
        return dtrace_record_add(&d->record, d->number);
    case PENDING_ROW:
        if (!d->keys_last) {
            diag_add(t->diag, DIAG_NOTE, DIAG_AT_LINE(t->line),
                     "skipped a row of an aggregation without stacks");
            return true;
        }
        dtrace_record_keys(&d->record, buf_slice(&d->text));
        return dtrace_record_add(&d->record, d->number);
    case PENDING_TEXT:
        return d->record.stack.count ? dtrace_record_close(&d->record) : true;
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
    enum { SHOWN = 60 };
    enum dtrace_pending pending = d->pending;
    int64_t count;

    if (!parse_count(l->number, &count)) {
        text_skip(t, "the count %.*s exceeds 63 bits; stack skipped",
                  SLICE_ARG(slice_take(l->number, SHOWN)));
        d->pending = PENDING_NONE;
        dtrace_record_clear(&d->record);
        return true;
    }
    /* A count below its stack, or below a key of an empty stack. */
    if (l->kind == DTRACE_NUMBER &&
        (d->record.stack.count || pending == PENDING_TEXT || pending == PENDING_NUMBER)) {
        settle_inside(d);
        return dtrace_record_add(&d->record, count);
    }
    if (d->record.stack.count) {
        settle_inside(d);
        dtrace_record_keys(&d->record, l->text);
        return dtrace_record_add(&d->record, count);
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
    /* Indented lines without a frame that is certain are prose. */
    if (!d->record.sure && !d->record.sample && d->pending == PENDING_NONE)
        dtrace_record_clear(&d->record);
    return settle(t, d);
}

static bool on_text(struct text *t, struct dtrace *d, struct slice text)
{
    if (!settle(t, d) || (d->record.sample && !dtrace_record_close(&d->record)))
        return false;
    keep_pending(d, PENDING_TEXT, text);
    return true;
}

/* The current stack has a distribution instead of a count. */
static bool on_histogram(struct text *t, struct dtrace *d)
{
    d->histogram = true;
    d->pending = PENDING_NONE;
    if (d->record.stack.count) {
        t->profile->ledger.distributions++;
        diag_warn_line(t->diag, t->line, "stack with a distribution (quantize) skipped: '%.*s'",
                       SLICE_ARG(dtrace_record_leaf(&d->record)));
    }
    dtrace_record_clear(&d->record);
    return true;
}

/* Adds the process as the root frame, with --pid or --tid including its pid. */
static void add_process(struct text *t, struct dtrace *d, const struct dtrace_line *l)
{
    struct buf name = {0};

    buf_add_slice(&name, l->process);
    if (t->options->pid || t->options->tid)
        buf_printf(&name, "-%.*s", SLICE_ARG(l->pid));
    *vec_add(&d->record.keys) = builder_entry(
        &d->record.builder, &(struct frame){.name = buf_slice(&name), .kind = FRAME_OWNER});
    buf_release(&name);
}

static bool on_probe(struct text *t, struct dtrace *d, const struct dtrace_line *l)
{
    struct origin origin = {.event = l->event, .process = l->process, .pid = l->pid};

    if (!settle(t, d) || !dtrace_record_close(&d->record))
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
        slice_has(rest, SLICE("drops on CPU")) &&
        !num_add(t->profile->ledger.lost, lost, &t->profile->ledger.lost))
        t->profile->ledger.lost = UINT64_MAX;
}

/* Reads a line that is not in the table of frames. */
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

/* Fast path for counts: returns the number of digits, or 0 if the line is no short count. */
static size_t count_length(const char *text, uint64_t *count)
{
    enum { SAFE_DIGITS = 18 };
    size_t n = 0;

    *count = 0;
    while ((unsigned)text[n] - '0' < 10 && n < SAFE_DIGITS)
        *count = *count * 10 + ((unsigned)text[n++] - '0');
    return text[n] == '\n' ? n : 0;
}

/* Fast path for frames in the table. Returns false for any other line. */
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
 * Fast path for a frame's expected successors, as most lines are, and the count
 * after them. Moves `*at` to the first other line. Returns false after
 * reporting an error.
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
    return dtrace_record_add(&d->record, (int64_t)count);
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

    return settle(t, d) && dtrace_record_close(&d->record);
}

/* Only a blank line after a number is outside a record, so that a file may be split there. */
static bool dtrace_starts_behind(struct slice before, struct slice line)
{
    return !slice_trim(line).len && dtrace_line_parse(before).kind == DTRACE_NUMBER;
}

const struct format format_dtrace = {
    .name = "dtrace",
    .family = FORMAT_SYSTEMS,
    .description = "DTrace's stacks: stack(), ustack(), jstack()",
    .recognised = "'CPU ID FUNCTION:NAME', or indented frames 'module`function+0x1f' and a count",
    .example = "dtrace -x ustackframes=100 -n 'profile-97 /pid == $target/ "
               "{ @[ustack()] = count(); }' -p PID -o app.dtrace",
    .without_stacks = "aggregate by stack: @[ustack()] = count()",
    .of_events = true,
    .claims = dtrace_line_claims,
    .text = {TEXT_BLOCK_READER(dtrace), .starts_behind = dtrace_starts_behind},
};
