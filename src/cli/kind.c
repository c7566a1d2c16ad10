#include "cli/kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"
#include "profile/pair.h"
#include "cli/hotcold.h"
#include "cli/kind_needs.h"

/* Pages of the machines that profiles come from, as a rule. */
enum { PAGE = 4096 };

const struct kind kinds[] = {
    {"stacks", "", "hot", NULL, "stacks of anything", 0, false},
    {"cpu", "CPU", "hot", NULL, "time or cycles on the CPU", 0, false},
    {"wall", "Wall-Clock Time", "hot", NULL, "time passed, running or not", 0, true},
    {"off-cpu", "Off-CPU Time", "io", "us", "time that threads were blocked", 0, true},
    {"wakeup", "Wakeup", "wakeup", "us", "time blocked, by the stacks that ended it", 0, true},
    {"wakeups", "Wakeup Count", "wakeup", "wakeups", "how often threads were woken, by the wakers",
     0, false},
    {"off-wake", "Off-Wake Time", "chain", "us",
     "time blocked, the waker's stack above the blocked one", 0, true},
    {"chain", "Chain", "chain", "us", "time blocked, all wakers' stacks above the blocked one", 0,
     true},
    {"heatmap", "Sub-Second Heat Map", "hot", NULL, "when it was measured, second by second", 0,
     false},
    {"hotcold", "Hot/Cold", "hotcold", NULL, "time on the CPU and off it, in two hues", 0, true},
    {"switches", "Context Switch", "blue", "switches", "how often threads left the CPU", 0, true},
    {"io", "I/O", "io", "I/Os", "how often input or output was asked for", 0, true},
    {"io-time", "I/O Time", "io", "us", "time of input and output", 0, true},
    {"locks", "Lock Contention", "purple", "locks", "how often locks were waited for", 0, true},
    {"lock-wait", "Lock Wait Time", "purple", "us", "time until locks were had", 0, true},
    {"lock-hold", "Lock Hold Time", "orange", "us", "time that locks were held", 0, false},
    {"cpi", "CPI", "hot", NULL, "cycles, by what they brought: instructions or stalls", 0, false},
    {"cache-misses", "Cache Miss", "red", "cache-misses", "misses of the CPU's caches", 0, false},
    {"branch-misses", "Branch Miss", "yellow", "branch-misses", "branches guessed wrongly", 0,
     false},
    {"stalls", "Stall Cycle", "blue", "stall cycles", "cycles that the CPU waited for something", 0,
     false},
    {"memory", "Memory", "mem", "bytes", "bytes of memory", 0, false},
    {"malloc", "Allocated Memory", "mem", "bytes", "bytes allocated, freed or not", 0, false},
    {"allocations", "Allocation", "mem", "allocations", "how often memory was allocated", 0, false},
    {"heap", "Live Memory", "mem", "bytes", "bytes that are allocated at a time", 0, false},
    {"objects", "Live Object", "mem", "objects", "things that are allocated at a time", 0, false},
    {"leak", "Leaked Memory", "mem", "bytes", "bytes allocated and not freed", 0, false},
    {"brk", "Heap Growth (brk)", "mem", "bytes", "bytes by which brk() grew the heap", 0, false},
    {"mmap", "Mapped Memory (mmap)", "mem", "bytes", "bytes mapped by mmap()", 0, false},
    {"page-faults", "Page Fault", "mem", "bytes", "memory touched first, in pages of 4 KiB", PAGE,
     false},
    {NULL, NULL, NULL, NULL, NULL, 0, false},
};

const struct kind *kind_find(struct slice name)
{
    for (const struct kind *k = kinds; k->name; k++)
        if (slice_equal(name, slice_str(k->name)))
            return k;
    return NULL;
}

bool kind_check(const char *name, struct buf *why)
{
    struct suggest near;

    if (kind_find(slice_str(name)))
        return true;
    suggest_init(&near, name);
    buf_printf(why, "no kind of graph is called '%s'; it is one of:", name);
    for (const struct kind *k = kinds; k->name; k++) {
        suggest_offer(&near, k->name);
        buf_printf(why, " %s", k->name);
    }
    suggest_write(&near, "", why);
    return false;
}

/* ---- recognition ----------------------------------------------------------------------------- */

enum measure { ANYTHING, COUNT, TIME, BYTES };

