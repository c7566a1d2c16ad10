#include "input/formats/perf/perf_derived.h"

#include "base/buf.h"
#include "base/num.h"
#include "input/formats/perf/perf_fields.h"

/* ---- bytes that processes get ---------------------------------------------------------------- */

/* Meaning of a field. */
enum amount { BYTES, HEAP_END, HEAP_IS };

static const struct {
    struct slice event, field;
    enum amount amount;
    struct slice series, calls;
} memory_rows[] = {
    {{"syscalls:sys_enter_mmap", 23},
     {"len", 3},
     BYTES,
     {"mmap bytes", 10},
     {"mmap allocations", 16}},
    {{"syscalls:sys_enter_brk", 22},
     {"brk", 3},
     HEAP_END,
     {"brk bytes", 9},
     {"brk allocations", 15}},
    {{"syscalls:sys_exit_brk", 21}, {"ret", 3}, HEAP_IS, {NULL, 0}, {NULL, 0}},
};
enum { MEMORY_ROWS = sizeof(memory_rows) / sizeof(memory_rows[0]) };

/* M_TOP_PAD of the GNU C library, 128 KiB, and the page that the first request needs. */
enum { FIRST_RISE = 132 * 1024 };

/* Returns whether the first bytes of an input contain such events. */
static bool perf_memory_is_in(struct slice start)
{
    bool calls = slice_has(start, SLICE("syscalls:sys_e"));

    for (size_t i = 0; calls && i < MEMORY_ROWS; i++)
        if (slice_has(start, memory_rows[i].event))
            return true;
    return false;
}

static void perf_memory_init(struct perf_memory *m, struct profile *profile,
                             struct perf_origins *origins)
{
    *m = (struct perf_memory){
        .profile = profile, .origins = origins, .series = SERIES_NONE, .calls = SERIES_NONE};
}

static void perf_memory_release(struct perf_memory *m)
{
    release_each(m, (map, index), (vec, heaps));
}

static bool same_process(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_memory *)context)->heaps.items[id].process == *(const uint64_t *)key;
}

static struct perf_heap *find_heap(struct perf_memory *m, uint64_t process)
{
    uint64_t hash = map_hash_pair(&m->index, process, 0);
    uint32_t id = map_find(&m->index, hash, same_process, m, &process);

    if (id == MAP_NONE) {
        id = (uint32_t)m->heaps.count;
        *vec_add(&m->heaps) = (struct perf_heap){.process = process};
        map_add(&m->index, hash, id);
    }
    return &m->heaps.items[id];
}

/* Returns by how much the heap of a process grows if it now ends at `end`; 0 is the question. */
static uint64_t rise(struct perf_memory *m, const struct perf_event *e, uint64_t end)
{
    int64_t process = perf_event_process(e);
    struct perf_heap *heap;
    uint64_t by = 0;

    if (process < 0)
        return 0;
    heap = find_heap(m, (uint64_t)process);
    if (heap->end && end > heap->end) {
        by = end - heap->end;
    } else if (!heap->end && heap->asked && end) {
        by = FIRST_RISE;
        m->estimated++;
    }
    heap->asked = !end;
    heap->end = end;
    return by;
}

/* Keeps the end of the heap that brk() returned. */
static void answer(struct perf_memory *m, const struct perf_event *e, uint64_t end)
{
    int64_t process = perf_event_process(e);

    if (process >= 0)
        find_heap(m, (uint64_t)process)->end = end;
}

static uint64_t bytes_of(struct perf_memory *m, const struct perf_event *e, size_t row)
{
    uint64_t value;

    if (!perf_fields_number(e->fields, memory_rows[row].field, &value))
        return 0;
    if (memory_rows[row].amount == HEAP_IS) {
        answer(m, e, value);
        return 0;
    }
    return memory_rows[row].amount == HEAP_END ? rise(m, e, value) : value;
}

