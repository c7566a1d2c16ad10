/*
 * GHC's time and allocation profile as JSON (+RTS -pj).
 *
 *     {"program": "app", "tick_interval": 1000, "total_ticks": 798, "total_alloc": 1921,
 *      "cost_centres": [{"id": 144, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>"}],
 *      "profile": {"id": 144, "entries": 0, "alloc": 1024, "ticks": 0, "children": [...]}}
 *
 * Ticks and bytes are a node's own; each makes a graph. A name is
 * "Module.label". Both sums are compared with those that the file states.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/script/ghc.h"
#include "input/parse/json_tree.h"

enum { TICKS, ALLOC, SERIES };

static const char *const series_keys[SERIES] = {"ticks", "alloc"};
static const char *const sum_keys[SERIES] = {"total_ticks", "total_alloc"};

/* What a node says of itself; its own ticks and bytes. */
struct node {
    uint32_t id; /* of a cost centre; MAP_NONE without one */
    uint64_t weights[SERIES];
};

struct ghc_json {
    struct builder b;
    struct json_tree tree;
    VEC(struct node) nodes;
    VEC(uint32_t) stacks;  /* by node */
    struct intern ids;     /* of cost centres, as written */
    VEC(uint32_t) entries; /* by id; MAP_NONE where it is not in the table */
    struct buf program;
    uint64_t interval;
    uint64_t stated[SERIES]; /* sums of the weights, where has_stated */
    bool has_stated[SERIES];
    uint64_t sums[SERIES];
    uint64_t unknown; /* nodes of cost centres that are not in the table */
};

static bool ghc_json_claims(const struct head *h)
{
    return head_has(h, "cost_centres") && (!h->whole || head_has(h, "profile"));
}

/* The number of an id, which the table or a node has first. */
static uint32_t id_of(struct ghc_json *g, const struct json_value *v)
{
    uint32_t id = intern_add(&g->ids, v->text);

    if (id == g->entries.count)
        *vec_add(&g->entries) = MAP_NONE;
    return id;
}

