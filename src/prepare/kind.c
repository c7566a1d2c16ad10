#include "prepare/kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "profile/event.h"

/* Bytes of a page on most machines that are profiled. */
enum { PAGE = 4096 };

const struct kind kinds[KINDS + 1] = {
    [KIND_STACKS] = {"stacks", "", "hot", NULL, "stacks of no special kind", 0, false},
    [KIND_CPU] = {"cpu", "CPU", "hot", NULL, "time or cycles on the CPU", 0, false},
    [KIND_WALL] = {"wall", "Wall-Clock Time", "hot", NULL, "time passed, running or not", 0, true},
    [KIND_OFF_CPU] = {"off-cpu", "Off-CPU Time", "io", "us", "time that threads were blocked", 0,
                      true},
    [KIND_WAKEUP] = {"wakeup", "Wakeup", "wakeup", "us",
                     "time blocked, by the stacks that ended it", 0, true},
    [KIND_WAKEUPS] = {"wakeups", "Wakeup Count", "wakeup", "wakeups",
                      "how often threads were woken, by the wakers", 0, false},
    [KIND_OFF_WAKE] = {"off-wake", "Off-Wake Time", "chain", "us",
                       "time blocked, the waker's stack above the blocked one", 0, true},
    [KIND_CHAIN] = {"chain", "Chain", "chain", "us",
                    "time blocked, all wakers' stacks above the blocked one", 0, true},
    [KIND_HEATMAP] = {"heatmap", "Sub-Second Heat Map", "hot", NULL,
                      "samples by second, and by time within the second", 0, false},
    [KIND_HOTCOLD] = {"hotcold", "Hot/Cold", "hotcold", NULL,
                      "time on the CPU and off it, in two hues", 0, true},
    [KIND_SWITCHES] = {"switches", "Context Switch", "blue", "switches",
                       "how often threads left the CPU", 0, true},
    [KIND_IO] = {"io", "I/O", "io", "I/Os", "number of I/O requests", 0, true},
    [KIND_IO_TIME] = {"io-time", "I/O Time", "io", "us", "time of input and output", 0, true},
    [KIND_LOCKS] = {"locks", "Lock Contention", "purple", "locks",
                    "how often locks were waited for", 0, true},
    [KIND_LOCK_WAIT] = {"lock-wait", "Lock Wait Time", "purple", "us",
                        "time spent waiting for locks", 0, true},
    [KIND_COND_WAIT] = {"cond-wait", "Condition Wait Time", "aqua", "us",
                        "time spent waiting for conditions and semaphores", 0, true},
    [KIND_JOIN_WAIT] = {"join-wait", "Join Wait Time", "blue", "us",
                        "time spent waiting for threads to end", 0, true},
    [KIND_FUTEX_WAIT] = {"futex-wait", "Futex Wait Time", "purple", "us",
                         "time in futex() for a lock or a condition; the stacks do not say which",
                         0, true},
    [KIND_LOCK_HOLD] = {"lock-hold", "Lock Hold Time", "orange", "us", "time that locks were held",
                        0, false},
    [KIND_CPI] = {"cpi", "CPI", "hot", NULL, "cycles per instruction, or stalled cycles", 0, false},
    [KIND_CACHE_MISSES] = {"cache-misses", "Cache Miss", "red", "cache-misses",
                           "misses of the CPU's caches", 0, false},
    [KIND_BRANCH_MISSES] = {"branch-misses", "Branch Miss", "yellow", "branch-misses",
                            "mispredicted branches", 0, false},
    [KIND_STALLS] = {"stalls", "Stall Cycle", "blue", "stall cycles",
                     "cycles in which the CPU was stalled", 0, false},
    [KIND_MEMORY] = {"memory", "Memory", "mem", "bytes", "bytes of memory", 0, false},
    [KIND_MALLOC] = {"malloc", "Allocated Memory", "mem", "bytes", "bytes allocated, freed or not",
                     0, false},
    [KIND_ALLOCATIONS] = {"allocations", "Allocation", "mem", "allocations",
                          "how often memory was allocated", 0, false},
    [KIND_HEAP] = {"heap", "Live Memory", "mem", "bytes", "bytes in use at one moment", 0, false},
    [KIND_OBJECTS] = {"objects", "Live Object", "mem", "objects", "objects in use at one moment", 0,
                      false},
    [KIND_LEAK] = {"leak", "Leaked Memory", "mem", "bytes", "bytes allocated and not freed", 0,
                   false},
    [KIND_BRK] = {"brk", "Heap Growth (brk)", "mem", "bytes", "bytes by which brk() grew the heap",
                  0, false},
    [KIND_MMAP] = {"mmap", "Mapped Memory (mmap)", "mem", "bytes", "bytes mapped by mmap()", 0,
                   false},
    [KIND_PAGE_FAULTS] = {"page-faults", "Page Fault", "mem", "bytes",
                          "memory touched for the first time, in pages of 4 KiB", PAGE, false},
    [KIND_GPU] = {"gpu", "GPU", "gpu", NULL, "work of accelerators, by the code that launched it",
                  0, false},
    [KIND_GPU_KERNELS] = {"gpu-kernels", "GPU Kernel", "gpu", NULL,
                          "how often kernels of accelerators were launched", 0, false},
    [KINDS] = {NULL, NULL, NULL, NULL, NULL, 0, false},
};

