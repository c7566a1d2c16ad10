/*
 * Austin's text format, all versions: a line per sample, root first.
 *
 *     # mode: wall
 *     P6360;T6360;/app/main.py:run:42;/app/db.py:query:7 105
 *     Process 1;Thread 0x7f12;run (/app/main.py:42);query (/app/db.py);L7 105
 *     Thread 55d3;run (/app/main.py);L42 105
 *
 * The first form is that of 3.x, where "T0:6360" also has the interpreter's
 * number; the others are those of 1.x and 2.x, with the line after the file or as
 * a frame of its own, and without a process if it has no children. Files and
 * functions may contain colons and blanks, so a frame is parsed from its end. The
 * last word is the metric: microseconds, bytes (memory mode), or
 * "time,idle,memory" (full mode).
 *
 * A stack without frames is a thread that ran no Python; its weight is kept.
 *
 * Source: github.com/P403n1x87/austin, README; austin-python's collapsed_stack.
 */
#include "input/formats/script/austin.h"

#include "base/num.h"
#include "input/build/owners.h"
#include "input/build/python.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/parse/records.h"

/* ---- what both formats share --------------------------------------------------------------- */

void austin_init(struct austin *a, struct profile *profile, const struct input_options *options,
                 struct diag *diag)
{
    *a = (struct austin){.reference = options->names == NAMES_REFERENCE};
    builder_init(&a->b, profile, options, diag);
}

void austin_release(struct austin *a)
{
    release_each(a, (builder, b), (buf, text));
}

