/*
 * Snapshots of PyTorch's allocator of device memory, torch.cuda.memory._dump_snapshot(): a pickle.
 *
 *     {"segments": [{"device": 0, "total_size": 2097152, "blocks": [
 *          {"address": 4096, "size": 1024, "requested_size": 1000, "state": "active_allocated",
 *           "frames": [{"name": "forward", "filename": "model.py", "line": 12}]}]}],
 *      "device_traces": [[{"action": "alloc", "addr": 4096, "size": 1024, "time_us": 2,
 *                          "frames": [...]}]]}
 *
 * Frames come leaf first. A segment is memory that the allocator reserved; its blocks are in use
 * ("active_allocated"), given back while the device still works on them ("active_pending_free"), or
 * free ("inactive"). A trace has what happened on a device, as far as it was recorded. Events are
 *
 * - "GPU memory live": blocks in use, with the allocator's rounding, by the stack that allocated;
 * - "GPU memory allocated": all allocations of the traces, freed or not;
 * - "GPU memory peak": what was in use when most was, for each device by its trace. Memory that was
 *   allocated before the trace and freed in it has no stack: "[allocated before the trace]".
 *
 * Devices are the first frames if there are several. The reserved and the free memory, its largest
 * piece, what rounding takes and errors for want of memory become facts. The list of segments
 * alone, torch.cuda.memory_snapshot(), is read too. Frames of the code that recorded the stack are
 * left out.
 *
 * Source: torch/csrc/cuda/Module.cpp and torch/cuda/_memory_viz.py of github.com/pytorch/pytorch.
 */
#include "base/budget.h"
#include "input/build/builder.h"
#include "input/build/python.h"
#include "input/format.h"
#include "input/formats/device/pickle.h"

enum key {
    SEGMENTS,
    TRACES,
    DEVICE,
    TOTAL_SIZE,
    BLOCKS,
    ADDRESS,
    SIZE,
    REQUESTED_SIZE,
    STATE,
    FRAMES,
    HISTORY,
    NAME,
    FILE_NAME,
    LINE,
    ACTION,
    ADDR,
    TIME,
    DEVICE_FREE,
    KEYS,
};

static const struct slice keys[KEYS] = {
    [SEGMENTS] = {"segments", 8},  [TRACES] = {"device_traces", 13},
    [DEVICE] = {"device", 6},      [TOTAL_SIZE] = {"total_size", 10},
    [BLOCKS] = {"blocks", 6},      [ADDRESS] = {"address", 7},
    [SIZE] = {"size", 4},          [REQUESTED_SIZE] = {"requested_size", 14},
    [STATE] = {"state", 5},        [FRAMES] = {"frames", 6},
    [HISTORY] = {"history", 7},    [NAME] = {"name", 4},
    [FILE_NAME] = {"filename", 8}, [LINE] = {"line", 4},
    [ACTION] = {"action", 6},      [ADDR] = {"addr", 4},
    [TIME] = {"time_us", 7},       [DEVICE_FREE] = {"device_free", 11},
};

enum event { LIVE, ALLOCATED, PEAK, EVENTS };

static const struct slice events[EVENTS] = {
    {"GPU memory live", 15}, {"GPU memory allocated", 20}, {"GPU memory peak", 15}};

/* The time of a trace that a piece of memory was in use: from entry `from` to before entry `to`. */
struct life {
    uint64_t address, size;
    uint32_t from, to, stack;
};

struct device {
    uint64_t number;
    uint64_t segments, reserved, live, pending, free, largest, rounding;
    uint64_t peak;
    bool has_peak;
    uint64_t errors, wanted, left; /* for want of memory: how many, and the last one */
    uint32_t series[EVENTS];
    bool has_series[EVENTS];
};

struct snapshot {
    struct content *content;
    struct builder b;
    struct pickle pickle;
    struct intern numbers; /* of devices */
    VEC(struct device) devices;
    VEC(uint32_t) entries; /* of the builder, by the note of a frame */
    VEC(uint32_t) stacks;  /* by the note of a list of frames */
    VEC(struct life) lives, blocks;
    struct intern addresses; /* of the trace */
    VEC(uint32_t) holders;   /* index of `lives` by address, or MAP_NONE */
    VEC(int64_t) changes;    /* by entry of the trace */
    struct intern unknown;   /* actions */
    uint64_t unknown_entries, bad;
    uint64_t sum; /* of all sizes */
    struct buf scratch;
};

