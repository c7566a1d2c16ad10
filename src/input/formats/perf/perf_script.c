/*
 * Output of perf script: an event line, frames leaf first, a blank line.
 *
 * A sample ends at a blank line, at the next event line or at the end of the input. What
 * becomes of samples is in perf_samples.h.
 *
 * Grammar: output of perf 2.6.34 to 6.1, and the readers stackcollapse-perf.pl, inferno,
 * speedscope and the Firefox profiler.
 */
#include "base/num.h"
#include "input/format.h"
#include "input/formats/perf/perf_fields.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_frame.h"
#include "input/formats/perf/perf_samples.h"

struct perf_reader {
    struct perf_samples samples;
    struct perf_fields fields;
    bool remark;     /* the last line is a message of perf */
    uint64_t thread; /* of the open sample */
};

static bool perf_begin(struct text *t, void *state)
{
    struct perf_reader *r = state;

    perf_samples_init(&r->samples, t);
    return true;
}

static void perf_release(void *state)
{
    struct perf_reader *r = state;

    perf_samples_release(&r->samples);
    perf_fields_release(&r->fields);
}

/*
 * Adds a frame on the event line itself, as perf writes samples without a call chain; for
 * a branch, " => " and its target follow.
 */
static void add_only_frame(struct perf_samples *s, struct slice rest)
{
    struct perf_frames *f = s->in_use;
    size_t len = 0;

    rest = slice_trim(slice_take(rest, slice_search(rest, SLICE(" => "))));
    while (len < rest.len && memchr("0123456789abcdef", rest.ptr[len], 16))
        len++;
    if (!len || len == rest.len || rest.ptr[len] != ' ' || !slice_ends(rest, SLICE(")")))
        return;
    perf_frames_resolve(f, slice_take(rest, len), slice_skip(rest, len));
    perf_samples_push_all(s, f->found.items, (uint32_t)f->found.count);
}

/* A blank line ends a sample, but for one that belongs to a message of perf. */
static bool read_blank(struct perf_reader *r)
{
    bool remark = r->remark;

    r->remark = false;
    return remark || perf_samples_close(&r->samples);
}

static bool open_sample(struct text *t, struct perf_reader *r, struct perf_event *e)
{
    struct perf_samples *samples = &r->samples;

    r->thread = (uint64_t)e->tid;
    if (samples->scheduling || samples->made.any) {
        perf_fields_parse(&r->fields, e->name, e->rest);
        e->fields = &r->fields;
    }
    if (!perf_samples_open(samples, e, DIAG_AT_LINE(t->line)))
        return false;
    if (e->rest.len && !samples->skipped)
        add_only_frame(samples, e->rest);
    return true;
}

/* The symbols of a frame that the table knows. */
static inline void push_line(struct perf_samples *s, const struct perf_line *line,
                             struct slice address)
{
    struct perf_frames *f = s->in_use;

    if (line->by_address) {
        perf_frames_resolve(f, address, slice_make(line->text, line->len));
        perf_samples_push_all(s, f->found.items, (uint32_t)f->found.count);
    } else if (line->count == 1) {
        perf_samples_push(s, line->symbols);
    } else if (line->count) { /* there may be no chains yet */
        perf_samples_push_all(s, f->chains.items + line->symbols, line->count);
    }
}

/* "main.c:12" is where the frame before is, " (inlined)" is of that frame. */
static void add_source(struct perf_reader *r, struct slice source)
{
    const struct slice inlined = SLICE(PERF_LINE_INLINED);
    struct perf_samples *samples = &r->samples;
    bool is_inlined = slice_ends(source, inlined);
    size_t colon;
    uint64_t line;
    uint32_t *top;

    if (!samples->open || !samples->depth)
        return;
    top = &samples->stack[samples->depth - 1];
    if (is_inlined) {
        source = slice_take(source, source.len - inlined.len);
        *top = perf_frames_inlined(samples->in_use, *top);
    }
    colon = slice_find_last(source, ':');
    if (num_parse_u64(slice_skip(source, colon + 1), &line))
        *top = perf_frames_place(samples->in_use, *top, slice_take(source, colon), line);
}

/* "... PERF_RECORD_LOST lost 12": how many the kernel could not record. */
static void add_lost(struct text *t, struct slice line)
{
    const struct slice mark = SLICE("PERF_RECORD_LOST lost ");
    struct slice number = slice_skip(line, slice_search(line, mark));
    uint64_t lost;

    if (num_parse_u64(slice_trim(slice_skip(number, mark.len)), &lost) &&
        !num_add(t->profile->ledger.lost, lost, &t->profile->ledger.lost))
        t->profile->ledger.lost = UINT64_MAX;
}

