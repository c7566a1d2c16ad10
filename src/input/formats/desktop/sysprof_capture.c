/*
 * Captures of Sysprof 3 to 51 (.syscap): samples of processes and threads, allocations, calls.
 *
 *     256 bytes: u32 magic, u8 version 1, u8 bit 0: little-endian, ..., i64 start, i64 end (ns)
 *     records:   u16 length, i16 cpu, i32 pid, i64 time (ns), u8 type, 7 bytes, its own part
 *
 *     sample       u16 n, u16, i32 tid, u64 addresses[n]
 *     trace        as a sample, but not 0 after n: the function is entered, not left
 *     allocation   u64 address, i64 size (0: it is freed), i32 tid, u16 n, u16, u64 addresses[n]
 *     map          u64 start, u64 end, u64 offset, u64 inode, path
 *     process      its command
 *     fork         i32 pid of the child
 *     jitmap       u32 n, then n times u64 address, name
 *     file chunk   u16 last, u16 n, 256 bytes of path, n bytes of the file
 *
 * Addresses come leaf first, with perf's marks before those of the kernel and of the user. The
 * events are "samples", "calls" (functions that a program traces) and, by stack, "bytes allocated"
 * and "bytes not freed". Names come from the jitmaps, the file __symbols__, which has those that
 * Sysprof found in the binaries, the file /proc/kallsyms, and at last from the binaries here.
 * Outermost addresses outside of all maps of their process are what is on the stack above the
 * program's first function, and are left out, as Sysprof does. Marks, logs and counters have no
 * stacks and are dropped.
 *
 * Source: src/libsysprof-capture/sysprof-capture-types.h in gitlab.gnome.org/GNOME/sysprof.
 */
#include "base/budget.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/build/pending.h"
#include "input/build/processes.h"
#include "input/core/cut_off.h"
#include "input/core/gunzip.h"
#include "input/format.h"
#include "input/parse/bytes.h"
#include "input/parse/stream.h"

#define MAGIC SLICE("\136\227\312\375")

enum { FILE_HEADER = 256, RECORD_HEADER = 24, PATH_SIZE = 256 };

enum record {
    RECORD_SAMPLE = 2,
    RECORD_MAP = 3,
    RECORD_PROCESS = 4,
    RECORD_FORK = 5,
    RECORD_JITMAP = 7,
    RECORD_FILE_CHUNK = 13,
    RECORD_ALLOCATION = 14,
    RECORD_TRACE = 16,
};

enum event { SAMPLES, ALLOCATED, LIVE, CALLS, EVENTS };

static const struct slice events[EVENTS] = {
    [SAMPLES] = {"samples", 7},
    [ALLOCATED] = {"bytes allocated", 15},
    [LIVE] = {"bytes not freed", 15},
    [CALLS] = {"calls", 5},
};

/* Files of a capture that are read. */
enum { FILE_SYMBOLS, FILE_KALLSYMS, FILES };

/* An address in a process, of its own or of the kernel. */
struct place {
    uint64_t address;
    uint32_t process, kernel; /* a bool; so wide that there is no gap */
};

/* A sample that is held. */
struct held {
    uint64_t weight;
    uint32_t process, addresses, event;
    int32_t tid;
};

/* A block of memory. */
struct block {
    struct held held;
    uint64_t ns;
    bool alive;
};

struct capture {
    struct content *content;
    struct builder b;
    struct processes processes;
    struct intern addresses; /* of distinct stacks, in this machine's byte order */
    struct pending samples;
    struct intern block_keys;             /* process and address */
    VEC(struct block) blocks;             /* by key */
    uint64_t unpaired, unseen;            /* frees and allocations without their counterpart */
    struct buf files[FILES], text[FILES]; /* as they are in the capture, and unpacked */
    struct symtab kernel;
    uint32_t idle;         /* the number of process 0 */
    struct intern unnamed; /* addresses of the kernel */
    struct intern places;
    VEC(uint32_t) entries; /* of the builder, by place */
    VEC(bool) outside;     /* by place: without a name, and in no map */
    struct buf key;
    uint64_t at, records; /* offset of the record that is read; their number */
    bool swapped;
};

/* ---- processes ----------------------------------------------------------------------------- */

