#include "input/build/builder.h"

#include "base/budget.h"
#include "input/parse/json.h"

void builder_init(struct builder *b, struct profile *profile, const struct input_options *options,
                  struct diag *diag)
{
    *b = (struct builder){.profile = profile, .options = options, .diag = diag};
    b->by_event = !options->split_process && !options->split_thread && !options->split_cpu &&
                  !options->split_cgroup && !options->process_count && !options->state_count &&
                  !options->thread_count && !origin_needs_tags(options);
    b->series = SERIES_NONE;
    b->truncated = profile->ledger.truncated;
}

bool builder_text_begin(struct text *t, void *state)
{
    builder_init(state, t->profile, t->options, t->diag);
    return true;
}

void builder_release(struct builder *b)
{
    release_each(b, (vec, path, chains, chain_ends, origin_series), (frame_index, frames),
                 (intern, origins), (buf, key, scratch));
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Reverses what was pushed since the section began. */
static void close_section(struct builder *b)
{
    size_t low = b->section, high = b->path.count;

    if (b->leaf_first)
        while (low + 1 < high) {
            uint32_t symbol = b->path.items[low];

            b->path.items[low++] = b->path.items[--high];
            b->path.items[high] = symbol;
        }
    b->leaf_first = false;
    b->section = b->path.count;
}

void builder_begin(struct builder *b)
{
    vec_clear(&b->path);
    b->section = 0;
    b->leaf_first = false;
}

void builder_leaf_first(struct builder *b)
{
    close_section(b);
    b->leaf_first = true;
}

void builder_root_first(struct builder *b)
{
    close_section(b);
}

void builder_push_stack(struct builder *b, uint32_t stack)
{
    const struct stacks *stacks = &b->profile->stacks;

    builder_leaf_first(b);
    for (; stack != STACK_ROOT; stack = stacks->parent[stack])
        builder_push_symbol(b, stacks->symbol[stack]);
    builder_root_first(b);
}

/* Adds steps of work; a batch of them is charged to the budget at a time. */
static void work(struct builder *b, size_t steps)
{
    enum { BATCH = 4096 };

    b->work += steps;
    if (b->work >= BATCH) {
        budget_work(b->work);
        b->work = 0;
    }
}

uint32_t builder_entry(struct builder *b, const struct frame *f)
{
    enum { BYTES_A_STEP = 16 };
    uint32_t entry = frame_index_add(&b->frames, f, b->options);

    work(b, (f->name.len + f->module.len) / BYTES_A_STEP);
    if (entry < b->chain_ends.count)
        return entry;
    if (!frame_resolve(f, b->options, &b->profile->symbols, &b->scratch, &b->chains) &&
        !b->warned_name) {
        b->warned_name = true;
        diag_warn(b->diag,
                  "a name is longer than %u bytes and was cut (--max-name N raises the limit)",
                  b->options->limits.max_name);
    }
    *vec_add(&b->chain_ends) = (uint32_t)b->chains.count;
    return entry;
}

struct frame builder_frame_of(const struct builder *b, uint32_t entry)
{
    return b->frames.frames.items[entry];
}

void builder_push(struct builder *b, uint32_t entry)
{
    uint32_t from = entry ? b->chain_ends.items[entry - 1] : 0;
    uint32_t end = b->chain_ends.items[entry];

    if (builder_is_full(b))
        return;
    if (b->leaf_first)
        while (end > from)
            *vec_add(&b->path) = b->chains.items[--end];
    else
        while (from < end)
            *vec_add(&b->path) = b->chains.items[from++];
}

struct stack_path builder_symbols(const struct builder *b, uint32_t entry)
{
    uint32_t from = entry ? b->chain_ends.items[entry - 1] : 0;

    return (struct stack_path){b->chains.items + from, b->chain_ends.items[entry] - from,
                               STACK_ROOT};
}

void builder_frame(struct builder *b, const struct frame *f)
{
    builder_push(b, builder_entry(b, f));
}

void builder_name(struct builder *b, struct slice name, enum frame_kind kind)
{
    builder_frame(b, &(struct frame){.name = name, .kind = kind});
}

void builder_cut(struct builder *b, size_t depth)
{
    BUG_ON(b->leaf_first || depth > b->path.count);
    b->path.count = depth;
    b->section = depth;
}

/* Frames on a stack are the steps of work. */
static bool room_for_stacks(struct builder *b, size_t more)
{
    uint32_t most = b->options->limits.max_stacks;

    work(b, more);
    if (!budget_allows(b->diag, DIAG_AT_FILE))
        return false;
    if (b->profile->stacks.count <= most && more <= STACKS_MOST - b->profile->stacks.count)
        return true;
    return diag_error(b->diag, "more than %u different stacks; --max-stacks N raises the limit",
                      most);
}

struct stack_path builder_path(struct builder *b)
{
    size_t most = b->options->limits.max_depth, first = 0;

    close_section(b);
    if (b->path.count > most) {
        first = b->path.count - most;
        b->profile->ledger.truncated++;
        if (!b->warned_depth)
            diag_warn(b->diag,
                      "a stack has more than %u frames; those nearest the leaf are kept "
                      "(--max-frames N raises the limit)",
                      b->options->limits.max_depth);
        b->warned_depth = true;
    }
    return (struct stack_path){first ? b->path.items + first : b->path.items,
                               (uint32_t)(b->path.count - first), STACK_ROOT};
}

bool builder_stacks(struct builder *b, struct stack_path *paths, uint32_t count)
{
    size_t more = 0;

    for (uint32_t i = 0; i < count; i++)
        more += paths[i].count;
    if (!room_for_stacks(b, more))
        return false;
    stacks_push_paths(&b->profile->stacks, paths, count);
    return true;
}

bool builder_stack(struct builder *b, uint32_t *stack)
{
    struct stack_path path = builder_path(b);
    uint32_t id = STACK_ROOT;

    if (!room_for_stacks(b, path.count))
        return false;
    for (uint32_t i = 0; i < path.count; i++)
        id = stacks_push(&b->profile->stacks, id, path.symbols[i]);
    *stack = id;
    return true;
}

/* ---- trees --------------------------------------------------------------------------------- */

bool builder_child_entry(struct builder *b, uint32_t parent, uint32_t entry, uint32_t *stack)
{
    uint32_t from = entry ? b->chain_ends.items[entry - 1] : 0;

    if (!room_for_stacks(b, b->chain_ends.items[entry] - from))
        return false;
    for (; from < b->chain_ends.items[entry]; from++)
        parent = stacks_push(&b->profile->stacks, parent, b->chains.items[from]);
    *stack = parent;
    return true;
}

bool builder_child(struct builder *b, uint32_t parent, const struct frame *f, uint32_t *stack)
{
    return builder_child_entry(b, parent, builder_entry(b, f), stack);
}

bool builder_child_symbol(struct builder *b, uint32_t parent, uint32_t symbol, uint32_t *stack)
{
    if (!room_for_stacks(b, 1))
        return false;
    *stack = stacks_push(&b->profile->stacks, parent, symbol);
    return true;
}

/* ---- weights ------------------------------------------------------------------------------- */

static uint32_t new_series(struct builder *b, const struct origin *o, struct unit unit)
{
    if (!origin_is_wanted(o, b->options))
        return BUILDER_LEFT_OUT;
    buf_clear(&b->scratch);
    origin_add_name(&b->scratch, o, b->options);
    return profile_series_of(b->profile, buf_slice(&b->scratch), o->event, unit);
}

static uint32_t series_of_origin(struct builder *b, const struct origin *origin, struct unit unit)
{
    struct slice texts[] = {origin->event,  origin->process, origin->pid,
                            origin->thread, origin->tid,     origin->state,
                            origin->cpu,    origin->cgroup,  origin->tag};
    enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };
    char tags = (char)origin->tags;
    uint32_t known = intern_count(&b->origins);
    uint32_t id;

    buf_clear(&b->key);
    for (size_t i = 0; i < TEXTS; i++)
        buf_add(&b->key, &texts[i].len, sizeof(texts[i].len));
    for (size_t i = 0; i < TEXTS; i++)
        buf_add_slice(&b->key, texts[i]);
    buf_add_char(&b->key, tags);
    id = intern_add(&b->origins, buf_slice(&b->key));
    if (id == known)
        *vec_add(&b->origin_series) = new_series(b, origin, unit);
    b->event =
        slice_take(slice_skip(intern_get(&b->origins, id), sizeof(size_t) * TEXTS), texts[0].len);
    return b->origin_series.items[id];
}

