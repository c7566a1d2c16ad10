/*
 * Profiles of the Firefox Profiler, also written by samply, DevTools and
 * importers of other formats.
 *
 * Raw, as Gecko writes it, with tables of rows:
 *
 *     {"meta": {"version": 12, "interval": 1, ...}, "libs": [...], "processes": [profiles...],
 *      "threads": [{"name": "GeckoMain", "samples": {"schema": {"stack": 0, ...}, "data": [...]},
 *        "stackTable": ..., "frameTable": ..., "stringTable": [...]}]}
 *
 * Processed, with tables of columns, in newer versions shared by all threads:
 *
 *     {"meta": {"preprocessedProfileVersion": 41, ...}, "libs": [...], "shared": {...},
 *      "threads": [{"name": "GeckoMain", "samples": {"length": 7, "stack": [1, 2], ...},
 *        "stackTable": ..., "frameTable": ..., "funcTable": ..., "resourceTable": ...,
 *        "nativeSymbols": ..., "stringArray": [...]}]}
 *
 * DevTools wraps the profile in {"profile": ...}. Old versions write the
 * profile of another process, or a list of libraries, as a string of JSON. The
 * samples of all threads are one graph, with process and thread as first frames
 * if there are several; allocations are graphs of their own. The section
 * "Cleopatra" below describes the oldest form. Markers and counters have no
 * stacks and are skipped. Grammar: firefox-devtools/profiler, docs-developer.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/num.h"
#include "input/build/addresses.h"
#include "input/build/builder.h"
#include "input/build/frame.h"
#include "input/build/owners.h"
#include "input/format.h"
#include "input/formats/web/firefox_frames.h"
#include "input/formats/web/firefox_table.h"
#include "input/parse/json.h"

/* ---- a thread ------------------------------------------------------------------------------ */

/* Every stack of a thread gets two first frames, process and thread (input/build/owners.h). */

/* What a thread needs from the profile it belongs to. */
struct firefox_process {
    const struct json_value *shared; /* tables of all threads, or NULL */
    const struct json_value *libs;   /* may be NULL */
    uint64_t start;                  /* ns since 1970; sample times are relative to it */
    bool converted;                  /* flamepress wrote the file (meta.importedFrom) */
    struct addresses *addresses;
    uint32_t idle; /* the category of frames that wait, or FIREFOX_NONE; meta.categories */
};

struct thread {
    struct builder *b;
    const struct firefox_process *process;
    const struct json_value *value;
    struct origin origin;
    struct firefox_frames frames;
    struct firefox_table stack_table;
    struct firefox_column prefix, frame;
    bool offsets;     /* `prefix` counts rows back to the caller: since version 66 */
    uint32_t *stacks; /* indexed by the table's stack: the profile's stack, once it is made */
    bool *used;       /* indexed by the table's stack: samples refer to it */
    bool *idle;       /* indexed by the table's stack: its innermost category is Idle */
    uint32_t root;    /* the stack of process and thread */
    bool has_root;
};

/* ---- whose ---------------------------------------------------------------------------------- */

/* Returns a number or a string as written. */
static struct slice any_text(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) ? v->text : SLICE("");
}

static void read_origin(struct thread *t)
{
    t->origin.process = json_text(json_get(t->value, "processName"));
    if (!t->origin.process.len)
        t->origin.process = json_text(json_get(t->value, "processType"));
    t->origin.pid = any_text(json_get(t->value, "pid"));
    t->origin.thread = json_text(json_get(t->value, "name"));
    t->origin.tid = any_text(json_get(t->value, "tid"));
}

static bool add_owner(struct thread *t, struct slice name, struct slice number, bool numbered)
{
    struct frame f = {.kind = FRAME_OWNER};
    struct buf text = {0};
    bool ok;

    buf_add_slice(&text, name.len ? name : SLICE("[unknown]"));
    if (numbered && number.len)
        buf_printf(&text, "-%.*s", SLICE_ARG(number));
    f.name = buf_slice(&text);
    ok = builder_child(t->b, t->root, &f, &t->root);
    buf_release(&text);
    return ok;
}

/* Makes the stack of process and thread. Threads without samples do not get one. */
static bool make_root(struct thread *t)
{
    const struct input_options *o = t->b->options;

    if (t->has_root)
        return true;
    t->has_root = true;
    return add_owner(t, t->origin.process, t->origin.pid, o->pid || o->tid) &&
           add_owner(t, t->origin.thread, t->origin.tid, o->tid);
}