/* The first row that fits decides. Patterns are in small letters; '*' is anything. */
static const struct {
    const char *kind;
    const char *format; /* or NULL */
    const char *event;  /* of the series, without modifiers; NULL for all */
    enum measure measure;
} rows[] = {
    {"chain", NULL, "off-cpu chain", ANYTHING},
    {"off-wake", NULL, "off-cpu by waker", ANYTHING},
    {"hotcold", NULL, "hot/cold", ANYTHING},
    {"off-cpu", NULL, "*off*cpu*", ANYTHING},
    {"off-cpu", NULL, "sched:sched_stat_*", TIME},
    {"switches", NULL, "context-switches", COUNT},
    {"switches", NULL, "cs", COUNT},
    {"switches", NULL, "sched:sched_switch", COUNT},
    {"wakeups", NULL, "sched:sched_wak*", COUNT},
    {"wakeup", NULL, "wakeup*", ANYTHING},
    {"wall", NULL, "wall*", ANYTHING},
    {"wall", NULL, "profiler.wallclock*", ANYTHING},

    {"page-faults", NULL, "*page*fault*", ANYTHING},
    {"page-faults", NULL, "minor-faults", ANYTHING},
    {"page-faults", NULL, "major-faults", ANYTHING},
    {"page-faults", NULL, "faults", ANYTHING},
    {"leak", NULL, "*leak*", BYTES},
    {"leak", NULL, "*not freed", BYTES},
    {"leak", "memleak", NULL, BYTES},
    {"brk", NULL, "*brk*", BYTES},
    {"mmap", NULL, "*mmap*", BYTES},
    {"allocations", NULL, "*sys_enter_brk*", COUNT},
    {"allocations", NULL, "*sys_enter_mmap*", COUNT},
    {"heap", NULL, "inuse_space", ANYTHING},
    {"heap", NULL, "space", BYTES},
    {"heap", NULL, "*peak*", BYTES},
    {"heap", NULL, "*heap*", BYTES},
    {"heap", "heapprofile", NULL, BYTES},
    {"objects", NULL, "inuse_objects", ANYTHING},
    {"objects", "pprof-text", "objects", ANYTHING},
    {"objects", "dhat", "peak blocks", ANYTHING},
    {"malloc", NULL, "*alloc*", BYTES},
    {"malloc", NULL, "kmem_cache bytes", BYTES},
    {"malloc", "dhat", "total bytes", BYTES},
    {"allocations", NULL, "*alloc*", COUNT},
    {"allocations", NULL, "temporary", COUNT},
    {"allocations", "dhat", "total blocks", COUNT},
    {"allocations", "stackprof", "object", COUNT},
    {"memory", NULL, NULL, BYTES},

    {"lock-wait", NULL, "*park*", TIME},
    {"lock-wait", NULL, "*monitor*", TIME},
    {"lock-wait", NULL, "*contention*", TIME},
    {"lock-wait", NULL, "*lock*wait*", TIME},
    {"lock-wait", "pprof", "delay", TIME},
    {"lock-wait", "pprof-raw", "delay", TIME},
    {"lock-wait", "pprof-text", "delay", TIME},
    {"lock-wait", "pprof-traces", "delay", TIME},
    {"lock-hold", NULL, "*lock*hold*", TIME},
    {"locks", NULL, "*contention*", COUNT},
    {"locks", NULL, "lock:*", COUNT},
    {"io", NULL, "block:*", COUNT},
    {"io", NULL, "syscalls:sys_enter_*read*", COUNT},
    {"io", NULL, "syscalls:sys_enter_*write*", COUNT},
    {"io", NULL, "syscalls:sys_enter_f*sync", COUNT},
    {"io", NULL, "jdk.file*", COUNT},
    {"io", NULL, "jdk.socket*", COUNT},
    {"io-time", NULL, "*i/o*time", TIME},
    {"io-time", NULL, "jdk.file*", TIME},
    {"io-time", NULL, "jdk.socket*", TIME},

    {"stalls", NULL, "*stall*", COUNT},
    {"branch-misses", NULL, "*br*misp*", COUNT},
    {"branch-misses", NULL, "branch*miss*", COUNT},
    {"branch-misses", "callgrind", "bcm", COUNT},
    {"branch-misses", "callgrind", "bim", COUNT},
    {"cache-misses", NULL, "*cache*miss*", COUNT},
    {"cache-misses", NULL, "llc-*miss*", COUNT},
    {"cache-misses", NULL, "*tlb*miss*", COUNT},
    {"cache-misses", NULL, "*mem*l?_miss*", COUNT},
    {"cache-misses", "callgrind", "i?mr", COUNT},
    {"cache-misses", "callgrind", "d?m?", COUNT},
    {"cpu", NULL, "*cycles*", COUNT},
    {"cpu", NULL, "on-cpu", ANYTHING},
    {"cpu", NULL, "cpu-clock", ANYTHING},
    {"cpu", NULL, "task-clock", ANYTHING},
    {"cpu", NULL, "cpu", ANYTHING},
    {"cpu", NULL, "cpu time", ANYTHING},
    {"cpu", NULL, "cpu_clk_*", COUNT},
    {"cpu", NULL, "clock.*", COUNT},
    {"cpu", NULL, "sampledprofile", ANYTHING},
    {"cpu", NULL, "jdk.executionsample", ANYTHING},
    {"cpu", NULL, "profile-*", COUNT},
    {"cpu", "pprof", "samples", COUNT},
    {"cpu", "pprof-cpu", NULL, ANYTHING},
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether the text, in either case, is the pattern, in which '*' is anything and '?' a byte. */
static bool matches(const char *pattern, struct slice text)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;

    while (at < text.len) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
        } else if (*pattern == '?' || (*pattern && *pattern == lower(text.ptr[at]))) {
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

/* "cycles" of "cycles:uppp"; "block:block_rq_issue" is whole. */
static struct slice without_modifiers(struct slice event)
{
    size_t colon = slice_find_last(event, ':');

    for (size_t i = colon + 1; i < event.len; i++)
        if (!strchr("ukhpPGHSDIWe", event.ptr[i]))
            return event;
    return slice_take(event, colon);
}

/* Whether a waker's stack begins at a node with so many before it. */
static bool starts_waker(const struct profile *p, uint32_t id, unsigned before)
{
    uint32_t symbol = p->stacks.symbol[id], parent = p->stacks.symbol[p->stacks.parent[id]];
    enum symbol_class class =
        parent == SYMBOL_NONE ? SYMBOL_USER : symbol_class(&p->symbols, parent);

    if (symbol_class(&p->symbols, symbol) != SYMBOL_WAKER || class == SYMBOL_WAKER)
        return false;
    return !before || slice_equal(symbol_name(&p->symbols, parent), SLICE("--"));
}

static bool has_wakers(const struct profile *p)
{
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++)
        if (symbol_class(&p->symbols, i) == SYMBOL_WAKER)
            return true;
    return false;
}