const struct kind *kind_find(struct slice name)
{
    for (const struct kind *k = kinds; k->name; k++)
        if (slice_equal(name, slice_str(k->name)))
            return k;
    return NULL;
}

/* ---- recognition ----------------------------------------------------------------------------- */

enum measure { ANYTHING, COUNT, TIME, BYTES };

/* The first row that matches decides. Patterns are in lower case; '*' matches any text. */
static const struct {
    enum kind_id kind;
    const char *format; /* or NULL */
    const char *event;  /* of the series, without modifiers; NULL for all */
    enum measure measure;
} rows[] = {
    {KIND_CHAIN, NULL, "off-cpu chain", ANYTHING},
    {KIND_OFF_WAKE, NULL, "off-cpu by waker", ANYTHING},
    {KIND_HOTCOLD, NULL, "hot/cold", ANYTHING},
    {KIND_OFF_CPU, NULL, "*off*cpu*", ANYTHING},
    {KIND_OFF_CPU, NULL, "sched:sched_stat_*", TIME},
    {KIND_SWITCHES, NULL, "context-switches", COUNT},
    {KIND_SWITCHES, NULL, "cs", COUNT},
    {KIND_SWITCHES, NULL, "sched:sched_switch", COUNT},
    {KIND_WAKEUPS, NULL, "sched:sched_wak*", COUNT},
    {KIND_WAKEUP, NULL, "wakeup*", ANYTHING},
    {KIND_WALL, NULL, "wall*", ANYTHING},
    {KIND_WALL, NULL, "profiler.wallclock*", ANYTHING},

    {KIND_PAGE_FAULTS, NULL, "*page*fault*", ANYTHING},
    {KIND_PAGE_FAULTS, NULL, "minor-faults", ANYTHING},
    {KIND_PAGE_FAULTS, NULL, "major-faults", ANYTHING},
    {KIND_PAGE_FAULTS, NULL, "faults", ANYTHING},
    {KIND_LEAK, NULL, "*leak*", BYTES},
    {KIND_LEAK, NULL, "*not freed", BYTES},
    {KIND_LEAK, "memleak", NULL, BYTES},
    {KIND_BRK, NULL, "*brk*", BYTES},
    {KIND_MMAP, NULL, "*mmap*", BYTES},
    {KIND_STACKS, NULL, "*alloc*return*", COUNT},
    {KIND_STACKS, NULL, "*dealloc*", COUNT},
    {KIND_HEAP, NULL, "inuse_space*", ANYTHING},
    {KIND_HEAP, NULL, "space", BYTES},
    {KIND_HEAP, NULL, "*peak*", BYTES},
    {KIND_HEAP, NULL, "*heap*", BYTES},
    {KIND_HEAP, "heapprofile", NULL, BYTES},
    {KIND_OBJECTS, NULL, "inuse_objects*", ANYTHING},
    {KIND_OBJECTS, NULL, "peak_objects*", ANYTHING},
    {KIND_OBJECTS, "pprof-text", "objects", ANYTHING},
    {KIND_OBJECTS, "dhat", "peak blocks", ANYTHING},
    {KIND_MALLOC, NULL, "*alloc*", BYTES},
    {KIND_MALLOC, NULL, "kmem_cache bytes", BYTES},
    {KIND_MALLOC, "dhat", "total bytes", BYTES},
    {KIND_ALLOCATIONS, NULL, "*alloc*", COUNT},
    {KIND_ALLOCATIONS, NULL, "temporary", COUNT},
    {KIND_ALLOCATIONS, "dhat", "total blocks", COUNT},
    {KIND_ALLOCATIONS, "stackprof", "object", COUNT},
    {KIND_MEMORY, NULL, NULL, BYTES},

    {KIND_COND_WAIT, NULL, "*cond*wait*", TIME},
    {KIND_COND_WAIT, NULL, "*monitorwait*", TIME},
    {KIND_JOIN_WAIT, NULL, "*join*wait*", TIME},
    {KIND_FUTEX_WAIT, NULL, "futex wait", TIME},
    {KIND_LOCK_WAIT, NULL, "*park*", TIME},
    {KIND_LOCK_WAIT, NULL, "*monitor*", TIME},
    {KIND_LOCK_WAIT, NULL, "*contention*", TIME},
    {KIND_LOCK_WAIT, NULL, "*lock*wait*", TIME},
    {KIND_LOCK_WAIT, "pprof", "delay", TIME},
    {KIND_LOCK_WAIT, "pprof-raw", "delay", TIME},
    {KIND_LOCK_WAIT, "pprof-text", "delay", TIME},
    {KIND_LOCK_WAIT, "pprof-traces", "delay", TIME},
    {KIND_LOCK_HOLD, NULL, "*lock*hold*", TIME},
    {KIND_LOCKS, NULL, "*contention*", COUNT},
    {KIND_LOCKS, NULL, "lock:*", COUNT},
    {KIND_IO, NULL, "block:*", COUNT},
    {KIND_IO, NULL, "syscalls:sys_enter_*read*", COUNT},
    {KIND_IO, NULL, "syscalls:sys_enter_*write*", COUNT},
    {KIND_IO, NULL, "syscalls:sys_enter_f*sync", COUNT},
    {KIND_IO, NULL, "jdk.file*", COUNT},
    {KIND_IO, NULL, "jdk.socket*", COUNT},
    {KIND_IO_TIME, NULL, "*i/o*time", TIME},
    {KIND_IO_TIME, NULL, "jdk.file*", TIME},
    {KIND_IO_TIME, NULL, "jdk.socket*", TIME},

    {KIND_STALLS, NULL, "*stall*", COUNT},
    {KIND_BRANCH_MISSES, NULL, "*br*misp*", COUNT},
    {KIND_BRANCH_MISSES, NULL, "branch*miss*", COUNT},
    {KIND_BRANCH_MISSES, "callgrind", "bcm", COUNT},
    {KIND_BRANCH_MISSES, "callgrind", "bim", COUNT},
    {KIND_CACHE_MISSES, NULL, "*cache*miss*", COUNT},
    {KIND_CACHE_MISSES, NULL, "llc-*miss*", COUNT},
    {KIND_CACHE_MISSES, NULL, "*tlb*miss*", COUNT},
    {KIND_CACHE_MISSES, NULL, "*mem*l?_miss*", COUNT},
    {KIND_CACHE_MISSES, "callgrind", "i?mr", COUNT},
    {KIND_CACHE_MISSES, "callgrind", "d?m?", COUNT},
    {KIND_GPU, NULL, "gpu time", TIME},
    {KIND_GPU_KERNELS, NULL, "gpu kernels", COUNT},
    {KIND_CPU, NULL, "*cycles*", COUNT},
    {KIND_CPU, NULL, "on-cpu", ANYTHING},
    {KIND_CPU, NULL, "cpu-clock", ANYTHING},
    {KIND_CPU, NULL, "task-clock", ANYTHING},
    {KIND_CPU, NULL, "cpu", ANYTHING},
    {KIND_CPU, NULL, "cpu time", ANYTHING},
    {KIND_CPU, NULL, "cpu_clk_*", COUNT},
    {KIND_CPU, NULL, "clock.*", COUNT},
    {KIND_CPU, NULL, "sampledprofile", ANYTHING},
    {KIND_CPU, NULL, "jdk.executionsample", ANYTHING},
    {KIND_CPU, NULL, "profile-*", COUNT},
    {KIND_CPU, "pprof", "samples", COUNT},
    {KIND_CPU, "pprof-cpu", NULL, ANYTHING},
};