/* Whether a call maps a file: its flags are printed and lack MAP_ANONYMOUS. */
static bool maps_file(const struct perf_event *e)
{
    enum { MAP_ANONYMOUS_FLAG = 0x20 };
    uint64_t flags;

    return perf_fields_number(e->fields, SLICE("flags"), &flags) && !(flags & MAP_ANONYMOUS_FLAG);
}

static uint32_t find_memory_series(struct perf_memory *m, const struct perf_event *e,
                                   struct slice name, struct unit unit)
{
    struct perf_event amount = *e;
    uint32_t id;

    amount.name = name;
    id = m->origins ? perf_origins_series(m->origins, &amount, unit)
                    : profile_series(m->profile, name, unit);
    if (id != SERIES_NONE && e->has_time)
        profile_set_time(m->profile, id, e->time_ns);
    return id;
}

/* Begins a sample. */
static void perf_memory_open(struct perf_memory *m, const struct perf_event *e)
{
    const struct unit bytes = {.kind = UNIT_BYTES};
    const struct unit calls = {.kind = UNIT_COUNT, .noun = SLICE("allocations")};

    m->series = m->calls = SERIES_NONE;
    for (size_t i = 0; i < MEMORY_ROWS; i++) {
        if (!slice_equal(e->name, memory_rows[i].event))
            continue;
        m->bytes = bytes_of(m, e, i);
        if (m->bytes)
            m->series = find_memory_series(m, e, memory_rows[i].series, bytes);
        if (m->bytes && !maps_file(e))
            m->calls = find_memory_series(m, e, memory_rows[i].calls, calls);
        return;
    }
}

/* Ends the sample, with its stack. Returns false if its bytes do not fit in 64 bits. */
static bool perf_memory_close(struct perf_memory *m, uint32_t stack)
{
    return (m->series == SERIES_NONE || profile_add(m->profile, m->series, stack, m->bytes)) &&
           (m->calls == SERIES_NONE || profile_add(m->profile, m->calls, stack, 1));
}

/* Ends the input: reports the estimated rises. */
static void perf_memory_end(const struct perf_memory *m, struct diag *diag)
{
    if (!m->estimated)
        return;
    diag_warn(diag,
              "first growths of heaps estimated as 132 KiB each: %llu; their size needs the event "
              "syscalls:sys_exit_brk",
              (unsigned long long)m->estimated);
    profile_print_fact(m->profile, SLICE("first heap growths estimated"), "%llu",
                       (unsigned long long)m->estimated);
}

/* ---- bytes that are not freed ---------------------------------------------------------------- */

enum { PAGE = 4096, HIGHEST_ORDER = 32 };

/* Sets of functions, whose series are their own. */
enum set { OF_PROGRAMS, OF_KMALLOC, OF_CACHES, OF_PAGES };

static const struct {
    struct slice bytes, left; /* names of the series */
    uint64_t space;           /* of addresses; that of programs is their process */
} sets[] = {
    [OF_PROGRAMS] = {{"malloc bytes", 12}, {"malloc bytes not freed", 22}, 1ULL << 32},
    [OF_KMALLOC] = {{"kmalloc bytes", 13}, {"kmalloc bytes not freed", 23}, 2ULL << 32},
    [OF_CACHES] = {{"kmem_cache bytes", 16}, {"kmem_cache bytes not freed", 26}, 2ULL << 32},
    [OF_PAGES] = {{"page_alloc bytes", 16}, {"page_alloc bytes not freed", 26}, 3ULL << 32},
};
enum { SETS = sizeof(sets) / sizeof(sets[0]) };
_Static_assert((int)SETS ==
                   (int)(sizeof(((struct perf_allocs *)0)->missing) / sizeof(struct perf_missing)),
               "each set has its counts");

static const struct slice malloc_calls = {"malloc allocations", 18};

