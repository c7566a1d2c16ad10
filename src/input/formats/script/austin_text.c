/*
 * Austin's text, of all its versions: a line per sample, root first.
 *
 *     # mode: wall
 *     P6360;T6360;/app/main.py:run:42;/app/db.py:query:7 105
 *     Process 1;Thread 0x7f12;run (/app/main.py:42);query (/app/db.py);L7 105
 *
 * The first is that of 3.x, where "T0:6360" has the interpreter's number too;
 * the second that of 1.x and 2.x, with the line behind the file or as a frame
 * of its own. Files and functions may hold colons and blanks, so a frame is
 * taken apart from its end. What stands behind the last blank is measured:
 * microseconds, bytes (memory mode), or "time,idle,memory" (full mode).
 *
 * A stack without frames is a thread that ran no Python; its weight is kept.
 *
 * Source: github.com/P403n1x87/austin, README; austin-python's collapsed_stack.
 */
#include "base/num.h"
#include "input/formats/script/austin.h"
#include "input/format.h"
#include "input/parse/records.h"

/* ---- a line, taken apart ------------------------------------------------------------------- */

struct austin_line {
    struct slice pid, tid;
    struct slice frames; /* between semicolons */
    struct slice metrics;
};

static bool is_number(struct slice s)
{
    uint64_t value;

    return num_parse_u64(s, &value);
}

static bool cut_prefix(struct slice *s, struct slice prefix)
{
    if (!slice_starts(*s, prefix))
        return false;
    *s = slice_skip(*s, prefix.len);
    return true;
}

static struct slice last_word(struct slice line)
{
    size_t blank;

    line = slice_trim_right(line);
    blank = slice_find_last(line, ' ');
    return blank == line.len ? line : slice_skip(line, blank + 1);
}

/* False where it is no sample. */
static bool split_line(struct slice line, struct austin_line *out)
{
    bool old;

    line = slice_trim_right(line);
    out->metrics = last_word(line);
    out->frames = slice_trim_right(slice_take(line, line.len - out->metrics.len));
    old = cut_prefix(&out->frames, SLICE("Process "));
    if (!old && !cut_prefix(&out->frames, SLICE("P")))
        return false;
    if (!slice_cut(&out->frames, ';', &out->pid) || !is_number(out->pid) ||
        !slice_cut(&out->frames, ';', &out->tid))
        return false;
    return cut_prefix(&out->tid, old ? SLICE("Thread ") : SLICE("T")) && out->tid.len;
}

struct austin_place {
    struct slice file, function;
    uint64_t line;
};

/* "file:function:line"; a line that is no number is none. */
static bool split_frame(struct slice text, struct austin_place *p)
{
    size_t colon = slice_find_last(text, ':');

    *p = (struct austin_place){0};
    if (colon == text.len)
        return false;
    if (!num_parse_u64(slice_skip(text, colon + 1), &p->line))
        p->line = 0;
    text = slice_take(text, colon);
    colon = slice_find_last(text, ':');
    if (colon == text.len)
        return false;
    p->file = slice_take(text, colon);
    p->function = slice_skip(text, colon + 1);
    return true;
}

/* "function (file:line)" or "function (file)". */
static bool split_old_frame(struct slice text, struct austin_place *p)
{
    size_t at = text.len, colon;

    *p = (struct austin_place){0};
    if (!slice_ends(text, SLICE(")")))
        return false;
    text.len--;
    while (at > 0 && !slice_starts(slice_skip(text, at), SLICE(" (")))
        at--;
    if (!at)
        return false;
    p->function = slice_take(text, at);
    p->file = slice_skip(text, at + 2);
    colon = slice_find_last(p->file, ':');
    if (num_parse_u64(slice_skip(p->file, colon + 1), &p->line))
        p->file = slice_take(p->file, colon);
    return true;
}

/* "L42", the line of the frame before it. */
static bool is_line(struct slice text)
{
    return text.len > 1 && text.ptr[0] == 'L' && is_number(slice_skip(text, 1));
}

/* A whole number with a sign; false where it is none or out of range. */
static bool parse_signed(struct slice text, int64_t *value)
{
    bool minus = cut_prefix(&text, SLICE("-"));
    uint64_t number;

    if (!num_parse_u64(text, &number) || number > INT64_MAX)
        return false;
    *value = minus ? -(int64_t)number : (int64_t)number;
    return true;
}

static bool parse_metrics(struct slice text, enum austin_mode mode, struct austin_metrics *m)
{
    struct slice rest = text, time, idle;

    *m = (struct austin_metrics){0};
    if (mode == AUSTIN_MEMORY)
        return parse_signed(text, &m->memory);
    if (mode != AUSTIN_FULL)
        return num_parse_u64(text, &m->time);
    if (!slice_cut(&rest, ',', &time) || !slice_cut(&rest, ',', &idle))
        return false;
    m->idle = !slice_equal(idle, SLICE("0"));
    return num_parse_u64(time, &m->time) && is_number(idle) && parse_signed(rest, &m->memory);
}

/* ---- recognition --------------------------------------------------------------------------- */

/* Whether the frames, if any, are those of Austin. */
static bool has_places(struct slice frames)
{
    struct austin_place place;
    struct slice frame;

    while (slice_cut(&frames, ';', &frame))
        if (!split_frame(frame, &place) && !split_old_frame(frame, &place) && !is_line(frame))
            return false;
    return true;
}