uint32_t builder_series(struct builder *b, const struct origin *origin, struct unit unit)
{
    struct origin event = {.event = origin->event};

    b->profile->has_processes |= origin_has_process(origin);
    b->profile->has_threads |= origin_has_thread(origin);
    b->profile->has_states |= origin->state.len > 0;
    b->profile->has_cpus |= origin->cpu.len > 0;
    b->profile->has_cgroups |= origin->cgroup.len > 0;
    b->profile->has_tags |= origin->tags != TAGS_UNKNOWN;
    b->profile->has_split_tag |= origin->tag.len > 0;
    if (!b->by_event)
        return series_of_origin(b, origin, unit);
    if (b->series == SERIES_NONE || !slice_equal(b->event, event.event))
        b->series = series_of_origin(b, &event, unit);
    return b->series;
}

static bool too_large(struct builder *b)
{
    return diag_error(b->diag, PROFILE_TOO_HEAVY);
}

bool builder_add_at(struct builder *b, uint32_t series, uint32_t stack, struct decimal weight)
{
    if (!budget_allows(b->diag, DIAG_AT_FILE))
        return false;
    if (series == BUILDER_LEFT_OUT) {
        b->profile->ledger.left_out++;
        return true;
    }
    if (stack == STACK_ROOT)
        profile_note_without_frames(b->profile, series, 1);
    return profile_add_decimal(b->profile, series, stack, weight) || too_large(b);
}

