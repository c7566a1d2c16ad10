/*
 * Pages of Python's profiling.sampling: flame graphs, and differential ones.
 *
 *     const EMBEDDED_DATA = {"name": 4, "value": 71, "thread_values": {"9295": [71, 0]},
 *         "children": [{"filename": 1, "funcname": 2, "lineno": 7, "value": 71,
 *                       "thread_values": {"9295": [71, 60]}, "children": [...]}],
 *         "strings": ["", "app.py", "main", ...],
 *         "stats": {"sample_interval_usec": 1000, ...}};
 *
 * Texts are indices of "strings". The value of a node includes its children; what they leave is its
 * own, because nodes of less than 0.1 % are left out of the page. The top becomes a frame only if
 * it has a function: it is then the only root. Kept: function, file and line, threads.
 *
 * In a differential page each node also has "baseline_total", samples of the base times
 * "stats.baseline_scale", summed over all lines of a function; each line of it repeats the sum.
 * "stats.elided_flamegraph" is a tree of the stacks that only the base has, with their callers. The
 * numbers of the base are divided by the scale, so that both sides are the samples that were taken.
 * Such a page does not say which thread a sample of the base is from.
 *
 * Source: Lib/profiling/sampling/stack_collector.py of CPython 3.15.
 */
#include "input/build/python.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/page.h"

#define TITLE "<title>Tachyon Profiler - "

static const double most_samples = 9e15; /* whole numbers below are exact in floating point */

/* A node that is not read yet. */
struct todo {
    const struct json_value *node;
    uint32_t stack, path; /* of the caller */
};

/* The base's samples in a path of functions, whatever their lines. */
struct base {
    uint32_t stack;
    uint64_t total, below; /* with all callees; of the callees */
};

struct sampling_page {
    struct builder b;
    VEC(struct slice) strings;
    VEC(struct todo) todo;
    struct intern threads;
    VEC(uint64_t) below;    /* of the children of a node, by thread */
    VEC(uint32_t) touched;  /* threads whose `below` is not 0 */
    struct intern paths;    /* caller's path, file and function */
    VEC(struct base) bases; /* by path */
    struct buf name, key;
    bool differential;
    double scale;
    uint32_t series, base; /* of a differential page; else the series of all threads */
    uint64_t lighter;      /* nodes whose children outweigh them */
};

static bool sampling_page_claims(const struct head *head)
{
    return page_has(head, TITLE "Flamegraph Report") ||
           page_has(head, TITLE "Differential Flamegraph Report");
}

/* ---- frames -------------------------------------------------------------------------------- */

static void read_strings(struct sampling_page *s, const struct json_value *top)
{
    vec_clear(&s->strings);
    json_each(v, json_get(top, "strings")) * vec_add(&s->strings) = json_text(v);
}

/* Returns the string that a member is the index of; empty and false if there is none. */
static bool string_of(const struct sampling_page *s, const struct json_value *v, struct slice *text)
{
    uint64_t index;

    *text = SLICE("");
    if (!json_u64(v, &index) || index >= s->strings.count)
        return false;
    *text = s->strings.items[index];
    return true;
}

/* The frame of a node; "<GC>" and "<native>" have the file "~". */
static struct frame read_frame(struct sampling_page *s, const struct json_value *node)
{
    struct frame f = {.kind = FRAME_PLAIN};
    struct slice function;

    if (!string_of(s, json_get(node, "funcname"), &function) ||
        !string_of(s, json_get(node, "filename"), &f.file))
        builder_skip(&s->b, DIAG_AT_FILE, "a node has no function: %s; shown as unknown",
                     json_quoted(node).text);
    if (slice_equal(f.file, SLICE("~")))
        f.file = SLICE("");
    else
        json_u64(json_get(node, "lineno"), &f.line);
    f.name = python_name(function, f.file, &s->name);
    return f;
}

/* ---- weights ------------------------------------------------------------------------------- */

static uint32_t thread_series(struct sampling_page *s, struct slice tid)
{
    if (s->differential)
        return s->series;
    return builder_series(&s->b, &(struct origin){.tid = tid}, unit_samples);
}

/* Returns what the children leave of a value. */
static uint64_t leave(struct sampling_page *s, uint64_t value, uint64_t below)
{
    s->lighter += below > value;
    return below > value ? 0 : value - below;
}