/* Returns true if text and pattern match without case; '*' is any text, '?' any byte. */
static bool matches(const char *pattern, struct slice text)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;

    while (at < text.len) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
        } else if (*pattern == '?' || (*pattern && *pattern == ascii_lower(text.ptr[at]))) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool measures(const struct unit *unit, enum measure measure)
{
    switch (measure) {
    case ANYTHING:
        return true;
    case COUNT:
        return unit->kind == UNIT_COUNT;
    case TIME:
        return unit->kind == UNIT_SECONDS;
    case BYTES:
        return unit->kind == UNIT_BYTES;
    }
    BUG("no such measure");
}

/* Returns true if a waker's stack begins at a node, with `before` wakers below it. */
static bool starts_waker(const struct profile *p, uint32_t id, unsigned before)
{
    uint32_t symbol = p->stacks.symbol[id], parent = p->stacks.symbol[p->stacks.parent[id]];
    enum symbol_class class =
        parent == SYMBOL_NONE ? SYMBOL_USER : symbol_class(&p->symbols, parent);

    if (!symbol_class_is_waker(symbol_class(&p->symbols, symbol)) || symbol_class_is_waker(class))
        return false;
    return !before || slice_equal(symbol_name(&p->symbols, parent), SLICE("--"));
}

static bool has_wakers(const struct profile *p)
{
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++)
        if (symbol_class_is_waker(symbol_class(&p->symbols, i)))
            return true;
    return false;
}

