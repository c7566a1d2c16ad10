/*
 * Recordings of .NET programs by dotnet-trace, dotnet-monitor and the runtime itself (nettrace).
 *
 * The runtime stops all threads about every millisecond and writes an event with the stack of each
 * (provider Microsoft-DotNETCore-SampleProfiler). Each weighs 1. There is a series for samples of
 * threads that ran managed code, and one, "external", for those in native code, most of which
 * wait. Names of methods come at the end of the file, in events of the provider ...Rundown with
 * the addresses of their code, so the samples are held until then (input/build/pending.h). A method
 * is "Namespace.Class.Method". Addresses without a method, those of native code, are "[unknown]".
 * Each other event with a stack is a series, too: allocations weigh their bytes, all others 1.
 * Events without a stack are dropped.
 *
 * Version 6, as dotnet-trace collect-linux writes it, has all processes of a machine: the provider
 * Universal.System names them and their code (nettrace_universal.h), and the events of the provider
 * Universal.Events have a value. "cpu" are samples; "cswitch" is the time off the CPU. The process
 * is the first frame.
 *
 * Source: src/TraceEvent/EventPipe/NetTraceFormat.md, NetTraceFormat_v5.md and
 * UniversalProviders.md in github.com/microsoft/perfview, and ClrEtwAll.man in
 * github.com/dotnet/runtime for the events of the runtime.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "base/utf8.h"
#include "input/build/builder.h"
#include "input/build/pending.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/dotnet/nettrace_file.h"
#include "input/formats/dotnet/nettrace_universal.h"

#define NO_ENTRY UINT32_MAX

/* What the events of a metadata id are. */
enum event_kind {
    EVENT_OTHER,
    EVENT_SAMPLE,
    EVENT_METHOD,
    EVENT_MODULE,
    EVENT_VALUE, /* of Universal.Events */
    EVENT_PROCESS,
    EVENT_MAPPING,
    EVENT_SYMBOL,
};

struct kind {
    uint32_t metadata;
    enum event_kind kind;
    uint32_t event; /* in `events`; of samples EVENT_MANAGED or EVENT_EXTERNAL */
};

/* The first of `events`. */
enum { EVENT_MANAGED, EVENT_EXTERNAL, EVENT_CPU, EVENT_SWITCH, EVENT_ALLOCATION };

struct method {
    uint64_t start, size;
    uint64_t module;
    struct slice space, name; /* UTF-16 */
    uint32_t entry;           /* of the builder, or NO_ENTRY */
};

struct module {
    uint64_t id;
    struct slice path; /* UTF-16 */
};

/* A stack that events refer to. */
struct chain {
    uint32_t id;
    uint32_t addresses; /* their number in `addresses` */
};

/* A thread of version 6. */
struct thread {
    int64_t pid;
    uint64_t tid;
    struct slice name;
};

/* A sample that is held. */
struct pending_key {
    uint64_t thread, weight; /* the thread's id; of version 6 its number in `threads` */
    uint32_t addresses, event;
    uint32_t process, zero; /* MAP_NONE before version 6 */
};

struct nettrace {
    struct content *content;
    struct builder b;
    VEC(struct kind) kinds; /* ascending */
    struct intern events;   /* names of series */
    VEC(struct method) methods;
    VEC(struct module) modules;
    VEC(struct chain) chains; /* ascending */
    struct arena texts;
    struct intern addresses; /* of distinct stacks, leaf first */
    VEC(uint32_t) stacks;    /* by number of addresses: of the profile, or NO_ENTRY */
    struct pending samples;
    struct universal universal;
    struct intern thread_keys;  /* the indexes of threads in the file */
    VEC(uint32_t) thread_rows;  /* by key: in `threads`, the row that was last */
    VEC(struct thread) threads; /* all rows */
    struct buf name, path, provider;
    char pid[16];
    uint64_t start, frequency, pointer; /* time of the start, ticks a second, size of a pointer */
    uint64_t at;        /* offset of the block that is read, or where the file was cut */
    bool is_cut, newer; /* newer: of version 6 */
};

/* ---- metadata, methods and modules --------------------------------------------------------- */