static bool add_own(struct sampling_page *s, uint32_t series, uint32_t stack, uint64_t own)
{
    return !own || (builder_add_at(&s->b, series, stack, (struct decimal){.value = own}));
}

static bool value_of(const struct json_value *node, uint64_t *value)
{
    return json_u64(json_get(node, "value"), value);
}

/* The weight of a node that does not say what its threads have. */
static bool add_value(struct sampling_page *s, const struct json_value *node, uint32_t stack)
{
    uint64_t value, child, below = 0;

    if (!value_of(node, &value)) {
        builder_skip(&s->b, DIAG_AT_FILE, "the value of a node is not a number: %s; it counts as 0",
                     json_quoted(node).text);
        return true;
    }
    json_each(
        v, json_get(node, "children")) if (value_of(v, &child) &&
                                           !num_add(below, child,
                                                    &below)) return diag_error(s->b.diag,
                                                                               PROFILE_TOO_HEAVY);
    return add_own(s, thread_series(s, SLICE("")), stack, leave(s, value, below));
}

/* Adds the threads of a node, "thread_values": {"9295": [TOTAL, OWN]}, to those of its parent. */
static bool sum_threads(struct sampling_page *s, const struct json_value *node)
{
    uint64_t value;

    json_each(v, json_get(node, "thread_values"))
    {
        uint32_t thread = intern_add(&s->threads, v->key);

        while (s->below.count <= thread)
            *vec_add(&s->below) = 0;
        if (!json_u64(v->type == JSON_ARRAY ? json_first(v) : NULL, &value) || !value)
            continue;
        if (!s->below.items[thread])
            *vec_add(&s->touched) = thread;
        if (!num_add(s->below.items[thread], value, &s->below.items[thread]))
            return diag_error(s->b.diag, PROFILE_TOO_HEAVY);
    }
    return true;
}

static bool add_threads(struct sampling_page *s, const struct json_value *node,
                        const struct json_value *threads, uint32_t stack)
{
    bool ok = true;
    uint64_t value;

    vec_clear(&s->touched);
    json_each(child, json_get(node, "children")) ok = ok && sum_threads(s, child);
    json_each(v, threads)
    {
        uint32_t thread = intern_add(&s->threads, v->key);
        uint64_t below = thread < s->below.count ? s->below.items[thread] : 0;

        if (!json_u64(v->type == JSON_ARRAY ? json_first(v) : NULL, &value))
            builder_skip(&s->b, DIAG_AT_FILE, "malformed values of a thread: %s; they count as 0",
                         json_quoted(v).text);
        else
            ok = ok && add_own(s, thread_series(s, v->key), stack, leave(s, value, below));
    }
    vec_each (uint32_t, thread, &s->touched)
        s->below.items[*thread] = 0;
    return ok;
}

/* ---- the base ------------------------------------------------------------------------------ */

/* Converts a member to samples of the base. */
static bool base_samples(const struct sampling_page *s, const struct json_value *v, uint64_t *count)
{
    double value;

    if (!v || v->type != JSON_NUMBER || !num_parse_double(v->text, &value))
        return false;
    value = value / s->scale + 0.5;
    if (!(value >= 0 && value < most_samples))
        return false;
    *count = (uint64_t)value;
    return true;
}

/* Takes the base's samples of a node, unless another line of the function had them. */
static bool take_base(struct sampling_page *s, const struct json_value *node, uint32_t stack,
                      uint32_t caller, uint32_t *path)
{
    const struct json_value *total = json_get(node, "baseline_total");
    struct slice file, function;
    struct base base = {.stack = stack};

    string_of(s, json_get(node, "filename"), &file);
    string_of(s, json_get(node, "funcname"), &function);
    buf_clear(&s->key);
    buf_printf(&s->key, "%u ", caller);
    buf_add_slice(&s->key, file);
    buf_add_char(&s->key, 0);
    buf_add_slice(&s->key, function);
    *path = intern_add(&s->paths, buf_slice(&s->key));
    if (*path < s->bases.count)
        return true;
    if (!base_samples(s, total, &base.total))
        builder_skip(&s->b, DIAG_AT_FILE, "malformed 'baseline_total' of a node: %s; counts as 0",
                     json_quoted(total).text);
    *vec_add(&s->bases) = base;
    return num_add(s->bases.items[caller].below, base.total, &s->bases.items[caller].below) ||
           diag_error(s->b.diag, PROFILE_TOO_HEAVY);
}

