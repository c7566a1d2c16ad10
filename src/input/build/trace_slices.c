#include "input/build/trace_slices.h"

#include "input/core/readahead.h"

/* A bit of the sort key of X events: at equal times, B sorts before X. */
#define ORDER_X 0x80000000u
/* Set in the name of an E. */
#define NAME_END 0x80000000u
/* The name of an E without one; also marks an entry or text that is not known yet. */
#define NO_NAME (NAME_END - 1)

void trace_slices_init(struct trace_slices *s, struct builder *builder,
                       struct trace_threads *threads)
{
    *s = (struct trace_slices){.builder = builder, .threads = threads, .series = BUILDER_LEFT_OUT};
    trace_sort_init(&s->marks, builder->diag);
    trace_sort_init(&s->whole, builder->diag);
}

void trace_slices_release(struct trace_slices *s)
{
    release_each(s, (trace_sort, marks, whole), (intern, texts),
                 (vec, entry_of, text_of, sums, last, carries));
}

/* ---- events -------------------------------------------------------------------------------- */

static void know_thread(struct trace_slices *s, uint32_t thread)
{
    while (s->last.count <= thread) {
        *vec_add(&s->last) = INT64_MIN;
        *vec_add(&s->carries) = false;
    }
}

/*
 * Counts an event and updates the thread's latest time. Returns false if there are too many events.
 */
static bool note(struct trace_slices *s, uint32_t thread, int64_t ns)
{
    know_thread(s, thread);
    if (ns > s->last.items[thread])
        s->last.items[thread] = ns;
    if (s->order == ORDER_X - 1)
        return diag_error(s->builder->diag, "more than %u events", ORDER_X - 1);
    s->order++;
    return true;
}

static bool add_slice(struct trace_slices *s, uint32_t thread, int64_t begin, int64_t end,
                      uint32_t entry, uint32_t order)
{
    if (end <= begin)
        return true;
    s->carries.items[thread] = true;
    return trace_sort_add(
        &s->whole,
        (struct trace_record){
            .begin = begin, .end = end, .order = order, .thread = thread, .name = entry});
}

/* Returns the entry of a frame and notes the text that identifies it. */
static uint32_t get_entry(struct trace_slices *s, const struct frame *frame)
{
    uint32_t text = intern_add(&s->texts, frame->name), entry;

    while (s->entry_of.count <= text)
        *vec_add(&s->entry_of) = NO_NAME;
    entry = s->entry_of.items[text];
    if (entry != NO_NAME && !frame->file.len)
        return entry;
    entry = builder_entry(s->builder, frame);
    while (s->text_of.count <= entry)
        *vec_add(&s->text_of) = NO_NAME;
    s->text_of.items[entry] = text;
    if (!frame->file.len)
        s->entry_of.items[text] = entry;
    return entry;
}

bool trace_slices_begin(struct trace_slices *s, uint32_t thread, int64_t ns,
                        const struct frame *frame)
{
    struct trace_record r = {.begin = ns, .thread = thread, .order = s->order};

    r.name = get_entry(s, frame);
    return note(s, thread, ns) && trace_sort_add(&s->marks, r);
}

bool trace_slices_end(struct trace_slices *s, uint32_t thread, int64_t ns, struct slice name)
{
    struct trace_record r = {.begin = ns, .thread = thread, .order = s->order};

    r.name = (name.len ? intern_add(&s->texts, name) : NO_NAME) | NAME_END;
    return note(s, thread, ns) && trace_sort_add(&s->marks, r);
}

bool trace_slices_whole(struct trace_slices *s, uint32_t thread, int64_t ns, int64_t length,
                        const struct frame *frame)
{
    int64_t end;
    uint32_t order = s->order | ORDER_X;

    if (__builtin_add_overflow(ns, length, &end))
        end = INT64_MAX;
    return note(s, thread, end) && add_slice(s, thread, ns, end, get_entry(s, frame), order);
}

/* A question is a record that ends before it begins, so it follows all slices of that time. */
static bool is_question(const struct trace_record *r)
{
    return r->end < r->begin;
}