/* Functions of programs: which of their arguments are what, counted from 1; 0 is none. */
static const struct {
    struct slice name;
    unsigned char bytes, times, old;
} functions[] = {
    {{"malloc", 6}, 1, 0, 0},   {{"calloc", 6}, 2, 1, 0},         {{"realloc", 7}, 2, 0, 1},
    {{"memalign", 8}, 2, 0, 0}, {{"aligned_alloc", 13}, 2, 0, 0}, {{"valloc", 6}, 1, 0, 0},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };
_Static_assert((int)FUNCTIONS <=
                   (int)(sizeof(((struct perf_caller *)0)->calls) / sizeof(struct perf_call)),
               "a call of each function fits");

/* Trace points of the kernel. */
static const struct {
    struct slice event;
    enum set set;
    bool frees;
} points[] = {
    {{"kmem:kmalloc", 12}, OF_KMALLOC, false},
    {{"kmem:kmalloc_node", 17}, OF_KMALLOC, false},
    {{"kmem:kfree", 10}, OF_KMALLOC, true},
    {{"kmem:kmem_cache_alloc", 21}, OF_CACHES, false},
    {{"kmem:kmem_cache_alloc_node", 26}, OF_CACHES, false},
    {{"kmem:kmem_cache_free", 20}, OF_CACHES, true},
    {{"kmem:mm_page_alloc", 18}, OF_PAGES, false},
    {{"kmem:mm_page_free", 17}, OF_PAGES, true},
};
enum { POINTS = sizeof(points) / sizeof(points[0]) };

/* Returns whether the first bytes of an input contain such events. */
static bool perf_allocs_is_in(struct slice start)
{
    return (slice_has(start, SLICE("kmem:")) &&
            slice_has_any(start, "kmem:kmalloc", "kmem:kmem_cache_alloc", "kmem:mm_page_alloc")) ||
           (slice_has(start, SLICE(": (")) &&
            slice_has_any(start, "alloc: (", "memalign: (", "malloc_1: ("));
}

static void perf_allocs_init(struct perf_allocs *a, struct profile *profile,
                             struct perf_origins *origins)
{
    *a = (struct perf_allocs){.profile = profile, .origins = origins, .block = MAP_NONE};
}

