/*
 * Output of perf script: an event line, frames leaf first, a blank line.
 *
 * A sample ends at a blank line, at the next event line or at the end of the input. Every
 * event is a series. A sample without frames keeps its weight on the process alone. From
 * the scheduler's events the time off the CPU is computed as well (perf_sched.h), and from
 * other events bytes and times (perf_made.h).
 *
 * Grammar: output of perf 2.6.34 to 6.1, and the readers stackcollapse-perf.pl, inferno,
 * speedscope and the Firefox profiler.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "input/format.h"
#include "input/formats/perf/perf_origin.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_frame.h"
#include "input/formats/perf/perf_made.h"
#include "input/formats/perf/perf_sched.h"
#include "profile/event.h"

struct perf_reader {
    struct perf_frames frames[2]; /* [1] for Java processes, whose reference names differ */
    struct perf_frames *in_use;   /* by the process of the open sample */
    uint32_t last;                /* entry of the last frame line in each */
    struct perf_comms comms;
    struct buf name;
    uint32_t *stack; /* symbols of the open sample, leaf first */
    size_t depth, cap;
    bool open;    /* a sample is open: frames belong to it */
    bool skipped; /* the options leave it out */
    bool cut;     /* it had more frames than the limit */
    uint32_t comm, series;
    bool by_origin; /* samples are split or selected by process or thread */
    struct perf_origins origins;
    bool scheduling; /* the input has the scheduler's events */
    struct perf_sched sched;
    struct perf_made made;
    uint64_t weight, line; /* of the open sample; its event line */
    uint64_t latest_ns;    /* the latest time of an event that times are computed from */
};

static bool perf_begin(struct text *t, void *state)
{
    struct perf_reader *r = state;

    for (unsigned java = 0; java < 2; java++)
        perf_frames_init(&r->frames[java], t->profile, t->options, java);
    r->in_use = &r->frames[0];
    perf_comms_init(&r->comms);
    buf_init(&r->name);
    t->profile->has_processes = t->profile->has_threads = true;
    r->by_origin = perf_origins_needed(t->options);
    if (r->by_origin)
        perf_origins_init(&r->origins, t->profile, t->options, t->diag);
    r->scheduling = perf_sched_is_in(t->start);
    if (r->scheduling)
        perf_sched_init(&r->sched, t, r->by_origin ? &r->origins : NULL);
    perf_made_init(&r->made, t, r->by_origin ? &r->origins : NULL);
    return true;
}

static void perf_release(void *state)
{
    struct perf_reader *r = state;

    for (unsigned java = 0; java < 2; java++)
        perf_frames_release(&r->frames[java]);
    perf_comms_release(&r->comms);
    buf_release(&r->name);
    if (r->by_origin)
        perf_origins_release(&r->origins);
    if (r->scheduling)
        perf_sched_release(&r->sched);
    perf_made_release(&r->made);
    free(r->stack);
}

static void push_symbols(struct text *t, struct perf_reader *r, const uint32_t *symbols,
                         uint32_t count)
{
    uint32_t most = t->options->limits.max_depth;

    for (uint32_t i = 0; i < count; i++) {
        if (r->depth == r->cap) {
            if (r->depth >= most) {
                r->cut = true;
                return;
            }
            r->cap = r->cap ? r->cap * 2 : 256;
            if (r->cap > most)
                r->cap = most;
            r->stack = xreallocarray(r->stack, r->cap, sizeof(*r->stack));
        }
        r->stack[r->depth++] = symbols[i];
    }
}

/* PERF_MAX_STACK_DEPTH of the kernel: a stack of just so many frames had more, as a rule. */
enum { PERF_DEEPEST = 127 };

/* Puts the open sample into the profile. */
static bool close_sample(struct text *t, struct perf_reader *r)
{
    struct stacks *stacks = &t->profile->stacks;
    uint32_t stack;

    if (!r->open)
        return true;
    r->open = false;
    if (r->skipped)
        return !r->scheduling || perf_sched_close(&r->sched, STACK_ROOT, 0);
    if (r->cut) {
        t->profile->ledger.truncated++;
        diag_warn_line(t->diag, r->line,
                       "more than %u frames; those nearest the root are left out "
                       "(--max-frames N)",
                       t->options->limits.max_depth);
    }
    if (r->depth == PERF_DEEPEST)
        t->profile->ledger.truncated++;
    if (!r->depth)
        t->profile->ledger.without_frames++;
    stack = stacks_push(stacks, STACK_ROOT, r->comm);
    for (size_t i = r->depth; i-- > 0;)
        stack = stacks_push(stacks, stack, r->stack[i]);
    if (!profile_add(t->profile, r->series, stack, r->weight) ||
        (r->made.any && !perf_made_close(&r->made, stack))) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(r->line),
                 "the weights add up to more than 64 bits can hold");
        return false;
    }
    return !r->scheduling || perf_sched_close(&r->sched, stack, r->comm);
}

