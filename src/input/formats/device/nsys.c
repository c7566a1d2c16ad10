/*
 * Nsight Systems: the SQLite database of `nsys export --type sqlite`.
 *
 * Work of a GPU is in the tables of kernels, copies, fills and whole graphs; each row has the
 * `correlationId` of the row in CUPTI_ACTIVITY_KIND_RUNTIME that launched it. The launch lies in
 * ranges of NVTX_EVENTS and in calls of the CUDA API of its thread, which nest by time:
 *
 *     step 12;forward;cudaLaunchKernel;-;ampere_sgemm_128x64_tn
 *
 * Nesting, launches and facts are those of trace_device.h: "GPU time", "GPU kernels", and "CPU
 * time" of threads below the ranges. Samples of call chains (COMPOSITE_EVENTS with
 * SAMPLING_CALLCHAINS, whose depth 0 is the leaf) are "CPU samples". Names are numbers of
 * StringIds. A thread is `globalTid`: 8 bits of a machine, 8 of a hypervisor, 24 of the process, 24
 * of the thread. Tables are absent if nothing of their kind was recorded, and columns in versions
 * that do not have them yet. Times are ns.
 *
 * Left out, and counted: ranges of NVTX that begin and end in any thread, which do not nest; calls
 * of the operating system. Marks, names and domains of NVTX have no time.
 *
 * Source: the schema in the documentation of Nsight Systems 2026.1, "Exporter".
 */
#include "base/budget.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/build/trace_device.h"
#include "input/parse/sqlite.h"

#define CPU_SAMPLES "CPU samples"

struct call {
    int64_t sample;
    int64_t depth; /* 0 is the leaf */
    uint32_t entry;
};

struct nsys {
    struct content *content;
    struct sqlite db;
    struct builder b;
    struct trace_threads threads;
    struct trace_slices slices;
    struct trace_device device;
    struct intern ids; /* of strings, as eight bytes */
    struct arena texts;
    VEC(struct slice) strings; /* by the number of their id */
    VEC(struct call) calls;
    VEC(bool) sampled; /* by thread */
    int64_t last_id;   /* globalTid of `last` */
    uint32_t last;     /* thread */
    bool has_last, has_pids;
    uint64_t unnested, system_calls, bad;
};

/* Reads all rows of a table, if it is there, with the columns named. */
struct table {
    const char *name, *columns;
    bool (*row)(struct nsys *n, const struct sqlite_rows *r);
};

/* ---- values ------------------------------------------------------------------------------ */

static struct slice as_key(const int64_t *id)
{
    return slice_make((const char *)id, sizeof(*id));
}

static struct slice string_of(const struct nsys *n, int64_t id)
{
    uint32_t place = intern_find(&n->ids, as_key(&id));

    return place == MAP_NONE ? SLICE("") : n->strings.items[place];
}

/* The string whose number is in a column. */
static struct slice name_at(const struct nsys *n, const struct sqlite_rows *r, int column)
{
    int64_t id;

    return sqlite_number(r, column, &id) ? string_of(n, id) : SLICE("");
}

/* A row that lacks what it needs, or ends before it begins. */
static bool skip(struct nsys *n, const struct sqlite_rows *r)
{
    if (!n->bad++)
        diag_warn(n->content->diag,
                  "row %llu of %s lacks a number, or ends before it begins; it and others like it "
                  "are skipped",
                  (unsigned long long)r->row, r->table);
    builder_count_skipped(&n->b);
    return true;
}

/* Columns 0 and 1 of a row are its begin and its end. */
static bool times_of(const struct sqlite_rows *r, int64_t *begin, int64_t *length)
{
    int64_t end;

    return sqlite_number(r, 0, begin) && sqlite_number(r, 1, &end) && end >= *begin &&
           !__builtin_sub_overflow(end, *begin, length);
}

static uint32_t thread_of(struct nsys *n, int64_t global)
{
    enum { BITS = 24, MASK = (1 << BITS) - 1 };
    char pid[24], tid[24];

    if (n->has_last && n->last_id == global)
        return n->last;
    snprintf(pid, sizeof(pid), "%lld", (long long)(global >> BITS & MASK));
    snprintf(tid, sizeof(tid), "%lld", (long long)(global & MASK));
    n->has_last = true;
    n->last_id = global;
    n->last = trace_threads_get(&n->threads, slice_str(pid), slice_str(tid));
    return n->last;
}