bool trace_slices_ask(struct trace_slices *s, uint32_t thread, int64_t ns, uint32_t what,
                      uint64_t weight)
{
    know_thread(s, thread);
    return trace_sort_add(&s->whole, (struct trace_record){.begin = ns,
                                                           .end = INT64_MIN + (int64_t)weight,
                                                           .order = s->asked++,
                                                           .thread = thread,
                                                           .name = what});
}

bool trace_slices_any(const struct trace_slices *s)
{
    vec_each (bool, carries, &s->carries)
        if (*carries)
            return true;
    return false;
}

/* ---- B and E to slices --------------------------------------------------------------------- */

struct mark {
    int64_t begin;
    uint32_t entry, order;
};

/* The open slices of a thread. */
struct pairing {
    VEC(struct mark) open;
    VEC(uint32_t) waiting; /* names of E at `now` that matched no slice */
    int64_t now;
};

enum { MOST_WAITING = 64, MOST_LOOKED_AT = 64 };

static bool same_name(const struct trace_slices *s, uint32_t text, const struct mark *m)
{
    return text == NO_NAME || s->text_of.items[m->entry] == text;
}

/*
 * Returns the index of the open slice that an E ends, or the number of open slices if there is
 * none.
 */
static size_t find_begin(const struct trace_slices *s, const struct pairing *p, uint32_t text)
{
    size_t lowest = p->open.count > MOST_LOOKED_AT ? p->open.count - MOST_LOOKED_AT : 0;

    for (size_t i = p->open.count; i-- > lowest;) {
        if (same_name(s, text, &p->open.items[i]))
            return i;
        if (p->open.items[i].begin < p->now)
            break;
    }
    return p->open.count;
}

/* Ends the open slice `i`. Returns false after reporting an error. */
static bool end_slice(struct trace_slices *s, struct pairing *p, uint32_t thread, size_t i)
{
    struct mark m = p->open.items[i];

    p->open.count--;
    memmove(&p->open.items[i], &p->open.items[i + 1], (p->open.count - i) * sizeof(*p->open.items));
    return add_slice(s, thread, m.begin, p->now, m.entry, m.order);
}

/* Ends the innermost slices for which an E of this moment came before those of their callees. */
static bool end_waiting(struct trace_slices *s, struct pairing *p, uint32_t thread)
{
    size_t i = 0;

    while (i < p->waiting.count && p->open.count) {
        if (!same_name(s, p->waiting.items[i], &p->open.items[p->open.count - 1])) {
            i++;
            continue;
        }
        p->waiting.items[i] = p->waiting.items[--p->waiting.count];
        s->unmatched--;
        if (!end_slice(s, p, thread, p->open.count - 1))
            return false;
        i = 0;
    }
    return true;
}

static bool pair_end(struct trace_slices *s, struct pairing *p, const struct trace_record *r)
{
    uint32_t text = r->name & ~NAME_END;
    size_t i = find_begin(s, p, text);

    if (i == p->open.count) {
        s->unmatched++;
        if (p->waiting.count < MOST_WAITING)
            *vec_add(&p->waiting) = text;
        return true;
    }
    return end_slice(s, p, r->thread, i) && end_waiting(s, p, r->thread);
}

static void pair_begin(struct trace_slices *s, struct pairing *p, const struct trace_record *r)
{
    struct mark m = {r->begin, r->name, r->order};

    for (size_t i = 0; i < p->waiting.count; i++)
        if (same_name(s, p->waiting.items[i], &m)) {
            p->waiting.items[i] = p->waiting.items[--p->waiting.count];
            s->unmatched--;
            return; /* it took no time */
        }
    *vec_add(&p->open) = m;
}

static bool pair_all(struct trace_slices *s, struct pairing *pairings)
{
    struct trace_record r;
    int more;

    while ((more = trace_sort_next(&s->marks, &r)) > 0) {
        struct pairing *p = &pairings[r.thread];

        if (r.begin != p->now)
            vec_clear(&p->waiting);
        p->now = r.begin;
        if (!(r.name & NAME_END))
            pair_begin(s, p, &r);
        else if (!pair_end(s, p, &r))
            return false;
    }
    return more == 0;
}

