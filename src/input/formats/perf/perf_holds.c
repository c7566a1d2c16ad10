#include "input/formats/perf/perf_holds.h"

#include "base/num.h"
#include "input/formats/perf/perf_args.h"

/* What an event says of a lock. */
enum step {
    NOTHING,
    ASK,       /* a function is called that takes it */
    WAIT,      /* one that releases it, waits, and takes it again */
    TAKE,      /* it is taken */
    TAKE_MORE, /* the same, where a thread may take it more than once */
    RELEASE,
    RETAKE, /* as TAKE_MORE, whatever the function says about its waiting */
};

struct said {
    enum step step;
    uint64_t lock; /* 0 where that is not told */
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

/* Trace points of the kernel; the lock is the first word behind them. */
static const struct {
    struct slice event, word; /* that must stand there as well, if any */
    enum step step;
} points[] = {
    {{"lock:lock_acquired", 18}, {NULL, 0}, TAKE},
    {{"lock:lock_acquire", 17}, {" try ", 5}, TAKE},
    {{"lock:contention_end", 19}, {"(ret=0)", 7}, TAKE},
    {{"lock:lock_release", 17}, {NULL, 0}, RELEASE},
};
enum { POINTS = sizeof(points) / sizeof(points[0]) };

/* What a release is called: where there is none in the recording, nothing can be told. */
bool perf_holds_is_in(struct slice start)
{
    static const char *const releases[] = {"lock:lock_release", "lock_unlock",   "mutex_unlock",
                                           "spin_unlock",       "mutex_release", ":up_read",
                                           ":up_write"};

    for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
        if (slice_search(start, slice_str(releases[i])) < start.len)
            return true;
    return false;
}

void perf_holds_init(struct perf_holds *h, struct profile *profile, struct perf_origins *origins)
{
    *h = (struct perf_holds){.profile = profile, .origins = origins, .taken = MAP_NONE};
    map_init(&h->index);
}

void perf_holds_release(struct perf_holds *h)
{
    map_release(&h->index);
    vec_release(&h->items);
}

/* ---- what an event says ---------------------------------------------------------------------- */

static bool read_point(const struct perf_event *e, struct said *said)
{
    for (size_t i = 0; i < POINTS; i++) {
        struct slice rest = e->rest, word;

        if (!slice_equal(e->name, points[i].event))
            continue;
        if (!slice_word(&rest, &word) || !slice_starts(word, SLICE("0x")) ||
            !num_parse_hex(slice_skip(word, 2), &said->lock) ||
            (points[i].word.len && slice_search(e->rest, points[i].word) == e->rest.len))
            return false;
        said->step = points[i].step;
        return true;
    }
    return false;
}

/* Functions that take a lock return 0, or that its last owner died; those of the kernel nothing. */
static bool succeeded(const struct perf_event *e)
{
    enum { OWNER_DEAD = 130 };
    uint64_t value;

    return !(perf_args_number(e, SLICE("ret"), &value) ||
             perf_args_number(e, SLICE("arg1"), &value)) ||
           value == 0 || value == OWNER_DEAD;
}

static bool read_probe(const struct perf_event *e, struct said *said)
{
    struct perf_probe probe;
    unsigned at;

    if (!perf_args_probe(e, &probe))
        return false;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (!slice_equal(probe.function, functions[i].function))
            continue;
        said->step = probe.returns ? functions[i].returned : functions[i].called;
        at = said->step == WAIT; /* behind what is waited for */
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
    const struct perf_hold key = {.thread = thread, .lock = lock};
    uint64_t hash = map_hash_pair(&h->index, lock, thread);
    uint32_t id = map_find(&h->index, hash, same_hold, h, &key);

    if (id == MAP_NONE) {
        id = (uint32_t)h->items.count;
        *vec_add(&h->items) = key;
        map_add(&h->index, hash, id);
    }
    return id;
}

static void take(struct perf_holds *h, const struct perf_event *e, uint32_t id, bool more)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct perf_hold *hold = &h->items.items[id];
    struct perf_event time = *e;

    if (hold->depth && more) {
        hold->depth += hold->depth < UINT32_MAX;
        h->profile->ledger.locks_nested++;
        return;
    }
    h->profile->ledger.locks_kept += hold->depth;
    time.name = SLICE("lock hold");
    hold->depth = 1;
    hold->since_ns = e->time_ns;
    hold->stack = STACK_ROOT;
    hold->series = h->origins ? perf_origins_series(h->origins, &time, ns)
                              : profile_series(h->profile, time.name, ns);
    h->taken = id;
}

static bool give_back(struct perf_holds *h, const struct perf_event *e, uint32_t id)
{
    struct perf_hold *hold = &h->items.items[id];

    h->profile->ledger.locks_unseen += !hold->depth;
    if (!hold->depth || --hold->depth || hold->series == SERIES_NONE ||
        e->time_ns <= hold->since_ns)
        return true;
    profile_add_moment(h->profile, hold->series, hold->since_ns);
    return profile_add(h->profile, hold->series, hold->stack, e->time_ns - hold->since_ns);
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
    uint64_t thread;
    uint32_t id;

    h->taken = MAP_NONE;
    if (!e->has_time || !num_parse_u64(e->tid, &thread) ||
        (!read_point(e, &said) && !read_probe(e, &said)))
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
        h->profile->ledger.locks_kept += hold->depth > 0;
}