static void read_map(struct capture *c, int32_t pid, struct bytes *b)
{
    uint64_t start = bytes_u64(b), end = bytes_u64(b), offset = bytes_u64(b);
    struct slice path;

    bytes_u64(b);
    path = bytes_text(b);
    if (!b->failed)
        processes_add_map(&c->processes, pid, start, end, offset, path);
}

static void read_fork(struct capture *c, int32_t pid, struct bytes *b)
{
    int32_t child = (int32_t)bytes_u32(b);

    if (!b->failed)
        processes_fork(&c->processes, pid, child);
}

static void read_jitmap(struct capture *c, int32_t pid, struct bytes *b)
{
    uint32_t count = bytes_u32(b);

    for (; count && !b->failed; count--) {
        uint64_t address = bytes_u64(b);
        struct slice name = slice_take(b->rest, slice_find(b->rest, '\0'));

        bytes_take(b, name.len + 1);
        if (!b->failed)
            processes_add_symbol(&c->processes, pid, address, address + 1, name);
    }
}

/* ---- samples and allocations --------------------------------------------------------------- */

/* Takes `count` addresses. Returns the number of the stack. */
static uint32_t read_addresses(struct capture *c, struct bytes *b, unsigned count)
{
    buf_clear(&c->key);
    for (unsigned i = 0; i < count; i++) {
        uint64_t address = bytes_u64(b);

        buf_add(&c->key, &address, sizeof(address));
    }
    return b->failed ? MAP_NONE : intern_add(&c->addresses, buf_slice(&c->key));
}

static void hold(struct capture *c, const struct held *held, uint64_t ns)
{
    pending_add(&c->samples, c->content->profile, slice_make((const char *)held, sizeof(*held)),
                ns);
}

static void read_sample(struct capture *c, enum record type, int32_t pid, uint64_t ns,
                        struct bytes *b)
{
    unsigned count = bytes_u16(b);
    bool entered = bytes_u16(b) != 0; /* the other bits are unused */
    struct held held = {.weight = 1,
                        .process = processes_number(&c->processes, pid),
                        .event = type == RECORD_TRACE ? CALLS : SAMPLES,
                        .tid = (int32_t)bytes_u32(b)};

    held.addresses = read_addresses(c, b, count);
    if (!b->failed && (type == RECORD_SAMPLE || entered))
        hold(c, &held, ns);
}

static void read_allocation(struct capture *c, int32_t pid, uint64_t ns, struct bytes *b)
{
    struct held held = {.process = processes_number(&c->processes, pid), .event = ALLOCATED};
    struct place place = {.address = bytes_u64(b), .process = held.process};
    int64_t size = (int64_t)bytes_u64(b);
    struct block *block;
    unsigned count;
    uint32_t id;

    held.tid = (int32_t)bytes_u32(b);
    count = bytes_u16(b);
    bytes_u16(b);
    held.addresses = read_addresses(c, b, count);
    if (b->failed)
        return;
    id = intern_add(&c->block_keys, slice_make((const char *)&place, sizeof(place)));
    if (id == c->blocks.count)
        *vec_add(&c->blocks) = (struct block){0};
    block = &c->blocks.items[id];
    c->unpaired += size <= 0 && !block->alive;
    c->unseen += size > 0 && block->alive;
    block->alive = size > 0;
    if (size <= 0)
        return;
    held.weight = (uint64_t)size;
    hold(c, &held, ns);
    held.event = LIVE;
    block->held = held;
    block->ns = ns;
}

/* ---- files --------------------------------------------------------------------------------- */

static void read_file_chunk(struct capture *c, struct bytes *b)
{
    static const struct slice names[FILES] = {{"__symbols__", 11}, {"/proc/kallsyms", 14}};
    struct slice path, bytes;
    unsigned size;

    bytes_u16(b);
    size = bytes_u16(b);
    path = bytes_take(b, PATH_SIZE);
    path = slice_take(path, slice_find(path, '\0'));
    bytes = bytes_take(b, size);
    if (slice_ends(path, SLICE(".gz")))
        path.len -= 3;
    for (size_t i = 0; i < FILES && !b->failed; i++)
        if (slice_equal(path, names[i]))
            buf_add_slice(&c->files[i], bytes);
}