void austin_header(struct austin *a, struct slice key, struct slice value)
{
    static const struct {
        struct slice word;
        enum austin_mode mode;
    } modes[] = {
        {{"wall", 4}, AUSTIN_WALL},
        {{"cpu", 3}, AUSTIN_CPU},
        {{"memory", 6}, AUSTIN_MEMORY},
        {{"full", 4}, AUSTIN_FULL},
    };
    bool micros = slice_equal(key, SLICE("interval")) || slice_equal(key, SLICE("duration"));

    if (slice_equal(key, SLICE("mode")))
        for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
            if (slice_equal(value, modes[i].word))
                a->mode = modes[i].mode;
    buf_clear(&a->text);
    buf_printf(&a->text, "%.*s%s", SLICE_ARG(value), micros ? " us" : "");
    profile_add_fact(a->b.profile, key, buf_slice(&a->text));
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t owner_entry(struct austin *a, const char *word, struct slice name)
{
    buf_clear(&a->text);
    buf_add_str(&a->text, word);
    buf_add_slice(&a->text, name);
    return builder_entry(&a->b, &(struct frame){.name = buf_slice(&a->text), .kind = FRAME_OWNER});
}

struct austin_owner austin_owner_of(struct austin *a, struct slice pid, struct slice tid,
                                    struct slice thread)
{
    struct austin_owner o = {.origin = {.pid = pid, .tid = tid, .thread = thread}};

    o.entries[0] = owner_entry(a, a->reference ? "P" : "Process ", pid);
    if (a->reference)
        o.entries[1] = owner_entry(a, "T", tid.len ? tid : thread);
    else
        o.entries[1] = owner_entry(a, thread.len ? "" : "Thread ", thread.len ? thread : tid);
    return o;
}

void austin_begin_of(struct austin *a, const struct austin_owner *owner)
{
    a->origin = owner->origin;
    a->frames = false;
    a->stack = AUSTIN_NO_STACK;
    builder_begin(&a->b);
    if (!a->reference || owner->origin.pid.len)
        builder_push(&a->b, owner->entries[0]);
    builder_push(&a->b, owner->entries[1]);
}

/* Begins a sample whose stack is known; `frames` says if it has a frame besides the first two. */
static void austin_begin_at(struct austin *a, struct slice pid, struct slice tid, uint32_t stack,
                            bool frames)
{
    a->origin = (struct origin){.pid = pid, .tid = tid};
    a->stack = stack;
    a->frames = frames;
}

/*
 * Begins a sample. `thread` is its name, if it has one; `tid` its number, after
 * that of the interpreter if there are several. The texts must live until the
 * sample is added.
 */
static void austin_begin(struct austin *a, struct slice pid, struct slice tid, struct slice thread)
{
    struct austin_owner owner = austin_owner_of(a, pid, tid, thread);

    austin_begin_of(a, &owner);
}

uint32_t austin_entry(struct austin *a, struct slice file, struct slice function, uint64_t line)
{
    struct frame f = {.kind = FRAME_PLAIN};

    if (a->reference) {
        buf_clear(&a->text);
        buf_printf(&a->text, "%.*s:%.*s:%llu", SLICE_ARG(file), SLICE_ARG(function),
                   (unsigned long long)line);
        f.name = buf_slice(&a->text);
    } else {
        f.name = python_name(function, file, &a->text);
        f.file = file;
        f.line = line;
    }
    return builder_entry(&a->b, &f);
}

void austin_push(struct austin *a, uint32_t entry)
{
    a->frames = true;
    builder_push(&a->b, entry);
}

/* Appends a frame: austin_entry() and austin_push() in one. */
static void austin_frame(struct austin *a, struct slice file, struct slice function, uint64_t line)
{
    austin_push(a, austin_entry(a, file, function, line));
}

/* Appends a frame that is not a Python function. */
static void austin_special(struct austin *a, struct slice name, enum symbol_class class)
{
    a->frames = true;
    builder_frame(&a->b, &(struct frame){.name = name, .kind = FRAME_PLAIN, .class = class});
}

/* ---- weights ------------------------------------------------------------------------------- */

static bool add(struct austin *a, const char *event, bool bytes, uint64_t weight)
{
    struct unit unit = unit_named(bytes ? SLICE("bytes") : SLICE("us"));

    uint32_t series;

    a->origin.event = slice_str(event);
    series = builder_series(&a->b, &a->origin, unit);
    if (!a->frames)
        builder_note_bare(&a->b, series, 1);
    if (a->stack == AUSTIN_NO_STACK)
        return builder_add(&a->b, series, weight);
    return builder_add_at(&a->b, series, a->stack, (struct decimal){.value = weight});
}

static bool add_memory(struct austin *a, int64_t bytes)
{
    if (bytes < 0)
        return add(a, "memory freed", true, 0 - (uint64_t)bytes);
    return add(a, "memory", true, (uint64_t)bytes);
}

bool austin_add(struct austin *a, const struct austin_metrics *m)
{
    static const char *const events[] = {
        [AUSTIN_TIME] = "",
        [AUSTIN_WALL] = "wall",
        [AUSTIN_CPU] = "cpu",
    };

    if (a->mode == AUSTIN_MEMORY)
        return add_memory(a, m->memory);
    if (a->mode != AUSTIN_FULL)
        return add(a, events[a->mode], false, m->time);
    return (m->idle || add(a, "cpu", false, m->time)) && add(a, "wall", false, m->time) &&
           (!m->memory || add_memory(a, m->memory));
}

void austin_end(struct austin *a)
{
    const struct profile *p = a->b.profile;

    if (profile_fact(p, SLICE("austin")).len && !profile_fact(p, SLICE("duration")).len)
        cut_off(&a->b, DIAG_AT_FILE,
                "the file ends without the duration that Austin writes last; it may be truncated");
    if (!a->reference)
        owners_strip(a->b.profile, 2);
}

/* ---- a line, taken apart ------------------------------------------------------------------- */

struct austin_line {
    struct slice pid, tid;
    struct slice frames; /* separated by semicolons */
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

/* Recognises "L42", the line of the frame before it. */
static bool is_line(struct slice text)
{
    return text.len > 1 && text.ptr[0] == 'L' && is_number(slice_skip(text, 1));
}

/*
 * Takes "Thread 55d3;" if nothing or a frame and its line follow: otherwise it may be the name of
 * a thread in folded stacks of another program.
 */
static bool cut_thread(struct slice *frames, struct slice *tid)
{
    struct slice rest = *frames, thread, frame, line;
    uint64_t value;

    if (!cut_prefix(&rest, SLICE("Thread ")) || !slice_cut(&rest, ';', &thread) ||
        !num_parse_hex(thread, &value))
        return false;
    *tid = thread;
    *frames = rest;
    return !rest.len ||
           (slice_cut(&rest, ';', &frame) && slice_cut(&rest, ';', &line) && is_line(line));
}

/* Parses a sample. Returns false if the line is not one. */
static bool split_line(struct slice line, struct austin_line *out)
{
    bool old;

    line = slice_trim_right(line);
    out->metrics = last_word(line);
    out->frames = slice_trim_right(slice_take(line, line.len - out->metrics.len));
    out->pid = slice_make(NULL, 0);
    if (cut_thread(&out->frames, &out->tid))
        return true;
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

/* Parses "file:function:line"; a line that is not a number becomes 0. */
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

/* Parses "function (file:line)" or "function (file)". */
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

/* Parses an integer with a sign. Returns false if it is malformed or out of range. */
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

/* Returns true if all frames, if any, have one of Austin's forms. */
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
    bool named = false;
    int samples = 0;

    head_each_of (line, head, LINES) {
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
    struct records records; /* stacks, by the text of a sample without its metrics */
};

static bool austin_text_begin(struct text *t, void *state)
{
    struct austin_text *x = state;

    austin_init(&x->austin, t->profile, t->options, t->diag);
    return true;
}

static void header_line(struct austin *a, struct slice line)
{
    struct slice key, value = slice_trim(slice_skip(line, 1));

    if (slice_cut(&value, ':', &key))
        austin_header(a, slice_trim(key), slice_trim(value));
}

/* Adds a frame in one of the three forms; any other text is taken as a name. */
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
 * Adds a sample. Its stack is looked up by the text without the metrics; it is
 * made only if the options do not filter samples out.
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
    if (a->mode == AUSTIN_TIME && parse_metrics(last_word(line), AUSTIN_FULL, &m))
        a->mode = AUSTIN_FULL;
    if (!split_line(line, &sample) || !parse_metrics(sample.metrics, a->mode, &m))
        return text_skip_line(t, "expected 'P<pid>;T<tid>;file:function:line;... METRIC'", line);
    return add_sample(x, &sample, slice_take(line, (size_t)(sample.metrics.ptr - line.ptr)), &m);
}

static bool austin_text_end(struct text *t, void *state)
{
    (void)t;
    austin_end(&((struct austin_text *)state)->austin);
    return true;
}

STATE_RELEASE(austin_text, (austin, austin), (records, records));

const struct format format_austin = {
    .name = "austin",
    .family = FORMAT_LANGUAGES,
    .description = "Austin samples of Python as text",
    .recognised = "'# austin:' or lines of 'P<pid>;T<tid>;file:function:line;... METRIC'",
    .example = "austin -o app.austin python app.py",
    .without_stacks = "no thread ran Python while Austin sampled; record for longer",
    .in_order = true,
    .claims = austin_claims,
    .text = {TEXT_READER(austin_text)},
};