/*
 * The greatest number of wakers' stacks behind a blocked one: 0 where there
 * are none, else 1, or 2 for any more.
 */
static unsigned count_wakers(const struct profile *p)
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

static const struct kind *kind_get(const char *name)
{
    const struct kind *k = kind_find(slice_str(name));

    BUG_ON(!k);
    return k;
}

/* What tools of bcc say when they start, as "Tracing 1 functions for "vfs_read"", or the stacks. */
static const struct kind *recognise_stacks(const struct profile *p)
{
    static const struct {
        const char *words, *kind;
    } tools[] = {
        {"off-CPU and waker", "off-wake"},
        {"Tracing off-CPU time", "off-cpu"},
        {"Tracing blocked time", "wakeup"},
        {"Tracing VFS read/write time", "io-time"},
        {"Tracing block I/O time", "io-time"},
        {"page_fault", "page-faults"},
        {"submit_bio", "io"},
        {"block_rq", "io"},
        {"\"vfs_", "io"},
        {"futex", "locks"},
        {"mutex_lock", "locks"},
        {"malloc", "allocations"},
        {"kmem:", "allocations"},
        {"sys_enter_brk", "allocations"},
        {"sys_enter_mmap", "allocations"},
    };
    struct slice recording = profile_fact(p, SLICE("recording"));
    unsigned wakers;

    if (!p->format || (strcmp(p->format, "folded") != 0 && strcmp(p->format, "bcc") != 0))
        return &kinds[0];
    wakers = count_wakers(p);
    if (wakers)
        return kind_get(wakers > 1 ? "chain" : "off-wake");
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
        if (slice_search(recording, slice_str(tools[i].words)) < recording.len)
            return kind_get(tools[i].kind);
    return &kinds[0];
}

const struct kind *kind_recognise(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];
    struct slice event = without_modifiers(s->event);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if ((!rows[i].format || (p->format && strcmp(rows[i].format, p->format) == 0)) &&
            (!rows[i].event || (event.len && matches(rows[i].event, event))) &&
            measures(&s->unit, rows[i].measure))
            return kind_get(rows[i].kind);
    }
    return recognise_stacks(p);
}

/* ---- what follows from it -------------------------------------------------------------------- */

bool kind_is_heatmap(const struct options *o)
{
    return o->kind && strcmp(o->kind, "heatmap") == 0;
}