/*
 * Makes the stack of a sample. Stacks that were found to be cut since the last sample, by the
 * builder or by the reader, are counted for the series.
 */
static bool take_stack(struct builder *b, uint32_t series, uint32_t *stack)
{
    uint64_t before = b->truncated;

    *stack = STACK_ROOT;
    if (series != BUILDER_LEFT_OUT && !builder_stack(b, stack))
        return false;
    b->truncated = b->profile->ledger.truncated;
    if (series != BUILDER_LEFT_OUT)
        profile_note_truncated(b->profile, series, b->truncated - before);
    return true;
}

bool builder_add_decimal(struct builder *b, uint32_t series, struct decimal weight)
{
    uint32_t stack;

    return take_stack(b, series, &stack) && builder_add_at(b, series, stack, weight);
}

bool builder_add(struct builder *b, uint32_t series, uint64_t weight)
{
    return builder_add_decimal(b, series, (struct decimal){.value = weight});
}

/* The series that holds what was there before, made with the first such weight. */
static uint32_t base_of(struct builder *b, uint32_t series)
{
    struct series s = b->profile->series.items[series];

    if (s.base == SERIES_NONE) {
        struct slice before;

        buf_clear(&b->scratch);
        buf_printf(&b->scratch, "%.*s before", SLICE_ARG(s.name));
        before = slice_trim(buf_slice(&b->scratch));
        profile_series_of(b->profile, before, s.event, s.unit);
        profile_series_pair(b->profile, before, s.name, s.unit);
    }
    return b->profile->series.items[series].base;
}

bool builder_add_signed_at(struct builder *b, uint32_t series, uint32_t stack, int64_t weight)
{
    struct decimal size = {.value = weight < 0 ? 0 - (uint64_t)weight : (uint64_t)weight};

    if (weight < 0 && series != BUILDER_LEFT_OUT) {
        uint32_t base = base_of(b, series);

        timed_samples_pass_on(&b->profile->series.items[series].timed,
                              &b->profile->series.items[base].timed);
        series = base;
    }
    return builder_add_at(b, series, stack, size);
}

bool builder_add_signed(struct builder *b, uint32_t series, int64_t weight)
{
    uint32_t stack;

    return take_stack(b, series, &stack) && builder_add_signed_at(b, series, stack, weight);
}

void builder_note_bare(struct builder *b, uint32_t series, uint64_t samples)
{
    if (series != BUILDER_LEFT_OUT)
        profile_note_without_frames(b->profile, series, samples);
}

void builder_skip_text(const struct builder *b, const char *what, struct slice text,
                       const char *then)
{
    enum { SHOWN = 60 };

    builder_skip(b, DIAG_AT_FILE, "%s: '%.*s'%s; %s", what, SLICE_ARG(slice_take(text, SHOWN)),
                 text.len > SHOWN ? "..." : "", then);
}

void builder_skip_child(const struct builder *b, const struct json_value *child)
{
    builder_skip(b, DIAG_AT_FILE, "a child is no object: %s; skipped", json_quoted(child).text);
}

void builder_unreadable(const struct builder *b, uint64_t count, const char *text)
{
    b->profile->ledger.unreadable += count;
    diag_warn_count(b->diag, count, text);
}

void builder_count(struct builder *b, uint32_t series, uint64_t samples)
{
    if (series == BUILDER_LEFT_OUT)
        b->profile->ledger.left_out += samples;
    else
        profile_count(b->profile, series, samples);
}

void builder_discount(struct builder *b, uint32_t series)
{
    if (series == BUILDER_LEFT_OUT)
        b->profile->ledger.left_out--;
    else
        b->profile->series.items[series].samples--;
}

void builder_time(struct builder *b, uint32_t series, uint64_t ns)
{
    if (series != BUILDER_LEFT_OUT)
        profile_add_time(b->profile, series, ns);
}

void builder_set_time(struct builder *b, uint32_t series, int64_t ns)
{
    if (series != BUILDER_LEFT_OUT)
        profile_set_time(b->profile, series, ns > 0 ? (uint64_t)ns : 0);
}
