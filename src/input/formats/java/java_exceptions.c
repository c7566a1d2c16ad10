/*
 * Stack traces of Java exceptions in a log.
 *
 *     2026-01-01 12:00:00 ERROR request failed
 *     java.lang.IllegalStateException: no connection
 *     	at a.Pool.get(Pool.java:12)
 *     	at a.Main.main(Main.java:3)
 *     Caused by: java.net.ConnectException: refused
 *     	at a.Pool.connect(Pool.java:40)
 *     	... 1 more
 *
 * A run of "at" lines is a stack, leaf first, and counts once; the stack of
 * each cause counts once, too. "... N more" (and "N common frames omitted")
 * omits the frames that a cause shares with the trace that it belongs to, as
 * Throwable.printStackTrace() defines; they are copied from that trace. If that
 * trace is not in the file, the stack counts as truncated. Other lines of the
 * log are skipped.
 *
 * The input is recognised as such a log if most of its lines are traces, or
 * traces and lines that begin like log records, so a text that merely quotes a
 * trace is not. --names=reference gives what stackcollapse-java-exceptions.pl
 * prints.
 */
#include "base/ascii.h"
#include "input/format.h"
#include "input/build/java.h"

/* Most nested traces, by indentation, that are kept for their causes. */
enum { LEVELS = 8 };

/* The last complete trace at an indentation. */
struct trace {
    size_t indent;
    VEC(uint32_t) frames; /* entries of the builder, leaf first */
};

struct exceptions {
    struct sample sample;
    VEC(uint32_t) frames; /* of the trace being read: entries of the builder, leaf first */
    size_t indent;        /* of the trace being read */
    bool caused;          /* a line said that the next trace is a cause or was suppressed */
    bool suppressed;      /* the next trace was suppressed: it is indented below another one */
    struct trace levels[LEVELS];
    size_t depth; /* of `levels` in use, each indented further than the one before */
};

/* ---- lines --------------------------------------------------------------------------------- */

/* Recognises "  at a.B.c(PLACE) [jar]": a method with a dot in its name and without blanks. */
static bool is_frame(struct slice line, struct slice *text)
{
    size_t open, dot;

    if (!line.len || (line.ptr[0] != ' ' && line.ptr[0] != '\t') || !java_at(line, text))
        return false;
    open = slice_find(*text, '(');
    dot = slice_find(*text, '.');
    return open < text->len && dot < open && slice_find(*text, ' ') > open &&
           slice_find_last(*text, ')') < text->len;
}

/* Returns true for a place in the form that only the JVM writes. */
static bool has_java_place(struct slice text)
{
    struct slice place = slice_skip(text, slice_find(text, '('));

    return slice_has_any(place, ".java)",
                         ".java:", ".kt:", ".scala:", ".groovy:", ".clj:", "Native Method)",
                         "Unknown Source)", "<generated>)");
}

/* Recognises "... 12 more" and "... 12 common frames omitted", and returns the count. */
static bool is_rest(struct slice line, uint64_t *count)
{
    const struct slice dots = SLICE("... ");
    struct slice word;

    line = slice_trim(line);
    if (!slice_starts(line, dots))
        return false;
    line = slice_skip(line, dots.len);
    return slice_word(&line, &word) && num_parse_u64(word, count) &&
           (slice_starts(slice_trim(line), SLICE("more")) ||
            slice_starts(slice_trim(line), SLICE("common frames omitted")));
}

static size_t indent_of(struct slice line)
{
    return line.len - slice_trim_left(line).len;
}

/* ---- recognition --------------------------------------------------------------------------- */