static enum event_kind kind_of(struct slice provider, uint32_t event)
{
    static const struct {
        const char *provider;
        uint32_t event;
        enum event_kind kind;
    } kinds[] = {
        {"Microsoft-DotNETCore-SampleProfiler", 0, EVENT_SAMPLE},
        {"Microsoft-Windows-DotNETRuntime", 143, EVENT_METHOD},
        {"Microsoft-Windows-DotNETRuntime", 152, EVENT_MODULE},
        {"Microsoft-Windows-DotNETRuntimeRundown", 143, EVENT_METHOD},
        {"Microsoft-Windows-DotNETRuntimeRundown", 144, EVENT_METHOD},
        {"Microsoft-Windows-DotNETRuntimeRundown", 153, EVENT_MODULE},
        {"Microsoft-Windows-DotNETRuntimeRundown", 154, EVENT_MODULE},
        {"Universal.System", 0, EVENT_PROCESS},
        {"Universal.System", 1, EVENT_PROCESS},
        {"Universal.System", 3, EVENT_MAPPING},
        {"Universal.System", 4, EVENT_SYMBOL},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (event == kinds[i].event && slice_equal(provider, slice_str(kinds[i].provider)))
            return kinds[i].kind;
    return slice_equal(provider, SLICE("Universal.Events")) ? EVENT_VALUE : EVENT_OTHER;
}

/* Returns the index of the first kind whose id is not below `metadata`. */
static size_t kind_index(const struct nettrace *n, uint32_t metadata)
{
    size_t low = 0, high = n->kinds.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (n->kinds.items[middle].metadata < metadata)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the number of an event: of the runtime's by their names, else "PROVIDER/NAME". */
static uint32_t event_of(struct nettrace *n, struct slice provider, uint32_t event,
                         struct slice name)
{
    static const struct {
        uint32_t event;
        struct slice name;
    } known[] = {
        {10, {"GCAllocationTick", 16}}, {35, {"GCTriggered", 11}},
        {80, {"ExceptionThrown", 15}},  {81, {"ContentionStart", 15}},
        {91, {"ContentionStop", 14}},   {145, {"MethodJittingStarted", 20}},
        {152, {"ModuleLoad", 10}},
    };
    bool runtime = slice_equal(provider, SLICE("Microsoft-Windows-DotNETRuntime"));
    struct buf text = {0};
    uint32_t number;

    for (size_t i = 0; runtime && i < sizeof(known) / sizeof(known[0]); i++)
        if (event == known[i].event)
            return intern_add(&n->events, known[i].name);
    if (name.len && slice_equal(provider, SLICE("Universal.Events")))
        return intern_add(&n->events, name);
    buf_printf(&text, "%.*s/%.*s", SLICE_ARG(provider), SLICE_ARG(name));
    if (!name.len)
        buf_add_u64(&text, event);
    number = intern_add(&n->events, buf_slice(&text));
    buf_release(&text);
    return number;
}

/* Defines the events with a metadata id. */
static void define(struct nettrace *n, uint32_t id, struct slice provider, uint32_t event,
                   struct slice name)
{
    enum event_kind kind = kind_of(provider, event);
    size_t at = kind_index(n, id);

    if (at == n->kinds.count || n->kinds.items[at].metadata != id) {
        vec_add(&n->kinds);
        memmove(n->kinds.items + at + 1, n->kinds.items + at,
                (n->kinds.count - 1 - at) * sizeof(*n->kinds.items));
        budget_work(n->kinds.count - at);
    }
    n->kinds.items[at] = (struct kind){
        id, kind, kind == EVENT_SAMPLE ? EVENT_MANAGED : event_of(n, provider, event, name)};
}

static void skip_metadata(const struct nettrace *n, uint32_t id)
{
    builder_skip(&n->b, DIAG_AT_BYTE(n->at), "the definition of event %u is cut; skipped", id);
}

static void read_metadata(struct nettrace *n, const struct dotnet_event *event)
{
    struct bytes b = bytes_make_little(event->payload), rest;
    uint32_t id = bytes_u32(&b), number;
    struct slice provider = dotnet_text(&b), name;

    number = bytes_u32(&b);
    rest = b;
    name = dotnet_text(&rest);
    if (b.failed) {
        skip_metadata(n, id);
        return;
    }
    buf_clear(&n->provider);
    buf_clear(&n->name);
    utf8_add_utf16(&n->provider, provider, false);
    if (!rest.failed)
        utf8_add_utf16(&n->name, name, false);
    define(n, id, buf_slice(&n->provider), number, buf_slice(&n->name));
}

/* The rows of version 6: u16 size, id, provider, number, name, and fields, which are not needed. */
static void read_newer_metadata(struct nettrace *n, struct bytes *b)
{
    bytes_take(b, bytes_u16(b));
    while (b->rest.len && !b->failed) {
        struct bytes row = bytes_make_little(bytes_take(b, bytes_u16(b)));
        uint32_t id = (uint32_t)dotnet_varint(&row), number;
        struct slice provider = dotnet_string(&row), name;

        number = (uint32_t)dotnet_varint(&row);
        name = dotnet_string(&row);
        if (row.failed)
            skip_metadata(n, id);
        else
            define(n, id, provider, number, name);
    }
}

/* Returns the kind of an event, or NULL if it is not defined. */
static const struct kind *find_kind(const struct nettrace *n, uint32_t metadata)
{
    size_t at = kind_index(n, metadata);

    return at < n->kinds.count && n->kinds.items[at].metadata == metadata ? &n->kinds.items[at]
                                                                          : NULL;
}

static void read_method(struct nettrace *n, struct slice payload)
{
    struct bytes b = bytes_make_little(payload);
    struct method m = {.entry = NO_ENTRY};

    bytes_u64(&b);
    m.module = bytes_u64(&b);
    m.start = bytes_u64(&b);
    m.size = bytes_u32(&b);
    bytes_take(&b, 2 * sizeof(uint32_t)); /* token, flags */
    m.space = dotnet_text(&b);
    m.name = dotnet_text(&b);
    if (b.failed) {
        builder_skip(&n->b, DIAG_AT_BYTE(n->at), "the event of a method at 0x%llx is cut; skipped",
                     (unsigned long long)m.start);
        return;
    }
    m.space = arena_copy(&n->texts, m.space);
    m.name = arena_copy(&n->texts, m.name);
    *vec_add(&n->methods) = m;
}

static void read_module(struct nettrace *n, struct slice payload)
{
    struct bytes b = bytes_make_little(payload);
    struct module m = {.id = bytes_u64(&b)};

    bytes_take(&b, sizeof(uint64_t) + 2 * sizeof(uint32_t)); /* assembly, flags, reserved */
    m.path = dotnet_text(&b);
    if (b.failed) {
        builder_skip(&n->b, DIAG_AT_BYTE(n->at), "the event of module 0x%llx is cut; skipped",
                     (unsigned long long)m.id);
        return;
    }
    m.path = arena_copy(&n->texts, m.path);
    *vec_add(&n->modules) = m;
}

/* Methods begin with their start and modules with their id. */
static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

_Static_assert(offsetof(struct method, start) == 0 && offsetof(struct module, id) == 0, "first");

static void sort_names(struct nettrace *n)
{
    if (n->methods.count)
        qsort(n->methods.items, n->methods.count, sizeof(*n->methods.items), compare_numbers);
    if (n->modules.count)
        qsort(n->modules.items, n->modules.count, sizeof(*n->modules.items), compare_numbers);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static struct method *find_method(struct nettrace *n, uint64_t address)
{
    size_t low = 0, high = n->methods.count;
    struct method *m;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (n->methods.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    m = low ? &n->methods.items[low - 1] : NULL;
    return m && address - m->start < m->size ? m : NULL;
}

static uint32_t entry_of(struct nettrace *n, uint32_t process, uint64_t address)
{
    struct frame f = {.kind = FRAME_PLAIN};
    struct method *m = find_method(n, address);
    const struct module *module = NULL;

    if (process != MAP_NONE) {
        f = nettrace_universal_frame(&n->universal, process, address);
        if (!m || f.name.len)
            return builder_entry(&n->b, &f);
        f = (struct frame){.kind = FRAME_PLAIN};
    }
    if (m && m->entry != NO_ENTRY)
        return m->entry;
    if (!m)
        return builder_entry(&n->b, &f);
    if (n->modules.count)
        module = bsearch(&m->module, n->modules.items, n->modules.count, sizeof(*n->modules.items),
                         compare_numbers);
    buf_clear(&n->name);
    buf_clear(&n->path);
    utf8_add_utf16(&n->name, m->space, false);
    if (n->name.len)
        buf_add_char(&n->name, '.');
    utf8_add_utf16(&n->name, m->name, false);
    if (module)
        utf8_add_utf16(&n->path, module->path, false);
    f.name = buf_slice(&n->name);
    f.module = buf_slice(&n->path);
    return m->entry = builder_entry(&n->b, &f);
}

/* Makes the stack of addresses, whose leaf comes first; other addresses are those after a call. */
static bool make_stack(struct nettrace *n, const struct pending_key *key)
{
    struct bytes b = bytes_make_little(intern_get(&n->addresses, key->addresses));
    const struct process *process = NULL;
    bool leaf = true;

    builder_begin(&n->b);
    if (key->process != MAP_NONE) {
        process = &n->universal.processes.items.items[key->process];
        bytes_u64(&b);
    }
    if (process && process->name.len)
        builder_name(&n->b, process->name, FRAME_OWNER);
    builder_leaf_first(&n->b);
    while (b.rest.len >= n->pointer && !builder_is_full(&n->b)) {
        uint64_t address = n->pointer == sizeof(uint64_t) ? bytes_u64(&b) : bytes_u32(&b);

        if (address)
            builder_push(&n->b, entry_of(n, key->process, leaf ? address : address - 1));
        leaf = false;
    }
    return builder_stack(&n->b, &n->stacks.items[key->addresses]);
}

static struct unit unit_of(uint32_t event)
{
    if (event == EVENT_ALLOCATION)
        return unit_named(SLICE("bytes"));
    if (event == EVENT_SWITCH)
        return unit_named(SLICE("nanoseconds"));
    return event <= EVENT_CPU ? unit_samples : unit_named(SLICE("events"));
}

/* Sets where a sample of version 6 is from. */
static void set_origin(const struct nettrace *n, const struct pending_key *held, char pid[24],
                       uint64_t *tid, struct origin *origin)
{
    const struct thread *thread = &n->threads.items[held->thread];

    snprintf(pid, 24, "%lld", (long long)thread->pid);
    origin->pid = slice_str(pid);
    origin->process = n->universal.processes.items.items[held->process].name;
    origin->thread = thread->name;
    *tid = thread->tid;
}

/* Adds a sample that was held. */
static bool add_sample(void *reader, struct slice key, uint64_t ns)
{
    struct nettrace *n = reader;
    struct origin origin = {.pid = slice_str(n->pid)};
    struct pending_key held;
    uint64_t number;
    uint32_t series;
    char pid[24], tid[24];

    memcpy(&held, key.ptr, sizeof(held));
    number = held.thread;
    origin.event = intern_get(&n->events, held.event);
    if (held.process != MAP_NONE)
        set_origin(n, &held, pid, &number, &origin);
    snprintf(tid, sizeof(tid), "%llu", (unsigned long long)number);
    origin.tid = slice_str(tid);
    series = builder_series(&n->b, &origin, unit_of(held.event));
    if (n->stacks.items[held.addresses] == NO_ENTRY && !make_stack(n, &held))
        return false;
    n->content->profile->ledger.lines++;
    builder_time(&n->b, series, ns);
    return builder_add_at(&n->b, series, n->stacks.items[held.addresses],
                          (struct decimal){.value = held.weight});
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Counts a block that is not read to its end. */
static void skip_rest(const struct nettrace *n, const struct bytes *b)
{
    if (b->failed)
        builder_skip(&n->b, DIAG_AT_BYTE(n->at), "malformed block; the rest of it is skipped");
}

static bool read_stacks(struct nettrace *n, struct slice block)
{
    struct bytes b = bytes_make_little(block);
    uint32_t id = bytes_u32(&b), count = bytes_u32(&b);

    if (n->chains.count && id <= n->chains.items[n->chains.count - 1].id)
        vec_clear(&n->chains);
    for (uint32_t i = 0; i < count && !b.failed; i++) {
        struct slice addresses = bytes_take(&b, bytes_u32(&b));

        if (!b.failed && id + i >= id)
            *vec_add(&n->chains) = (struct chain){id + i, intern_add(&n->addresses, addresses)};
    }
    skip_rest(n, &b);
    return budget_allows(n->content->diag, DIAG_AT_FILE);
}

static const struct chain *find_chain(const struct nettrace *n, uint32_t id)
{
    size_t low = 0, high = n->chains.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (n->chains.items[middle].id == id)
            return &n->chains.items[middle];
        if (n->chains.items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static uint64_t time_of(const struct nettrace *n, uint64_t ticks)
{
    const uint64_t second = 1000000000;

    ticks = ticks > n->start ? ticks - n->start : 0;
    if (!n->frequency)
        return 0;
    return (uint64_t)((unsigned __int128)ticks * second / n->frequency);
}

/* Returns where the row of a thread of version 6 is kept, by its index in the file. */
static uint32_t *thread_row(struct nettrace *n, uint64_t index)
{
    uint32_t key = intern_add(&n->thread_keys, slice_make((const char *)&index, sizeof(index)));

    if (key == n->thread_rows.count)
        *vec_add(&n->thread_rows) = NO_ENTRY;
    return &n->thread_rows.items[key];
}

static uint32_t add_thread(struct nettrace *n, uint64_t index, struct thread thread)
{
    uint32_t *row = thread_row(n, index);

    *row = (uint32_t)n->threads.count;
    *vec_add(&n->threads) = thread;
    return *row;
}

static void skip_pair(struct bytes *b)
{
    dotnet_string(b);
    dotnet_string(b);
}

/* Rows of u16 size, index, and members of these kinds: 1 name, 2 process, 3 id, 4 key and value. */
static void read_threads(struct nettrace *n, struct bytes *b)
{
    enum { NAME = 1, PROCESS, ID, PAIR };

    while (b->rest.len && !b->failed) {
        struct bytes row = bytes_make_little(bytes_take(b, bytes_u16(b)));
        uint64_t index = dotnet_varint(&row);
        struct thread thread = {.tid = index};
        unsigned kind = NAME;

        while (row.rest.len && !row.failed && kind >= NAME && kind <= PAIR) {
            kind = bytes_u8(&row);
            if (kind == NAME)
                thread.name = arena_copy(&n->texts, dotnet_string(&row));
            else if (kind == PROCESS)
                thread.pid = (int64_t)dotnet_varint(&row);
            else if (kind == ID)
                thread.tid = dotnet_varint(&row);
            else if (kind == PAIR)
                skip_pair(&row);
        }
        if (row.failed)
            b->failed = true;
        else
            add_thread(n, index, thread);
    }
}

/* The bytes of an allocation, which later versions of the event state with 64 bits. */
static uint64_t bytes_allocated(struct slice payload)
{
    enum { BETWEEN = sizeof(uint32_t) + sizeof(uint16_t) }; /* the kind, the runtime */
    struct bytes b = bytes_make_little(payload);
    uint64_t amount = bytes_u32(&b), large;

    bytes_take(&b, BETWEEN);
    large = bytes_u64(&b);
    return b.failed ? amount : large;
}

/* The value of an event of Universal.Events; a time in nanoseconds. */
static uint64_t value_of(const struct nettrace *n, const struct kind *kind, struct slice payload)
{
    const uint64_t second = 1000000000;
    struct bytes b = bytes_make_little(payload);
    uint64_t value = dotnet_varint(&b);

    if (kind->event == EVENT_SWITCH && n->frequency)
        value = (uint64_t)((unsigned __int128)value * second / n->frequency);
    return b.failed ? 1 : value;
}

/* Completes the key of a sample of version 6: its thread, its process, and the stack there. */
static void place(struct nettrace *n, struct pending_key *key)
{
    uint32_t row = *thread_row(n, key->thread);
    uint64_t process;

    if (row == NO_ENTRY)
        row = add_thread(n, key->thread, (struct thread){.tid = key->thread});
    key->thread = row;
    key->process = processes_number(&n->universal.processes, n->threads.items[row].pid);
    process = key->process;
    buf_clear(&n->name);
    buf_add(&n->name, &process, sizeof(process));
    buf_add_slice(&n->name, intern_get(&n->addresses, key->addresses));
    key->addresses = intern_add(&n->addresses, buf_slice(&n->name));
}

/* Holds a sample, or another event with a stack. */
static void read_sample(struct nettrace *n, const struct kind *kind,
                        const struct dotnet_event *event)
{
    enum { EXTERNAL = 1 };
    struct bytes payload = bytes_make_little(event->payload);
    const struct chain *chain = find_chain(n, event->stack);
    bool is_sample = kind->kind == EVENT_SAMPLE || kind->event == EVENT_CPU;
    struct pending_key key = {
        .thread = event->thread, .weight = 1, .event = kind->event, .process = MAP_NONE};

    if (!chain && !is_sample && !event->stack)
        return;
    if (!chain && (event->stack || !n->newer)) {
        builder_skip(&n->b, DIAG_AT_BYTE(n->at),
                     "a sample has stack %u, which is not in the file; skipped", event->stack);
        return;
    }
    if (kind->kind == EVENT_SAMPLE)
        key.event = bytes_u32(&payload) == EXTERNAL ? EVENT_EXTERNAL : EVENT_MANAGED;
    else if (!is_sample && !intern_get(&n->addresses, chain->addresses).len)
        return;
    if (key.event == EVENT_ALLOCATION)
        key.weight = bytes_allocated(event->payload);
    else if (kind->kind == EVENT_VALUE)
        key.weight = value_of(n, kind, event->payload);
    key.addresses = chain ? chain->addresses : intern_add(&n->addresses, SLICE(""));
    if (n->newer)
        place(n, &key);
    pending_add(&n->samples, n->content->profile, slice_make((const char *)&key, sizeof(key)),
                time_of(n, event->time));
}

/* ---- blocks -------------------------------------------------------------------------------- */

static void read_trace(struct nettrace *n, struct slice block)
{
    enum { SYSTEM_TIME = 16 };
    struct bytes b = bytes_make_little(block);

    bytes_take(&b, SYSTEM_TIME);
    n->start = bytes_u64(&b);
    n->frequency = bytes_u64(&b);
    n->pointer = bytes_u32(&b) == sizeof(uint32_t) ? sizeof(uint32_t) : sizeof(uint64_t);
    if (!n->newer)
        snprintf(n->pid, sizeof(n->pid), "%u", (unsigned)bytes_u32(&b));
}

/* Reads what an event says of processes and names. Returns false if it is malformed. */
static bool read_names(struct nettrace *n, enum event_kind kind, const struct dotnet_event *event)
{
    struct universal *u = &n->universal;
    uint32_t row = kind < EVENT_PROCESS ? NO_ENTRY : *thread_row(n, event->thread);
    int64_t pid = row == NO_ENTRY ? 0 : n->threads.items[row].pid;

    if (kind == EVENT_METHOD)
        read_method(n, event->payload);
    else if (kind == EVENT_MODULE)
        read_module(n, event->payload);
    else if (kind == EVENT_PROCESS)
        return nettrace_universal_read_process(u, pid, event->payload);
    else if (kind == EVENT_MAPPING)
        return nettrace_universal_read_mapping(u, pid, event->payload);
    else if (kind == EVENT_SYMBOL)
        return nettrace_universal_read_symbol(u, event->payload);
    return true;
}

static bool read_events(struct nettrace *n, struct slice block)
{
    struct dotnet_events events;

    dotnet_events_init(&events, block, n->newer);
    while (dotnet_next(&events)) {
        const struct kind *kind = find_kind(n, events.event.metadata);

        if (!kind) {
            builder_skip(&n->b, DIAG_AT_BYTE(n->at), "event %u is not defined; skipped",
                         events.event.metadata);
            continue;
        }
        if (!read_names(n, kind->kind, &events.event))
            builder_skip(&n->b, DIAG_AT_BYTE(n->at), "an event of %.*s is cut; skipped",
                         SLICE_ARG(intern_get(&n->events, kind->event)));
        if (kind->kind < EVENT_PROCESS)
            read_sample(n, kind, &events.event);
    }
    skip_rest(n, &events.bytes);
    return budget_allows(n->content->diag, DIAG_AT_FILE);
}

static bool read_all_metadata(struct nettrace *n, struct slice block)
{
    struct dotnet_events events = {.bytes = bytes_make_little(block)};

    if (n->newer) {
        read_newer_metadata(n, &events.bytes);
    } else {
        dotnet_events_init(&events, block, false);
        while (!budget_is_over() && dotnet_next(&events))
            read_metadata(n, &events.event);
    }
    skip_rest(n, &events.bytes);
    return budget_allows(n->content->diag, DIAG_AT_FILE);
}

/* Ids of stacks begin anew; in version 6, flags say whether threads and metadata do, too. */
static void begin_sequence(struct nettrace *n, struct slice block)
{
    enum { FORGET_THREADS = 1, FORGET_METADATA = 2 };
    struct bytes b = bytes_make_little(block);
    uint32_t flags;

    vec_clear(&n->chains);
    if (!n->newer)
        return;
    bytes_u64(&b);
    flags = bytes_u32(&b);
    if (flags & FORGET_METADATA)
        vec_clear(&n->kinds);
    if (flags & FORGET_THREADS)
        vec_each (uint32_t, row, &n->thread_rows)
            *row = NO_ENTRY;
}

static bool read_thread_block(struct nettrace *n, struct slice block)
{
    struct bytes b = bytes_make_little(block);

    read_threads(n, &b);
    skip_rest(n, &b);
    return budget_allows(n->content->diag, DIAG_AT_FILE);
}

/* Reads all blocks: holds the samples and collects the names. */
static bool read_blocks(struct nettrace *n)
{
    struct dotnet_file file;
    enum dotnet_block kind;
    struct slice block;
    bool ok = true;

    dotnet_open(&file, n->content);
    n->newer = file.newer;
    while (ok && dotnet_block(&file, &kind, &block)) {
        n->at = file.at;
        if (kind == DOTNET_TRACE)
            read_trace(n, block);
        else if (kind == DOTNET_METADATA)
            ok = read_all_metadata(n, block);
        else if (kind == DOTNET_EVENTS)
            ok = read_events(n, block);
        else if (kind == DOTNET_STACKS)
            ok = read_stacks(n, block);
        else if (kind == DOTNET_SEQUENCE)
            begin_sequence(n, block);
        else if (kind == DOTNET_THREADS)
            ok = read_thread_block(n, block);
        else if (kind != DOTNET_PASSED)
            builder_skip(&n->b, DIAG_AT_BYTE(n->at), "unknown kind of block; skipped");
    }
    n->at = file.at;
    n->is_cut = file.failed;
    return dotnet_close(&file) && ok;
}

static void tell(struct nettrace *n)
{
    struct profile *p = n->content->profile;

    if (n->is_cut)
        cut_off(n->content, DIAG_AT_BYTE(n->at),
                "the file is damaged or cut from here on; names of methods are at its end");
    addresses_report(&n->universal.processes.binaries, p);
    p->has_processes = p->has_processes || n->newer;
    if (p->ledger.lines && !n->methods.count && !n->newer)
        diag_warn(n->content->diag,
                  "the file has no names of methods; end dotnet-trace with Enter or Ctrl-C, which "
                  "writes them");
}

/* Samples are first, whichever event happens first. */
static void list_events(struct nettrace *n)
{
    static const struct slice names[] = {[EVENT_MANAGED] = {"managed", 7},
                                         [EVENT_EXTERNAL] = {"external", 8},
                                         [EVENT_ALLOCATION] = {"GCAllocationTick", 16},
                                         [EVENT_CPU] = {"cpu", 3},
                                         [EVENT_SWITCH] = {"cswitch", 7}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        intern_add(&n->events, names[i]);
        profile_list_event(n->content->profile, names[i]);
    }
}

static bool nettrace_read(struct content *content)
{
    struct nettrace n = {.content = content, .pointer = sizeof(uint64_t)};
    bool ok;

    builder_init(&n.b, content->profile, content->options, content->diag);
    nettrace_universal_init(&n.universal, content->options, content->diag);
    list_events(&n);
    ok = read_blocks(&n);
    sort_names(&n);
    nettrace_universal_sort(&n.universal);
    while (n.stacks.count < intern_count(&n.addresses))
        *vec_add(&n.stacks) = NO_ENTRY;
    ok = ok && pending_each(&n.samples, content->profile, add_sample, &n);
    if (ok)
        tell(&n);
    release_each(&n, (vec, kinds, methods, modules, chains, stacks, thread_rows, threads),
                 (intern, addresses, events, thread_keys), (pending, samples),
                 (nettrace_universal, universal), (buf, name, path, provider), (arena, texts),
                 (builder, b));
    return ok;
}

static bool nettrace_claims(const struct head *head)
{
    return dotnet_begins(head->bytes);
}

const struct format format_nettrace = {
    .name = "nettrace",
    .family = FORMAT_LANGUAGES,
    .description = ".NET's nettrace: samples of managed code and of threads outside of it",
    .recognised = "'Nettrace' and '!FastSerialization.1', or the version 6, in the first bytes",
    .example = "dotnet-trace collect -p PID -o app.nettrace",
    .without_stacks = "record samples: dotnet-trace collect -p PID --profile cpu-sampling",
    .of_events = true,
    .claims = nettrace_claims,
    .read = nettrace_read,
};
