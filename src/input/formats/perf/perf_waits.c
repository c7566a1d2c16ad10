#include "input/formats/perf/perf_waits.h"

#include "base/buf.h"
#include "input/formats/perf/perf_fields.h"

/* ---- waits ----------------------------------------------------------------------------------- */

#define CALL(name, series)                                                                         \
    {                                                                                              \
        "syscalls:sys_enter_" name, "syscalls:sys_exit_" name, series                              \
    }

static const struct {
    const char *begin, *end, *series;
} rows[] = {
    {"block:block_rq_issue", "block:block_rq_complete", "block I/O time"},
    {"lock:contention_begin", "lock:contention_end", "lock wait"},
    CALL("futex", NULL), /* perf_futex_series() */
    CALL("read", "I/O time"),
    CALL("write", "I/O time"),
    CALL("readv", "I/O time"),
    CALL("writev", "I/O time"),
    CALL("pread64", "I/O time"),
    CALL("pwrite64", "I/O time"),
    CALL("fsync", "I/O time"),
    CALL("fdatasync", "I/O time"),
};
enum { BLOCK, CONTENTION, FUTEX, ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Most inputs have no calls at all, and are searched once for them. */
bool perf_waits_is_in(struct slice start)
{
    bool calls = slice_has(start, SLICE("syscalls:sys_exit_"));

    for (size_t i = 0; i < (calls ? ROWS : FUTEX); i++)
        if (slice_has(start, slice_str(rows[i].end)))
            return true;
    return false;
}

void perf_waits_init(struct perf_waits *w, struct profile *profile, struct perf_origins *origins)
{
    *w = (struct perf_waits){.profile = profile, .origins = origins};
}

void perf_waits_release(struct perf_waits *w)
{
    release_each(w, (map, index), (vec, items, names));
}

static bool make_key(const struct perf_event *e, size_t row, struct perf_wait_key *key)
{
    *key = (struct perf_wait_key){.kind = row};
    if (row == BLOCK) {
        if (!perf_fields_number(e->fields, SLICE("dev"), &key->place))
            return false;
        key->kind |= key->place << 8;
        return perf_fields_number(e->fields, SLICE("sector"), &key->place);
    }
    key->place = (uint64_t)e->tid;
    return e->tid >= 0;
}

static bool same_key(const void *context, uint32_t id, const void *key)
{
    const struct perf_wait_key *a = &((const struct perf_waits *)context)->items.items[id].key;
    const struct perf_wait_key *b = key;

    return a->kind == b->kind && a->place == b->place;
}

static struct perf_wait *find_wait(struct perf_waits *w, const struct perf_wait_key *key)
{
    uint64_t hash = map_hash_pair(&w->index, key->place, key->kind);
    uint32_t id = map_find(&w->index, hash, same_key, w, key);

    if (id == MAP_NONE) {
        id = (uint32_t)w->items.count;
        *vec_add(&w->items) = (struct perf_wait){.key = *key};
        map_add(&w->index, hash, id);
    }
    return &w->items.items[id];
}

static uint32_t add_series(struct perf_waits *w, const struct perf_event *e, struct slice name)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct perf_event time = *e;
    uint32_t id;

    time.name = name;
    id = w->origins ? perf_origins_series(w->origins, &time, ns)
                    : profile_series(w->profile, name, ns);
    profile_call_records(w->profile, id, SLICE("waits"));
    return id;
}

static void begin_wait(struct perf_waits *w, const struct perf_event *e, size_t row,
                       struct perf_wait *wait)
{
    w->without_end += wait->open;
    wait->open = true;
    wait->since_ns = e->time_ns;
    wait->series = SERIES_NONE;
    w->begun = wait;
    for (int i = 0; i < PERF_FUTEX_WAITS; i++)
        w->series[i] = add_series(w, e,
                                  rows[row].series ? slice_str(rows[row].series)
                                                   : perf_futex_series((enum perf_futex_wait)i));
}