unsigned kind_count_wakers(const struct profile *p)
{
    unsigned char *count;
    unsigned most = 0;

    if (!has_wakers(p))
        return 0;
    count = xcalloc(p->stacks.count, 1);
    for (uint32_t id = 1; id < p->stacks.count; id++) {
        count[id] = count[p->stacks.parent[id]];
        if (count[id] < 2 && starts_waker(p, id, count[id]))
            count[id]++;
        if (count[id] > most)
            most = count[id];
    }
    free(count);
    return most;
}

/* Whether stacks of a series end in frames of an accelerator. */
static bool is_of_device(const struct profile *p, const struct series *s)
{
    static const unsigned device = 1u << SYMBOL_DEVICE | 1u << SYMBOL_DEVICE_INSTRUCTION;

    if (!(p->symbols.classes & device))
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t symbol = p->stacks.symbol[s->stack[i]];

        if (symbol != SYMBOL_NONE && symbol_class_is_device(symbol_class(&p->symbols, symbol)))
            return true;
    }
    return false;
}

/* Recognises stacks without an event by their wakers, or by the first line of bcc's tools. */
static const struct kind *recognise_stacks(const struct profile *p)
{
    static const struct {
        const char *words;
        enum kind_id kind;
    } tools[] = {
        {"off-CPU and waker", KIND_OFF_WAKE},
        {"Tracing off-CPU time", KIND_OFF_CPU},
        {"Tracing blocked time", KIND_WAKEUP},
        {"Tracing VFS read/write time", KIND_IO_TIME},
        {"Tracing block I/O time", KIND_IO_TIME},
        {"page_fault", KIND_PAGE_FAULTS},
        {"submit_bio", KIND_IO},
        {"block_rq", KIND_IO},
        {"\"vfs_", KIND_IO},
        {"futex", KIND_LOCKS},
        {"mutex_lock", KIND_LOCKS},
        {"malloc", KIND_ALLOCATIONS},
        {"kmem:", KIND_ALLOCATIONS},
        {"sys_enter_brk", KIND_ALLOCATIONS},
        {"sys_enter_mmap", KIND_ALLOCATIONS},
    };
    struct slice recording = profile_fact(p, SLICE("recording"));
    unsigned wakers;

    if (!p->format || (strcmp(p->format, "folded") != 0 && strcmp(p->format, "bcc") != 0))
        return &kinds[0];
    wakers = kind_count_wakers(p);
    if (wakers)
        return &kinds[wakers > 1 ? KIND_CHAIN : KIND_OFF_WAKE];
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
        if (slice_search(recording, slice_str(tools[i].words)) < recording.len)
            return &kinds[tools[i].kind];
    return &kinds[0];
}

const struct kind *kind_recognise(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];
    struct slice event = event_counted(s->event);
    const struct kind *stated = s->kind.len ? kind_find(s->kind) : NULL;

    if (stated)
        return stated;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if ((!rows[i].format || (p->format && strcmp(rows[i].format, p->format) == 0)) &&
            (!rows[i].event || (event.len && matches(rows[i].event, event))) &&
            measures(&s->unit, rows[i].measure))
            return &kinds[rows[i].kind];
    }
    return is_of_device(p, s) ? &kinds[KIND_GPU] : recognise_stacks(p);
}