static void find_process(struct text *t, struct perf_reader *r, const struct perf_event *e)
{
    const struct perf_comm *c = perf_comms_find(&r->comms, e, t->profile, t->options);

    r->comm = c->symbol;
    if (r->in_use != &r->frames[c->java]) {
        r->in_use = &r->frames[c->java];
        r->last = 0;
    }
}

static void find_series(struct text *t, struct perf_reader *r, const struct perf_event *e)
{
    struct profile *p = t->profile;

    if (r->by_origin) {
        r->series = perf_origins_series(&r->origins, e, perf_event_unit(e));
        r->skipped = r->series == BUILDER_LEFT_OUT;
        t->profile->ledger.left_out += r->skipped;
        return;
    }
    if (r->series < p->series.count && slice_equal(p->series.items[r->series].name, e->name))
        return;
    r->series = profile_find_series(p, e->name);
    if (r->series == SERIES_NONE) {
        struct buf clean;

        buf_init(&clean);
        utf8_add_clean(&clean, e->name);
        r->series = profile_series(p, buf_slice(&clean), perf_event_unit(e));
        buf_release(&clean);
    }
}

/*
 * Adds a frame on the event line itself, as perf writes samples without a call chain; for
 * a branch, " => " and its target follow.
 */
static void add_only_frame(struct text *t, struct perf_reader *r, struct slice rest)
{
    struct perf_frames *f = r->in_use;
    size_t len = 0;

    rest = slice_trim(slice_take(rest, slice_search(rest, SLICE(" => "))));
    while (len < rest.len && memchr("0123456789abcdef", rest.ptr[len], 16))
        len++;
    if (!len || len == rest.len || rest.ptr[len] != ' ' || !slice_ends(rest, SLICE(")")))
        return;
    perf_frames_resolve(f, slice_take(rest, len), slice_skip(rest, len));
    push_symbols(t, r, f->found.items, (uint32_t)f->found.count);
}

/*
 * Whether the trace points and probes that times and allocations are computed from are in
 * the order of time. Otherwise a beginning may come after its end, and the sums are wrong.
 */
static bool is_in_order(struct text *t, struct perf_reader *r, const struct perf_event *e)
{
    struct slice event = event_base(e->name);

    if (!(r->made.any || (r->scheduling && !r->sched.disabled)) || !e->has_time ||
        slice_find(event, ':') == event.len)
        return true;
    if (e->time_ns < r->latest_ns) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line),
                 "the time runs backwards by %llu ns, so that times between events cannot be "
                 "computed; print the whole recording with one perf script, which sorts by time",
                 (unsigned long long)(r->latest_ns - e->time_ns));
        return false;
    }
    r->latest_ns = e->time_ns;
    return true;
}

static bool open_sample(struct text *t, struct perf_reader *r, const struct perf_event *e)
{
    if (!close_sample(t, r))
        return false;
    r->open = true;
    r->skipped = r->cut = false;
    r->depth = 0;
    r->weight = 1;
    r->line = t->line;
    if (e->period.len && !num_parse_u64(e->period, &r->weight)) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line), "the period %.*s is out of range",
                 SLICE_ARG(slice_take(e->period, 40)));
        return false;
    }
    find_process(t, r, e);
    if (r->scheduling)
        perf_sched_open(&r->sched, e, t->line);
    if (!is_in_order(t, r, e))
        return false;
    if (r->made.any && !perf_made_open(&r->made, e)) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line),
                 "the times add up to more than 64 bits can hold");
        return false;
    }
    if (r->scheduling && r->sched.left_out) {
        r->skipped = true;
        t->profile->ledger.left_out++;
    } else {
        find_series(t, r, e);
    }
    if (r->skipped)
        return true;
    if (e->has_time)
        profile_add_time(t->profile, r->series, e->time_ns);
    if (e->rest.len)
        add_only_frame(t, r, e->rest);
    return true;
}

/* The symbols of a frame that the table knows. */
static inline void push_line(struct text *t, struct perf_reader *r, const struct perf_line *line,
                             struct slice address)
{
    struct perf_frames *f = r->in_use;

    if (line->by_address) {
        perf_frames_resolve(f, address, slice_make(line->text, line->len));
        push_symbols(t, r, f->found.items, (uint32_t)f->found.count);
    } else if (line->count > 1) {
        push_symbols(t, r, f->chains.items + line->symbols, line->count);
    } else if (line->count == 0) {
        return;
    } else if (r->depth < r->cap) {
        r->stack[r->depth++] = line->symbols;
    } else {
        push_symbols(t, r, &line->symbols, 1);
    }
}