/* Unpacks a file, if it is packed. What is damaged is read as far as possible. */
static struct slice unpack(struct capture *c, int file)
{
    enum { ROOM = 1 << 16 };
    struct slice packed = buf_slice(&c->files[file]);
    struct buf *out = &c->text[file];
    struct gunzip *g;
    ssize_t n;

    if (!slice_starts(packed, SLICE("\37\213")))
        return packed;
    g = gunzip_new(-1, packed);
    do {
        n = gunzip_read(g, buf_reserve(out, ROOM), ROOM);
        out->len += n > 0 ? (size_t)n : 0;
    } while (n > 0 && out->len < c->content->options->limits.max_size && !budget_is_over());
    if (n < 0)
        builder_skip(&c->b, DIAG_AT_FILE, "a file of symbols in the capture is damaged: %s",
                     gunzip_error(g));
    gunzip_free(g);
    return buf_slice(out);
}

static struct slice text_at(struct slice file, uint64_t offset)
{
    file = slice_skip(file, offset < file.len ? (size_t)offset : file.len);
    return slice_take(file, slice_find(file, '\0'));
}

/*
 * Rows of 32 bytes, up to one of zeros; then the names, which rows give by their offset. The end of
 * a row belongs to it, unless the next row begins there: the table finds the row that begins last.
 */
static void read_symbols(struct capture *c)
{
    struct slice file = unpack(c, FILE_SYMBOLS);
    struct bytes b = bytes_make(file, c->swapped);

    while (!b.failed && b.rest.len) {
        uint64_t start = bytes_u64(&b), end = bytes_u64(&b);
        int32_t pid = (int32_t)bytes_u32(&b);
        uint32_t name = bytes_u32(&b);

        bytes_u64(&b);
        if (b.failed || (!start && !end && !pid && !name))
            break;
        end += end < UINT64_MAX;
        processes_add_symbol(&c->processes, pid, start, end, text_at(file, name));
    }
    if (b.failed)
        builder_skip(&c->b, DIAG_AT_FILE, "the file __symbols__ in the capture is cut");
}

static void sort_names(struct capture *c)
{
    read_symbols(c);
    symtab_add_kallsyms(&c->kernel, unpack(c, FILE_KALLSYMS));
    symtab_sort(&c->kernel);
    c->idle = processes_number(&c->processes, 0);
    processes_sort(&c->processes);
}

/* ---- frames -------------------------------------------------------------------------------- */

/* The kernel's names are in kallsyms, or among those of the process that ran, or of process 0. */
static struct frame kernel_frame(struct capture *c, uint32_t process, uint64_t address)
{
    const struct process *processes = c->processes.items.items;
    const struct binary_symbol *symbol = symtab_find(&c->kernel, address);

    if (!symbol)
        symbol = symtab_find(&processes[process].names, address);
    if (!symbol)
        symbol = symtab_find(&processes[c->idle].names, address);
    if (!symbol)
        intern_add(&c->unnamed, slice_make((const char *)&address, sizeof(address)));
    return (struct frame){.name = symbol ? symbol->name : SLICE(""),
                          .module = SLICE("[kernel.kallsyms]"),
                          .kind = FRAME_NATIVE,
                          .class = SYMBOL_KERNEL,
                          .has_class = true};
}

/* Returns the number of the place of an address, whose entry is made when it is first met. */
static uint32_t place_of(struct capture *c, uint32_t process, bool kernel, uint64_t address)
{
    struct place at = {.address = address, .process = process, .kernel = kernel};
    uint32_t id = intern_add(&c->places, slice_make((const char *)&at, sizeof(at)));
    struct frame f;
    bool outside = false;

    if (id == c->entries.count) {
        if (kernel)
            f = kernel_frame(c, process, address);
        else
            outside = !processes_frame(&c->processes, process, address, &f);
        *vec_add(&c->entries) = builder_entry(&c->b, &f);
        *vec_add(&c->outside) = outside;
    }
    return id;
}

/* perf's marks: the addresses after them are the kernel's or the user's. */
static bool is_mark(uint64_t address)
{
    enum { LOWEST = 4095 };

    return address >= (uint64_t)-LOWEST;
}

