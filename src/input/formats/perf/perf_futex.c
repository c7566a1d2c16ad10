#include "input/formats/perf/perf_futex.h"

#include "input/formats/perf/perf_fields.h"

/* Operations of futex(2) that wait. The flags PRIVATE and CLOCK_REALTIME are the bits above. */
static const struct {
    uint8_t number;
    enum perf_futex_wait wait;
} operations[] = {
    {0, PERF_FUTEX_OTHER},      /* WAIT */
    {6, PERF_FUTEX_LOCK},       /* LOCK_PI */
    {9, PERF_FUTEX_OTHER},      /* WAIT_BITSET */
    {11, PERF_FUTEX_CONDITION}, /* WAIT_REQUEUE_PI */
    {13, PERF_FUTEX_LOCK},      /* LOCK_PI2 */
};

/*
 * Functions by the beginning of the name, without "__" and "__GI_" before it; a text with a colon
 * or a dot may be anywhere in the name.
 */
static const struct {
    struct slice text;
    enum perf_futex_wait wait;
} functions[] = {
    /* C */
    {{"lll_lock_wait", 13}, PERF_FUTEX_LOCK},
    {{"pthread_mutex_", 14}, PERF_FUTEX_LOCK},
    {{"pthread_rwlock_", 15}, PERF_FUTEX_LOCK},
    {{"pthread_cond_", 13}, PERF_FUTEX_CONDITION},
    {{"pthread_barrier_wait", 20}, PERF_FUTEX_CONDITION},
    {{"pthread_once", 12}, PERF_FUTEX_CONDITION},
    {{"pthread_join", 12}, PERF_FUTEX_JOIN},
    {{"pthread_timedjoin_np", 20}, PERF_FUTEX_JOIN},
    {{"pthread_clockjoin", 17}, PERF_FUTEX_JOIN},
    {{"lll_wait_tid", 12}, PERF_FUTEX_JOIN},
    {{"sem_wait", 8}, PERF_FUTEX_CONDITION},
    {{"sem_timedwait", 13}, PERF_FUTEX_CONDITION},
    {{"sem_clockwait", 13}, PERF_FUTEX_CONDITION},
    {{"new_sem_wait", 12}, PERF_FUTEX_CONDITION},
    {{"mtx_lock", 8}, PERF_FUTEX_LOCK},
    {{"mtx_timedlock", 13}, PERF_FUTEX_LOCK},
    {{"cnd_wait", 8}, PERF_FUTEX_CONDITION},
    {{"cnd_timedwait", 13}, PERF_FUTEX_CONDITION},
    {{"thrd_join", 9}, PERF_FUTEX_JOIN},
    /* C++ */
    {{"std::mutex::lock", 16}, PERF_FUTEX_LOCK},
    {{"std::condition_variable", 23}, PERF_FUTEX_CONDITION},
    {{"std::__atomic_futex_unsigned_base::", 35}, PERF_FUTEX_CONDITION},
    {{"std::__condvar::", 16}, PERF_FUTEX_CONDITION},
    {{"std::thread::join", 17}, PERF_FUTEX_JOIN},
    /* Rust */
    {{"futex_mutex::Mutex::lock", 24}, PERF_FUTEX_LOCK},
    {{"mutex::futex::Mutex::lock", 25}, PERF_FUTEX_LOCK},
    {{"RwLock::read_contended", 22}, PERF_FUTEX_LOCK},
    {{"RwLock::write_contended", 23}, PERF_FUTEX_LOCK},
    {{"parking_lot::raw_mutex::", 24}, PERF_FUTEX_LOCK},
    {{"parking_lot::raw_rwlock::", 25}, PERF_FUTEX_LOCK},
    {{"parking_lot::condvar::", 22}, PERF_FUTEX_CONDITION},
    {{"futex_condvar::Condvar::", 24}, PERF_FUTEX_CONDITION},
    {{"condvar::futex::Condvar::", 25}, PERF_FUTEX_CONDITION},
    {{"std::thread::park", 17}, PERF_FUTEX_CONDITION},
    /* Go */
    {{"runtime.lock2", 13}, PERF_FUTEX_LOCK},
    {{"runtime.notesleep", 17}, PERF_FUTEX_CONDITION},
    {{"runtime.notetsleep", 18}, PERF_FUTEX_CONDITION},
    /* HotSpot and CPython, whose locks are made of conditions and semaphores */
    {{"ObjectMonitor::enter", 20}, PERF_FUTEX_LOCK},
    {{"take_gil", 8}, PERF_FUTEX_LOCK},
    {{"PyThread_acquire_lock", 21}, PERF_FUTEX_LOCK},
};

bool perf_futex_may_wait(const struct perf_fields *fields, enum perf_futex_wait *wait)
{
    uint64_t number;

    *wait = PERF_FUTEX_OTHER;
    if (!perf_fields_number(fields, SLICE("op"), &number))
        return true;
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if ((number & 0x7f) != operations[i].number)
            continue;
        *wait = operations[i].wait;
        return true;
    }
    return false;
}

static bool is_qualified(struct slice text)
{
    return slice_find(text, ':') < text.len || slice_find(text, '.') < text.len;
}

static enum perf_futex_wait wait_in(struct slice name)
{
    struct slice bare = name;

    while (slice_starts(bare, SLICE("_")))
        bare = slice_skip(bare, 1);
    if (slice_starts(bare, SLICE("GI_")))
        bare = slice_skip(bare, 3);
    while (slice_starts(bare, SLICE("_")))
        bare = slice_skip(bare, 1);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        struct slice text = functions[i].text;

        if (is_qualified(text) ? slice_has(name, text) : slice_starts(bare, text))
            return functions[i].wait;
    }
    return PERF_FUTEX_OTHER;
}

static enum perf_futex_wait wait_of(struct perf_futex_names *names, const struct symbols *symbols,
                                    uint32_t symbol)
{
    while (names->count <= symbol)
        *vec_add(names) = PERF_FUTEX_WAITS;
    if (names->items[symbol] == PERF_FUTEX_WAITS)
        names->items[symbol] = symbol_class_is_owner(symbol_class(symbols, symbol))
                                   ? PERF_FUTEX_OTHER
                                   : (unsigned char)wait_in(symbol_name(symbols, symbol));
    return (enum perf_futex_wait)names->items[symbol];
}

enum perf_futex_wait perf_futex_find(struct perf_futex_names *names, const struct profile *p,
                                     uint32_t stack, enum perf_futex_wait operation)
{
    enum perf_futex_wait found = PERF_FUTEX_OTHER;

    for (; stack != STACK_ROOT; stack = p->stacks.parent[stack]) {
        enum perf_futex_wait wait = wait_of(names, &p->symbols, p->stacks.symbol[stack]);

        if (wait == PERF_FUTEX_LOCK)
            return wait;
        if (found == PERF_FUTEX_OTHER)
            found = wait;
    }
    return found == PERF_FUTEX_OTHER ? operation : found;
}

struct slice perf_futex_series(enum perf_futex_wait wait)
{
    static const char *const names[] = {
        [PERF_FUTEX_OTHER] = "futex wait",
        [PERF_FUTEX_LOCK] = "futex lock wait",
        [PERF_FUTEX_CONDITION] = "futex condition wait",
        [PERF_FUTEX_JOIN] = "futex join wait",
    };

    return slice_str(names[wait]);
}