/* ":main.c:12" becomes part of the name of the frame before. */
static void add_source(struct text *t, struct perf_reader *r, struct slice source)
{
    struct symbols *symbols = &t->profile->symbols;
    uint32_t *top;
    size_t bracket = slice_find(source, '[');

    if (!t->options->srcline || !r->open || !r->depth)
        return;
    top = &r->stack[r->depth - 1];
    buf_clear(&r->name);
    buf_add_slice(&r->name, symbol_name(symbols, *top));
    buf_add_char(&r->name, ':');
    utf8_add_clean(&r->name, slice_take(source, bracket));
    for (size_t i = 0; i < r->name.len; i++)
        if (r->name.ptr[i] == ';')
            r->name.ptr[i] = ':';
    *top = symbols_add(symbols, buf_slice(&r->name), symbol_class(symbols, *top));
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
    struct perf_event e;
    size_t address;

    switch (perf_line_classify(line, &e)) {
    case PERF_BLANK:
        return close_sample(t, r);
    case PERF_EVENT:
        return open_sample(t, r, &e);
    case PERF_FRAME:
        if (!r->open) {
            text_skip_line(t, "a frame outside of any sample", slice_trim(line));
            return true;
        }
        address = perf_frame_address(line.ptr, line.ptr + line.len);
        perf_frames_resolve(r->in_use, slice_take(line, address), slice_skip(line, address));
        push_symbols(t, r, r->in_use->found.items, (uint32_t)r->in_use->found.count);
        if (r->scheduling)
            perf_sched_frame(&r->sched, slice_skip(line, address));
        return true;
    case PERF_COMMENT:
        perf_line_note(line, t->profile);
        return true;
    case PERF_SOURCE:
        add_source(t, r, slice_trim(line));
        return true;
    case PERF_RECORD:
        add_lost(t, line);
        return true;
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
static uint32_t find_line(struct perf_reader *r, const char *p, const char *text, const char *end)
{
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    struct slice rest = {text, (size_t)(line_end + 1 - text)};
    struct perf_event e;
    uint32_t id;

    if (rest.len > PERF_FRAMES_MOST_TEXT)
        return 0;
    id = perf_frames_find(r->in_use, r->last, rest);
    /*
     * The text after the address decides whether a line is a frame, and the table contains
     * only frames.
     */
    if (id || perf_line_classify(slice_make(p, (size_t)(line_end - p)), &e) != PERF_FRAME)
        return id;
    return perf_frames_add(r->in_use, r->last, rest);
}

/* Reads frames from `p` on. Returns where they end. */
static const char *read_frames(struct text *t, struct perf_reader *r, const char *p,
                               const char *end)
{
    struct perf_frames *f = r->in_use;

    while (p < end) {
        size_t address = perf_frame_padded(p);
        uint32_t id;

        if (!address && (*p == ' ' || *p == '\t'))
            address = perf_frame_address(p, end);
        if (!address)
            break;
        id = perf_frames_guess(f, r->last, p + address, end);
        if (!id)
            id = find_line(r, p, p + address, end);
        if (!id)
            break;
        push_line(t, r, &f->lines.items[id], slice_make(p, address));
        p += address + f->lines.items[id].len;
        r->last = id;
        t->line++;
    }
    return p;
}

static bool perf_lines(struct text *t, void *state, struct slice block)
{
    struct perf_reader *r = state;
    const char *p = block.ptr, *end = block.ptr + block.len;

    while (p < end) {
        const char *line_end;

        if (r->open && !r->skipped && !(r->scheduling && r->sched.whole_names))
            p = read_frames(t, r, p, end);
        if (p == end)
            break;
        if (*p == '\n') {
            t->line++;
            p++;
            if (!close_sample(t, r))
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

    t->profile->ledger.lines = t->line;
    if (!close_sample(t, r))
        return false;
    if (r->by_origin)
        perf_origins_end(&r->origins);
    if (r->scheduling && !perf_sched_end(&r->sched))
        return false;
    if (r->made.any && !perf_made_end(&r->made, t->diag)) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_FILE,
                 "the bytes that are not freed are more than 64 bits can hold");
        return false;
    }
    return true;
}

static bool perf_starts_record(struct slice line)
{
    struct perf_event e;

    return perf_line_classify(line, &e) == PERF_EVENT;
}

/*
 * Times off the CPU and allocations begin and end anywhere; processes may change their
 * names anywhere.
 */
static bool perf_stays_whole(const struct text *t)
{
    return t->options->split_process || perf_sched_is_in(t->start) || perf_made_is_in(t->start);
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
    .in_order = true,
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