static void perf_allocs_release(struct perf_allocs *a)
{
    release_each(a, (map, index, caller_index), (vec, blocks, callers));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool same_block(const void *context, uint32_t id, const void *key)
{
    const struct perf_block *a = &((const struct perf_allocs *)context)->blocks.items[id];
    const struct perf_block *b = key;

    return a->space == b->space && a->address == b->address;
}

static uint32_t find_block(struct perf_allocs *a, uint64_t space, uint64_t address)
{
    const struct perf_block key = {.space = space, .address = address};
    uint64_t hash = map_hash_pair(&a->index, address, space);
    uint32_t id = map_find(&a->index, hash, same_block, a, &key);

    if (id == MAP_NONE) {
        id = (uint32_t)a->blocks.count;
        *vec_add(&a->blocks) = key;
        map_add(&a->index, hash, id);
    }
    return id;
}

static uint32_t find_series(struct perf_allocs *a, const struct perf_event *e, struct slice name,
                            struct unit unit)
{
    struct perf_event amount = *e;

    amount.name = name;
    return a->origins ? perf_origins_series(a->origins, &amount, unit)
                      : profile_series(a->profile, name, unit);
}

/* The address space of a process; one for all if perf script printed only the thread. */
static uint64_t space_of(const struct perf_event *e)
{
    return e->pid >= 0 ? (uint64_t)e->pid & UINT32_MAX : sets[OF_PROGRAMS].space;
}

/* Bytes that are allocated somewhere. */
static void count(struct perf_allocs *a, const struct perf_event *e, enum set set, uint64_t bytes)
{
    const struct unit unit = {.kind = UNIT_BYTES};
    const struct unit calls = {.kind = UNIT_COUNT, .noun = SLICE("allocations")};

    a->bytes = bytes;
    a->series = bytes ? find_series(a, e, sets[set].bytes, unit) : SERIES_NONE;
    if (set == OF_PROGRAMS)
        a->calls = find_series(a, e, malloc_calls, calls);
    if (a->calls != SERIES_NONE && e->has_time)
        profile_set_time(a->profile, a->calls, e->time_ns);
    if (a->series != SERIES_NONE && e->has_time)
        profile_set_time(a->profile, a->series, e->time_ns);
}

/* Counts an allocation whose address is known. */
static void allocate(struct perf_allocs *a, const struct perf_event *e, enum set set,
                     uint64_t space, uint64_t address, uint64_t bytes)
{
    const struct unit unit = {.kind = UNIT_BYTES};
    uint32_t id = find_block(a, space, address);
    struct perf_block *b = &a->blocks.items[id];

    if (a->origins && b->alive)
        profile_note(a->profile, b->left, NOTE_FREES_UNSEEN, 1);
    else
        a->missing[set].frees_unseen += b->alive;
    *b = (struct perf_block){
        .space = space,
        .address = address,
        .changed = a->events,
        .since_ns = e->time_ns,
        .timed = e->has_time,
        .bytes = bytes,
        .stack = STACK_ROOT,
        .left = a->origins ? find_series(a, e, sets[set].left, unit) : SERIES_NONE,
        .set = (uint8_t)set,
        .alive = true,
    };
    a->block = id;
    count(a, e, set, bytes);
}

/* What was freed within the call that began with event `since` is not freed twice. */
static void release(struct perf_allocs *a, enum set set, uint64_t space, uint64_t address,
                    uint64_t since)
{
    struct perf_block *b;
    uint32_t id;

    if (!address)
        return;
    id = find_block(a, space, address);
    b = &a->blocks.items[id];
    a->missing[set].frees_unpaired += !b->alive && (!since || b->changed < since);
    b->alive = false;
    b->changed = a->events;
}

/* ---- functions of programs ------------------------------------------------------------------- */

static bool same_thread(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_allocs *)context)->callers.items[id].thread ==
           *(const uint64_t *)key;
}

static struct perf_call *find_call(struct perf_allocs *a, const struct perf_event *e,
                                   size_t function)
{
    uint64_t thread = (uint64_t)e->tid, hash;
    uint32_t id;

    if (e->tid < 0)
        return NULL;
    hash = map_hash_pair(&a->caller_index, thread, 0);
    id = map_find(&a->caller_index, hash, same_thread, a, &thread);
    if (id == MAP_NONE) {
        id = (uint32_t)a->callers.count;
        *vec_add(&a->callers) = (struct perf_caller){.thread = thread};
        map_add(&a->caller_index, hash, id);
    }
    return &a->callers.items[id].calls[function];
}

/* The requested bytes; none if the probe does not give them. */
static void begin_call(struct perf_allocs *a, const struct perf_probe *p, size_t function,
                       struct perf_call *call)
{
    unsigned last = functions[function].bytes;

    call->began = 0;
    if (p->count < last)
        return;
    call->bytes = p->args[last - 1];
    if (functions[function].times &&
        !num_mul(call->bytes, p->args[functions[function].times - 1], &call->bytes))
        return;
    call->old = functions[function].old ? p->args[functions[function].old - 1] : 0;
    call->began = a->events;
}

/* True if the block was allocated after event `began`, by a nested call of an allocator. */
static bool is_fresh(struct perf_allocs *a, uint64_t space, uint64_t address, uint64_t began)
{
    uint32_t id = find_block(a, space, address);
    const struct perf_block *b = &a->blocks.items[id];

    return b->alive && b->changed > began;
}

static void end_call(struct perf_allocs *a, const struct perf_event *e, uint64_t address,
                     struct perf_call *call)
{
    uint64_t space = space_of(e), began = call->began;

