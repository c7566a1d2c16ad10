/*
 * Trees of Proton, the profiler of Triton: work of GPUs below the scopes that launched it.
 *
 *     [{"frame": {"name": "ROOT"}, "metrics": {"time (ns)": 0}, "children": [
 *         {"frame": {"name": "train.py:step@88"}, "metrics": {"flops8": 1e9}, "children": [
 *             {"frame": {"name": "matmul_kernel"}, "children": [],
 *              "metrics": {"time (ns)": 4064, "count": 2, "device_type": "CUDA"}}]}]},
 *      {"CUDA": {"0": {"arch": "90", "num_sms": 132}}}]
 *
 * Each metric is an event; its unit is in parentheses, or known by its name. A node has its own
 * metrics, without those of its children. "cpu_time (ns)(exc)" is the one exception: the duration
 * of a scope, with all scopes in it. Other metrics with "(exc)", such as shares, cannot be added up
 * and are left out; so are the sums "(inc)" that Hatchet writes into such files.
 *
 * ROOT is no frame. A node with a device is a kernel: it and what is below it are frames of the
 * device, after a separator. So is a node with samples of program counters, or its parent if the
 * node is a line. Lines of scopes and kernels have the names "FILE:FUNCTION@LINE". The last element
 * describes the devices, which become facts.
 *
 * Source: third_party/proton/csrc/lib/Data/TreeData.cpp and proton/scope.py of
 * github.com/triton-lang/triton.
 */
#include "input/build/nested.h"
#include "input/build/python.h"
#include "input/format.h"
#include "input/parse/json_tree.h"

#define CPU_TIME "cpu_time"

/* What the metrics of one name are. */
struct metric {
    struct slice event; /* in proton.names */
    struct unit unit;
    bool left_out, is_cpu_time;
};

struct value {
    uint32_t metric;
    struct decimal amount;
};

/* What the file states about a node. */
struct node {
    uint32_t name;                /* in proton.texts, or MAP_NONE */
    uint32_t device_type, device; /* likewise */
    uint32_t first, count;        /* of its values */
    uint32_t stack, depth;        /* known at the end */
    bool is_device;
};

static const struct node no_node = {.name = MAP_NONE, .device_type = MAP_NONE, .device = MAP_NONE};

struct proton {
    struct content *content;
    struct builder builder;
    struct json_tree tree;
    bool begun; /* the tree, which is the first element */
    VEC(struct node) nodes;
    VEC(struct value) values;
    struct intern names;        /* of metrics */
    VEC(struct metric) metrics; /* indexed by name */
    struct intern texts;
    struct buf scratch;
    uint64_t bad, left_out;
};

/* ---- metrics ------------------------------------------------------------------------------- */

/* Takes "(TEXT)" off the end of a name. */
static bool take_parentheses(struct slice *name, struct slice *text)
{
    struct slice s = slice_trim(*name);
    size_t open = slice_find_last(s, '(');

    if (!slice_ends(s, SLICE(")")) || open == s.len || !open)
        return false;
    *text = slice_make(s.ptr + open + 1, s.len - open - 2);
    *name = slice_trim(slice_take(s, open));
    return true;
}

static struct unit unit_of(struct slice name)
{
    if (slice_equal(name, SLICE("count")))
        return unit_named(SLICE("kernels"));
    if (slice_equal(name, SLICE("normalized_cycles")))
        return unit_named(SLICE("cycles"));
    if (slice_starts(name, SLICE("flops")))
        return unit_named(SLICE("flops"));
    if (slice_ends(name, SLICE("_samples")) || slice_starts(name, SLICE("stalled_")))
        return unit_samples;
    return unit_named(name);
}

static struct metric metric_of(struct slice name)
{
    struct metric m = {.event = name};
    struct slice text, rest = name;
    bool exclusive = take_parentheses(&rest, &text) && slice_equal(text, SLICE("exc"));

    if (exclusive)
        m.event = rest;
    rest = m.event;
    if (take_parentheses(&rest, &text)) {
        m.left_out = slice_equal(text, SLICE("inc"));
        m.event = rest;
        m.unit = unit_named(text);
    } else {
        m.unit = unit_of(m.event);
    }
    m.is_cpu_time = slice_equal(m.event, SLICE(CPU_TIME));
    m.left_out = m.left_out || (exclusive && !m.is_cpu_time);
    return m;
}

static uint32_t get_metric(struct proton *p, struct slice name)
{
    uint32_t id = intern_add(&p->names, name);

    if (id == p->metrics.count)
        *vec_add(&p->metrics) = metric_of(intern_get(&p->names, id));
    return id;
}

