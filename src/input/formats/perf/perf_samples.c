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
    perf_deferred_init(&s->deferred);
    perf_derived_init(&s->made, text, s->by_origin ? &s->origins : NULL);
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
    perf_derived_release(&s->made);
    perf_deferred_release(&s->deferred);
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

/* Counts a stack of `depth` frames if it lacks frames. */
static void note_depth(struct perf_samples *s, uint32_t series, size_t depth)
{
    struct profile *p = s->text->profile;

    if (s->cut)
        diag_add(s->text->diag, DIAG_WARNING, s->place,
                 "more than %u frames; those nearest the root are left out "
                 "(--max-frames N)",
                 s->text->options->limits.max_depth);
    if (s->cut || s->lacks || depth == PERF_DEEPEST) {
        p->ledger.truncated++;
        profile_note_truncated(p, series, 1);
    }
    if (!depth)
        profile_note_without_frames(p, series, 1);
}

/* ---- user call chains that come later -------------------------------------------------------- */

static void report_missing(struct perf_samples *s, struct diag_place place, uint64_t cookie)
{
    diag_add(s->text->diag, DIAG_WARNING, place,
             "the deferred user call chain %llx of a sample is missing",
             (unsigned long long)cookie);
    s->lacks = true;
}

void perf_samples_defer(struct perf_samples *s, uint64_t tid, uint64_t cookie)
{
    /* Times and allocations are computed in the order of events, which cannot wait. */
    if (s->scheduling || s->made.any) {
        report_missing(s, s->place, cookie);
        return;
    }
    s->waits = true;
    s->tid = tid;
    s->cookie = cookie;
}

static void hold(struct perf_samples *s)
{
    struct perf_waiting_sample w = {.cookie = s->cookie,
                                    .weight = s->weight,
                                    .time_ns = s->time_ns,
                                    .has_time = s->has_time,
                                    .series = s->series,
                                    .comm = s->comm,
                                    .depth = (uint32_t)s->depth,
                                    .place = s->place};

    perf_deferred_hold(&s->deferred, s->tid, w, s->stack);
}

/* Adds a sample that has waited, with the frames of the open chain if that has its cookie. */
static bool add_waiting(struct perf_samples *s, const struct perf_waiting_sample *w)
{
    struct profile *profile = s->text->profile;
    size_t user = s->is_chain && w->cookie == s->cookie ? s->depth : 0;
    size_t most = s->text->options->limits.max_depth - w->depth;
    uint32_t stack = stacks_push(&profile->stacks, STACK_ROOT, w->comm);

    s->cut = user > most;
    s->lacks = false;
    if (!user)
        report_missing(s, w->place, w->cookie);
    user = s->cut ? most : user;
    note_depth(s, w->series, user + w->depth);
    for (size_t i = user; i-- > 0;)
        stack = stacks_push(&profile->stacks, stack, s->stack[i]);
    for (uint32_t at = w->kernel; at != STACK_ROOT; at = s->deferred.kernel.parent[at])
        stack = stacks_push(&profile->stacks, stack, s->deferred.kernel.symbol[at]);
    if (w->has_time)
        profile_add_time(profile, w->series, w->time_ns);
    if (profile_add(profile, w->series, stack, w->weight))
        return true;
    diag_add(s->text->diag, DIAG_ERROR, w->place, PROFILE_TOO_HEAVY);
    return false;
}

/* Adds all samples of a thread that wait. */
static bool end_waiting(struct perf_samples *s, uint64_t tid)
{
    struct perf_waiting_sample w;

    while (perf_deferred_take(&s->deferred, tid, &w))
        if (!add_waiting(s, &w))
            return false;
    return true;
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool add_sample(struct perf_samples *s)
{
    struct profile *profile = s->text->profile;
    uint32_t stack;

    note_depth(s, s->series, s->depth);
    stack = stacks_push(&profile->stacks, STACK_ROOT, s->comm);
    for (size_t i = s->depth; i-- > 0;)
        stack = stacks_push(&profile->stacks, stack, s->stack[i]);
    if (!profile_add(profile, s->series, stack, s->weight) ||
        (s->made.any && !perf_derived_close(&s->made, stack))) {
        diag_add(s->text->diag, DIAG_ERROR, s->place, PROFILE_TOO_HEAVY);
        return false;
    }
    return !s->scheduling || perf_sched_close(&s->sched, stack, s->comm);
}

bool perf_samples_close(struct perf_samples *s)
{
    if (!s->open)
        return true;
    s->open = false;
    if (s->is_chain)
        return end_waiting(s, s->tid);
    if (s->skipped)
        return !s->scheduling || perf_sched_close(&s->sched, STACK_ROOT, 0);
    if (!s->waits)
        return add_sample(s);
    hold(s);
    return true;
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

static void begin(struct perf_samples *s, struct diag_place place)
{
    s->open = true;
    s->skipped = s->cut = s->lacks = s->waits = s->is_chain = false;
    s->depth = 0;
    s->place = place;
}

bool perf_samples_open(struct perf_samples *s, const struct perf_event *e, struct diag_place place)
{
    struct diag *diag = s->text->diag;

    if (!perf_samples_close(s))
        return false;
    begin(s, place);
    s->weight = e->has_period ? e->period : 1;
    s->has_time = e->has_time;
    s->time_ns = e->time_ns;
    if (e->too_high.len) {
        diag_add(diag, DIAG_ERROR, place, "the period %.*s is out of range",
                 SLICE_ARG(slice_take(e->too_high, 40)));
        return false;
    }
    find_process(s, e);
    if (s->scheduling)
        perf_sched_open(&s->sched, e, place);
    if (!is_in_order(s, e))
        return false;
    if (s->made.any && !perf_derived_open(&s->made, e)) {
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

bool perf_samples_open_deferred(struct perf_samples *s, const struct perf_event *e, uint64_t tid,
                                uint64_t cookie, struct diag_place place)
{
    if (!perf_samples_close(s))
        return false;
    begin(s, place);
    s->is_chain = true;
    s->tid = tid;
    s->cookie = cookie;
    find_process(s, e);
    return true;
}

bool perf_samples_end(struct perf_samples *s)
{
    if (!perf_samples_close(s))
        return false;
    s->is_chain = false;
    vec_each (const struct perf_waiting_thread, t, &s->deferred.threads)
        if (!end_waiting(s, t->tid))
            return false;
    if (s->by_origin)
        perf_origins_end(&s->origins);
    if (s->scheduling && !perf_sched_end(&s->sched))
        return false;
    if (s->made.any && !perf_derived_end(&s->made, s->text->diag)) {
        diag_add(s->text->diag, DIAG_ERROR, DIAG_AT_FILE, PROFILE_TOO_HEAVY);
        return false;
    }
    return true;
}