static bool end_wait(struct perf_waits *w, const struct perf_event *e, struct perf_wait *wait)
{
    if (!wait->open)
        return true;
    wait->open = false;
    if (wait->series == SERIES_NONE || e->time_ns <= wait->since_ns)
        return true;
    return profile_add_span(w->profile, wait->series, wait->stack, wait->since_ns,
                            e->time_ns - wait->since_ns);
}

bool perf_waits_open(struct perf_waits *w, const struct perf_event *e)
{
    w->begun = NULL;
    for (size_t i = 0; i < ROWS && e->has_time; i++) {
        bool begins = slice_equal(e->name, slice_str(rows[i].begin));
        struct perf_wait_key key;

        if (!begins && !slice_equal(e->name, slice_str(rows[i].end)))
            continue;
        if (!make_key(e, i, &key) ||
            (begins && i == FUTEX && !perf_futex_may_wait(e->fields, &w->operation)))
            return true;
        if (!begins)
            return end_wait(w, e, find_wait(w, &key));
        begin_wait(w, e, i, find_wait(w, &key));
        return true;
    }
    return true;
}

void perf_waits_close(struct perf_waits *w, uint32_t stack)
{
    if (!w->begun)
        return;
    w->begun->stack = stack;
    w->begun->series = w->series[perf_futex_find(&w->names, w->profile, stack, w->operation)];
    w->begun = NULL;
}

void perf_waits_end(struct perf_waits *w)
{
    vec_each (struct perf_wait, wait, &w->items)
        w->without_end += wait->open;
    if (w->without_end)
        profile_print_fact(w->profile, SLICE("waits without an end"), "%llu",
                           (unsigned long long)w->without_end);
}

/* ---- locks that are held --------------------------------------------------------------------- */

/* What an event says of a lock. */
enum step {
    NOTHING,
    ASK,       /* a function is called that takes it */
    WAIT,      /* one that releases it, waits, and takes it again */
    TAKE,      /* it is taken */
    TAKE_MORE, /* TAKE, if a thread may take the lock more than once */
    RELEASE,
    RETAKE, /* as TAKE_MORE, whatever the function says about its waiting */
};

struct said {
    enum step step;
    uint64_t lock; /* 0 if unknown */
};