/* ---- stacks --------------------------------------------------------------------------------- */

/* Returns the row of a stack's caller, which may be invalid, or FIREFOX_NONE. */
static uint32_t caller_of(const struct thread *t, uint32_t stack)
{
    uint32_t prefix = firefox_table_index(&t->prefix, stack);

    if (!t->offsets || prefix == FIREFOX_NONE)
        return prefix;
    return !prefix ? FIREFOX_NONE : prefix > stack ? stack : stack - prefix;
}

static void skip_stack(const struct thread *t, uint32_t stack)
{
    builder_skip(
        t->b, DIAG_AT_FILE,
        "stack %u is not in the stack table, or precedes its caller; its frames are missing",
        stack);
}

static uint32_t prefix_of(struct thread *t, uint32_t stack)
{
    uint32_t prefix = caller_of(t, stack);

    if (prefix != FIREFOX_NONE && prefix >= stack) {
        skip_stack(t, stack);
        return FIREFOX_NONE;
    }
    return prefix;
}

static void mark_used(struct thread *t, uint32_t stack)
{
    while (stack != FIREFOX_NONE && !t->used[stack]) {
        t->used[stack] = true;
        stack = prefix_of(t, stack);
    }
}

/* Makes the stack of a frame and its caller's stack; the root frame adds no frame. */
static bool make_stack(struct thread *t, uint32_t stack)
{
    uint32_t prefix = caller_of(t, stack);
    uint32_t row = firefox_table_index(&t->frame, stack);
    uint32_t parent = prefix < stack ? t->stacks[prefix] : t->root;
    uint32_t category = firefox_frames_index(&t->frames, FRAME_CATEGORY, row);
    struct frame f;

    t->idle[stack] =
        category != FIREFOX_NONE ? category == t->process->idle : prefix < stack && t->idle[prefix];
    t->stacks[stack] = parent;
    if (!firefox_frames_get(&t->frames, row, &f))
        return true;
    return builder_child(t->b, parent, &f, &t->stacks[stack]);
}

/* Makes all stacks that the samples of a table refer to. */
static bool make_stacks(struct thread *t, const struct firefox_column *samples)
{
    uint32_t count = firefox_table_rows(&t->prefix), rows = firefox_table_rows(samples);

    memset(t->used, 0, count);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t stack = firefox_table_index(samples, i);

        if (stack < count)
            mark_used(t, stack);
        else if (stack != FIREFOX_NONE)
            skip_stack(t, stack);
    }
    for (uint32_t i = 0; i < count; i++)
        if (t->used[i] && !make_stack(t, i))
            return false;
    return true;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* A table of samples or of allocations. */
struct samples {
    struct firefox_table table;
    struct firefox_column stack, weight, time, delta;
    uint32_t series;
    uint64_t now; /* ns, if times are deltas */
};

/* Converts milliseconds to nanoseconds. Returns false if it is not a time. */
static bool read_time(const struct json_value *v, uint64_t *ns)
{
    struct decimal d;
    unsigned decimals = NUM_MAX_DECIMALS - 3;

    if (!json_decimal(v, &d, NULL))
        return false;
    for (; d.decimals > decimals; d.decimals--)
        d.value /= 10;
    return num_mul(d.value, num_pow10(decimals - d.decimals), ns);
}

static void note_time(struct thread *t, struct samples *s, uint32_t row)
{
    uint64_t ns;

    if (s->delta.there && read_time(firefox_table_cell(&s->delta, row), &ns))
        ns = s->now += ns;
    else if (s->delta.there || !read_time(firefox_table_cell(&s->time, row), &ns))
        return;
    if (num_add(ns, t->process->start, &ns))
        builder_time(t->b, s->series, ns);
}

/* Skips a sample because of its weight. Returns true. */
static bool skip_row(struct thread *t, const struct json_value *weight)
{
    builder_skip(t->b, DIAG_AT_FILE,
                 "the weight of a sample is not a number or is negative: %s; sample skipped",
                 json_quoted(weight).text);
    return true;
}