/* Returns true if there is a time "12:34:56", or a log level, near the start. */
static bool begins_record(struct slice line)
{
    enum { NEAR = 40, TIME = 8 };
    struct slice start = slice_take(line, NEAR);

    for (size_t i = 0; i + TIME <= start.len; i++)
        if (ascii_is_digit(start.ptr[i]) && ascii_is_digit(start.ptr[i + 1]) &&
            start.ptr[i + 2] == ':' && ascii_is_digit(start.ptr[i + 3]) &&
            ascii_is_digit(start.ptr[i + 4]) && start.ptr[i + 5] == ':' &&
            ascii_is_digit(start.ptr[i + 6]) && ascii_is_digit(start.ptr[i + 7]))
            return true;
    if (slice_starts(line, SLICE("[")))
        line = slice_skip(line, 1);
    return slice_starts_any(line, "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "SEVERE");
}

/* "java.lang.IllegalStateException: text", "Caused by: ...", "Exception in thread ...". */
static bool names_exception(struct slice line)
{
    struct slice name;

    line = slice_trim(line);
    if (slice_starts_any(line,
                         "Caused by: ", "Suppressed: ", "Wrapped by: ", "Exception in thread \""))
        return true;
    name = slice_take(line, slice_find(line, ':'));
    return slice_find(name, ' ') == name.len && slice_find(name, '.') < name.len &&
           slice_ends_any(name, "Exception", "Error", "Throwable");
}

/* Most inputs have none: their lines need not be looked at for anything else. */
static bool has_frame(const struct head *head)
{
    struct slice text;

    head_each (line, head)
        if (is_frame(line, &text) && has_java_place(text))
            return true;
    return false;
}

static bool exceptions_claims(const struct head *head)
{
    struct slice text;
    size_t lines = 0, traces = 0, records = 0, frames = 0, run = 0, longest = 0;
    uint64_t more;

    if (!has_frame(head))
        return false;
    head_each (line, head) {
        bool frame = is_frame(line, &text) && has_java_place(text);

        if (!slice_trim(line).len)
            continue;
        lines++;
        frames += frame;
        run = frame ? run + 1 : 0;
        if (run > longest)
            longest = run;
        if (frame || is_rest(line, &more) || names_exception(line))
            traces++;
        else
            records += begins_record(line);
    }
    if (longest < 2 && !(frames && frames + 1 == lines))
        return false;
    return traces * 2 > lines || (traces + records) * 10 >= lines * 8;
}

/* ---- traces -------------------------------------------------------------------------------- */

/* Keeps the frames of the trace that just ended, for its causes. */
static void keep_trace(struct exceptions *e)
{
    struct trace *level;

    while (e->depth && e->levels[e->depth - 1].indent > e->indent)
        e->depth--;
    if ((!e->depth || e->levels[e->depth - 1].indent < e->indent) && e->depth < LEVELS)
        e->depth++;
    level = &e->levels[e->depth - 1];
    level->indent = e->indent;
    vec_clear(&level->frames);
    vec_each (uint32_t, frame, &e->frames)
        *vec_add(&level->frames) = *frame;
}

static bool end_trace(struct exceptions *e)
{
    if (!e->frames.count)
        return true;
    if (!sample_open(&e->sample, SLICE("")))
        return false;
    vec_each (uint32_t, frame, &e->frames)
        sample_push(&e->sample, *frame);
    keep_trace(e);
    vec_clear(&e->frames);
    e->caused = e->suppressed = false;
    return sample_close(&e->sample);
}

static void push_frame(struct exceptions *e, struct slice line, struct slice text)
{
    uint32_t entry;

    if (!java_entry(&e->sample.builder, &e->sample.known, text, false, &entry)) {
        struct frame f = java_frame_reference(text);

        entry = builder_entry(&e->sample.builder, &f);
    }
    if (!e->frames.count)
        e->indent = indent_of(line);
    *vec_add(&e->frames) = entry;
}

/* Returns the trace that the open one is a cause of or was suppressed by; NULL if there is none. */
static const struct trace *enclosing(const struct exceptions *e)
{
    for (size_t i = e->depth; i > 0; i--) {
        const struct trace *level = &e->levels[i - 1];

        if (e->suppressed ? level->indent < e->indent : level->indent == e->indent)
            return level;
    }
    return NULL;
}

/* "... N more": copies the last N frames of the enclosing trace, which may be all it has. */
static void push_rest(struct exceptions *e, struct slice line, uint64_t count)
{
    const struct trace *whole;

    if (!e->frames.count)
        e->indent = indent_of(line);
    whole = enclosing(e);
    if (!whole || count > whole->frames.count) {
        e->sample.builder.profile->ledger.truncated++;
        return;
    }
    for (size_t i = whole->frames.count - (size_t)count; i < whole->frames.count; i++)
        *vec_add(&e->frames) = whole->frames.items[i];
}

static bool exceptions_line(struct text *t, void *state, struct slice line)
{
    struct slice trimmed = slice_trim_left(line), text;
    struct exceptions *e = state;
    uint64_t count;

    (void)t;
    if (java_at(line, &text) &&
        (sample_is_reference(&e->sample) || frame_cache_has(&e->sample.known, text) ||
         is_frame(line, &text))) {
        push_frame(e, line, text);
        return true;
    }
    if (!sample_is_reference(&e->sample)) {
        if (e->frames.count && slice_starts(trimmed, SLICE("- ")))
            return true;
        if ((e->frames.count || e->caused) && is_rest(line, &count))
            push_rest(e, line, count);
    }
    if (!end_trace(e))
        return false;
    if (slice_starts(trimmed, SLICE("Suppressed: ")))
        e->caused = e->suppressed = true;
    if (slice_starts(trimmed, SLICE("Caused by: "))) {
        e->caused = true;
        e->suppressed = false;
    }
    return true;
}

static bool exceptions_begin(struct text *t, void *state)
{
    struct exceptions *e = state;

    sample_init(&e->sample, t->profile, t->options, t->diag);
    e->sample.unit = (struct unit){.kind = UNIT_COUNT, .noun = SLICE("stack traces")};
    return true;
}

static bool exceptions_end(struct text *t, void *state)
{
    (void)t;
    return end_trace(state);
}

static void exceptions_release(void *state)
{
    struct exceptions *e = state;

    for (size_t i = 0; i < LEVELS; i++)
        vec_release(&e->levels[i].frames);
    release_each(e, (vec, frames), (sample, sample));
}

const struct format format_java_exceptions = {
    .name = "java-exceptions",
    .family = FORMAT_JAVA,
    .description = "stack traces of Java exceptions in a log, each counted once",
    .recognised = "a log that is mostly lines 'at CLASS.METHOD(FILE.java:LINE)'",
    .example = "grep -A200 Exception app.log > traces.log",
    .claims = exceptions_claims,
    .text = {TEXT_READER(exceptions)},
};