static void read_cost_centre(struct ghc_json *g, const struct json_value *centre)
{
    const struct json_value *v = json_get(centre, "id");
    struct frame f = {.kind = FRAME_PLAIN};
    struct buf name;
    uint32_t id;

    if (!v)
        return;
    id = id_of(g, v);
    if (g->entries.items[id] != MAP_NONE)
        return;
    buf_init(&name);
    buf_add_slice(&name, json_text(json_get(centre, "module")));
    buf_add_char(&name, '.');
    buf_add_slice(&name, json_text(json_get(centre, "label")));
    f.name = buf_slice(&name);
    ghc_set_source(&f, json_text(json_get(centre, "src_loc")));
    g->entries.items[id] = builder_entry(&g->b, &f);
    buf_release(&name);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static bool is_list(struct slice key)
{
    return slice_equal(key, SLICE("children"));
}

static struct node *get_node(struct ghc_json *g, uint32_t node)
{
    json_tree_follow(&g->tree, &g->nodes, (struct node){.id = MAP_NONE});
    return &g->nodes.items[node];
}

static void read_member(struct ghc_json *g, uint32_t node, const struct json_value *v)
{
    struct node *n = get_node(g, node);

    if (slice_equal(v->key, SLICE("id"))) {
        n->id = id_of(g, v);
        return;
    }
    for (int i = 0; i < SERIES; i++)
        if (slice_equal(v->key, slice_str(series_keys[i])) && !json_u64(v, &n->weights[i]))
            n->weights[i] = 0;
}

static bool open_container(void *context, struct slice key)
{
    struct ghc_json *g = context;

    if (json_tree_is_open(&g->tree))
        return json_tree_open(&g->tree, key);
    if (slice_equal(key, SLICE("cost_centres")))
        return true;
    if (!slice_equal(key, SLICE("profile")))
        return false;
    g->tree.parents.count = 0;
    json_tree_begin(&g->tree);
    return true;
}

static bool close_container(void *context)
{
    struct ghc_json *g = context;

    if (json_tree_is_open(&g->tree))
        json_tree_close(&g->tree);
    return true;
}

static void read_fact(struct ghc_json *g, const struct json_value *v)
{
    if (slice_equal(v->key, SLICE("program"))) {
        buf_clear(&g->program);
        buf_add_slice(&g->program, json_text(v));
    } else if (slice_equal(v->key, SLICE("tick_interval"))) {
        json_u64(v, &g->interval);
    }
    for (int i = 0; i < SERIES; i++)
        if (slice_equal(v->key, slice_str(sum_keys[i])))
            g->has_stated[i] = json_u64(v, &g->stated[i]);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct ghc_json *g = context;
    uint32_t node;

    (void)at;
    if (json_tree_is_open(&g->tree)) {
        node = json_tree_value(&g->tree);
        if (node != JSON_TREE_NONE)
            read_member(g, node, v);
    } else if (slice_equal(parent, SLICE("cost_centres"))) {
        read_cost_centre(g, v);
    } else if (!parent.len) {
        read_fact(g, v);
    }
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t entry_of(struct ghc_json *g, uint32_t id)
{
    if (id < g->entries.count && g->entries.items[id] != MAP_NONE)
        return g->entries.items[id];
    g->unknown++;
    return builder_entry(&g->b, &(struct frame){.kind = FRAME_PLAIN});
}

static bool add_node(struct ghc_json *g, uint32_t node, const uint32_t *series)
{
    uint32_t above = g->tree.parents.items[node];
    uint32_t *stack = vec_add(&g->stacks);

    g->b.profile->ledger.lines++;
    if (!builder_child_entry(&g->b, above == JSON_TREE_NONE ? STACK_ROOT : g->stacks.items[above],
                             entry_of(g, g->nodes.items[node].id), stack))
        return false;
    for (int i = 0; i < SERIES; i++) {
        uint64_t weight = g->nodes.items[node].weights[i];

        g->sums[i] += weight;
        if (weight && !builder_add_at(&g->b, series[i], *stack, (struct decimal){.value = weight}))
            return false;
    }
    return true;
}

static void check_sum(struct ghc_json *g, int series)
{
    if (g->has_stated[series] && g->stated[series] != g->sums[series])
        diag_add(g->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s is %llu, and the nodes add up to %llu; what they add up to is shown",
                 sum_keys[series], (unsigned long long)g->stated[series],
                 (unsigned long long)g->sums[series]);
}

static bool finish(struct ghc_json *g)
{
    uint32_t series[SERIES];

    if (!g->tree.parents.count)
        return diag_error(g->b.diag, "the profile has no 'profile', its tree");
    json_tree_end(&g->tree);
    get_node(g, 0);
    if (g->program.len)
        profile_add_fact(g->b.profile, SLICE("command"), buf_slice(&g->program));
    series[TICKS] =
        builder_series(&g->b, &(struct origin){.event = SLICE("time")}, ghc_tick_unit(g->interval));
    series[ALLOC] = builder_series(&g->b, &(struct origin){.event = SLICE("alloc")},
                                   unit_named(SLICE("bytes")));
    for (uint32_t i = 0; i < g->nodes.count; i++)
        if (!add_node(g, i, series))
            return false;
    if (g->unknown)
        diag_add(g->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu nodes are of cost centres that are not in the table, and shown as unknown",
                 (unsigned long long)g->unknown);
    check_sum(g, TICKS);
    check_sum(g, ALLOC);
    return true;
}

static bool ghc_json_read(struct content *c)
{
    struct ghc_json g = {.tree.is_list = is_list};
    struct json_handler handler = {.context = &g,
                                   .one_document = true,
                                   .open = open_container,
                                   .close = close_container,
                                   .value = read_value};
    bool ok;

    builder_init(&g.b, c->profile, c->options, c->diag);
    intern_init(&g.ids);
    buf_init(&g.program);
    ok = json_read(c, &handler) && finish(&g);
    json_tree_release(&g.tree);
    vec_release(&g.nodes);
    vec_release(&g.stacks);
    vec_release(&g.entries);
    buf_release(&g.program);
    intern_release(&g.ids);
    builder_release(&g.b);
    return ok;
}

const struct format format_ghc_json = {
    .name = "ghc-json",
    .family = FORMAT_LANGUAGES,
    .description = "GHC's profile of Haskell programs as JSON, time and allocation",
    .recognised = "JSON with 'cost_centres' and 'profile'",
    .example = "ghc -prof -fprof-auto app.hs && ./app +RTS -pj   # writes app.prof",
    .claims = ghc_json_claims,
    .read = ghc_json_read,
};