/* Adds a sample; without a weight it counts 1. Times are kept to the nanosecond. */
static bool add_row(struct thread *t, struct samples *s, uint32_t row, uint32_t stack)
{
    const struct json_value *cell = firefox_table_cell(&s->weight, row);
    struct decimal weight = {.value = 1};
    bool negative = false;

    if (cell && cell->type != JSON_NULL && !json_decimal(cell, &weight, &negative))
        return skip_row(t, cell);
    if (!negative)
        return builder_add_at(t->b, s->series, stack, weight);
    if (weight.decimals || weight.value > INT64_MAX)
        return skip_row(t, cell);
    return builder_add_signed_at(t->b, s->series, stack, -(int64_t)weight.value);
}

/* Returns the stack of a sample; if idle stacks are marked, one in "Idle" ends in "(idle)". */
static bool stack_of(struct thread *t, uint32_t row, uint32_t *stack)
{
    const struct frame idle = {.name = SLICE("(idle)"), .kind = FRAME_PLAIN};

    if (row >= firefox_table_rows(&t->prefix)) {
        *stack = t->root;
        return true;
    }
    *stack = t->stacks[row];
    return !t->idle[row] || !t->b->options->mark_idle || builder_child(t->b, *stack, &idle, stack);
}

static bool add_samples(struct thread *t, struct samples *s)
{
    uint32_t rows = firefox_table_rows(&s->stack), count = firefox_table_rows(&t->prefix);

    if (!rows)
        return true;
    if (!make_root(t) || !make_stacks(t, &s->stack))
        return false;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = firefox_table_index(&s->stack, i), stack;

        t->b->profile->ledger.lines++;
        if (row >= count)
            builder_note_bare(t->b, s->series, 1);
        note_time(t, s, i);
        if (!stack_of(t, row, &stack) || !add_row(t, s, i, stack))
            return false;
    }
    return true;
}

/* Returns the unit of the table's weights. */
static struct unit weight_unit(const struct json_value *table, struct slice *event)
{
    struct slice type = json_text(json_get(table, "weightType"));

    if (slice_equal(type, SLICE("tracing-ms"))) {
        *event = event->len ? *event : SLICE("tracing");
        return unit_named(SLICE("ms"));
    }
    if (slice_equal(type, SLICE("bytes"))) {
        *event = event->len ? *event : SLICE("bytes");
        return unit_named(SLICE("bytes"));
    }
    *event = event->len ? *event : SLICE("samples");
    return unit_samples;
}

static bool read_samples(struct thread *t, const char *key, struct slice event)
{
    const struct json_value *table = json_get(t->value, key);
    struct unit unit = weight_unit(table, &event);
    struct samples s = {0};
    bool ok = true;

    if (!table)
        return true;
    firefox_table_init(&s.table, table);
    s.stack = firefox_table_column_in_order(&s.table, "stack");
    s.weight = firefox_table_column_in_order(&s.table, "weight");
    s.time = firefox_table_column_in_order(&s.table, "time");
    s.delta = firefox_table_column_in_order(&s.table, "timeDeltas");
    if (firefox_table_rows(&s.stack)) {
        t->origin.event = event;
        s.series = builder_series(t->b, &t->origin, unit);
        ok = add_samples(t, &s);
    }
    firefox_table_release(&s.table);
    return ok;
}

/* ---- the oldest form: each sample has its frames --------------------------------------------- */

static bool add_listed(struct thread *t, uint32_t series, const struct json_value *sample)
{
    const struct json_value *frames = json_get(sample, "frames");
    struct samples s = {.series = series};
    uint32_t stack = t->root;
    struct frame f;
    uint64_t ns;

    t->b->profile->ledger.lines++;
    if (!frames || !frames->count)
        builder_note_bare(t->b, series, 1);
    json_each(frame, frames)
    {
        const struct json_value *location = json_get(frame, "location");

        if (!firefox_frames_parse(&t->frames, json_text(location ? location : frame), &f))
            continue;
        json_u64(json_get(frame, "line"), &f.line);
        if (!builder_child(t->b, stack, &f, &stack))
            return false;
    }
    if (read_time(json_get(sample, "time"), &ns) && num_add(ns, t->process->start, &ns))
        builder_time(t->b, series, ns);
    return add_row(t, &s, 0, stack);
}