static bool austin_claims(const struct head *head)
{
    enum { LINES = 50 };
    struct slice rest = head->bytes, line;
    bool named = false;
    int samples = 0;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++) {
        struct austin_line sample;
        struct austin_metrics m;

        named |= slice_starts(line, SLICE("# austin: "));
        if (!line.len || line.ptr[0] == '#')
            continue;
        if (!split_line(line, &sample) || !has_places(sample.frames) ||
            (!parse_metrics(sample.metrics, AUSTIN_MEMORY, &m) &&
             !parse_metrics(sample.metrics, AUSTIN_FULL, &m)))
            return named;
        samples += sample.frames.len > 0;
    }
    return named || samples > 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

struct austin_text {
    struct austin austin;
    struct records records; /* stacks, by the text of samples but for their metrics */
};

static bool austin_text_begin(struct text *t, void *state)
{
    struct austin_text *x = state;

    austin_init(&x->austin, t->profile, t->options, t->diag);
    records_init(&x->records);
    return true;
}

static void header_line(struct austin *a, struct slice line)
{
    struct slice key, value = slice_trim(slice_skip(line, 1));

    if (slice_cut(&value, ':', &key))
        austin_header(a, slice_trim(key), slice_trim(value));
}

/* The frame of a text that is one of the three forms; anything else is its name. */
static void add_frame(struct austin *a, struct slice text, uint64_t line)
{
    struct austin_place p;

    if (slice_equal(text, SLICE(":INVALID:")))
        p = (struct austin_place){0};
    else if (!split_frame(text, &p) && !split_old_frame(text, &p))
        p = (struct austin_place){.function = text};
    if (slice_equal(p.file, SLICE("kernel")) && !p.line)
        austin_special(a, p.function, SYMBOL_KERNEL);
    else
        austin_frame(a, p.file, p.function, line ? line : p.line);
}

static void add_frames(struct austin *a, struct slice frames)
{
    struct slice frame, next;
    bool has = slice_cut(&frames, ';', &frame);

    while (has) {
        uint64_t line = 0;

        if (a->reference) {
            austin_special(a, frame, SYMBOL_USER);
            has = slice_cut(&frames, ';', &frame);
            continue;
        }
        has = slice_cut(&frames, ';', &next);
        if (has && is_line(next)) {
            num_parse_u64(slice_skip(next, 1), &line);
            add_frame(a, frame, line);
            has = slice_cut(&frames, ';', &next);
        } else {
            add_frame(a, frame, 0);
        }
        frame = next;
    }
}

/*
 * A sample whose text, but for its metrics, may have been met before. Its
 * stack is not made in vain where options leave samples out.
 */
static bool add_sample(struct austin_text *x, const struct austin_line *sample, struct slice text,
                       const struct austin_metrics *m)
{
    struct austin *a = &x->austin;
    const struct record *record = records_find(&x->records, text);
    uint32_t stack;

    if (record) {
        austin_begin_at(a, sample->pid, sample->tid, record->stack, sample->frames.len > 0);
        return austin_add(a, m);
    }
    austin_begin(a, sample->pid, sample->tid, SLICE(""));
    add_frames(a, sample->frames);
    if (a->b.by_event && builder_depth(&a->b) <= a->b.options->limits.max_depth) {
        if (!builder_stack(&a->b, &stack))
            return false;
        records_add(&x->records, text, (struct record){.stack = stack});
    }
    return austin_add(a, m);
}

static bool austin_text_line(struct text *t, void *state, struct slice line)
{
    struct austin_text *x = state;
    struct austin *a = &x->austin;
    struct austin_line sample;
    struct austin_metrics m;

    if (!slice_trim(line).len)
        return true;
    if (line.ptr[0] == '#') {
        header_line(a, line);
        return true;
    }
    t->profile->ledger.lines++;
    if (a->mode == AUSTIN_TIME && parse_metrics(last_word(line), AUSTIN_FULL, &m))
        a->mode = AUSTIN_FULL;
    if (!split_line(line, &sample) || !parse_metrics(sample.metrics, a->mode, &m)) {
        text_skip(t, "expected 'P<pid>;T<tid>;file:function:line;... METRIC'; line skipped");
        return true;
    }
    return add_sample(x, &sample, slice_take(line, (size_t)(sample.metrics.ptr - line.ptr)), &m);
}

static bool austin_text_end(struct text *t, void *state)
{
    (void)t;
    austin_end(&((struct austin_text *)state)->austin);
    return true;
}

static void austin_text_release(void *state)
{
    struct austin_text *x = state;

    austin_release(&x->austin);
    records_release(&x->records);
}

static const struct text_reader austin_reader = {
    .state_size = sizeof(struct austin_text),
    .begin = austin_text_begin,
    .line = austin_text_line,
    .end = austin_text_end,
    .release = austin_text_release,
};

const struct format format_austin = {
    .name = "austin",
    .family = FORMAT_LANGUAGES,
    .description = "Austin's samples of Python as text",
    .recognised = "'# austin:' or lines of 'P<pid>;T<tid>;file:function:line;... METRIC'",
    .example = "austin -o app.austin python app.py",
    .without_stacks = "no thread ran Python while it was watched; record for longer",
    .in_order = true,
    .claims = austin_claims,
    .reader = &austin_reader,
};