/* Correlation ids are a process's own. */
static int64_t correlation_of(const struct nsys *n, int64_t process, int64_t id)
{
    return n->has_pids ? (int64_t)((uint64_t)process >> 24 << 32 ^ (uint64_t)id) : id;
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool read_string(struct nsys *n, const struct sqlite_rows *r)
{
    int64_t id;
    uint32_t place;

    if (!sqlite_number(r, 0, &id))
        return skip(n, r);
    place = intern_add(&n->ids, as_key(&id));
    if (place == n->strings.count)
        *vec_add(&n->strings) = arena_copy(&n->texts, sqlite_text(r, 1));
    return true;
}

static bool read_gpu(struct nsys *n, const struct sqlite_rows *r)
{
    struct slice name = sqlite_text(r, 0);

    if (name.len)
        profile_add_fact(n->content->profile, SLICE("GPU"), name);
    return true;
}

static bool read_process(struct nsys *n, const struct sqlite_rows *r)
{
    int64_t global;
    struct slice name = sqlite_text(r, 1);

    if (sqlite_number(r, 0, &global) && name.len)
        trace_threads_name_process(&n->threads, thread_of(n, global), name);
    return true;
}

static bool read_thread(struct nsys *n, const struct sqlite_rows *r)
{
    int64_t global;
    struct slice name = name_at(n, r, 1);

    if (sqlite_number(r, 0, &global) && name.len)
        trace_threads_name(&n->threads, thread_of(n, global), name);
    return true;
}

/* Columns 2 to 5 of work are its device, stream, correlation and process. */
static bool add_work(struct nsys *n, const struct sqlite_rows *r, struct slice name, bool is_kernel)
{
    int64_t begin, length, device = 0, stream = 0, id, process = 0, correlation;
    char label[32], number[24];
    uint32_t thread;

    if (!times_of(r, &begin, &length))
        return skip(n, r);
    sqlite_number(r, 2, &device);
    sqlite_number(r, 3, &stream);
    n->has_pids |= sqlite_number(r, 5, &process);
    correlation = sqlite_number(r, 4, &id) ? correlation_of(n, process, id) : 0;
    snprintf(label, sizeof(label), "GPU %lld", (long long)device);
    snprintf(number, sizeof(number), "%lld", (long long)stream);
    thread = trace_threads_get(&n->threads, slice_str(label), slice_str(number));
    trace_threads_label_process(&n->threads, thread, slice_str(label));
    trace_device_note(&n->device, begin, length);
    return trace_device_work(&n->device, thread, begin, length, name, is_kernel,
                             correlation ? &correlation : NULL);
}

static bool read_kernel(struct nsys *n, const struct sqlite_rows *r)
{
    struct slice name = name_at(n, r, 6);

    if (!name.len)
        name = name_at(n, r, 7);
    return add_work(n, r, name.len ? name : SLICE("[unknown]"), true);
}

static bool read_copy(struct nsys *n, const struct sqlite_rows *r)
{
    static const char *const kinds[] = {
        NULL,
        "Host-to-Device",
        "Device-to-Host",
        "Host-to-Array",
        "Array-to-Host",
        "Array-to-Array",
        "Array-to-Device",
        "Device-to-Array",
        "Device-to-Device",
        "Host-to-Host",
        "Peer-to-Peer",
    };
    char name[48] = "[CUDA memcpy]";
    int64_t kind;

    if (sqlite_number(r, 6, &kind) && kind > 0 &&
        kind < (int64_t)(sizeof(kinds) / sizeof(kinds[0])))
        snprintf(name, sizeof(name), "[CUDA memcpy %s]", kinds[kind]);
    return add_work(n, r, slice_str(name), false);
}

static bool read_fill(struct nsys *n, const struct sqlite_rows *r)
{
    return add_work(n, r, SLICE("[CUDA memset]"), false);
}

static bool read_graph(struct nsys *n, const struct sqlite_rows *r)
{
    return add_work(n, r, SLICE("[CUDA graph]"), true);
}

/* "cudaLaunchKernel_v7000" without the version of the interface. */
static struct slice call_name(struct slice name)
{
    size_t at = name.len;

    while (at > 0 && name.ptr[at - 1] >= '0' && name.ptr[at - 1] <= '9')
        at--;
    return at < name.len && at > 2 && name.ptr[at - 1] == 'v' && name.ptr[at - 2] == '_'
               ? slice_take(name, at - 2)
               : name;
}

static bool add_slice(struct nsys *n, uint32_t thread, int64_t begin, int64_t length,
                      const struct frame *f)
{
    trace_device_note(&n->device, begin, length);
    return trace_slices_whole(&n->slices, thread, begin, length, f);
}

static bool read_call(struct nsys *n, const struct sqlite_rows *r)
{
    struct frame f = {.name = call_name(name_at(n, r, 4)), .kind = FRAME_PLAIN};
    int64_t begin, length, global, id;
    uint32_t thread;

    if (!times_of(r, &begin, &length) || !sqlite_number(r, 2, &global))
        return skip(n, r);
    if (!f.name.len)
        f.name = SLICE("[unknown]");
    thread = thread_of(n, global);
    if (sqlite_number(r, 3, &id) &&
        !trace_device_launch(&n->device, thread, begin, length, &f, correlation_of(n, global, id)))
        return false;
    return add_slice(n, thread, begin, length, &f);
}

static bool read_range(struct nsys *n, const struct sqlite_rows *r)
{
    enum { PUSH_POP = 59, START_END = 60 };
    struct frame f = {.name = sqlite_text(r, 4), .kind = FRAME_PLAIN};
    int64_t begin, length, global, type;

    if (!sqlite_number(r, 3, &type))
        return skip(n, r);
    n->unnested += type == START_END;
    if (type != PUSH_POP)
        return true;
    if (!sqlite_number(r, 2, &global) || !times_of(r, &begin, &length))
        return skip(n, r);
    if (!f.name.len)
        f.name = name_at(n, r, 5);
    if (!f.name.len)
        f.name = SLICE("[unnamed range]");
    return add_slice(n, thread_of(n, global), begin, length, &f);
}

static bool read_system_call(struct nsys *n, const struct sqlite_rows *r)
{
    (void)r;
    n->system_calls++;
    return true;
}

/* ---- samples ----------------------------------------------------------------------------- */

static bool read_chain(struct nsys *n, const struct sqlite_rows *r)
{
    struct frame f = {.name = name_at(n, r, 2), .module = name_at(n, r, 3), .kind = FRAME_NATIVE};
    struct call c;
    int64_t kernel = 0;

    if (!sqlite_number(r, 0, &c.sample) || !sqlite_number(r, 1, &c.depth))
        return skip(n, r);
    if (!f.name.len)
        f.name = SLICE("[unknown]");
    if (sqlite_number(r, 4, &kernel) && kernel) {
        f.class = SYMBOL_KERNEL;
        f.has_class = true;
    }
    c.entry = builder_entry(&n->b, &f);
    *vec_add(&n->calls) = c;
    return true;
}

static int compare_calls(const void *left, const void *right)
{
    const struct call *a = left, *b = right;

    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    return (a->depth < b->depth) - (a->depth > b->depth);
}

/* Where the calls of a sample begin, from its root on; or would, if it has none. */
static size_t find_calls(const struct nsys *n, int64_t sample)
{
    size_t low = 0, high = n->calls.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (n->calls.items[middle].sample < sample)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool note_sampled(struct nsys *n, const struct sqlite_rows *r)
{
    int64_t global;

    if (!sqlite_number(r, 2, &global))
        return true;
    for (uint32_t thread = thread_of(n, global); n->sampled.count <= thread;)
        *vec_add(&n->sampled) = false;
    n->sampled.items[thread_of(n, global)] = true;
    return true;
}

static bool read_sample(struct nsys *n, const struct sqlite_rows *r)
{
    int64_t id, ns, global;
    struct origin origin;
    struct trace_mix mix;
    uint32_t thread, series, stack;

    if (!sqlite_number(r, 0, &id) || !sqlite_number(r, 1, &ns) || !sqlite_number(r, 2, &global))
        return skip(n, r);
    while (n->sampled.count < n->threads.threads.count)
        *vec_add(&n->sampled) = false;
    thread = thread_of(n, global);
    mix = trace_threads_mix(&n->threads, n->sampled.items, n->b.options);
    origin = trace_threads_origin(&n->threads, thread, SLICE(CPU_SAMPLES));
    series = builder_series(&n->b, &origin, unit_named(SLICE("samples")));
    if (!trace_threads_root(&n->threads, thread, mix, &n->b, &stack))
        return false;
    for (size_t i = find_calls(n, id); i < n->calls.count && n->calls.items[i].sample == id; i++)
        if (!builder_child_entry(&n->b, stack, n->calls.items[i].entry, &stack))
            return false;
    builder_set_time(&n->b, series, ns);
    return builder_add_at(&n->b, series, stack, (struct decimal){.value = 1});
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool read_table(struct nsys *n, const struct table *t)
{
    struct sqlite_rows rows;
    bool good = true;
    int more = 0;

    if (sqlite_select(&n->db, &rows, t->name, t->columns))
        while ((more = sqlite_next(&rows)) > 0 && good)
            good = t->row(n, &rows) && budget_allows(n->content->diag, DIAG_AT_FILE);
    sqlite_rows_release(&rows);
    return good && more == 0 && !n->db.failed;
}

#define WORK "start end deviceId streamId correlationId globalPid "
#define SAMPLE "id start globalTid"

static const struct table tables[] = {
    {"StringIds", "id value", read_string},
    {"TARGET_INFO_GPU", "name", read_gpu},
    {"PROCESSES", "globalPid name", read_process},
    {"ThreadNames", "globalTid nameId", read_thread},
    {"CUPTI_ACTIVITY_KIND_KERNEL", WORK "demangledName shortName", read_kernel},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", WORK "copyKind", read_copy},
    {"CUPTI_ACTIVITY_KIND_MEMSET", WORK, read_fill},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", WORK, read_graph},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "start end globalTid correlationId nameId", read_call},
    {"NVTX_EVENTS", "start end globalTid eventType text textId", read_range},
    {"OSRT_API", "start", read_system_call},
    {"SAMPLING_CALLCHAINS", "id stackDepth symbol module kernelMode", read_chain},
};

static bool read_samples(struct nsys *n)
{
    static const struct table passes[] = {{"COMPOSITE_EVENTS", SAMPLE, note_sampled},
                                          {"COMPOSITE_EVENTS", SAMPLE, read_sample}};

    if (n->calls.count)
        qsort(n->calls.items, n->calls.count, sizeof(*n->calls.items), compare_calls);
    return read_table(n, &passes[0]) && read_table(n, &passes[1]);
}

static bool has_tables(struct nsys *n)
{
    for (size_t i = 1; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (sqlite_has(&n->db, tables[i].name))
            return true;
    return n->db.failed ||
           diag_error(n->content->diag, "the SQLite database has no table of Nsight Systems");
}

static bool finish(struct nsys *n)
{
    if (!trace_slices_pair(&n->slices))
        return false;
    if (!trace_device_any(&n->device))
        return trace_slices_nest(&n->slices, SLICE(TRACE_DEVICE_CPU_TIME));
    return trace_device_ask(&n->device) &&
           trace_slices_nest(&n->slices, SLICE(TRACE_DEVICE_CPU_TIME)) &&
           trace_device_finish(&n->device);
}

static void tell(const struct nsys *n)
{
    struct diag *diag = n->content->diag;

    trace_slices_tell(&n->slices, diag);
    diag_count(diag, DIAG_NOTE, n->unnested,
               "# range{|s} of NVTX that may end in another thread {is|are} not drawn");
    diag_count(diag, DIAG_NOTE, n->system_calls,
               "# call{|s} of the operating system (OSRT_API) {is|are} not drawn");
}

static bool read_database(struct nsys *n)
{
    if (!sqlite_open(&n->db, n->content) || !has_tables(n) || n->db.failed)
        return false;
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (!read_table(n, &tables[i]))
            return false;
    return finish(n) && read_samples(n);
}

static bool read_nsys(struct content *content)
{
    struct nsys n = {.content = content};
    bool good;

    builder_init(&n.b, content->profile, content->options, content->diag);
    trace_slices_init(&n.slices, &n.b, &n.threads);
    n.slices.workers = content->threads;
    trace_device_init(&n.device, &n.b, &n.threads, &n.slices);
    good = read_database(&n);
    if (good)
        tell(&n);
    release_each(&n, (vec, calls, sampled, strings), (arena, texts), (intern, ids),
                 (trace_device, device), (trace_slices, slices), (trace_threads, threads),
                 (builder, b), (sqlite, db));
    return good;
}

static bool claims(const struct head *head)
{
    static const char *const names[] = {
        "StringIds",  "CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS", "TARGET_INFO_",
        "META_DATA_", "ENUM_NSYS_",           "ENUM_CUDA_",  NULL};

    for (size_t i = 0; slice_starts(head->bytes, SQLITE_MAGIC) && names[i]; i++)
        if (slice_has(head->bytes, slice_str(names[i])))
            return true;
    return false;
}

const struct format format_nsys = {
    .name = "nsys",
    .family = FORMAT_DEVICES,
    .description = "SQLite exports of Nsight Systems: CUDA kernels below ranges of NVTX",
    .recognised = "an SQLite database with tables as CUPTI_ACTIVITY_KIND_KERNEL",
    .example = "nsys profile -o app ./app; nsys export --type sqlite -o app.sqlite app.nsys-rep",
    .without_stacks = "nothing was recorded that has stacks: nsys profile --trace=cuda,nvtx",
    .claims = claims,
    .read = read_nsys,
};