/* Functions, and the static probes of the C library. */
static const struct {
    struct slice function;
    enum step called, returned;
} functions[] = {
    {{"mutex_lock", 10}, ASK, TAKE_MORE},
    {{"mutex_trylock", 13}, ASK, TAKE_MORE},
    {{"mutex_timedlock", 15}, ASK, TAKE_MORE},
    {{"mutex_clocklock", 15}, ASK, TAKE_MORE},
    {{"mutex_unlock", 12}, RELEASE, NOTHING},
    {{"mutex_acquired", 14}, TAKE_MORE, NOTHING},
    {{"mutex_release", 13}, RELEASE, NOTHING},
    {{"cond_wait", 9}, WAIT, RETAKE},
    {{"cond_timedwait", 14}, WAIT, RETAKE},
    {{"cond_clockwait", 14}, WAIT, RETAKE},
    {{"spin_lock", 9}, ASK, TAKE},
    {{"spin_trylock", 12}, ASK, TAKE},
    {{"spin_unlock", 11}, RELEASE, NOTHING},
    {{"rwlock_rdlock", 13}, ASK, TAKE_MORE},
    {{"rwlock_tryrdlock", 16}, ASK, TAKE_MORE},
    {{"rwlock_wrlock", 13}, ASK, TAKE},
    {{"rwlock_trywrlock", 16}, ASK, TAKE},
    {{"rwlock_unlock", 13}, RELEASE, NOTHING},
    {{"rdlock_acquire_read", 19}, TAKE_MORE, NOTHING},
    {{"wrlock_acquire_write", 20}, TAKE, NOTHING},
    {{"down_read", 9}, ASK, TAKE},
    {{"down_write", 10}, ASK, TAKE},
    {{"up_read", 7}, RELEASE, NOTHING},
    {{"up_write", 8}, RELEASE, NOTHING},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* Trace points of the kernel. */
static const struct {
    struct slice event, lock;
    struct slice field; /* whose bits `mask` must be `value`, if there is a condition */
    uint64_t mask, value;
    enum step step;
} points[] = {
    {{"lock:lock_acquired", 18}, {"lockdep_addr", 12}, {NULL, 0}, 0, 0, TAKE},
    {{"lock:lock_acquire", 17}, {"lockdep_addr", 12}, {"flags", 5}, 1, 1, TAKE}, /* it tries */
    {{"lock:contention_end", 19}, {"lock_addr", 9}, {"ret", 3}, UINT64_MAX, 0, TAKE},
    {{"lock:lock_release", 17}, {"lockdep_addr", 12}, {NULL, 0}, 0, 0, RELEASE},
};
enum { POINTS = sizeof(points) / sizeof(points[0]) };

/*
 * Names of releases, searched for by what several have in common. If the recording has none, no
 * lock time can be computed.
 */
bool perf_holds_is_in(struct slice start)
{
    return (slice_has(start, SLICE("_unlock")) &&
            slice_has_any(start, "lock_unlock", "mutex_unlock", "spin_unlock")) ||
           (slice_has(start, SLICE("_release")) &&
            slice_has_any(start, "lock:lock_release", "mutex_release")) ||
           (slice_has(start, SLICE(":up_")) && slice_has_any(start, ":up_read", ":up_write"));
}

void perf_holds_init(struct perf_holds *h, struct profile *profile, struct perf_origins *origins)
{
    *h = (struct perf_holds){.profile = profile, .origins = origins, .taken = MAP_NONE};
}

void perf_holds_release(struct perf_holds *h)
{
    release_each(h, (map, index), (vec, items));
}

/* ---- what an event says ---------------------------------------------------------------------- */

static bool read_point(const struct perf_event *e, struct said *said)
{
    for (size_t i = 0; i < POINTS; i++) {
        uint64_t bits = 0;

        if (!slice_equal(e->name, points[i].event))
            continue;
        if (!perf_fields_number(e->fields, points[i].lock, &said->lock) || !said->lock ||
            (points[i].field.len && !perf_fields_number(e->fields, points[i].field, &bits)) ||
            (bits & points[i].mask) != points[i].value)
            return false;
        said->step = points[i].step;
        return true;
    }
    return false;
}

/*
 * Returns true if a lock was taken: the function returned 0 or "owner died", or nothing, as the
 * functions of the kernel do.
 */
static bool succeeded(const struct perf_event *e)
{
    enum { OWNER_DEAD = 130 };
    uint64_t value;

    return !(perf_fields_number(e->fields, SLICE("ret"), &value) ||
             perf_fields_number(e->fields, SLICE("arg1"), &value)) ||
           value == 0 || value == OWNER_DEAD;
}

static bool read_probe(const struct perf_event *e, struct said *said)
{
    struct perf_probe probe;
    unsigned at;

    if (!perf_fields_probe(e->fields, e->name, &probe))
        return false;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (!slice_equal(probe.function, functions[i].function))
            continue;
        said->step = probe.returns ? functions[i].returned : functions[i].called;
        at = said->step == WAIT; /* after a wait */
        said->lock = probe.count > at && !probe.returns ? probe.args[at] : 0;
        return said->step != NOTHING && (!probe.returns || said->step == RETAKE || succeeded(e));
    }
    return false;
}

/* ---- what is held ---------------------------------------------------------------------------- */

static bool same_hold(const void *context, uint32_t id, const void *key)
{
    const struct perf_hold *a = &((const struct perf_holds *)context)->items.items[id];
    const struct perf_hold *b = key;

    return a->thread == b->thread && a->lock == b->lock;
}