/* ---- frames -------------------------------------------------------------------------------- */

/* Whether a frame is of the code that records stacks, which is the leaf of all of them. */
static bool is_recorder(struct slice name)
{
    return slice_has(name, SLICE("unwind::unwind")) ||
           slice_has(name, SLICE("CapturedTraceback::gather")) ||
           slice_has(name, SLICE("gather_with_cpp"));
}

/* Returns the builder's entry of a frame, or MAP_NONE for one that is left out. */
static uint32_t entry_of(struct snapshot *s, const struct pickle_value *frame)
{
    const struct pickle *p = &s->pickle;
    struct frame f = {.name = pickle_text(p, frame, NAME),
                      .file = pickle_text(p, frame, FILE_NAME),
                      .line = pickle_number(p, frame, LINE)};
    uint32_t *note;

    if (frame->type != PICKLE_DICTIONARY)
        return builder_entry(&s->b, &f);
    note = &s->pickle.boxes.items[frame->number].note;
    if (*note)
        return s->entries.items[*note - 1];
    if (slice_equal(f.file, SLICE("??")))
        f.file = SLICE("");
    f.kind = frame_kind_of(f.file);
    f.name = python_name(f.name, f.file, &s->scratch);
    *vec_add(&s->entries) = is_recorder(f.name) ? MAP_NONE : builder_entry(&s->b, &f);
    *note = (uint32_t)s->entries.count;
    return s->entries.items[*note - 1];
}

/* The frames of a block or an entry, or those of a block's history, in which they were in 2022. */
static struct pickle_value frames_of(struct snapshot *s, const struct pickle_value *of)
{
    struct pickle_value frames = pickle_get(&s->pickle, of, FRAMES);
    struct pickle_value history = pickle_get(&s->pickle, of, HISTORY);

    if (frames.type == PICKLE_LIST)
        return frames;
    pickle_each(first, &s->pickle, &history) return pickle_get(&s->pickle, first, FRAMES);
    return frames;
}

/* Returns the stack of a list of frames, without a device. */
static bool stack_of(struct snapshot *s, const struct pickle_value *of, uint32_t *stack)
{
    struct pickle_value frames = frames_of(s, of);
    uint32_t note;

    *stack = STACK_ROOT;
    if (frames.type != PICKLE_LIST)
        return true;
    note = s->pickle.boxes.items[frames.number].note;
    if (note) {
        *stack = s->stacks.items[note - 1];
        return true;
    }
    builder_begin_leaf(&s->b);
    pickle_each(frame, &s->pickle, &frames)
    {
        uint32_t entry = entry_of(s, frame);

        if (entry != MAP_NONE)
            builder_push(&s->b, entry);
    }
    if (!builder_stack(&s->b, stack))
        return false;
    *vec_add(&s->stacks) = *stack;
    s->pickle.boxes.items[frames.number].note = (uint32_t)s->stacks.count;
    return true;
}

/* ---- devices ------------------------------------------------------------------------------- */

static uint32_t device_of(struct snapshot *s, uint64_t number)
{
    uint32_t index = intern_add(&s->numbers, slice_make((const char *)&number, sizeof(number)));

    if (index == s->devices.count)
        *vec_add(&s->devices) = (struct device){.number = number};
    return index;
}

/* Writes "GPU 0" to `scratch`. */
static struct slice label_of(struct snapshot *s, uint32_t device)
{
    buf_clear(&s->scratch);
    buf_printf(&s->scratch, "GPU %llu", (unsigned long long)s->devices.items[device].number);
    return buf_slice(&s->scratch);
}