/* A line (without LF) that is not a frame which the table knows. */
static bool read_line(struct text *t, struct perf_reader *r, struct slice line)
{
    struct perf_samples *s = &r->samples;
    struct perf_frames *f = s->in_use;
    struct perf_event e;
    enum perf_line_kind kind = perf_line_classify(line, &e);
    size_t address;

    if (kind == PERF_BLANK)
        return read_blank(r);
    r->remark = kind == PERF_REMARK;
    switch (kind) {
    case PERF_EVENT:
        return open_sample(t, r, &e);
    case PERF_FRAME:
        if (!s->open) {
            text_skip_line(t, "a frame outside of any sample", slice_trim(line));
            return true;
        }
        address = perf_frame_address(line.ptr, line.ptr + line.len);
        perf_frames_resolve(f, slice_take(line, address), slice_skip(line, address));
        perf_samples_push_all(s, f->found.items, (uint32_t)f->found.count);
        if (s->scheduling)
            perf_sched_frame(&s->sched, slice_skip(line, address));
        return true;
    case PERF_CHAIN:
        r->thread = (uint64_t)e.tid;
        return perf_samples_open_deferred(s, &e, r->thread, perf_line_cookie(e.rest),
                                          DIAG_AT_LINE(t->line));
    case PERF_COOKIE:
        if (s->open && !s->skipped)
            perf_samples_defer(s, r->thread, perf_line_cookie(line));
        return true;
    case PERF_COMMENT:
        perf_line_note(line, t->profile);
        return true;
    case PERF_SOURCE:
        add_source(r, slice_trim(line));
        return true;
    case PERF_RECORD:
        add_lost(t, line);
        return true;
    case PERF_BLANK:
    case PERF_EXTRA:
    case PERF_REMARK:
        return true;
    case PERF_OTHER:
        text_skip_line(t, "neither an event nor a frame", slice_trim(line));
        return true;
    }
    BUG("no such kind of line");
}

/* Returns the entry of a frame line that was not guessed, or 0 if the line is no frame. */
static uint32_t find_line(struct perf_frames *f, const char *p, const char *text, const char *end)
{
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    struct slice rest = {text, (size_t)(line_end + 1 - text)};
    struct perf_event e;
    uint32_t id;

    if (rest.len > PERF_FRAMES_MOST_TEXT)
        return 0;
    id = perf_frames_find(f, f->last, rest);
    /*
     * The text after the address decides whether a line is a frame, and the table contains
     * only frames.
     */
    if (id || perf_line_classify(slice_make(p, (size_t)(line_end - p)), &e) != PERF_FRAME)
        return id;
    return perf_frames_add(f, f->last, rest);
}

/* Reads frames from `p` on. Returns where they end. */
static const char *read_frames(struct text *t, struct perf_samples *s, const char *p,
                               const char *end)
{
    struct perf_frames *f = s->in_use;

    while (p < end) {
        size_t address = perf_frame_padded(p);
        uint32_t id;

        if (!address && (*p == ' ' || *p == '\t'))
            address = perf_frame_address(p, end);
        if (!address)
            break;
        id = perf_frames_guess(f, f->last, p + address, end);
        if (!id)
            id = find_line(f, p, p + address, end);
        if (!id)
            break;
        push_line(s, &f->lines.items[id], slice_make(p, address));
        p += address + f->lines.items[id].len;
        f->last = id;
        t->line++;
    }
    return p;
}

static bool perf_lines(struct text *t, void *state, struct slice block)
{
    struct perf_reader *r = state;
    struct perf_samples *s = &r->samples;
    const char *p = block.ptr, *end = block.ptr + block.len;

    while (p < end) {
        const char *from = p, *line_end;

        if (s->open && !s->skipped && !(s->scheduling && s->sched.whole_names))
            p = read_frames(t, s, p, end);
        r->remark &= p == from;
        if (p == end)
            break;
        if (*p == '\n') {
            t->line++;
            p++;
            if (!read_blank(r))
                return false;
            continue;
        }
        line_end = memchr(p, '\n', (size_t)(end - p));
        t->line++;
        if (!read_line(t, r, slice_make(p, (size_t)(line_end - p))))
            return false;
        p = line_end + 1;
    }
    return true;
}

static bool perf_end(struct text *t, void *state)
{
    struct perf_reader *r = state;

    (void)t;
    return perf_samples_end(&r->samples);
}

static bool perf_starts_record(struct slice line)
{
    struct perf_event e;

    return perf_line_classify(line, &e) == PERF_EVENT;
}

/*
 * Times off the CPU and allocations begin and end anywhere, and so do samples whose user call
 * chains are printed apart; processes may change their names anywhere.
 */
static bool perf_stays_whole(const struct text *t)
{
    return t->options->split_process || perf_sched_is_in(t->start) ||
           perf_derived_is_in(t->start) || perf_line_has_chains(t->start);
}

static bool perf_claims(const struct head *head)
{
    return perf_line_claims(head->bytes, head->whole);
}

const struct format format_perf_script = {
    .name = "perf-script",
    .family = FORMAT_LINUX,
    .description = "samples of Linux perf as text; with the scheduler's events, time off the CPU",
    .recognised = "an event line (comm, pid, time, event), then frames or more of them",
    .example = "perf record -F 99 -g -- COMMAND && perf script > app.perf",
    .without_stacks = "record with -g and print with ip and sym: perf record -g, perf script",
    .without_callers = "record and print them: perf record -g, perf script",
    .in_order = true,
    .of_events = true,
    .claims = perf_claims,
    .text =
        {
            .state_size = sizeof(struct perf_reader),
            .begin = perf_begin,
            .lines = perf_lines,
            .end = perf_end,
            .release = perf_release,
            .starts_record = perf_starts_record,
            .stays_whole = perf_stays_whole,
        },
};