static void read_metric(struct proton *p, struct node *n, const struct json_value *v)
{
    struct value value;

    if (json_key_is(v, SLICE("device_id"))) {
        n->device = intern_add(&p->texts, json_text(v));
        return;
    }
    if (json_key_is(v, SLICE("device_type"))) {
        n->device_type = intern_add(&p->texts, json_text(v));
        return;
    }
    value.metric = get_metric(p, v->key);
    n->is_device = n->is_device || json_key_is(v, SLICE("num_samples"));
    if (p->metrics.items[value.metric].left_out || v->type == JSON_STRING ||
        v->type == JSON_ARRAY) {
        p->left_out++;
    } else if (v->type == JSON_NUMBER && json_decimal(v, &value.amount, NULL)) {
        *vec_add(&p->values) = value;
        n->count++;
    } else {
        p->bad++;
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static void read_member(void *context, uint32_t node, const struct json_value *v)
{
    struct proton *p = context;
    struct node *n;

    if (node == JSON_TREE_NONE) {
        builder_skip_child(&p->builder, v);
        return;
    }
    json_tree_follow(&p->tree, &p->nodes, no_node);
    n = &p->nodes.items[node];
    if (json_key_is(v, SLICE("frame"))) {
        n->name = intern_add(&p->texts, json_text(json_get(v, "name")));
    } else if (json_key_is(v, SLICE("metrics"))) {
        n->first = (uint32_t)p->values.count;
        n->count = 0;
        json_each(metric, v) read_metric(p, n, metric);
    }
}

static bool open_container(void *context, struct slice key)
{
    struct proton *p = context;

    (void)key;
    if (p->begun)
        return false;
    p->begun = true;
    json_tree_begin(&p->tree);
    return true;
}

/* {"CUDA": {"0": {"arch": "90", "num_sms": 132}}} */
static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct proton *p = context;

    (void)parent;
    (void)at;
    if (v->type != JSON_OBJECT)
        return true;
    json_each(type, v)
    {
        json_each(device, type)
        {
            struct slice arch = json_text(json_get(device, "arch"));
            uint64_t count;

            buf_clear(&p->scratch);
            buf_printf(&p->scratch, "%.*s %.*s", SLICE_ARG(type->key), SLICE_ARG(device->key));
            if (arch.len && json_u64(json_get(device, "num_sms"), &count))
                profile_print_fact(p->content->profile, buf_slice(&p->scratch),
                                   "architecture %.*s, %llu multiprocessors", SLICE_ARG(arch),
                                   (unsigned long long)count);
        }
    }
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Splits "FILE:FUNCTION@LINE". */
static bool split_place(struct slice text, struct frame *f)
{
    size_t at = slice_find_last(text, '@'), drive = 0, colon;

    if (at == text.len || !num_parse_u64(slice_skip(text, at + 1), &f->line))
        return false;
    if (text.len > 2 && text.ptr[1] == ':' && text.ptr[2] == '\\')
        drive = 2;
    colon = drive + slice_find(slice_skip(text, drive), ':');
    if (!colon || colon + 1 >= at || text.ptr[colon + 1] == ':')
        return false;
    f->file = slice_take(text, colon);
    f->name = slice_make(text.ptr + colon + 1, at - colon - 1);
    return true;
}

static uint32_t entry_of(struct proton *p, const struct node *n)
{
    struct slice text = n->name == MAP_NONE ? SLICE("") : intern_get(&p->texts, n->name);
    struct frame f = {.name = text, .kind = n->is_device ? FRAME_NATIVE : FRAME_PLAIN};

    if (split_place(text, &f)) {
        f.kind = frame_kind_of(f.file);
        f.name = python_name(f.name, f.file, &p->scratch);
    } else {
        f.line = 0;
    }
    if (n->is_device) {
        f.class = SYMBOL_DEVICE;
        f.has_class = true;
    }
    return builder_entry(&p->builder, &f);
}

static bool is_root(const struct proton *p, uint32_t node)
{
    const struct node *n = &p->nodes.items[node];

    return p->tree.parents.items[node] == JSON_TREE_NONE && n->name != MAP_NONE &&
           slice_equal(intern_get(&p->texts, n->name), SLICE("ROOT"));
}

/* Marks the kernel of a node that has samples of program counters. */
static void mark_kernel(struct proton *p, uint32_t node)
{
    const struct node *n = &p->nodes.items[node];
    uint32_t parent = p->tree.parents.items[node];
    struct frame f = {0};

    if (n->is_device && n->name != MAP_NONE && parent != JSON_TREE_NONE &&
        split_place(intern_get(&p->texts, n->name), &f))
        p->nodes.items[parent].is_device = true;
}

static bool make_stack(struct proton *p, uint32_t node)
{
    struct builder *b = &p->builder;
    struct node *n = &p->nodes.items[node], top = {.stack = STACK_ROOT};
    const struct node *parent = &top;

    n->is_device = n->is_device || n->device != MAP_NONE;
    n->stack = STACK_ROOT;
    if (is_root(p, node))
        return true;
    if (p->tree.parents.items[node] != JSON_TREE_NONE)
        parent = &p->nodes.items[p->tree.parents.items[node]];
    n->stack = parent->stack;
    n->depth = parent->depth + 1;
    n->is_device = n->is_device || parent->is_device;
    if (n->is_device && !parent->is_device && n->stack != STACK_ROOT &&
        !builder_child_symbol(b, n->stack,
                              symbols_add(&b->profile->symbols, SLICE("-"), SYMBOL_SEPARATOR),
                              &n->stack))
        return false;
    return builder_child_entry(b, n->stack, entry_of(p, n), &n->stack);
}

/* ---- weights ------------------------------------------------------------------------------- */

static uint32_t series_of(struct proton *p, const struct node *n, const struct metric *m)
{
    struct origin origin = {.event = m->event};

    if (n->device != MAP_NONE) {
        buf_clear(&p->scratch);
        origin.pid = intern_get(&p->texts, n->device);
        if (n->device_type != MAP_NONE)
            buf_printf(&p->scratch, "%.*s %.*s", SLICE_ARG(intern_get(&p->texts, n->device_type)),
                       SLICE_ARG(origin.pid));
        origin.process = buf_slice(&p->scratch);
    }
    return builder_series(&p->builder, &origin, m->unit);
}

static bool add_values(struct proton *p, const struct node *n)
{
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const struct value *v = &p->values.items[i];
        const struct metric *m = &p->metrics.items[v->metric];
        uint32_t series;

        if (m->is_cpu_time || !v->amount.value)
            continue;
        series = series_of(p, n, m);
        if (!builder_add_at(&p->builder, series, n->stack, v->amount))
            return false;
        if (series != BUILDER_LEFT_OUT)
            p->content->profile->series.items[series].uncounted = true;
    }
    return true;
}

/* Durations of scopes, of which each keeps what those in it leave. */
static bool add_cpu_times(struct proton *p, uint32_t metric)
{
    uint32_t series = series_of(p, &no_node, &p->metrics.items[metric]);
    struct nested nested;
    bool ok = true;

    nested_init(&nested, &p->builder, false, true);
    for (uint32_t i = 0; ok && i < p->nodes.count; i++) {
        const struct node *n = &p->nodes.items[i];
        struct decimal time = {0};

        for (uint32_t j = n->first; j < n->first + n->count; j++)
            if (p->values.items[j].metric == metric)
                time = p->values.items[j].amount;
        if (time.value || (!n->is_device && !is_root(p, i)))
            ok = nested_add_entry(&nested, series, n->depth, 0, entry_of(p, n), time);
    }
    ok = ok && nested_end(&nested);
    nested_release(&nested);
    return ok;
}

static unsigned rank(const struct series *s)
{
    static const struct slice events[] = {{"time", 4}, {"cycles", 6}, {"num_samples", 11}};
    unsigned i;

    for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (slice_equal(s->event, events[i]))
            break;
    return i;
}

static bool add_nodes(struct proton *p)
{
    json_tree_end(&p->tree);
    json_tree_follow(&p->tree, &p->nodes, no_node);
    for (uint32_t i = 0; i < p->nodes.count; i++)
        mark_kernel(p, i);
    for (uint32_t i = 0; i < p->nodes.count; i++) {
        p->content->profile->ledger.lines++;
        if (!make_stack(p, i) || !add_values(p, &p->nodes.items[i]))
            return false;
    }
    for (uint32_t i = 0; i < p->metrics.count; i++)
        if (p->metrics.items[i].is_cpu_time && !add_cpu_times(p, i))
            return false;
    profile_order_series(p->content->profile, rank);
    return true;
}

static bool proton_read(struct content *content)
{
    struct proton p = {.content = content, .tree.member = read_member};
    struct json_handler handler = {.context = &p,
                                   .one_document = true,
                                   .open = open_container,
                                   .tree = &p.tree,
                                   .value = read_value};
    bool ok;

    builder_init(&p.builder, content->profile, content->options, content->diag);
    ok = json_read(content, &handler) && add_nodes(&p);
    builder_unreadable(&p.builder, p.bad,
                       "skipped # metric{ that is no number|s that are no numbers}");
    if (p.left_out)
        diag_add(content->diag, DIAG_NOTE, DIAG_AT_FILE,
                 "left out metrics that cannot be added up: texts, lists, '(inc)', '(exc)'");
    release_each(&p, (json_tree, tree), (vec, nodes, values, metrics), (intern, names, texts),
                 (buf, scratch), (builder, builder));
    return ok;
}

/* In a long file, the first leaf may be deeper than the paths go. */
static bool proton_claims(const struct head *h)
{
    if (head_has(h, "[].frame.name") && head_has(h, "[].metrics") && head_has(h, "[].children"))
        return true;
    return !h->whole && head_has(h, "[].children[].children") &&
           slice_has(h->bytes, SLICE("\"frame\"")) && slice_has(h->bytes, SLICE("\"metrics\""));
}

const struct format format_proton = {
    .name = "proton",
    .family = FORMAT_DEVICES,
    .description =
        "profiles of Proton, Triton's profiler: GPU time below scopes; a graph per metric",
    .recognised = "JSON array of a tree of 'frame', 'metrics', 'children'",
    .example = "proton --context python -n app app.py   # writes app.hatchet",
    .claims = proton_claims,
    .read = proton_read,
};