static uint32_t series_of(struct snapshot *s, uint32_t device, enum event event)
{
    struct device *d = &s->devices.items[device];
    struct origin origin = {.event = events[event]};

    if (d->has_series[event])
        return d->series[event];
    origin.process = label_of(s, device);
    origin.pid = slice_skip(origin.process, strlen("GPU "));
    d->series[event] = builder_series(&s->b, &origin, unit_named(SLICE("bytes")));
    d->has_series[event] = true;
    profile_call_records(s->b.profile, d->series[event],
                         event == ALLOCATED ? SLICE("allocations") : SLICE("blocks"));
    return d->series[event];
}

/* Adds memory below its device, if there are several. */
static bool add(struct snapshot *s, uint32_t device, enum event event, uint32_t stack,
                uint64_t bytes, uint64_t ns)
{
    struct builder *b = &s->b;
    uint32_t series = series_of(s, device, event);

    if (s->devices.count > 1 && !b->options->split_process && series != BUILDER_LEFT_OUT) {
        builder_begin(b);
        builder_name(b, label_of(s, device), FRAME_OWNER);
        builder_push_stack(b, stack);
        if (!builder_stack(b, &stack))
            return false;
    }
    if (ns)
        builder_time(b, series, ns);
    budget_work(1);
    return budget_allows(b->diag, DIAG_AT_FILE) &&
           builder_add_at(b, series, stack, (struct decimal){.value = bytes});
}

/* ---- segments ------------------------------------------------------------------------------ */

/* Takes a size, unless the sum of all would exceed 63 bits. */
static bool get_size(struct snapshot *s, const struct pickle_value *of, enum key key,
                     uint64_t *size)
{
    struct pickle_value v = pickle_get(&s->pickle, of, key);

    *size = v.number;
    if (v.type != PICKLE_NUMBER || v.number > INT64_MAX - s->sum) {
        s->bad++;
        return false;
    }
    s->sum += v.number;
    return true;
}

static bool add_block(struct snapshot *s, uint32_t device, const struct pickle_value *block)
{
    struct device *d = &s->devices.items[device];
    struct slice state = pickle_text(&s->pickle, block, STATE);
    uint64_t requested = pickle_number(&s->pickle, block, REQUESTED_SIZE);
    struct life life = {.address = pickle_number(&s->pickle, block, ADDRESS)};

    if (!get_size(s, block, SIZE, &life.size))
        return true;
    if (slice_equal(state, SLICE("inactive"))) {
        d->free += life.size;
        d->largest = life.size > d->largest ? life.size : d->largest;
        return true;
    }
    if (!slice_equal(state, SLICE("active_allocated"))) {
        d->pending += life.size;
        return true;
    }
    d->live += life.size;
    if (requested && requested < life.size)
        d->rounding += life.size - requested;
    if (!stack_of(s, block, &life.stack))
        return false;
    life.from = device;
    *vec_add(&s->blocks) = life;
    return true;
}

static bool add_segments(struct snapshot *s, const struct pickle_value *segments)
{
    pickle_each(segment, &s->pickle, segments)
    {
        struct pickle_value blocks = pickle_get(&s->pickle, segment, BLOCKS);
        uint32_t device = device_of(s, pickle_number(&s->pickle, segment, DEVICE));
        uint64_t size;

        if (get_size(s, segment, TOTAL_SIZE, &size)) {
            s->devices.items[device].reserved += size;
            s->devices.items[device].segments++;
        }
        pickle_each(block, &s->pickle, &blocks)
        {
            budget_work(1);
            if (!budget_allows(s->content->diag, DIAG_AT_FILE) || !add_block(s, device, block))
                return false;
        }
    }
    return true;
}

static bool add_live(struct snapshot *s)
{
    for (size_t i = 0; i < s->blocks.count; i++) {
        const struct life block = s->blocks.items[i];

        if (!add(s, block.from, LIVE, block.stack, block.size, 0))
            return false;
    }
    return true;
}

/* ---- traces -------------------------------------------------------------------------------- */

enum action { UNKNOWN, ALLOCATE, FREE, NO_MEMORY, OTHER };

