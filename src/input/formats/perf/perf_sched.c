#include "input/formats/perf/perf_sched.h"

#include <string.h>

#include "base/num.h"
#include "input/build/frame.h"
#include "input/build/thread_state.h"
#include "input/formats/perf/perf_fields.h"
#include "match/kernel_entry.h"

/* ---- chains of wakers ------------------------------------------------------------------------ */

bool perf_wakers_interrupted(struct perf_interrupts *i, const struct profile *p, uint32_t stack)
{
    enum { UNKNOWN, NO, YES };

    while (i->known.count < symbols_count(&p->symbols))
        *vec_add(&i->known) = UNKNOWN;
    for (; stack != STACK_ROOT; stack = p->stacks.parent[stack]) {
        unsigned char *known = &i->known.items[p->stacks.symbol[stack]];

        if (*known == UNKNOWN)
            *known = kernel_entry_is_interrupt(symbol_name(&p->symbols, p->stacks.symbol[stack]))
                         ? YES
                         : NO;
        if (*known == YES)
            return true;
    }
    return false;
}

void perf_wakers_release(struct perf_interrupts *i)
{
    vec_release(&i->known);
}

static bool is_in(const struct perf_wakers *w, uint64_t task)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].task == task)
            return true;
    return false;
}

void perf_wakers_set(struct perf_wakers *w, uint64_t task, uint64_t since_ns,
                     const struct perf_waker *by, const struct perf_wakers *behind)
{
    w->items[0] = *by;
    w->count = 1;
    w->looped = w->cut = false;
    for (uint32_t i = 0; behind && i < behind->count; i++) {
        const struct perf_waker *next = &behind->items[i];

        if (next->time_ns < since_ns)
            return;
        w->looped = next->task == task || is_in(w, next->task);
        w->cut = !w->looped && w->count == PERF_WAKERS_MOST;
        if (w->looped || w->cut)
            return;
        w->items[w->count++] = *next;
    }
    if (behind && w->count == behind->count + 1) {
        w->looped = behind->looped;
        w->cut = behind->cut;
    }
}

/* ---- time off the CPU ------------------------------------------------------------------------ */

static bool has_any(struct slice start, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_has(start, slice_str(texts[i])))
            return true;
    return false;
}

bool perf_sched_is_in(struct slice start)
{
    static const char *const events[] = {
        " sched:sched_switch: ", " sched:sched_wak",
        " sched:sched_stat_sleep: ", " sched:sched_stat_blocked: "};

    return slice_has(start, SLICE(" sched:sched_")) &&
           has_any(start, events, sizeof(events) / sizeof(events[0]));
}

void perf_sched_init(struct perf_sched *s, struct text *text, struct perf_origins *origins)
{
    static const char *const events[] = {
        " sched:sched_wak", " sched:sched_stat_sleep: ", " sched:sched_stat_blocked: "};

    *s = (struct perf_sched){
        .text = text,
        .origins = origins,
        .whole_names = text->options->names == NAMES_REFERENCE,
        .wakers = has_any(text->start, events, sizeof(events) / sizeof(events[0])),
        .chains = text->options->chains,
        .wakeups = text->options->wakeups,
    };
    text->profile->has_states = true;
}

void perf_sched_release(struct perf_sched *s)
{
    release_each(s, (map, index), (perf_wakers, interrupts), (vec, frames, tasks, path),
                 (buf, name));
}

/* ---- what an event says ---------------------------------------------------------------------- */

/* Whether a thread that leaves the CPU in a state has ended: dead or a zombie. */
static bool is_end(struct slice state)
{
    return state.len && memchr("XxZ", state.ptr[0], 3);
}

static const struct {
    struct slice event;
    enum perf_sched_kind kind;
} kinds[] = {
    {{"sched:sched_switch", 18}, PERF_SCHED_SWITCH},
    {{"sched:sched_stat_sleep", 22}, PERF_SCHED_DELAY},
    {{"sched:sched_stat_blocked", 24}, PERF_SCHED_DELAY},
    {{"sched:sched_wakeup", 18}, PERF_SCHED_WAKE},
    {{"sched:sched_wakeup_new", 22}, PERF_SCHED_WAKE},
    {{"sched:sched_waking", 18}, PERF_SCHED_WAKE},
};

static enum perf_sched_kind kind_of(const struct perf_event *e)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_equal(kinds[i].event, e->name))
            return kinds[i].kind;
    return PERF_SCHED_NOTHING;
}