bool trace_slices_pair(struct trace_slices *s)
{
    size_t count = s->last.count;
    struct pairing *pairings = xcalloc(count + 1, sizeof(*pairings));
    bool good = trace_sort_finish(&s->marks) && pair_all(s, pairings);

    for (uint32_t i = 0; i < count; i++) {
        struct pairing *p = &pairings[i];

        s->unclosed += p->open.count;
        while (good && p->open.count) {
            struct mark m = p->open.items[--p->open.count];

            good = add_slice(s, i, m.begin, s->last.items[i], m.entry, m.order);
        }
        release_all(p, vec, open, waiting);
    }
    xfree(pairings);
    trace_sort_release(&s->marks);
    trace_sort_init(&s->marks, s->builder->diag);
    return good;
}

/* ---- slices to stacks ---------------------------------------------------------------------- */

enum { MOST_CUTS = 16, ROUNDING_NS = 1000 };

struct open_slice {
    int64_t end;
    uint64_t self; /* ns so far */
    uint32_t stack;
    uint32_t entry_called, stack_called; /* the last call from it; NO_NAME before the first */
};

/* The rest of a slice that was cut. */
struct rest {
    int64_t begin, end;
    uint32_t entry, cuts;
};

struct nest {
    VEC(struct open_slice) open;
    VEC(struct rest) rests;    /* a heap: the earliest begin is on top, of equal ones the longest */
    struct open_slice outside; /* the root, which contains all slices */
    int64_t now;
    uint32_t series;
    bool ready;
};

static bool comes_before(const struct rest *a, const struct rest *b)
{
    return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
}

