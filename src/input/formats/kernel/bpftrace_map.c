#include "input/formats/kernel/bpftrace_map.h"

#include "input/parse/native.h"

void bpftrace_map_init(struct bpftrace_maps *m, struct profile *profile,
                       const struct input_options *options, struct diag *diag)
{
    *m = (struct bpftrace_maps){.options = options, .diag = diag};
    builder_init(&m->builder, profile, options, diag);
    intern_init(&m->names);
    buf_init(&m->text);
}

void bpftrace_map_release(struct bpftrace_maps *m)
{
    builder_release(&m->builder);
    intern_release(&m->names);
    vec_release(&m->maps);
    vec_release(&m->waiting);
    buf_release(&m->text);
    vec_release(&m->parts);
    vec_release(&m->frames);
}

/* ---- an entry ------------------------------------------------------------------------------ */

void bpftrace_map_begin(struct bpftrace_maps *m)
{
    buf_clear(&m->text);
    vec_clear(&m->parts);
    vec_clear(&m->frames);
    m->in_stack = false;
}

static struct slice keep(struct bpftrace_maps *m, struct slice text, size_t *start)
{
    *start = m->text.len;
    buf_add_slice(&m->text, text);
    return text;
}

static void add_scalar(struct bpftrace_maps *m, struct slice text)
{
    struct bpftrace_part *part = vec_add(&m->parts);

    *part = (struct bpftrace_part){text.len ? BPFTRACE_SCALAR : BPFTRACE_EMPTY, 0, text.len};
    keep(m, text, &part->first);
}

void bpftrace_map_keys(struct bpftrace_maps *m, struct slice keys, struct slice comma, bool more)
{
    bool skip = m->in_stack;

    for (;;) {
        size_t at = slice_search(keys, comma);
        bool last = at == keys.len;

        if (last && more)
            break;
        if (!skip)
            add_scalar(m, slice_trim(slice_take(keys, at)));
        skip = false;
        if (last)
            break;
        keys = slice_skip(keys, at + comma.len);
    }
    m->in_stack = false;
    if (more) {
        *vec_add(&m->parts) = (struct bpftrace_part){BPFTRACE_EMPTY, m->frames.count, 0};
        m->in_stack = true;
    }
}

void bpftrace_map_frame(struct bpftrace_maps *m, struct slice line)
{
    struct slice text = slice_trim(line);
    struct bpftrace_part *part;
    size_t start;

    if (!m->in_stack || !text.len)
        return;
    part = &m->parts.items[m->parts.count - 1];
    part->kind = BPFTRACE_STACK;
    part->count++;
    keep(m, text, &start);
    *vec_add(&m->frames) = (struct bpftrace_frame){start, text.len};
}

/* ---- frames -------------------------------------------------------------------------------- */

static struct slice frame_text(const struct bpftrace_maps *m, size_t i)
{
    return slice_make(m->text.ptr + m->frames.items[i].start, m->frames.items[i].len);
}

/*
 * "vfs_read+142", "0x7fb5c5cd44a3", and as perf writes it "ffffffff81 read+14
 * (libc.so.6)", where the module stands behind an address alone.
 */
static struct frame parse_frame(struct slice text)
{
    struct frame f = {.name = text, .kind = FRAME_NATIVE};
    struct slice rest = text;
    size_t blank = slice_find(text, ' '), open;

    if (native_take_address(&rest, &f.address) && !rest.len) {
        f.has_address = true;
        f.name = SLICE("");
    } else if (blank >= 8 && num_parse_hex(slice_take(text, blank), &f.address)) {
        f.has_address = true;
        f.name = slice_trim(slice_skip(text, blank));
        open = slice_find_last(f.name, '(');
        if (open > 0 && open < f.name.len && f.name.ptr[open - 1] == ' ' &&
            slice_ends(f.name, SLICE(")"))) {
            f.module = slice_make(f.name.ptr + open + 1, f.name.len - open - 2);
            f.name = slice_trim(slice_take(f.name, open));
        }
    }
    return f;
}

/* Functions of the kernel that its stacks begin with. */
static bool begins_kernel(struct slice text)
{
    static const char *const starts[] = {
        "entry_SYSCALL_",
        "entry_INT80",
        "ret_from_fork",
        "secondary_startup_64",
        "asm_",
        "el0",
        "el1",
        "x86_64_start_kernel",
        "start_kernel",
        "page_fault",
        "apic_timer_interrupt",
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(text, slice_str(starts[i])))
            return true;
    return false;
}

static bool is_kernel(const struct bpftrace_maps *m, const struct bpftrace_part *part)
{
    return part->kind == BPFTRACE_STACK &&
           begins_kernel(frame_text(m, part->first + part->count - 1));
}

static void push_stack(struct bpftrace_maps *m, const struct bpftrace_part *part)
{
    enum symbol_class class = is_kernel(m, part) ? SYMBOL_KERNEL : SYMBOL_USER;

    builder_leaf_first(&m->builder);
    for (size_t i = 0; i < part->count; i++) {
        struct frame f = parse_frame(frame_text(m, part->first + i));

        if (m->options->names == NAMES_REFERENCE)
            f = (struct frame){.name = frame_text(m, part->first + i), .kind = FRAME_PLAIN};
        f.class = class;
        builder_frame(&m->builder, &f);
    }
    builder_root_first(&m->builder);
}