/* What an event says of scheduling. */
static struct perf_sched_event parse(struct perf_sched *s, const struct perf_event *e,
                                     struct diag_place place)
{
    struct perf_sched_event out = {
        .time_ns = e->time_ns,
        .place = place,
        .certain = slice_equal(e->name, SLICE("sched:sched_waking")),
    };
    enum perf_sched_kind kind = kind_of(e);
    bool ok = false;

    if (kind == PERF_SCHED_SWITCH && e->has_period && e->period != 1)
        s->disabled = true;
    if (kind == PERF_SCHED_NOTHING || s->disabled)
        return out;
    if (kind == PERF_SCHED_SWITCH)
        ok = e->has_time && perf_fields_number(e->fields, SLICE("prev_pid"), &out.task) &&
             perf_fields_number(e->fields, SLICE("next_pid"), &out.next);
    else
        ok =
            perf_fields_number(e->fields, SLICE("pid"), &out.task) &&
            (kind != PERF_SCHED_DELAY || perf_fields_number(e->fields, SLICE("delay"), &out.delay));
    out.state = e->fields ? e->fields->state : slice_make(NULL, 0);
    out.by = e->tid < 0 ? 0 : (uint64_t)e->tid;
    out.ends = is_end(out.state);
    out.preempted = thread_state_is(out.state, SLICE("preempted"));
    out.kind = ok ? kind : PERF_SCHED_NOTHING;
    return out;
}

static uint32_t find_series(struct perf_sched *s, const struct perf_event *e, struct slice name)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct perf_event off = *e;
    uint32_t id;

    off.name = name;
    id = s->origins ? perf_origins_series(s->origins, &off, ns)
                    : profile_series(s->text->profile, name, ns);
    profile_call_records(s->text->profile, id, SLICE("waits"));
    return id;
}

void perf_sched_open(struct perf_sched *s, const struct perf_event *e, struct diag_place place)
{
    s->event = parse(s, e, place);
    s->system_wide |= !e->tid;
    if (e->has_time && e->time_ns > s->end_ns)
        s->end_ns = e->time_ns;
    s->series = s->with_waker = s->with_chain = s->by_waker = SERIES_NONE;
    s->left_out = false;
    vec_clear(&s->frames);
    if (s->event.kind != PERF_SCHED_SWITCH)
        return;
    s->left_out = !origin_is_wanted(&(struct origin){.state = s->event.state}, s->text->options);
    if (s->left_out)
        return;
    s->series = find_series(s, e, SLICE("off-cpu"));
    if (s->wakers)
        s->with_waker = find_series(s, e, SLICE("off-cpu by waker"));
    if (s->wakers && s->chains)
        s->with_chain = find_series(s, e, SLICE("off-cpu chain"));
    if (s->wakers && s->wakeups)
        s->by_waker = find_series(s, e, SLICE("wakeup"));
}

/* The words of the line but the last, which is the module, with one blank between. */
void perf_sched_frame(struct perf_sched *s, struct slice text)
{
    struct frame_symbols found = {0};
    struct frame frame = {.kind = FRAME_PLAIN, .has_class = true};
    struct slice word, rest = slice_trim(text);
    struct buf scratch = {0};

    if (!s->whole_names || s->event.kind == PERF_SCHED_NOTHING)
        return;
    buf_clear(&s->name);
    rest = slice_take(rest, slice_find_last(rest, ' '));
    while (slice_word(&rest, &word)) {
        if (s->name.len)
            buf_add_char(&s->name, ' ');
        buf_add_slice(&s->name, word);
    }
    frame.name = buf_slice(&s->name);
    frame_resolve(&frame, s->text->options, &s->text->profile->symbols, &scratch, &found);
    if (s->frames.count < s->text->options->limits.max_depth)
        *vec_add(&s->frames) = found.items[0];
    vec_release(&found);
    buf_release(&scratch);
}

/* ---- threads and their time ------------------------------------------------------------------ */

static bool same_task(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_sched *)context)->tasks.items[id].id == *(const uint64_t *)key;
}

/* A thread that was met, or NULL; the idle ones are none. */
static struct perf_task *find_known(struct perf_sched *s, uint64_t task)
{
    uint32_t id = map_find(&s->index, map_hash_pair(&s->index, task, 0), same_task, s, &task);

    return task && id != MAP_NONE ? &s->tasks.items[id] : NULL;
}

static struct perf_task *find_task(struct perf_sched *s, uint64_t task)
{
    uint64_t hash = map_hash_pair(&s->index, task, 0);
    uint32_t id = map_find(&s->index, hash, same_task, s, &task);

    if (id == MAP_NONE) {
        id = (uint32_t)s->tasks.count;
        *vec_add(&s->tasks) = (struct perf_task){.id = task};
        map_add(&s->index, hash, id);
    }
    return &s->tasks.items[id];
}