static bool add_bases(struct sampling_page *s)
{
    vec_each (const struct base, base, &s->bases)
        if (!add_own(s, s->base, base->stack, leave(s, base->total, base->below)))
            return false;
    return true;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Reads a node and puts its children on the list. */
static bool read_node(struct sampling_page *s, struct todo todo, bool elided)
{
    const struct json_value *threads = json_get(todo.node, "thread_values");
    bool has_function = json_get(todo.node, "funcname") != NULL;

    s->b.profile->ledger.lines++;
    if (todo.node->type != JSON_OBJECT) {
        builder_skip_child(&s->b, todo.node);
        return true;
    }
    if (has_function || todo.stack != STACK_ROOT) {
        struct frame f = read_frame(s, todo.node);

        if (!builder_child(&s->b, todo.stack, &f, &todo.stack) ||
            (s->differential && !take_base(s, todo.node, todo.stack, todo.path, &todo.path)))
            return false;
    }
    json_each(child, json_get(todo.node, "children")) * vec_add(&s->todo) =
        (struct todo){child, todo.stack, todo.path};
    if (elided)
        return true;
    if (threads && threads->type == JSON_OBJECT && threads->count && !s->differential)
        return add_threads(s, todo.node, threads, todo.stack);
    return add_value(s, todo.node, todo.stack);
}

static bool read_tree(struct sampling_page *s, const struct json_value *top, bool elided)
{
    read_strings(s, top);
    vec_clear(&s->todo);
    *vec_add(&s->todo) = (struct todo){top, STACK_ROOT, 0};
    while (s->todo.count) {
        struct todo next = s->todo.items[--s->todo.count];

        if (!read_node(s, next, elided))
            return false;
    }
    return true;
}

static bool read_differential(struct sampling_page *s, const struct json_value *top,
                              const struct json_value *stats)
{
    const struct json_value *elided = json_get(stats, "elided_flamegraph");
    struct base root = {.stack = STACK_ROOT};
    uint64_t samples = 0;

    if (!json_u64(json_get(stats, "baseline_samples"), &samples) || samples > most_samples)
        return diag_error(s->b.diag, "the page does not say how many samples the base has");
    root.total = samples;
    intern_add(&s->paths, SLICE(""));
    *vec_add(&s->bases) = root;
    s->series = profile_series_pair(s->b.profile, SLICE("base"), SLICE("new"), unit_samples);
    s->base = s->b.profile->series.items[s->series].base;
    return read_tree(s, top, false) && (!elided || read_tree(s, elided, true)) && add_bases(s);
}

static bool read_top(void *context, const struct json_value *top, struct slice page)
{
    struct sampling_page *s = context;
    const struct json_value *stats = json_get(top, "stats");
    const struct json_value *differential = json_get(stats, "is_differential");
    const struct json_value *scale = json_get(stats, "baseline_scale");
    bool ok;

    (void)page;
    s->differential = differential && differential->type == JSON_TRUE;
    s->scale = 1;
    if (scale && (!num_parse_double(scale->text, &s->scale) || !(s->scale > 0)))
        return diag_error(s->b.diag, "malformed 'baseline_scale': %s", json_quoted(scale).text);
    ok = s->differential ? read_differential(s, top, stats) : read_tree(s, top, false);
    diag_warn_count(s->b.diag, s->lighter,
                    "# node{ weighs|s weigh} less than {its|their} children; "
                    "the children count in full");
    return ok;
}

static bool sampling_page_read(struct content *c)
{
    struct sampling_page s = {0};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    ok = page_read(c, "const EMBEDDED_DATA =", read_top, &s);
    release_each(&s, (vec, strings, todo, below, touched, bases), (intern, threads, paths),
                 (buf, name, key), (builder, b));
    return ok;
}

const struct format format_sampling_page = {
    .name = "sampling-page",
    .family = FORMAT_PICTURES,
    .description = "flame graphs of Python's profiling.sampling, and its differential ones",
    .recognised = "a page with the title 'Tachyon Profiler - Flamegraph Report'",
    .example = "python3.15 -m profiling.sampling run --flamegraph -o app.html app.py",
    .claims = sampling_page_claims,
    .read = sampling_page_read,
    .picture = true,
};