static bool is_kernel_mark(uint64_t address)
{
    return address == (uint64_t)-128 || address == (uint64_t)-2176;
}

/* Pushes the frames of a stack, leaf first. */
static void push_frames(struct capture *c, const struct held *held)
{
    struct slice stack = intern_get(&c->addresses, held->addresses);
    size_t count = stack.len / sizeof(uint64_t), end = 0, pushed = 0;
    bool kernel = false;

    buf_clear(&c->key);
    for (size_t i = 0; i < count; i++) {
        uint64_t address = bytes_at(stack, i, false);
        uint32_t place;

        if (is_mark(address)) {
            kernel = is_kernel_mark(address);
            continue;
        }
        place = place_of(c, held->process, kernel, address);
        buf_add(&c->key, &place, sizeof(place));
        pushed++;
        if (!c->outside.items[place] || pushed == 1)
            end = pushed;
    }
    for (size_t i = 0; i < end; i++) {
        uint32_t place;

        memcpy(&place, c->key.ptr + i * sizeof(place), sizeof(place));
        builder_push(&c->b, c->entries.items[place]);
    }
}

static void push_owner(struct capture *c, const struct process *process, const struct origin *o)
{
    const struct input_options *options = c->content->options;

    buf_clear(&c->key);
    buf_add_slice(&c->key, process->name);
    if (options->pid || options->tid)
        buf_printf(&c->key, "%s%.*s", c->key.len ? "-" : "", SLICE_ARG(o->pid));
    if (options->tid)
        buf_printf(&c->key, "/%.*s", SLICE_ARG(o->tid));
    if (c->key.len)
        builder_name(&c->b, buf_slice(&c->key), FRAME_OWNER);
}

/* Adds a sample that was held. */
static bool add_sample(void *reader, struct slice key, uint64_t ns)
{
    struct capture *c = reader;
    const struct process *process;
    struct origin origin = {0};
    char pid[24], tid[16];
    struct held held;
    uint32_t series;

    memcpy(&held, key.ptr, sizeof(held));
    process = &c->processes.items.items[held.process];
    origin.event = events[held.event];
    origin.process = process->name;
    snprintf(pid, sizeof(pid), "%lld", (long long)process->pid);
    snprintf(tid, sizeof(tid), "%d", held.tid);
    origin.pid = slice_str(pid);
    origin.tid = slice_str(tid);
    series = builder_series(
        &c->b, &origin,
        held.event == SAMPLES ? unit_samples
                              : unit_named(held.event == CALLS ? SLICE("calls") : SLICE("bytes")));
    builder_begin(&c->b);
    push_owner(c, process, &origin);
    builder_leaf_first(&c->b);
    push_frames(c, &held);
    builder_time(&c->b, series, ns);
    return builder_add(&c->b, series, held.weight);
}

/* ---- records ------------------------------------------------------------------------------- */

static void read_record(struct capture *c, struct bytes *b)
{
    int32_t pid;
    uint64_t ns;
    enum record type;

    bytes_u32(b); /* length, processor */
    pid = (int32_t)bytes_u32(b);
    ns = bytes_u64(b);
    type = (enum record)bytes_u8(b);
    bytes_take(b, 7);
    c->records++;
    if (type == RECORD_SAMPLE || type == RECORD_TRACE)
        read_sample(c, type, pid, ns, b);
    else if (type == RECORD_ALLOCATION)
        read_allocation(c, pid, ns, b);
    else if (type == RECORD_MAP)
        read_map(c, pid, b);
    else if (type == RECORD_PROCESS)
        processes_name(&c->processes, pid, bytes_text(b));
    else if (type == RECORD_FORK)
        read_fork(c, pid, b);
    else if (type == RECORD_JITMAP)
        read_jitmap(c, pid, b);
    else if (type == RECORD_FILE_CHUNK)
        read_file_chunk(c, b);
    if (b->failed)
        builder_skip(&c->b, DIAG_AT_BYTE(c->at), "a record of type %d is cut; skipped", (int)type);
}