static bool read_listed(struct thread *t, const struct json_value *samples)
{
    uint32_t series;

    if (!samples->count)
        return true;
    t->origin.event = SLICE("samples");
    series = builder_series(t->b, &t->origin, unit_samples);
    if (!make_root(t))
        return false;
    json_each(sample, samples) if (!add_listed(t, series, sample)) return false;
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool read_tables(struct thread *t)
{
    static const struct {
        const char *key;
        struct slice event;
    } tables[] = {
        {"samples", {"", 0}},
        {"jsAllocations", {"JS allocations", 14}},
        {"nativeAllocations", {"native allocations", 18}},
    };
    const struct json_value *own = json_get(t->value, "stackTable");
    uint32_t count;
    bool ok = true;

    firefox_table_init(&t->stack_table, own ? own : json_get(t->process->shared, "stackTable"));
    t->prefix = firefox_table_column(&t->stack_table, "prefix");
    t->offsets = !t->prefix.there;
    if (t->offsets)
        t->prefix = firefox_table_column(&t->stack_table, "prefixOffset");
    t->frame = firefox_table_column(&t->stack_table, "frame");
    count = firefox_table_rows(&t->prefix);
    t->stacks = xcalloc((size_t)count + 1, sizeof(*t->stacks));
    t->used = xcalloc((size_t)count + 1, sizeof(*t->used));
    t->idle = xcalloc((size_t)count + 1, sizeof(*t->idle));
    for (size_t i = 0; ok && i < sizeof(tables) / sizeof(tables[0]); i++)
        ok = read_samples(t, tables[i].key, tables[i].event);
    xfree(t->stacks);
    xfree(t->used);
    xfree(t->idle);
    firefox_table_release(&t->stack_table);
    return ok;
}

/* Reads a thread. Returns false after reporting an error. */
static bool firefox_thread_read(struct builder *b, const struct firefox_process *process,
                                const struct json_value *thread)
{
    struct thread t = {.b = b, .process = process, .value = thread, .root = STACK_ROOT};
    const struct json_value *samples = json_get(thread, "samples");
    bool ok;

    read_origin(&t);
    firefox_frames_init(&t.frames, thread, process->shared, process->libs);
    t.frames.cleaned = process->converted;
    t.frames.addresses = process->addresses;
    ok = samples && samples->type == JSON_ARRAY ? read_listed(&t, samples) : read_tables(&t);
    firefox_frames_release(&t.frames);
    return ok;
}

/* ---- Cleopatra ----------------------------------------------------------------------------- */

/*
 * Profiles of Cleopatra, the Firefox Profiler's ancestor.
 *
 *     {"format": "profileJSONWithSymbolicationTable,1", "meta": {...},
 *      "profileJSON": [{"frames": [2180, 0, 1], "extraInfo": {"time": 131480}}, ...],
 *      "symbolicationTable": {"0": "XRE_main (in XUL)", ..., "2180": "(root)"}}
 *
 * Frames are root first. If there are several threads, "profileJSON" is
 * {"threads": {"0": {"name": "Gecko", "samples": [...]}, ...}}.
 */

struct cleopatra {
    struct builder *b;
    struct intern numbers;     /* keys of the symbols, as written */
    VEC(struct slice) symbols; /* indexed by intern id */
    uint64_t unknown;
};

static void read_symbols(struct cleopatra *c, const struct json_value *table)
{
    json_each(symbol, table) if (intern_add(&c->numbers, symbol->key) == c->symbols.count) *
        vec_add(&c->symbols) = json_text(symbol);
}

static bool add_frame(struct cleopatra *c, const struct json_value *number, uint32_t *stack)
{
    static const struct firefox_frames no_libs = {0};
    uint32_t id = intern_find(&c->numbers, number->text);
    struct frame f = {.kind = FRAME_PLAIN};

    if (id == MAP_NONE)
        c->unknown++;
    else if (!firefox_frames_parse(&no_libs, c->symbols.items[id], &f))
        return true;
    return builder_child(c->b, *stack, &f, stack);
}

static bool add_frames(struct cleopatra *c, uint32_t series, uint32_t root,
                       const struct json_value *sample)
{
    const struct json_value *frames = json_get(sample, "frames");
    const struct json_value *time = json_at(sample, "extraInfo.time");
    uint32_t stack = root;
    uint64_t ms;

    c->b->profile->ledger.lines++;
    if (!frames || !frames->count)
        builder_note_bare(c->b, series, 1);
    json_each(number, frames) if (!add_frame(c, number, &stack)) return false;
    if (json_u64(time, &ms) && num_mul(ms, 1000000, &ms))
        builder_time(c->b, series, ms);
    return builder_add_at(c->b, series, stack, (struct decimal){.value = 1});
}

static bool read_list(struct cleopatra *c, struct slice name, const struct json_value *samples)
{
    struct origin origin = {.event = SLICE("samples"), .thread = name};
    struct frame owner = {.name = name, .kind = FRAME_OWNER};
    uint32_t series, root;

    if (!samples || !samples->count)
        return true;
    series = builder_series(c->b, &origin, unit_samples);
    if (!builder_child(c->b, STACK_ROOT, &owner, &root))
        return false;
    json_each(sample, samples) if (!add_frames(c, series, root, sample)) return false;
    return true;
}

static bool read_threads(struct cleopatra *c, const struct json_value *profile)
{
    const struct json_value *threads = json_get(profile, "threads");

    if (profile && profile->type == JSON_ARRAY)
        return read_list(c, SLICE("GeckoMain"), profile);
    if (!threads)
        return diag_error(c->b->diag, "the profile contains neither 'samples' nor 'threads'");
    json_each(thread, threads) if (!read_list(c, json_text(json_get(thread, "name")),
                                              json_get(thread, "samples"))) return false;
    return true;
}

/*
 * Adds all samples, each with its thread as first frame (input/build/owners.h).
 * Returns false after reporting an error.
 */
static bool firefox_cleopatra_read(struct builder *b, const struct json_value *profile)
{
    struct cleopatra c = {.b = b};
    bool ok;

    read_symbols(&c, json_get(profile, "symbolicationTable"));
    ok = read_threads(&c, json_get(profile, "profileJSON"));
    diag_warn_count(b->diag, c.unknown,
                    "# frame{ is not in the symbol table and is|s are not in the symbol table; "
                    "they are} shown as unknown");
    intern_release(&c.numbers);
    vec_release(&c.symbols);
    return ok;
}

/* A profile in the file that has not been read yet. */
struct part {
    const struct json_value *profile;
    uint32_t depth; /* number of profiles around it */
};

enum { MOST_DEPTH = 8 };

struct firefox {
    struct builder b;
    struct addresses addresses;
    VEC(struct part) parts;
    VEC(struct json_document) documents; /* JSON that was read from strings */
};

static bool firefox_claims(const struct head *h)
{
    return head_has_any(h, "meta.preprocessedProfileVersion", "libs[].breakpadId",
                        "threads[].stackTable.schema", "threads[].stackTable.prefix",
                        "threads[].frameTable.func", "threads[].samples[].frames[].location",
                        "profile.meta.preprocessedProfileVersion", "profile.libs[].breakpadId",
                        "profile.threads[].stackTable") ||
           slice_starts(head_text(h, "format"), SLICE("profileJSONWithSymbolicationTable")) ||
           (head_has(h, "meta.interval") && head_has(h, "meta.processType") &&
            (!h->whole || head_has(h, "threads")));
}

/* ---- JSON in strings ----------------------------------------------------------------------- */

/*
 * Returns the value, or the JSON that its string contains. Returns NULL after
 * reporting that the string is not JSON.
 */
static const struct json_value *unwrap(struct firefox *f, const struct json_value *v)
{
    struct json_document *d;

    if (!v || v->type != JSON_STRING)
        return v;
    d = vec_add(&f->documents);
    if (!json_load_text(v->text, f->b.diag, d))
        return NULL;
    return d->values.items;
}

/* ---- profiles ------------------------------------------------------------------------------ */

/* Returns the start in nanoseconds since 1970, or 0 if it is not stated. */
static uint64_t start_of(const struct json_value *profile)
{
    struct decimal d;
    uint64_t ns;

    if (!json_decimal(json_at(profile, "meta.startTime"), &d, NULL))
        return 0;
    for (; d.decimals > NUM_MAX_DECIMALS - 3; d.decimals--)
        d.value /= 10;
    return num_mul(d.value, num_pow10(NUM_MAX_DECIMALS - 3 - d.decimals), &ns) ? ns : 0;
}

static bool add_part(struct firefox *f, const struct json_value *profile, uint32_t depth)
{
    if (depth > MOST_DEPTH)
        return diag_error(f->b.diag, "process profiles are nested deeper than %d levels",
                          MOST_DEPTH);
    *vec_add(&f->parts) = (struct part){profile, depth};
    return true;
}

/* Reads a thread or, in the oldest files, the whole profile of another process. */
static bool read_thread(struct firefox *f, const struct firefox_process *process,
                        const struct json_value *thread, uint32_t depth)
{
    thread = unwrap(f, thread);
    if (!thread)
        return false;
    if (json_get(thread, "threads"))
        return add_part(f, thread, depth + 1);
    return firefox_thread_read(&f->b, process, thread);
}

/* Returns the number of the category "Idle", or FIREFOX_NONE. */
static uint32_t idle_category(const struct json_value *profile)
{
    uint32_t number = 0;

    json_each(category, json_at(profile, "meta.categories"))
    {
        if (slice_equal(json_text(json_get(category, "name")), SLICE("Idle")))
            return number;
        number++;
    }
    return FIREFOX_NONE;
}

static bool read_part(struct firefox *f, struct part part)
{
    const struct json_value *profile = part.profile;
    const struct json_value *threads = json_get(profile, "threads");
    const struct json_value *processes = json_get(profile, "processes");
    const struct json_value *libs = unwrap(f, json_get(profile, "libs"));
    struct slice importer = json_text(json_at(profile, "meta.importedFrom"));
    struct firefox_process process = {json_get(profile, "shared"),
                                      libs,
                                      start_of(profile),
                                      slice_equal(importer, SLICE("flamepress")),
                                      &f->addresses,
                                      idle_category(profile)};

    if (json_get(profile, "libs") && !libs)
        return false;
    json_each(thread, threads) if (!read_thread(f, &process, thread, part.depth)) return false;
    json_each(inner, processes)
    {
        const struct json_value *v = unwrap(f, inner);

        if (!v || !add_part(f, v, part.depth + 1))
            return false;
    }
    return true;
}

static void add_facts(struct firefox *f, const struct json_value *profile)
{
    static const struct {
        const char *path;
        struct slice key;
    } facts[] = {
        {"meta.product", {"product", 7}},
        {"meta.oscpu", {"system", 6}},
        {"meta.CPUName", {"CPU", 3}},
    };

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        struct slice value = json_text(json_at(profile, facts[i].path));

        if (value.len)
            profile_add_fact(f->b.profile, facts[i].key, value);
    }
}