    a->missing[OF_PROGRAMS].calls_unpaired += !began;
    call->began = 0;
    if (!began)
        return;
    /* It failed, and what was there before stays. */
    if (!address && call->bytes)
        return;
    release(a, OF_PROGRAMS, space, call->old, began);
    if (address && !is_fresh(a, space, address, began))
        allocate(a, e, OF_PROGRAMS, space, address, call->bytes);
}

static void read_probe(struct perf_allocs *a, const struct perf_event *e)
{
    struct perf_call *call;
    struct perf_probe p;

    if (!perf_fields_probe(e->fields, e->name, &p))
        return;
    if (!p.returns && p.count &&
        (slice_equal(p.function, SLICE("free")) || slice_equal(p.function, SLICE("cfree")))) {
        a->frees |= 1U << OF_PROGRAMS;
        release(a, OF_PROGRAMS, space_of(e), p.args[0], 0);
        return;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (!slice_equal(p.function, functions[i].name) || !(call = find_call(a, e, i)))
            continue;
        if (!p.returns)
            begin_call(a, &p, i, call);
        else if (p.count)
            end_call(a, e, p.args[0], call);
        return;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Reads a trace point of the kernel. */
struct told {
    uint64_t address, bytes;
    bool where, how_much;
};

static struct told read_page(const struct perf_event *e)
{
    struct told t = {0};
    uint64_t order = 0;

    t.how_much = perf_fields_number(e->fields, SLICE("order"), &order) && order <= HIGHEST_ORDER;
    t.bytes = t.how_much ? (uint64_t)PAGE << order : 0;
    t.where = perf_fields_number(e->fields, SLICE("pfn"), &t.address);
    if (t.address == UINT64_MAX) /* no page; the kernel prints 0 */
        t.address = 0;
    return t;
}

static struct told read_object(const struct perf_event *e)
{
    struct told t = {0};

    bool known = perf_fields_number(e->fields, SLICE("ptr"), &t.address);

    t.where = known && t.address;
    /* The address 0 means that the allocation failed. */
    t.how_much = perf_fields_number(e->fields, SLICE("bytes_alloc"), &t.bytes) && t.where == known;
    return t;
}

static bool read_point(struct perf_allocs *a, const struct perf_event *e)
{
    for (size_t i = 0; i < POINTS; i++) {
        enum set set = points[i].set;
        struct told t;

        if (!slice_equal(e->name, points[i].event))
            continue;
        t = set == OF_PAGES ? read_page(e) : read_object(e);
        if (points[i].frees && t.where)
            release(a, set, sets[set].space, t.address, 0);
        else if (t.how_much && t.where)
            allocate(a, e, set, sets[set].space, t.address, t.bytes);
        else if (t.how_much)
            count(a, e, set, t.bytes);
        a->frees |= points[i].frees ? 1U << set : 0;
        return true;
    }
    return false;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Begins a sample. */
static void perf_allocs_open(struct perf_allocs *a, const struct perf_event *e)
{
    a->block = MAP_NONE;
    a->series = a->calls = SERIES_NONE;
    a->events++;
    if (!read_point(a, e))
        read_probe(a, e);
}

/* Ends the sample, with its stack. Returns false if its bytes do not fit in 64 bits. */
static bool perf_allocs_close(struct perf_allocs *a, uint32_t stack)
{
    if (a->block != MAP_NONE)
        a->blocks.items[a->block].stack = stack;
    return (a->series == SERIES_NONE || profile_add(a->profile, a->series, stack, a->bytes)) &&
           (a->calls == SERIES_NONE || profile_add(a->profile, a->calls, stack, 1));
}

/* The series of bytes that are not freed; one for all if samples are not split or selected. */
static uint32_t series_left(struct perf_allocs *a, const struct perf_block *b)
{
    const struct unit bytes = {.kind = UNIT_BYTES};

    return a->origins ? b->left : profile_series(a->profile, sets[b->set].left, bytes);
}

/*
 * Notes for the graphs of each set what the recording lacks. If samples are split or selected, it
 * is not known to which of several graphs a missing event would belong: the input has the numbers.
 */
static void note_missing(struct perf_allocs *a)
{
    struct profile *p = a->profile;

    for (size_t set = 0; set < SETS; set++) {
        const struct perf_missing *missing = &a->missing[set];
        const struct slice names[] = {sets[set].left, sets[set].bytes,
                                      set == OF_PROGRAMS ? malloc_calls : slice_make(NULL, 0)};
        uint32_t left = a->origins ? SERIES_NONE : profile_find_series(p, sets[set].left);
        bool noted = false;

        profile_note(p, left, NOTE_FREES_UNPAIRED, missing->frees_unpaired);
        profile_note(p, left, NOTE_FREES_UNSEEN, missing->frees_unseen);
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !a->origins; i++) {
            uint32_t id = names[i].len ? profile_find_series(p, names[i]) : SERIES_NONE;

            if (id == SERIES_NONE)
                continue;
            profile_note(p, id, NOTE_CALLS_UNPAIRED, missing->calls_unpaired);
            noted = true;
        }
        if (!noted)
            profile_note(p, SERIES_NONE, NOTE_CALLS_UNPAIRED, missing->calls_unpaired);
    }
}

/*
 * Ends the input: adds the bytes that are not freed, if the recording has frees. Returns
 * false if they do not fit in 64 bits.
 */
static bool perf_allocs_end(struct perf_allocs *a)
{
    vec_each (struct perf_block, b, &a->blocks) {
        uint32_t left;

        if (!b->bytes || !(a->frees >> b->set & 1))
            continue;
        left = series_left(a, b);
        if (!b->alive || left == SERIES_NONE)
            continue;
        if (b->timed)
            profile_set_time(a->profile, left, b->since_ns);
        if (!profile_add(a->profile, left, b->stack, b->bytes))
            return false;
    }
    note_missing(a);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool perf_derived_is_in(struct slice start)
{
    return perf_memory_is_in(start) || perf_allocs_is_in(start) || perf_waits_is_in(start) ||
           perf_holds_is_in(start);
}

void perf_derived_init(struct perf_derived *m, const struct text *t, struct perf_origins *origins)
{
    m->maps = perf_memory_is_in(t->start);
    m->allocates = perf_allocs_is_in(t->start);
    m->waits = perf_waits_is_in(t->start);
    m->holds = perf_holds_is_in(t->start);
    m->any = m->maps || m->allocates || m->waits || m->holds;
    perf_memory_init(&m->memory, t->profile, origins);
    perf_allocs_init(&m->allocs, t->profile, origins);
    perf_waits_init(&m->wait, t->profile, origins);
    perf_holds_init(&m->hold, t->profile, origins);
}

void perf_derived_release(struct perf_derived *m)
{
    release_each(m, (perf_memory, memory), (perf_allocs, allocs), (perf_waits, wait),
                 (perf_holds, hold));
}

bool perf_derived_open(struct perf_derived *m, const struct perf_event *e)
{
    if (m->maps)
        perf_memory_open(&m->memory, e);
    if (m->allocates)
        perf_allocs_open(&m->allocs, e);
    return (!m->waits || perf_waits_open(&m->wait, e)) &&
           (!m->holds || perf_holds_open(&m->hold, e));
}

bool perf_derived_close(struct perf_derived *m, uint32_t stack)
{
    if (m->waits)
        perf_waits_close(&m->wait, stack);
    if (m->holds)
        perf_holds_close(&m->hold, stack);
    return (!m->maps || perf_memory_close(&m->memory, stack)) &&
           (!m->allocates || perf_allocs_close(&m->allocs, stack));
}

bool perf_derived_end(struct perf_derived *m, struct diag *diag)
{
    if (m->maps)
        perf_memory_end(&m->memory, diag);
    if (m->waits)
        perf_waits_end(&m->wait);
    if (m->holds)
        perf_holds_end(&m->hold);
    return !m->allocates || perf_allocs_end(&m->allocs);
}