static void read_header(struct capture *c, struct stream *in)
{
    enum { BEFORE_FLAGS = 5, BEFORE_TIME = 2, TIME_SIZE = 64 };
    struct slice header = slice_take(stream_peek(in, FILE_HEADER), FILE_HEADER), when;
    struct bytes b = bytes_make(header, false);
    bool little;

    bytes_take(&b, BEFORE_FLAGS);
    little = bytes_u8(&b) & 1;
    bytes_take(&b, BEFORE_TIME);
    when = bytes_take(&b, TIME_SIZE);
    when = slice_take(when, slice_find(when, '\0'));
    c->swapped = little != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    if (when.len)
        profile_add_fact(c->content->profile, SLICE("captured on"), when);
    stream_skip(in, header.len);
}

/* Reads all records: holds the samples and collects the names. */
static bool read_records(struct capture *c)
{
    struct stream in;
    bool ok = true, whole = true;

    stream_init(&in, c->content);
    read_header(c, &in);
    while (ok) {
        struct bytes b = bytes_make(stream_peek(&in, RECORD_HEADER), c->swapped);
        bool ended = !b.rest.len;
        size_t size = bytes_u16(&b);

        c->at = stream_offset(&in);
        if (ended)
            break;
        b = bytes_make(stream_peek(&in, size), c->swapped);
        if (size < RECORD_HEADER || b.rest.len < size) {
            whole = false;
            break;
        }
        b.rest = slice_take(b.rest, size);
        read_record(c, &b);
        stream_skip(&in, size);
        ok = budget_allows(c->content->diag, DIAG_AT_FILE);
    }
    ok = stream_end(&in) && ok;
    stream_release(&in);
    if (ok && !whole)
        cut_off(c->content, DIAG_AT_BYTE(c->at),
                "the file is damaged or cut from here on; names may be missing");
    return ok;
}

/* Adds the memory that was not freed to the samples. */
static void hold_live(struct capture *c)
{
    vec_each (struct block, block, &c->blocks)
        if (block->alive)
            hold(c, &block->held, block->ns);
}

static void tell(struct capture *c)
{
    struct profile *p = c->content->profile;

    p->has_processes = p->has_threads = true;
    p->ledger.lines += c->records;
    profile_note(p, SERIES_NONE, NOTE_FREES_UNPAIRED, c->unpaired);
    profile_note(p, SERIES_NONE, NOTE_FREES_UNSEEN, c->unseen);
    addresses_report(&c->processes.binaries, p);
    diag_warn_count(c->content->diag, intern_count(&c->unnamed),
                    "the capture has no names for # address{|es} of the kernel; record as root");
}

static void release_tables(struct capture *c)
{
    for (size_t i = 0; i < FILES; i++) {
        buf_release(&c->files[i]);
        buf_release(&c->text[i]);
    }
}

static bool sysprof_capture_read(struct content *content)
{
    struct capture c = {.content = content};
    bool ok;

    builder_init(&c.b, content->profile, content->options, content->diag);
    processes_init(&c.processes, content->options, content->diag);
    for (size_t i = 0; i < EVENTS; i++)
        profile_list_event(content->profile, events[i]);
    ok = read_records(&c);
    if (ok) {
        sort_names(&c);
        hold_live(&c);
        ok = pending_each(&c.samples, content->profile, add_sample, &c);
    }
    if (ok)
        tell(&c);
    release_tables(&c);
    release_each(&c, (vec, blocks, entries, outside), (symtab, kernel),
                 (intern, addresses, block_keys, places, unnamed), (pending, samples), (buf, key),
                 (processes, processes), (builder, b));
    return ok;
}

static bool sysprof_capture_claims(const struct head *head)
{
    enum { VERSION_AT = 4 };

    return slice_starts(head->bytes, MAGIC) && head->bytes.len > VERSION_AT &&
           head->bytes.ptr[VERSION_AT] == 1;
}

const struct format format_sysprof_capture = {
    .name = "sysprof-capture",
    .family = FORMAT_LINUX,
    .description =
        "captures of Sysprof 3 and later: samples, calls, memory allocated and not freed",
    .recognised = "the bytes 5e 97 ca fd and version 1 at the start",
    .example = "sysprof-cli app.syscap -- ./app",
    .without_stacks = "the capture has no samples; run sysprof-cli without --no-perf",
    .of_events = true,
    .claims = sysprof_capture_claims,
    .read = sysprof_capture_read,
};