/* The stack followed by that of a waker, leaf first, the process last. */
static uint32_t stack_with_waker(struct perf_sched *s, uint32_t stack, uint32_t waker)
{
    struct symbols *symbols = &s->text->profile->symbols;
    uint32_t depth = stacks_depth(&s->text->profile->stacks, waker);

    if (waker == STACK_ROOT)
        return stack;
    s->path.count = 0;
    vec_reserve(&s->path, depth);
    stacks_frames(&s->text->profile->stacks, waker, s->path.items, depth);
    if (!s->whole_names)
        stack = stacks_push(&s->text->profile->stacks, stack,
                            symbols_add(symbols, SLICE("--"), SYMBOL_SEPARATOR));
    for (uint32_t i = depth; i-- > 0;) {
        uint32_t symbol = s->path.items[i];

        if (!s->whole_names)
            symbol = symbols_add(symbols, symbol_name(symbols, symbol),
                                 symbol_class_is_owner(symbol_class(symbols, symbol))
                                     ? SYMBOL_WAKER_OWNER
                                     : SYMBOL_WAKER);
        stack = stacks_push(&s->text->profile->stacks, stack, symbol);
    }
    return stack;
}

/* The stack followed by those of the first `count` wakers. */
static uint32_t stack_with_wakers(struct perf_sched *s, const struct perf_task *t, uint32_t count)
{
    uint32_t stack = t->stack;

    for (uint32_t i = 0; t->woken && i < count && i < t->wakers.count; i++)
        stack = stack_with_waker(s, stack, t->wakers.items[i].stack);
    return stack;
}

static bool add_chain(struct perf_sched *s, const struct perf_task *t, uint64_t ns)
{
    struct profile *p = s->text->profile;

    profile_note(p, t->with_chain, NOTE_WAKERS_LOOPED, t->woken && t->wakers.looped);
    profile_note(p, t->with_chain, NOTE_WAKERS_CUT, t->woken && t->wakers.cut);
    return profile_add_span(p, t->with_chain, stack_with_wakers(s, t, PERF_WAKERS_MOST),
                            t->since_ns, ns);
}

/* Adds the stack of the waker, with the process that it woke as its leaf. */
static bool add_wakeup(struct perf_sched *s, const struct perf_task *t, uint64_t ns)
{
    struct stacks *stacks = &s->text->profile->stacks;
    uint32_t woken = t->stack;

    if (!t->woken || woken == STACK_ROOT)
        return true;
    while (stacks->parent[woken] != STACK_ROOT)
        woken = stacks->parent[woken];
    woken = stacks_push(stacks, t->wakers.items[0].stack, stacks->symbol[woken]);
    return profile_add_span(s->text->profile, t->by_waker, woken, t->since_ns, ns);
}

/* The thread was off for `ns`. */
static bool add_time(struct perf_sched *s, struct perf_task *t, uint64_t ns)
{
    struct profile *p = s->text->profile;

    t->off = false;
    if (t->series == SERIES_NONE || !ns)
        return true;
    if (profile_add_span(p, t->series, t->stack, t->since_ns, ns) &&
        (t->with_waker == SERIES_NONE ||
         profile_add_span(p, t->with_waker, stack_with_wakers(s, t, 1), t->since_ns, ns)) &&
        (t->with_chain == SERIES_NONE || add_chain(s, t, ns)) &&
        (t->by_waker == SERIES_NONE || add_wakeup(s, t, ns))) {
        p->ledger.off_ns += ns;
        p->ledger.preempted_ns += t->preempted ? ns : 0;
        return true;
    }
    diag_add(s->text->diag, DIAG_ERROR, s->event.place, PROFILE_TOO_HEAVY);
    return false;
}

/* A thread that is off is woken by the current one. */
static void add_waker(struct perf_sched *s, struct perf_task *t, uint32_t stack)
{
    const struct perf_sched_event *e = &s->event;
    const struct perf_waker waker = {e->by, e->time_ns, stack};
    const struct perf_task *by = s->chains ? find_known(s, e->by) : NULL;

    if (t->woken && t->wakers.certain && !e->certain)
        return; /* another thread may run where sched_wakeup is recorded */
    if (by && perf_wakers_interrupted(&s->interrupts, s->text->profile, stack))
        by = NULL;
    perf_wakers_set(&t->wakers, t->id, t->since_ns, &waker, by ? &by->wakers : NULL);
    t->wakers.certain = e->certain;
    t->woken = true;
}