static enum action action_of(struct slice word)
{
    static const struct {
        struct slice word;
        enum action action;
    } rows[] = {
        {{"alloc", 5}, ALLOCATE},       {{"free_requested", 14}, FREE},
        {{"free_completed", 14}, FREE}, {{"oom", 3}, NO_MEMORY},
        {{"segment_alloc", 13}, OTHER}, {{"segment_free", 12}, OTHER},
        {{"segment_map", 11}, OTHER},   {{"segment_unmap", 13}, OTHER},
        {{"snapshot", 8}, OTHER},       {{"workspace_snapshot", 18}, OTHER},
        {{"user_defined", 12}, OTHER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (slice_equal(word, rows[i].word))
            return rows[i].action;
    return UNKNOWN;
}

/* The index of `lives` that an address is part of: MAP_NONE if it was freed or never seen. */
static uint32_t *holder_of(struct snapshot *s, uint64_t address, bool *seen)
{
    uint32_t index = intern_add(&s->addresses, slice_make((const char *)&address, sizeof(address)));

    *seen = index < s->holders.count;
    if (!*seen)
        *vec_add(&s->holders) = MAP_NONE;
    return &s->holders.items[index];
}

#define STILL UINT32_MAX
#define NO_STACK UINT32_MAX

static bool allocate(struct snapshot *s, uint32_t device, const struct pickle_value *entry,
                     struct life life)
{
    enum { NS = 1000 };
    uint64_t time = pickle_number(&s->pickle, entry, TIME);
    bool seen;
    uint32_t *holder = holder_of(s, life.address, &seen);

    if (!stack_of(s, entry, &life.stack))
        return false;
    if (*holder != MAP_NONE) /* its end is not recorded */
        s->lives.items[*holder].to = life.from;
    *holder = (uint32_t)s->lives.count;
    *vec_add(&s->lives) = life;
    return add(s, device, ALLOCATED, life.stack, life.size, time < UINT64_MAX / NS ? time * NS : 0);
}

/* Ends the life of memory; of that which was there before the trace, it is the first sign. */
static void give_back(struct snapshot *s, struct life life)
{
    bool seen;
    uint32_t *holder = holder_of(s, life.address, &seen);

    if (*holder != MAP_NONE) {
        s->lives.items[*holder].to = life.from;
        *holder = MAP_NONE;
    } else if (!seen) {
        life.to = life.from;
        life.from = 0;
        life.stack = NO_STACK;
        *vec_add(&s->lives) = life;
    }
}

static bool read_entry(struct snapshot *s, uint32_t device, const struct pickle_value *entry,
                       uint32_t at)
{
    struct life life = {.address = pickle_number(&s->pickle, entry, ADDR), .from = at, .to = STILL};
    struct slice word = pickle_text(&s->pickle, entry, ACTION);
    struct device *d = &s->devices.items[device];

    switch (action_of(word)) {
    case ALLOCATE:
        return !get_size(s, entry, SIZE, &life.size) || allocate(s, device, entry, life);
    case FREE:
        if (get_size(s, entry, SIZE, &life.size))
            give_back(s, life);
        return true;
    case NO_MEMORY:
        d->errors++;
        d->wanted = pickle_number(&s->pickle, entry, SIZE);
        d->left = pickle_number(&s->pickle, entry, DEVICE_FREE);
        return true;
    case UNKNOWN:
        intern_add(&s->unknown, word);
        s->unknown_entries++;
        return true;
    default:
        return true;
    }
}

/* Adds what was in use all the time: blocks that the trace does not name. */
static void add_lasting(struct snapshot *s, uint32_t device)
{
    budget_work(s->blocks.count);
    vec_each (const struct life, block, &s->blocks) {
        struct life life = *block;
        bool seen;

        if (block->from != device || *holder_of(s, block->address, &seen) != MAP_NONE)
            continue;
        life.from = 0;
        life.to = STILL;
        *vec_add(&s->lives) = life;
    }
}

/* Returns the entry at which most was in use. */
static bool find_peak(struct snapshot *s, uint32_t entries, uint32_t *peak, uint64_t *bytes)
{
    int64_t now = 0, most = 0;

    vec_clear(&s->changes);
    vec_reserve(&s->changes, (size_t)entries + 1);
    for (uint32_t i = 0; i <= entries; i++)
        *vec_add(&s->changes) = 0;
    vec_each (const struct life, life, &s->lives) {
        s->changes.items[life->from] += (int64_t)life->size;
        if (life->to != STILL)
            s->changes.items[life->to] -= (int64_t)life->size;
    }
    *peak = 0;
    for (uint32_t i = 0; i < entries; i++) {
        now += s->changes.items[i];
        if (now > most) {
            most = now;
            *peak = i;
        }
    }
    *bytes = (uint64_t)most;
    return most > 0;
}

static bool add_peak(struct snapshot *s, uint32_t device, uint32_t entries)
{
    const struct frame before = {.name = SLICE("[allocated before the trace]")};
    struct device *d = &s->devices.items[device];
    uint32_t peak;

    add_lasting(s, device);
    d->has_peak = find_peak(s, entries, &peak, &d->peak);
    for (size_t i = 0; d->has_peak && i < s->lives.count; i++) {
        struct life life = s->lives.items[i];

        if (life.from > peak || life.to <= peak)
            continue;
        if (life.stack == NO_STACK && !builder_child(&s->b, STACK_ROOT, &before, &life.stack))
            return false;
        if (!add(s, device, PEAK, life.stack, life.size, 0))
            return false;
    }
    return true;
}

static bool read_trace(struct snapshot *s, uint32_t device, const struct pickle_value *trace)
{
    uint32_t at = 0;

    vec_clear(&s->lives);
    vec_clear(&s->holders);
    intern_release(&s->addresses);
    s->addresses = (struct intern){0};
    pickle_each(entry, &s->pickle, trace)
    {
        budget_work(1);
        if (!budget_allows(s->content->diag, DIAG_AT_FILE) || !read_entry(s, device, entry, at++))
            return false;
    }
    return add_peak(s, device, at);
}

static bool read_traces(struct snapshot *s, const struct pickle_value *traces)
{
    uint64_t number = 0;

    pickle_each(trace, &s->pickle, traces)
    {
        if (pickle_first(&s->pickle, trace) != PICKLE_NONE)
            device_of(s, number);
        number++;
    }
    number = 0;
    pickle_each(again, &s->pickle, traces)
    {
        if (pickle_first(&s->pickle, again) != PICKLE_NONE &&
            !read_trace(s, device_of(s, number), again))
            return false;
        number++;
    }
    return true;
}

/* ---- facts --------------------------------------------------------------------------------- */

static void write_bytes(struct buf *out, uint64_t bytes)
{
    const struct unit_scale scale = {.unit = unit_named(SLICE("bytes")), .factor = 1};

    unit_write_short(out, &scale, bytes);
}

/* Adds a fact under its key, after the device's name if there are several. */
static void add_fact(struct snapshot *s, uint32_t device, const char *key, const struct buf *value)
{
    label_of(s, device);
    if (s->devices.count < 2)
        buf_clear(&s->scratch);
    buf_printf(&s->scratch, "%s%s", s->scratch.len ? " " : "GPU ", key);
    profile_add_fact(s->b.profile, buf_slice(&s->scratch), buf_slice(value));
}

static void add_segment_facts(struct snapshot *s, uint32_t device, const struct device *d)
{
    struct buf text = {0};

    write_bytes(&text, d->reserved);
    buf_printf(&text, " in %llu segment%s, ", (unsigned long long)d->segments, diag_s(d->segments));
    write_bytes(&text, d->live);
    buf_add_str(&text, " live");
    if (d->pending) {
        buf_add_str(&text, ", ");
        write_bytes(&text, d->pending);
        buf_add_str(&text, " to be freed");
    }
    add_fact(s, device, "memory reserved", &text);
    buf_clear(&text);
    write_bytes(&text, d->free);
    buf_add_str(&text, ", ");
    num_write_percent(&text, d->free, d->reserved, PERCENT_CAPTION);
    buf_add_str(&text, "% of the reserved memory; the largest piece has ");
    write_bytes(&text, d->largest);
    buf_add_str(&text, "; rounding takes ");
    write_bytes(&text, d->rounding);
    add_fact(s, device, "memory free in segments", &text);
    buf_release(&text);
}

static void add_facts(struct snapshot *s)
{
    struct buf text = {0};

    for (uint32_t i = 0; i < s->devices.count; i++) {
        const struct device *d = &s->devices.items[i];

        if (d->segments)
            add_segment_facts(s, i, d);
        if (!d->errors)
            continue;
        buf_clear(&text);
        buf_printf(&text, "%llu time%s; the last one asked for ", (unsigned long long)d->errors,
                   diag_s(d->errors));
        write_bytes(&text, d->wanted);
        buf_add_str(&text, " with ");
        write_bytes(&text, d->left);
        buf_add_str(&text, " left on the device");
        add_fact(s, i, "out of memory", &text);
    }
    buf_release(&text);
}

/* ---- the reader ---------------------------------------------------------------------------- */

static unsigned rank(const struct series *series)
{
    unsigned i = 0;

    while (i < EVENTS && !slice_equal(series->event, events[i]))
        i++;
    return i;
}

static void tell(struct snapshot *s)
{
    builder_unreadable(&s->b, s->bad, "skipped # part{|s} whose size is missing or impossible");
    if (s->unknown_entries)
        diag_warn(s->content->diag,
                  "left out %llu entr%s of traces with unknown actions, as '%.*s'",
                  (unsigned long long)s->unknown_entries, s->unknown_entries == 1 ? "y" : "ies",
                  SLICE_ARG(intern_get(&s->unknown, 0)));
}

static bool read_snapshot(struct snapshot *s, struct slice bytes)
{
    struct pickle_value root, segments, traces;

    if (!pickle_read(&s->pickle, bytes, keys, KEYS, s->content->diag, &root))
        return false;
    segments = root.type == PICKLE_LIST ? root : pickle_get(&s->pickle, &root, SEGMENTS);
    traces = pickle_get(&s->pickle, &root, TRACES);
    if (segments.type != PICKLE_LIST && traces.type != PICKLE_LIST)
        return diag_error(s->content->diag, "the pickle has neither segments nor device_traces");
    if (!add_segments(s, &segments) || !read_traces(s, &traces) || !add_live(s))
        return false;
    add_facts(s);
    tell(s);
    profile_order_series(s->b.profile, rank);
    vec_each (struct series, series, &s->b.profile->series)
        if (!slice_equal(series->event, events[ALLOCATED]))
            series->kind = SLICE("heap");
    return true;
}

static bool torch_memory_read(struct content *content)
{
    struct snapshot s = {.content = content};
    struct buf bytes = {0};
    bool ok;

    builder_init(&s.b, content->profile, content->options, content->diag);
    ok = content_load(content, &bytes) && read_snapshot(&s, buf_slice(&bytes));
    release_each(&s, (pickle, pickle), (intern, numbers, addresses, unknown),
                 (vec, devices, entries, stacks, lives, blocks, holders, changes), (buf, scratch),
                 (builder, b));
    buf_release(&bytes);
    return ok;
}

/* The first keys of a snapshot, or of a list of segments. */
static bool torch_memory_claims(const struct head *head)
{
    enum { PROTOCOL = 0x80, OLDEST = 2, NEWEST = 5, FIRST_KEYS = 400 };
    struct slice first = slice_take(head->bytes, FIRST_KEYS);

    if (first.len < 2 || (unsigned char)first.ptr[0] != PROTOCOL || first.ptr[1] < OLDEST ||
        first.ptr[1] > NEWEST)
        return false;
    return slice_has(first, SLICE("segments")) || slice_has(first, SLICE("device_traces")) ||
           (slice_has(first, SLICE("total_size")) && slice_has(first, SLICE("segment_type")));
}

const struct format format_torch_memory = {
    .name = "torch-memory",
    .family = FORMAT_DEVICES,
    .description = "PyTorch's snapshots of GPU memory: live, allocated and peak bytes by stack",
    .recognised = "a pickle whose first keys are 'segments' or 'device_traces'",
    .example = "torch.cuda.memory._dump_snapshot('app.pickle')   # after _record_memory_history()",
    .without_stacks = "record them: torch.cuda.memory._record_memory_history()",
    .claims = torch_memory_claims,
    .read = torch_memory_read,
};