static uint32_t find_hold(struct perf_holds *h, uint64_t thread, uint64_t lock)
{
    const struct perf_hold key = {.thread = thread, .lock = lock, .series = SERIES_NONE};
    uint64_t hash = map_hash_pair(&h->index, lock, thread);
    uint32_t id = map_find(&h->index, hash, same_hold, h, &key);

    if (id == MAP_NONE) {
        id = (uint32_t)h->items.count;
        *vec_add(&h->items) = key;
        map_add(&h->index, hash, id);
    }
    return id;
}

static const struct slice lock_hold = {"lock hold", 9}; /* the series */

static void take(struct perf_holds *h, const struct perf_event *e, uint32_t id, bool more)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct perf_hold *hold = &h->items.items[id];
    struct perf_event time = *e;

    if (hold->depth && more) {
        hold->depth += hold->depth < UINT32_MAX;
        profile_note(h->profile, hold->series, NOTE_LOCKS_NESTED, 1);
        return;
    }
    profile_note(h->profile, hold->series, NOTE_LOCKS_KEPT, hold->depth);
    time.name = lock_hold;
    hold->depth = 1;
    hold->since_ns = e->time_ns;
    hold->stack = STACK_ROOT;
    hold->series = h->origins ? perf_origins_series(h->origins, &time, ns)
                              : profile_series(h->profile, time.name, ns);
    profile_call_records(h->profile, hold->series, SLICE("holds"));
    h->taken = id;
}

static bool give_back(struct perf_holds *h, const struct perf_event *e, uint32_t id)
{
    struct perf_hold *hold = &h->items.items[id];

    h->unseen += !hold->depth;
    if (!hold->depth || --hold->depth || hold->series == SERIES_NONE ||
        e->time_ns <= hold->since_ns)
        return true;
    return profile_add_span(h->profile, hold->series, hold->stack, hold->since_ns,
                            e->time_ns - hold->since_ns);
}

/* The lock that is released: one taken without an address is the one that can be meant. */
static uint32_t find_held(struct perf_holds *h, uint64_t thread, uint64_t lock)
{
    uint32_t id = find_hold(h, thread, lock), unknown;

    if (!lock || h->items.items[id].depth)
        return id;
    unknown = find_hold(h, thread, 0);
    return h->items.items[unknown].depth ? unknown : id;
}

bool perf_holds_open(struct perf_holds *h, const struct perf_event *e)
{
    struct said said = {NOTHING, 0};
    uint64_t thread = (uint64_t)e->tid;
    uint32_t id;

    h->taken = MAP_NONE;
    if (!e->has_time || e->tid < 0 || (!read_point(e, &said) && !read_probe(e, &said)))
        return true;
    id = find_hold(h, thread, 0);
    if (said.step == ASK || said.step == WAIT)
        h->items.items[id].asked = said.lock;
    if (said.step == RELEASE || said.step == WAIT)
        return give_back(h, e, find_held(h, thread, said.lock));
    if (said.step == ASK)
        return true;
    if (!said.lock) {
        said.lock = h->items.items[id].asked;
        h->items.items[id].asked = 0;
    }
    take(h, e, find_hold(h, thread, said.lock), said.step != TAKE);
    return true;
}

void perf_holds_close(struct perf_holds *h, uint32_t stack)
{
    if (h->taken != MAP_NONE)
        h->items.items[h->taken].stack = stack;
    h->taken = MAP_NONE;
}

void perf_holds_end(struct perf_holds *h)
{
    vec_each (struct perf_hold, hold, &h->items)
        profile_note(h->profile, hold->series, NOTE_LOCKS_KEPT, hold->depth > 0);
    profile_note(h->profile, h->origins ? SERIES_NONE : profile_find_series(h->profile, lock_hold),
                 NOTE_LOCKS_UNSEEN, h->unseen);
}