/* A frame for each key that is no stack; the reference makes one of all. */
static void push_scalars(struct bpftrace_maps *m)
{
    bool together = m->options->names == NAMES_REFERENCE;
    struct buf all;

    buf_init(&all);
    vec_each (const struct bpftrace_part, part, &m->parts) {
        struct slice text = slice_make(m->text.ptr + part->first, part->count);

        if (part->kind != BPFTRACE_SCALAR)
            continue;
        if (!together)
            builder_name(&m->builder, text, FRAME_PLAIN);
        if (all.len)
            buf_add_str(&all, ", ");
        buf_add_slice(&all, text);
    }
    if (together && all.len)
        builder_name(&m->builder, buf_slice(&all), FRAME_PLAIN);
    buf_release(&all);
}

/* The stacks from the root on: the last one first, but the kernel's always at the leaf. */
static void push_stacks(struct bpftrace_maps *m)
{
    for (int kernel = 0; kernel <= 1; kernel++)
        for (size_t i = m->parts.count; i-- > 0;) {
            const struct bpftrace_part *part = &m->parts.items[i];

            if (part->kind == BPFTRACE_STACK && is_kernel(m, part) == kernel)
                push_stack(m, part);
        }
}

/* ---- maps ---------------------------------------------------------------------------------- */

static uint32_t find_map(struct bpftrace_maps *m, struct slice name)
{
    uint32_t known = intern_count(&m->names);
    uint32_t id = intern_add(&m->names, name);

    if (id == known)
        *vec_add(&m->maps) = (struct bpftrace_map){0};
    return id;
}

/* The last part of a map's name, as in "@off_us". */
static struct slice last_word(struct slice name)
{
    size_t at = slice_find_last(name, '_');

    return at < name.len ? slice_skip(name, at + 1) : slice_skip(name, 1);
}

static struct unit map_unit(struct slice name)
{
    static const struct {
        const char *word, *unit;
    } units[] = {
        {"ns", "ns"},    {"nsecs", "ns"}, {"us", "us"},       {"usecs", "us"},    {"ms", "ms"},
        {"msecs", "ms"}, {"secs", "s"},   {"bytes", "bytes"}, {"calls", "calls"},
    };
    struct slice word = last_word(name);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (slice_equal(word, slice_str(units[i].word)))
            return unit_named(slice_str(units[i].unit));
    return unit_samples;
}

/* A map called "@avg" or "@lat_max" does not hold sums. */
static bool adds_up(struct slice name)
{
    static const char *const words[] = {"avg", "average", "min", "max"};
    struct slice word = last_word(name);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_equal(word, slice_str(words[i])))
            return false;
    return true;
}

void bpftrace_map_leave_out(struct bpftrace_maps *m, struct slice name, const char *what)
{
    uint32_t id = find_map(m, name);
    struct bpftrace_map *map = &m->maps.items[id];

    map->left_out++;
    m->builder.profile->ledger.distributions++;
    if (!map->told)
        diag_add(m->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "map %.*s holds %s, which do not add up; left out", SLICE_ARG(name), what);
    map->told = true;
}

static uint32_t map_series(struct bpftrace_maps *m, struct slice name)
{
    struct origin origin = {.event = name};

    return builder_series(&m->builder, &origin, map_unit(name));
}

bool bpftrace_map_finish(struct bpftrace_maps *m, struct slice name, struct slice value,
                         struct record *record)
{
    uint64_t truncated = m->builder.profile->ledger.truncated;
    uint32_t id = find_map(m, name), series, stack;
    bool frames = m->frames.count > 0, empty = false;
    uint64_t weight;

    vec_each (const struct bpftrace_part, part, &m->parts)
        empty |= part->kind == BPFTRACE_EMPTY;
    m->in_stack = false;
    record->series = BUILDER_LEFT_OUT;
    if (!frames && !empty) {
        m->maps.items[id].left_out++;
        return true;
    }
    if (!num_parse_u64(value, &weight) || !adds_up(name)) {
        bpftrace_map_leave_out(m, name,
                               slice_starts(value, SLICE("-")) ? "negative values"
                               : adds_up(name)                 ? "values that are no counts"
                                                               : "averages or extremes");
        return true;
    }
    m->maps.items[id].has_stacks |= frames;
    builder_begin(&m->builder);
    push_scalars(m);
    push_stacks(m);
    if (!builder_stack(&m->builder, &stack))
        return false;
    if (frames) {
        series = map_series(m, name);
        if (m->builder.profile->ledger.truncated == truncated)
            *record = (struct record){series, stack};
        return builder_add_at(&m->builder, series, stack, (struct decimal){.value = weight});
    }
    *vec_add(&m->waiting) = (struct bpftrace_waiting){id, stack, weight};
    return true;
}

bool bpftrace_map_end(struct bpftrace_maps *m)
{
    vec_each (const struct bpftrace_waiting, w, &m->waiting) {
        struct bpftrace_map *map = &m->maps.items[w->map];

        if (!map->has_stacks)
            map->left_out++;
        else if (!builder_add_at(&m->builder, map_series(m, intern_get(&m->names, w->map)),
                                 w->stack, (struct decimal){.value = w->weight}))
            return false;
    }
    for (uint32_t i = 0; i < m->maps.count; i++)
        if (m->maps.items[i].left_out && !m->maps.items[i].told)
            diag_add(m->diag, DIAG_NOTE, DIAG_AT_FILE,
                     "%llu entries of map %.*s have no stacks and are left out",
                     (unsigned long long)m->maps.items[i].left_out,
                     SLICE_ARG(intern_get(&m->names, i)));
    return true;
}