bool kind_joins_counters(const struct options *o)
{
    return o->kind && strcmp(o->kind, "cpi") == 0;
}

const struct kind *kind_of(const struct options *o, const struct profile *p, uint32_t series)
{
    if (pair_kind(p, series) != PAIR_CHANGE)
        return kind_get("cpi");
    return o->kind && !kind_joins_counters(o) ? kind_get(o->kind) : kind_recognise(p, series);
}

bool kind_selects(const struct options *o, const struct profile *p)
{
    if (!o->kind)
        return false;
    for (uint32_t id = 0; id < p->series.count; id++)
        if (p->series.items[id].count && !p->series.items[id].before &&
            kind_recognise(p, id) == kind_get(o->kind))
            return true;
    return false;
}

/* Things that are so many bytes each become these. */
static bool scale(struct profile *p, uint32_t series, uint64_t each)
{
    struct series *s = &p->series.items[series];
    uint64_t total;

    if (!num_mul(s->total, each, &total))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        s->weight[i] *= each;
    vec_each (struct moment, m, &s->moments.items)
        m->weight *= each;
    s->total = total;
    return true;
}

/*
 * Whether mere samples are what the kind measures: things that were counted
 * are, and time or bytes where the user says so, or the file could not.
 */
static bool gives_unit(const struct options *o, const struct profile *p, uint32_t series,
                       const struct kind *k)
{
    const struct series *s = &p->series.items[series];

    if (s->unit.kind != UNIT_COUNT || !k->unit || o->count_name || s->before)
        return false;
    if (k->each)
        return true;
    if (!slice_equal(s->unit.noun, unit_samples.noun) && !slice_equal(s->unit.noun, s->event))
        return false;
    return unit_named(slice_str(k->unit)).kind == UNIT_COUNT ||
           strcmp(p->format ? p->format : "", "folded") == 0 || kind_recognise(p, series) != k;
}

/* The input says by itself that its stacks are of who was blocked, not of who ended that. */
static bool is_off_cpu(const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (strcmp(kind_recognise(p, id)->name, "off-cpu") == 0)
            return true;
    return false;
}

/* Graphs of wakers cannot be made of what does not tell them. */
static bool check_wakers(const struct options *o, const struct profile *p, struct diag *diag)
{
    bool wakeup = o->kind && strcmp(o->kind, "wakeup") == 0 && is_off_cpu(p);

    if (!o->kind ||
        (!wakeup && strcmp(o->kind, "chain") != 0 && strcmp(o->kind, "off-wake") != 0) ||
        kind_selects(o, p) || (!wakeup && count_wakers(p)))
        return true;
    return diag_error(diag,
                      "option --kind: %s needs to know who woke whom: a trace with stacks (perf "
                      "record -a -g -e sched:sched_switch,sched:sched_waking), bcc's offwaketime, "
                      "or folded stacks with '--' before each waker's",
                      o->kind);
}

bool kind_check_input(const struct options *o, const struct profile *p, struct diag *diag)
{
    return check_wakers(o, p, diag) && kind_needs_check(o, p, diag);
}

bool kind_apply(const struct options *o, struct profile *p, struct diag *diag)
{
    bool selects;

    if (!kind_check_input(o, p, diag) || (hotcold_is_wanted(o) && !hotcold_join(o, p, diag)))
        return false;
    selects = kind_selects(o, p);
    for (uint32_t id = 0; id < p->series.count; id++) {
        struct series *s = &p->series.items[id];
        const struct kind *k = selects ? kind_recognise(p, id) : kind_of(o, p, id);

        if (!gives_unit(o, p, id, k))
            continue;
        if (k->each &&
            (!scale(p, id, k->each) || (s->base != SERIES_NONE && !scale(p, s->base, k->each))))
            return diag_error(diag, "the bytes of the page faults do not fit in 64 bits");
        if (!pair_fits(p, id))
            return diag_error(diag, "the bytes of the page faults before and after do not fit in "
                                    "63 bits");
        s->unit = unit_named(slice_str(k->unit));
        if (s->base != SERIES_NONE)
            p->series.items[s->base].unit = s->unit;
    }
    return true;
}

struct slice kind_title(const struct kind *k, const struct options *o, bool differential,
                        struct arena *memory)
{
    if (kind_is_heatmap(o))
        return slice_str(k->title);
    return slice_str(arena_printf(memory, "%s%s%s%s", k->title, *k->title ? " " : "",
                                  differential ? "Differential " : "",
                                  o->flamechart ? "Flame Chart"
                                  : o->inverted ? "Icicle Graph"
                                                : "Flame Graph"));
}
