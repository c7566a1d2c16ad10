#include "cli/kind_needs.h"

#include <string.h>

#include "cli/counters.h"
#include "cli/kind.h"
#include "cli/load.h"
#include "input/formats/perf/perf_event.h"

enum { SHOWN = 20 }; /* names of what the input has */

/*
 * What must be in the input, and which kinds of graphs may be called so as well: those of which
 * it is a part, where the input does not tell the parts apart. Kinds without a row take anything,
 * or are checked where they are made.
 */
static const struct {
    const char *kind, *what;
    const char *also[3];
} rows[] = {
    {"off-cpu",
     "time that threads were blocked (perf record -e sched:sched_switch, offcputime)",
     {"wall"}},
    {"wakeup",
     "time by wakers (perf record -e sched:sched_switch,sched:sched_waking, wakeuptime)",
     {NULL}},
    {"wakeups", "threads that are woken (perf record -e sched:sched_waking)", {NULL}},
    {"switches", "context switches (perf record -e context-switches)", {NULL}},
    {"io", "input or output (perf record -e block:block_rq_issue)", {NULL}},
    {"io-time",
     "time of input or output (perf record -e block:block_rq_issue,block:block_rq_complete)",
     {"off-cpu", "wall"}},
    {"locks", "locks that are waited for (perf record -e lock:contention_begin)", {NULL}},
    {"lock-wait",
     "time of waits for locks (perf record -e lock:contention_begin,contention_end)",
     {"off-cpu", "wall"}},
    {"lock-hold",
     "locks that are taken and released (probes on pthread_mutex_lock, its return, and "
     "pthread_mutex_unlock)",
     {NULL}},
    {"cache-misses", "a counter of cache misses (perf record -e cache-misses)", {NULL}},
    {"branch-misses", "a counter of mispredicted branches (perf record -e branch-misses)", {NULL}},
    {"stalls", "a counter of stalled cycles (perf record -e stalled-cycles-backend)", {NULL}},
    {"malloc", "bytes that are allocated (a heap profiler, probes on malloc)", {"memory"}},
    {"allocations", "allocations (a heap profiler, probes on malloc)", {"objects"}},
    {"heap", "bytes that are alive (a heap profiler)", {"memory", "leak"}},
    {"objects", "things that are alive (a heap profiler)", {"allocations"}},
    {"leak",
     "what is allocated and what is freed of it (a heap profiler, probes on malloc and free)",
     {"memory", "heap"}},
    {"brk", "calls of brk() (perf record -e syscalls:sys_enter_brk)", {"memory"}},
    {"mmap", "calls of mmap() (perf record -e syscalls:sys_enter_mmap)", {"memory"}},
    {"page-faults", "page faults (perf record -e page-faults)", {"memory"}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Counters that are of no kind of their own, and surely of no other. */
static bool is_plain_counter(struct slice event)
{
    static const char *const names[] = {"cache-references",
                                        "branches",
                                        "branch-instructions",
                                        "cpu-migrations",
                                        "Ir",
                                        "Dr",
                                        "Dw",
                                        "Bc",
                                        "Bi"};

    event = perf_event_base(event);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (slice_equal(event, slice_str(names[i])))
            return true;
    return counters_role(event) == COUNTER_INSTRUCTIONS;
}

/* Whether a series may be called as row `row` has it. */
static bool may_be(const struct profile *p, uint32_t series, size_t row)
{
    const struct kind *k = kind_recognise(p, series);
    struct slice event = p->series.items[series].event;

    if (k == &kinds[0])
        return !is_plain_counter(event);
    for (size_t i = 0; i < sizeof(rows[row].also) / sizeof(rows[row].also[0]); i++)
        if (rows[row].also[i] && strcmp(k->name, rows[row].also[i]) == 0)
            return true;
    return false;
}

/* Appends what the input has. */
static void list(const struct options *o, const struct profile *p, struct buf *out)
{
    size_t count = 0;

    vec_each (const struct series, s, &p->series) {
        if (!s->count || s->before || !load_wants(o, p, s) || count++ >= SHOWN)
            continue;
        buf_printf(out, "%s%.*s", count > 1 ? ", " : "", SLICE_ARG(s->name));
    }
    if (count > SHOWN)
        buf_printf(out, " and %zu more", count - SHOWN);
}

/* The series that would be of the kind if there were anything in it, or SERIES_NONE. */
static uint32_t find_empty(const struct options *o, const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (!p->series.items[id].count && !p->series.items[id].before &&
            strcmp(kind_recognise(p, id)->name, o->kind) == 0)
            return id;
    return SERIES_NONE;
}

/* Whether each graph may be of the kind; what has no event says nothing about itself. */
static bool all_may_be(const struct options *o, const struct profile *p, size_t row)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && s->event.len && load_wants(o, p, s) && !may_be(p, id, row))
            return false;
    }
    return true;
}

/* Whether a graph is of the kind by itself. */
static bool any_is(const struct options *o, const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && load_wants(o, p, s) &&
            strcmp(kind_recognise(p, id)->name, o->kind) == 0)
            return true;
    }
    return false;
}

static size_t find_row(const struct options *o)
{
    size_t row = 0;

    while (row < ROWS && (!o->kind || strcmp(rows[row].kind, o->kind) != 0))
        row++;
    return row;
}

bool kind_needs_check(const struct options *o, const struct profile *p, struct diag *diag)
{
    size_t row = find_row(o);
    struct buf names;
    uint32_t empty;

    if (row == ROWS || any_is(o, p))
        return true;
    empty = find_empty(o, p);
    if (empty == SERIES_NONE && all_may_be(o, p, row))
        return true;
    buf_init(&names);
    list(o, p, &names);
    if (empty != SERIES_NONE)
        diag_error(diag, "option --kind: there is no %.*s; the input also has: %s",
                   SLICE_ARG(p->series.items[empty].name), names.ptr);
    else
        diag_error(diag, "option --kind: %s needs %s; the input has: %s", o->kind, rows[row].what,
                   names.ptr);
    buf_release(&names);
    return false;
}

bool kind_needs_no_picture(const struct options *o, struct diag *diag)
{
    return !kind_is_heatmap(o) ||
           diag_error(diag, "option --kind: a heat map is a picture, which has no stacks to print; "
                            "graph and report draw it");
}