static void add_rest(struct nest *n, struct rest r)
{
    size_t i = n->rests.count;

    *vec_add(&n->rests) = r;
    while (i > 0 && comes_before(&r, &n->rests.items[(i - 1) / 2])) {
        n->rests.items[i] = n->rests.items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    n->rests.items[i] = r;
}

static struct rest take_rest(struct nest *n)
{
    struct rest *items = n->rests.items, top = items[0], moved = items[--n->rests.count];
    size_t i = 0, count = n->rests.count;

    while (2 * i + 1 < count) {
        size_t child = 2 * i + 1;

        if (child + 1 < count && comes_before(&items[child + 1], &items[child]))
            child++;
        if (!comes_before(&items[child], &moved))
            break;
        items[i] = items[child];
        i = child;
    }
    items[i] = moved;
    return top;
}

/*
 * Charges the time up to `ns` to the innermost slice. If timed samples are kept, each
 * such interval is a sample; otherwise intervals are added up until the slice
 * is closed.
 */
static bool run(struct trace_slices *s, struct nest *n, int64_t ns)
{
    uint64_t passed = (uint64_t)ns - (uint64_t)n->now;
    int64_t begin = n->now;
    struct open_slice *o;

    n->now = ns;
    if (!n->open.count || !passed)
        return true;
    o = &n->open.items[n->open.count - 1];
    o->self += passed;
    if (!s->builder->profile->keep_timed || n->series == BUILDER_LEFT_OUT)
        return true;
    builder_set_time(s->builder, n->series, begin);
    return builder_add_at(s->builder, n->series, o->stack, trace_time_weight(passed));
}

/*
 * Adds the time of the innermost slice to its stack: to `sums` for the usual series, else directly.
 */
static bool close_slice(struct trace_slices *s, struct nest *n)
{
    struct open_slice o = n->open.items[--n->open.count];
    struct trace_sum *sum;

    if (s->builder->profile->keep_timed && o.self)
        return true;
    if (n->series == BUILDER_LEFT_OUT) {
        builder_count(s->builder, n->series, 1);
        return true;
    }
    builder_set_time(s->builder, n->series, n->now);
    if (n->series != s->series || s->builder->profile->keep_timed)
        return builder_add_at(s->builder, n->series, o.stack, trace_time_weight(o.self));
    while (s->sums.count <= o.stack)
        *vec_add(&s->sums) = (struct trace_sum){0};
    sum = &s->sums.items[o.stack];
    sum->slices++;
    if (num_add(sum->ns, o.self, &sum->ns))
        return true;
    return diag_error(s->builder->diag, PROFILE_TOO_HEAVY);
}

static bool add_sums(struct trace_slices *s)
{
    for (uint32_t stack = 0; stack < s->sums.count; stack++) {
        struct trace_sum sum = s->sums.items[stack];

        if (!sum.slices)
            continue;
        if (!builder_add_at(s->builder, s->series, stack, trace_time_weight(sum.ns)))
            return false;
        builder_count(s->builder, s->series, sum.slices - 1);
    }
    return true;
}

/* Finds or makes the stack of a frame called from the innermost slice. */
static bool call(struct trace_slices *s, struct nest *n, uint32_t entry, uint32_t *stack)
{
    struct open_slice *from = n->open.count ? &n->open.items[n->open.count - 1] : &n->outside;

    if (from->entry_called != entry &&
        !builder_child_entry(s->builder, from->stack, entry, &from->stack_called))
        return false;
    from->entry_called = entry;
    *stack = from->stack_called;
    return true;
}

/* Opens a slice that begins now. */
static bool open_slice(struct trace_slices *s, struct nest *n, struct rest r)
{
    struct open_slice o = {.end = r.end, .entry_called = NO_NAME};

    while (n->open.count && n->open.items[n->open.count - 1].end < o.end) {
        int64_t end = n->open.items[n->open.count - 1].end;

        if (r.cuts < MOST_CUTS) {
            s->overlapping += r.cuts == 0 && (uint64_t)o.end - (uint64_t)end > ROUNDING_NS;
            add_rest(n, (struct rest){end, o.end, r.entry, r.cuts + 1});
            o.end = end;
        } else if (!close_slice(s, n)) {
            return false;
        }
    }
    if (!call(s, n, r.entry, &o.stack))
        return false;
    *vec_add(&n->open) = o;
    return true;
}

/* Advances the time: slices end, and rests of others begin. */
static bool pass(struct trace_slices *s, struct nest *n, int64_t ns)
{
    for (;;) {
        int64_t end = n->open.count ? n->open.items[n->open.count - 1].end : INT64_MAX;
        int64_t rest = n->rests.count ? n->rests.items[0].begin : INT64_MAX;

        if (n->open.count && end <= ns && end <= rest) {
            if (!run(s, n, end) || !close_slice(s, n))
                return false;
        } else if (n->rests.count && rest <= ns) {
            if (!run(s, n, rest) || !open_slice(s, n, take_rest(n)))
                return false;
        } else {
            return run(s, n, ns);
        }
    }
}

static bool prepare(struct trace_slices *s, struct nest *n, uint32_t thread, struct trace_mix mix,
                    struct slice event)
{
    struct origin origin = trace_threads_origin(s->threads, thread, event);

    n->ready = true;
    n->now = INT64_MIN;
    n->outside.entry_called = NO_NAME;
    n->series = builder_series(s->builder, &origin, trace_time_unit);
    profile_call_records(s->builder->profile, n->series, SLICE("slices"));
    if (s->builder->profile->keep_timed) /* each slice is added in parts */
        profile_uncount(s->builder->profile, n->series);
    if (s->series == BUILDER_LEFT_OUT)
        s->series = n->series;
    return (n->series == BUILDER_LEFT_OUT && !s->asked) ||
           trace_threads_root(s->threads, thread, mix, s->builder, &n->outside.stack);
}

static void note_times(struct trace_slices *s, uint32_t series, const struct trace_record *r)
{
    if (r->begin > 0) {
        builder_time(s->builder, series, (uint64_t)r->begin);
        builder_time(s->builder, series, (uint64_t)r->end);
    }
}

static bool answer(struct trace_slices *s, const struct nest *n, const struct trace_record *r)
{
    const struct open_slice *in = n->open.count ? &n->open.items[n->open.count - 1] : &n->outside;

    return s->answer(s->context, in->stack, r->begin, r->name, (uint64_t)(r->end - INT64_MIN));
}

static bool nest_slice(struct trace_slices *s, struct nest *n, const struct trace_record *r)
{
    if (n->series == BUILDER_LEFT_OUT && !s->asked) {
        builder_count(s->builder, n->series, 1);
        return true;
    }
    if (is_question(r))
        return pass(s, n, r->begin) && answer(s, n, r);
    if (n->series != BUILDER_LEFT_OUT)
        note_times(s, n->series, r);
    return pass(s, n, r->begin) && open_slice(s, n, (struct rest){r->begin, r->end, r->name, 0});
}

/* Sorted slices on their way from the file to their stacks. */
enum { BATCH = 1024, BATCHES = 4 };

struct batch {
    struct trace_record records[BATCH];
    size_t count;
};

/* Slices are merged from the file by one thread while another adds them to the stacks. */
struct nesting {
    struct trace_slices *s;
    struct nest *nests;
    struct trace_mix mix;
    struct slice event;
    int more; /* result of trace_sort_next() */
};

static bool read_batch(void *context, void *slot)
{
    struct nesting *g = context;
    struct batch *b = slot;

    for (b->count = 0; b->count < BATCH; b->count++)
        if ((g->more = trace_sort_next(&g->s->whole, &b->records[b->count])) <= 0)
            break;
    return b->count > 0;
}

static bool take_batch(void *context, void *slot)
{
    struct nesting *g = context;
    const struct batch *b = slot;

    for (size_t i = 0; i < b->count; i++) {
        const struct trace_record *r = &b->records[i];
        struct nest *n = &g->nests[r->thread];

        if (g->s->threads->threads.items[r->thread].covered) {
            g->s->covered++;
            continue;
        }
        if (!n->ready && !prepare(g->s, n, r->thread, g->mix, g->event))
            return false;
        if (!nest_slice(g->s, n, r))
            return false;
    }
    return true;
}

static bool nest_all(struct trace_slices *s, struct nest *nests, struct trace_mix mix,
                     struct slice event)
{
    struct nesting g = {.s = s, .nests = nests, .mix = mix, .event = event, .more = 1};
    void *slots[BATCHES];
    struct readahead ahead = {&g, slots, BATCHES, read_batch, take_batch};
    struct diag *told = s->whole.diag, diag;
    bool good;

    for (size_t i = 0; i < BATCHES; i++)
        slots[i] = xmalloc(sizeof(struct batch));
    diag_init(&diag, told->path);
    s->whole.diag = &diag; /* messages about reading come after those about what was read */
    good = readahead_run(&ahead, s->whole.parts.count ? s->workers : 1);
    s->whole.diag = told;
    if (good)
        diag_append(told, &diag, 0);
    diag_release(&diag);
    for (size_t i = 0; i < BATCHES; i++)
        xfree(slots[i]);
    return good && g.more == 0;
}

bool trace_slices_nest(struct trace_slices *s, struct slice event)
{
    size_t count = s->last.count;
    struct nest *nests = xcalloc(count + 1, sizeof(*nests));
    bool *carries = xcalloc(s->threads->threads.count + 1, sizeof(*carries));
    bool good;

    trace_threads_cover(s->threads);
    for (size_t i = 0; i < count; i++)
        carries[i] = s->carries.items[i] && !s->threads->threads.items[i].covered;
    good = trace_sort_finish(&s->whole) &&
           nest_all(s, nests, trace_threads_mix(s->threads, carries, s->builder->options), event);
    for (size_t i = 0; i < count; i++) {
        good = good && (!nests[i].ready || pass(s, &nests[i], INT64_MAX));
        vec_release(&nests[i].open);
        vec_release(&nests[i].rests);
    }
    xfree(nests);
    xfree(carries);
    return good && add_sums(s);
}

void trace_slices_tell(const struct trace_slices *s, struct diag *diag)
{
    diag_warn_count(diag, s->unmatched,
                    "skipped # end event{ that does|s that do} not match the innermost open slice");
    diag_warn_count(
        diag, s->unclosed,
        "# slice{ is never ended; it lasts|s are never ended; they last} until the last "
        "event of {its|their} thread");
    diag_warn_count(diag, s->overlapping,
                    "# slice{ ends after the slice it|s end after the slice they} began in; the "
                    "rest of {it|each} "
                    "is drawn beside it");
    diag_count(
        diag, DIAG_NOTE, s->covered,
        "# slice{ of a device is|s of devices are} not counted: other slices have {its|their} "
        "time");
}
