#include "input/formats/perf/perf_samples.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "profile/event.h"

void perf_samples_init(struct perf_samples *s, struct text *text)
{
    *s = (struct perf_samples){.text = text};
    for (unsigned java = 0; java < 2; java++)
        perf_frames_init(&s->frames[java], text->profile, text->options, java);
    s->in_use = &s->frames[0];
    text->profile->has_processes = text->profile->has_threads = true;
    s->by_origin = perf_origins_needed(text->options);
    if (s->by_origin)
        perf_origins_init(&s->origins, text->profile, text->options, text->diag);
    s->scheduling = perf_sched_is_in(text->start);
    if (s->scheduling)
        perf_sched_init(&s->sched, text, s->by_origin ? &s->origins : NULL);
    perf_made_init(&s->made, text, s->by_origin ? &s->origins : NULL);
}

void perf_samples_release(struct perf_samples *s)
{
    for (unsigned java = 0; java < 2; java++)
        perf_frames_release(&s->frames[java]);
    perf_comms_release(&s->comms);
    if (s->by_origin)
        perf_origins_release(&s->origins);
    if (s->scheduling)
        perf_sched_release(&s->sched);
    perf_made_release(&s->made);
    xfree(s->stack);
}

void perf_samples_push_all(struct perf_samples *s, const uint32_t *symbols, uint32_t count)
{
    uint32_t most = s->text->options->limits.max_depth;

    for (uint32_t i = 0; i < count; i++) {
        if (s->depth == s->cap) {
            if (s->depth >= most) {
                s->cut = true;
                return;
            }
            s->cap = s->cap ? s->cap * 2 : 256;
            if (s->cap > most)
                s->cap = most;
            s->stack = xreallocarray(s->stack, s->cap, sizeof(*s->stack));
        }
        s->stack[s->depth++] = symbols[i];
    }
}

/* PERF_MAX_STACK_DEPTH of the kernel: a stack of exactly this depth usually had more frames. */
enum { PERF_DEEPEST = 127 };

/* Counts a stack that lacks frames. */
static void note_depth(struct perf_samples *s)
{
    struct profile *p = s->text->profile;

    if (s->cut)
        diag_add(s->text->diag, DIAG_WARNING, s->place,
                 "more than %u frames; those nearest the root are left out "
                 "(--max-frames N)",
                 s->text->options->limits.max_depth);
    if (s->cut || s->depth == PERF_DEEPEST) {
        p->ledger.truncated++;
        profile_note_truncated(p, s->series, 1);
    }
    if (!s->depth)
        profile_note_without_frames(p, s->series, 1);
}

bool perf_samples_close(struct perf_samples *s)
{
    struct profile *profile = s->text->profile;
    uint32_t stack;

    if (!s->open)
        return true;
    s->open = false;
    if (s->skipped)
        return !s->scheduling || perf_sched_close(&s->sched, STACK_ROOT, 0);
    note_depth(s);
    stack = stacks_push(&profile->stacks, STACK_ROOT, s->comm);
    for (size_t i = s->depth; i-- > 0;)
        stack = stacks_push(&profile->stacks, stack, s->stack[i]);
    if (!profile_add(profile, s->series, stack, s->weight) ||
        (s->made.any && !perf_made_close(&s->made, stack))) {
        diag_add(s->text->diag, DIAG_ERROR, s->place, PROFILE_TOO_HEAVY);
        return false;
    }
    return !s->scheduling || perf_sched_close(&s->sched, stack, s->comm);
}

static void find_process(struct perf_samples *s, const struct perf_event *e)
{
    const struct perf_comm *c = perf_comms_find(&s->comms, e, s->text->profile, s->text->options);

    s->comm = c->symbol;
    s->in_use = &s->frames[c->java];
}

static void find_series(struct perf_samples *s, const struct perf_event *e)
{
    struct profile *p = s->text->profile;

    if (s->by_origin) {
        s->series = perf_origins_series(&s->origins, e, perf_event_unit(e));
        s->skipped = s->series == BUILDER_LEFT_OUT;
        p->ledger.left_out += s->skipped;
        return;
    }
    if (s->series < p->series.count && slice_equal(p->series.items[s->series].name, e->name))
        return;
    s->series = profile_find_series(p, e->name);
    if (s->series == SERIES_NONE) {
        struct buf clean = {0};

        utf8_add_clean(&clean, e->name);
        s->series = profile_series(p, buf_slice(&clean), perf_event_unit(e));
        buf_release(&clean);
    }
}

/*
 * Whether the trace points and probes that times and allocations are computed from are in
 * the order of time. Otherwise a beginning may come after its end, and the sums are wrong.
 */
static bool is_in_order(struct perf_samples *s, const struct perf_event *e)
{
    struct slice event = event_base(e->name);

    if (!(s->made.any || (s->scheduling && !s->sched.disabled)) || !e->has_time ||
        slice_find(event, ':') == event.len)
        return true;
    if (e->time_ns < s->latest_ns) {
        diag_add(s->text->diag, DIAG_ERROR, s->place,
                 "the time runs backwards by %llu ns, so that times between events cannot be "
                 "computed; print the whole recording with one perf script, which sorts by time",
                 (unsigned long long)(s->latest_ns - e->time_ns));
        return false;
    }
    s->latest_ns = e->time_ns;
    return true;
}

bool perf_samples_open(struct perf_samples *s, const struct perf_event *e, struct diag_place place)
{
    struct diag *diag = s->text->diag;

    if (!perf_samples_close(s))
        return false;
    s->open = true;
    s->skipped = s->cut = false;
    s->depth = 0;
    s->weight = 1;
    s->place = place;
    if (e->period.len && !num_parse_u64(e->period, &s->weight)) {
        diag_add(diag, DIAG_ERROR, place, "the period %.*s is out of range",
                 SLICE_ARG(slice_take(e->period, 40)));
        return false;
    }
    find_process(s, e);
    if (s->scheduling)
        perf_sched_open(&s->sched, e, place);
    if (!is_in_order(s, e))
        return false;
    if (s->made.any && !perf_made_open(&s->made, e)) {
        diag_add(diag, DIAG_ERROR, place, PROFILE_TOO_HEAVY);
        return false;
    }
    if (s->scheduling && s->sched.left_out) {
        s->skipped = true;
        s->text->profile->ledger.left_out++;
    } else {
        find_series(s, e);
    }
    if (!s->skipped && e->has_time)
        profile_add_time(s->text->profile, s->series, e->time_ns);
    return true;
}

bool perf_samples_end(struct perf_samples *s)
{
    if (!perf_samples_close(s))
        return false;
    if (s->by_origin)
        perf_origins_end(&s->origins);
    if (s->scheduling && !perf_sched_end(&s->sched))
        return false;
    if (s->made.any && !perf_made_end(&s->made, s->text->diag)) {
        diag_add(s->text->diag, DIAG_ERROR, DIAG_AT_FILE, PROFILE_TOO_HEAVY);
        return false;
    }
    return true;
}
