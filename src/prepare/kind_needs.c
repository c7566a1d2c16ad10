#include "prepare/kind_needs.h"

#include "base/name_list.h"
#include "prepare/counters.h"
#include "profile/event.h"

enum { SHOWN = 20 }; /* the most series that a message lists */

/*
 * A row says what a kind needs, and which wider kinds may include it: an input of a wider kind does
 * not say how much of it is of this kind. Kinds without a row accept any input, or are checked by
 * the function that makes them.
 */
static const struct {
    enum kind_id kind;
    const char *what;
    enum kind_id also[3]; /* KIND_STACKS if there are fewer */
} rows[] = {
    {KIND_OFF_CPU,
     "time that threads were blocked (perf record -e sched:sched_switch, offcputime)",
     {KIND_WALL}},
    {KIND_WAKEUP,
     "time by wakers (perf record -e sched:sched_switch,sched:sched_waking, wakeuptime)",
     {0}},
    {KIND_WAKEUPS, "threads that are woken (perf record -e sched:sched_waking)", {0}},
    {KIND_SWITCHES, "context switches (perf record -e context-switches)", {0}},
    {KIND_IO, "input or output (perf record -e block:block_rq_issue)", {0}},
    {KIND_IO_TIME,
     "time of input or output (perf record -e block:block_rq_issue,block:block_rq_complete)",
     {KIND_OFF_CPU, KIND_WALL}},
    {KIND_LOCKS, "locks that are waited for (perf record -e lock:contention_begin)", {0}},
    {KIND_LOCK_WAIT,
     "time of waits for locks (perf record -e lock:contention_begin,contention_end)",
     {KIND_OFF_CPU, KIND_WALL, KIND_FUTEX_WAIT}},
    {KIND_COND_WAIT,
     "time of waits for conditions (perf record -g -e syscalls:sys_enter_futex,"
     "syscalls:sys_exit_futex)",
     {KIND_OFF_CPU, KIND_WALL, KIND_FUTEX_WAIT}},
    {KIND_JOIN_WAIT,
     "time of waits for threads (perf record -g -e syscalls:sys_enter_futex,"
     "syscalls:sys_exit_futex)",
     {KIND_OFF_CPU, KIND_WALL, KIND_FUTEX_WAIT}},
    {KIND_FUTEX_WAIT,
     "time in futex() (perf record -g -e syscalls:sys_enter_futex,syscalls:sys_exit_futex)",
     {KIND_OFF_CPU, KIND_WALL, KIND_LOCK_WAIT}},
    {KIND_LOCK_HOLD,
     "locks that are taken and released (probes on pthread_mutex_lock, its return, and "
     "pthread_mutex_unlock)",
     {0}},
    {KIND_CACHE_MISSES, "a counter of cache misses (perf record -e cache-misses)", {0}},
    {KIND_BRANCH_MISSES, "a counter of mispredicted branches (perf record -e branch-misses)", {0}},
    {KIND_STALLS, "a counter of stalled cycles (perf record -e stalled-cycles-backend)", {0}},
    {KIND_MALLOC, "bytes that are allocated (a heap profiler, probes on malloc)", {KIND_MEMORY}},
    {KIND_ALLOCATIONS, "allocations (a heap profiler, probes on malloc)", {KIND_OBJECTS}},
    {KIND_HEAP, "bytes that are alive (a heap profiler)", {KIND_MEMORY, KIND_LEAK}},
    {KIND_OBJECTS, "things that are alive (a heap profiler)", {KIND_ALLOCATIONS}},
    {KIND_LEAK,
     "what is allocated and what is freed of it (a heap profiler, probes on malloc and free)",
     {KIND_MEMORY, KIND_HEAP}},
    {KIND_BRK, "calls of brk() (perf record -e syscalls:sys_enter_brk)", {KIND_MEMORY}},
    {KIND_MMAP, "calls of mmap() (perf record -e syscalls:sys_enter_mmap)", {KIND_MEMORY}},
    {KIND_PAGE_FAULTS, "page faults (perf record -e page-faults)", {KIND_MEMORY}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Returns true for a counter that no kind is for, so that it cannot be of any other kind. */
static bool is_plain_counter(struct slice event)
{
    event = event_counted(event);
    return slice_is_any(event, "cache-references", "branches", "branch-instructions",
                        "cpu-migrations", "Ir", "Dr", "Dw", "Bc", "Bi") ||
           counters_role(event) == COUNTER_INSTRUCTIONS;
}

/* Returns true if a series may be of the kind of `row`. */
static bool may_be(const struct profile *p, uint32_t series, size_t row)
{
    const struct kind *k = kind_recognise(p, series);
    struct slice event = p->series.items[series].event;

    if (k == &kinds[KIND_STACKS])
        return !is_plain_counter(event);
    for (size_t i = 0; i < sizeof(rows[row].also) / sizeof(rows[row].also[0]); i++)
        if (rows[row].also[i] && k == &kinds[rows[row].also[i]])
            return true;
    return false;
}

/* Appends the names of the series that the input has. */
static void list(const struct recipe *r, const struct profile *p, struct buf *out)
{
    struct name_list names = {.out = out, .most = SHOWN};

    vec_each (const struct series, s, &p->series)
        if (s->count && !s->before && recipe_wants(r, p, s))
            name_list_add(&names, s->name);
    name_list_end(&names);
}

/* Returns the first series of the kind without samples, or SERIES_NONE. */
static uint32_t find_empty(const struct recipe *r, const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (!p->series.items[id].count && !p->series.items[id].before &&
            kind_recognise(p, id) == r->kind)
            return id;
    return SERIES_NONE;
}

/* Returns true if every series with an event may be of the kind. */
static bool all_may_be(const struct recipe *r, const struct profile *p, size_t row)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && s->event.len && recipe_wants(r, p, s) && !may_be(p, id, row))
            return false;
    }
    return true;
}

/* Returns true if a series is recognised as the kind. */
static bool any_is(const struct recipe *r, const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && recipe_wants(r, p, s) && kind_recognise(p, id) == r->kind)
            return true;
    }
    return false;
}

static size_t find_row(const struct recipe *r)
{
    size_t row = 0;

    while (row < ROWS && !recipe_is_of(r, rows[row].kind))
        row++;
    return row;
}

bool kind_needs_check(const struct recipe *r, const struct profile *p, struct diag *diag)
{
    size_t row = find_row(r);
    struct buf names = {0};
    uint32_t empty;

    if (row == ROWS || any_is(r, p))
        return true;
    empty = find_empty(r, p);
    if (empty == SERIES_NONE && all_may_be(r, p, row))
        return true;
    list(r, p, &names);
    if (empty != SERIES_NONE)
        diag_misuse(diag, "option --kind: there is no %.*s; the input also has: %s",
                    SLICE_ARG(p->series.items[empty].name), buf_string(&names));
    else
        diag_misuse(diag, "option --kind: %s needs %s; the input has: %s", r->kind->name,
                    rows[row].what, buf_string(&names));
    buf_release(&names);
    return false;
}