/* Reads a profile, unwrapped from DevTools' object, with its processes and threads. */
static bool read_profile(struct firefox *f, const struct json_value *top)
{
    const struct json_value *wrapped = unwrap(f, json_get(top, "profile"));
    const struct json_value *profile = json_get(top, "threads") || !wrapped ? top : wrapped;

    if (!json_get(profile, "threads"))
        return diag_error(f->b.diag, "the profile has no 'threads'");
    add_facts(f, profile);
    if (!add_part(f, profile, 0))
        return false;
    for (size_t i = 0; i < f->parts.count; i++)
        if (!read_part(f, f->parts.items[i]))
            return false;
    owners_strip(f->b.profile, OWNERS_MOST);
    return true;
}

static bool read_document(struct firefox *f, const struct json_value *top)
{
    if (!json_get(top, "profileJSON"))
        return read_profile(f, top);
    if (!firefox_cleopatra_read(&f->b, top))
        return false;
    owners_strip(f->b.profile, 1);
    return true;
}

static bool firefox_read(struct content *c)
{
    struct firefox f = {0};
    struct json_document document;
    bool ok;

    builder_init(&f.b, c->profile, c->options, c->diag);
    addresses_init(&f.addresses, c->options, c->diag);
    ok = json_load(c, &document) && read_document(&f, document.values.items);
    addresses_report(&f.addresses, c->profile);
    json_release(&document);
    vec_each (struct json_document, d, &f.documents)
        json_release(d);
    vec_release(&f.documents);
    vec_release(&f.parts);
    addresses_release(&f.addresses);
    builder_release(&f.b);
    return ok;
}

const struct format format_firefox = {
    .name = "firefox",
    .family = FORMAT_BROWSERS,
    .description = "Firefox Profiler files, raw or processed, of all versions; samply",
    .recognised =
        "JSON with 'threads' that have a 'stackTable', or with the Firefox Profiler's 'meta'",
    .example = "samply record --save-only -o app.json ./app   # or profiler.firefox.com, Save",
    .without_stacks = "no thread has samples with stacks; select the threads before recording",
    .claims = firefox_claims,
    .read = firefox_read,
};