static bool add_switch(struct perf_sched *s, uint32_t stack)
{
    const struct perf_sched_event *e = &s->event;
    struct perf_task *t = find_task(s, e->next);

    if (e->next && t->off && !add_time(s, t, e->time_ns - t->since_ns))
        return false;
    t->off = false;
    if (!e->task)
        return true;
    t = find_task(s, e->task);
    s->without_end += t->off;
    t->off = !e->ends;
    t->preempted = e->preempted;
    t->woken = false;
    t->since_ns = e->time_ns;
    t->stack = stack;
    t->series = s->series;
    t->with_waker = s->with_waker;
    t->with_chain = s->with_chain;
    t->by_waker = s->by_waker;
    return true;
}

/* The stack with whole names, if they differ. */
static uint32_t own_stack(struct perf_sched *s, uint32_t stack, uint32_t comm)
{
    if (!s->whole_names || stack == STACK_ROOT)
        return stack;
    stack = stacks_push(&s->text->profile->stacks, STACK_ROOT, comm);
    for (size_t i = s->frames.count; i-- > 0;)
        stack = stacks_push(&s->text->profile->stacks, stack, s->frames.items[i]);
    return stack;
}

bool perf_sched_close(struct perf_sched *s, uint32_t stack, uint32_t comm)
{
    struct perf_task *t;

    if (s->event.kind == PERF_SCHED_NOTHING)
        return true;
    stack = own_stack(s, stack, comm);
    if (s->event.kind == PERF_SCHED_SWITCH)
        return add_switch(s, stack);
    t = find_task(s, s->event.task);
    if (!t->off)
        return true; /* the second record of a pair, or a thread that is yet to be seen */
    add_waker(s, t, stack);
    return s->event.kind == PERF_SCHED_WAKE || add_time(s, t, s->event.delay);
}

/* Adds the time until the end of the recording of threads that are still off the CPU. */
static bool add_open(struct perf_sched *s, uint64_t *threads, uint64_t *ns)
{
    vec_each (struct perf_task, t, &s->tasks) {
        uint64_t time = s->end_ns > t->since_ns ? s->end_ns - t->since_ns : 0;

        if (!t->off || !time || t->series == SERIES_NONE)
            continue;
        if (!add_time(s, t, time) || !num_add(*ns, time, ns))
            return false;
        ++*threads;
    }
    return true;
}

static void add_number(struct perf_sched *s, struct slice key, uint64_t number)
{
    profile_print_fact(s->text->profile, key, "%llu", (unsigned long long)number);
}

/*
 * Whether the options of perf record include -a, which perf sched record implies. The command that
 * is recorded begins at the first word that is neither an option nor the value of one.
 */
static bool is_of_all_cpus(const struct profile *p)
{
    static const char flags[] = "BNPSTadginqsv"; /* options without a value */
    struct slice command = profile_fact(p, SLICE("cmdline")), word;
    bool with_value = false;

    while (slice_word(&command, &word) && !slice_equal(word, SLICE("record")))
        if (slice_equal(word, SLICE("sched")))
            return true;
    while (slice_word(&command, &word) && !slice_equal(word, SLICE("--"))) {
        size_t i = 1;

        if (slice_equal(word, SLICE("--all-cpus")))
            return true;
        if (word.ptr[0] != '-' && !with_value)
            return false;
        for (; i < word.len && word.ptr[0] == '-' && memchr(flags, word.ptr[i], sizeof(flags) - 1);
             i++)
            if (word.ptr[i] == 'a')
                return true;
        with_value = word.ptr[0] == '-' && i < word.len;
    }
    return false;
}

bool perf_sched_end(struct perf_sched *s)
{
    enum { NS_PER_MS = 1000 * 1000 };
    uint64_t threads = 0, ns = 0;

    /*
     * If only some processes were recorded, switches to their threads are missing, and
     * nobody knows whether a thread is off at the end.
     */
    if ((s->system_wide || !s->without_end) && !add_open(s, &threads, &ns))
        return false;
    diag_warn_count(
        s->text->diag, s->without_end,
        s->system_wide || is_of_all_cpus(s->text->profile)
            ? "# time{ off the CPU has|s off the CPU have} no end in the recording and {is|are} "
              "left out"
            : "# time{ off the CPU has|s off the CPU have} no end in the recording and {is|are} "
              "left out (perf record -a sees every switch)");
    if (s->without_end)
        add_number(s, SLICE("times off the CPU without an end"), s->without_end);
    if (!threads)
        return true;
    diag_warn(s->text->diag,
              "threads off the CPU when the recording ends: %llu; their %llu.%03llu ms until "
              "then are counted",
              (unsigned long long)threads, (unsigned long long)(ns / NS_PER_MS),
              (unsigned long long)(ns / 1000 % 1000));
    add_number(s, SLICE("threads off the CPU at the end"), threads);
    return true;
}
