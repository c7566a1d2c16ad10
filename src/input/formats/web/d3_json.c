/*
 * Trees as d3-flame-graph draws them.
 *
 *     {"name": "root", "value": 57412, "children": [
 *         {"name": "main", "value": 57000, "delta": -3, "children": [...]}]}
 *
 * or with the short names n, v, d and c. The value of a node includes the nodes
 * below it. If the children of any node add up to more than the node, all
 * values of the file are taken as self values instead (d3-flame-graph's
 * selfValue()). The value of a node without one is the sum of its children.
 * "delta" is the change since an earlier profile, whose value was value -
 * delta. The root becomes a frame only if it has a name of its own. A file may
 * hold several trees, the members of an object ({"4930882": tree, ...}); each
 * tree is a graph. The flame graphs of Flink's REST interface are such a file:
 * {"endTimestamp": 17, "data": tree, "maxDepth": 3}.
 */
#include "input/formats/web/d3_json.h"

#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json_tree.h"

typedef __int128 i128;

enum { NOW, BEFORE, SIDES };

/* What the file states about a node. */
struct node {
    uint64_t value;
    uint32_t name; /* in d3_json.names, or MAP_NONE */
    uint8_t decimals;
    bool negative : 1, has_value : 1;
    bool bad : 1;       /* its value is not a number */
    bool bad_delta : 1; /* its delta is not a number */
    bool has_list : 1;  /* has a list of children */
};

/* The change of a node since the earlier profile. */
struct delta {
    uint32_t node;
    struct decimal change;
    bool negative;
};

/* A member of the top object that may be a tree. */
struct tree {
    uint32_t root, end;          /* range of its nodes */
    size_t delta_from, delta_to; /* range of deltas */
    uint32_t name;               /* in d3_json.names */
};

/* The sum of the children of a node that were visited so far. */
struct below {
    uint32_t node;
    i128 sum;
};

struct d3_json {
    struct builder b;
    struct json_tree tree;
    VEC(struct node) nodes;
    VEC(struct delta) deltas;
    VEC(struct tree) trees;
    struct intern names;
    VEC(uint32_t) entries; /* of the builder, indexed by name */
    VEC(uint32_t) stacks;  /* of the current tree, indexed by node from its root */
    VEC(i128) deltas_of;   /* indexed like `stacks` */
    VEC(struct below) below;
    unsigned decimals; /* decimals of the sums: the most of any value */
    bool differential, own_values;
};

static bool has(const struct head *h, struct slice before, const char *path)
{
    struct buf text = {0};
    bool found;

    buf_add_slice(&text, before);
    buf_add_str(&text, path);
    found = head_has(h, buf_string(&text));
    buf_release(&text);
    return found;
}

/*
 * Returns true if the members after the path `before` are those of a tree. The head of a long file
 * may contain only one path of it.
 */
static bool claims_tree(const struct head *h, struct slice before)
{
    static const char *const keys[][4] = {
        {"children[].name", "children[].value", "name",
         "children[].children[].children[].children"},
        {"c[].n", "c[].v", "n", "c[].c[].c[].c"},
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!h->whole && has(h, before, keys[i][3]))
            return true;
        if (has(h, before, keys[i][0]) && has(h, before, keys[i][1]) &&
            (!h->whole || has(h, before, keys[i][2])))
            return true;
    }
    return false;
}

static bool d3_json_claims(const struct head *h)
{
    struct slice places[] = {SLICE(""), SLICE("data")};

    if (!h->is_json || !intern_count(&h->paths))
        return false;
    if (claims_tree(h, SLICE("")))
        return true;
    /* the path of the file's first member, where a tree may begin; Flink's begins in "data" */
    places[0] = intern_get(&h->paths, 0);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (slice_find(places[i], '.') == places[i].len && has(h, places[i], ".name") &&
            has(h, places[i], ".value") && has(h, places[i], ".children[].name") &&
            has(h, places[i], ".children[].value"))
            return true;
    return false;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* Compares a key with a name or with its first letter. */
static bool is_key(struct slice key, struct slice name)
{
    return key.len == 1 ? key.ptr[0] == name.ptr[0] : slice_equal(key, name);
}

static bool is_list(struct slice key)
{
    return is_key(key, SLICE("children"));
}

static struct node *get_node(struct d3_json *d, uint32_t node)
{
    json_tree_follow(&d->tree, &d->nodes, (struct node){.name = MAP_NONE});
    return &d->nodes.items[node];
}

static bool read_number(struct d3_json *d, const struct json_value *v, struct decimal *number,
                        bool *negative)
{
    if (!json_decimal(v, number, negative))
        return false;
    if (number->decimals > d->decimals)
        d->decimals = number->decimals;
    return true;
}

static void read_delta(struct d3_json *d, uint32_t node, const struct json_value *v)
{
    struct delta delta = {.node = node};
    bool good = read_number(d, v, &delta.change, &delta.negative);

    /* Another tool's member may be named "d". */
    d->nodes.items[node].bad_delta = v->type != JSON_NULL && !good && v->key.len > 1;
    if (good && delta.change.value)
        *vec_add(&d->deltas) = delta;
}

static void read_amount(struct d3_json *d, struct node *n, const struct json_value *v)
{
    struct decimal number;
    bool negative;

    n->has_value = read_number(d, v, &number, &negative);
    n->bad = v->type != JSON_NULL && !n->has_value;
    if (!n->has_value)
        return;
    n->value = number.value;
    n->decimals = (uint8_t)number.decimals;
    n->negative = negative;
}

/* A list of children that is not one, such as null. */
static void read_no_list(struct d3_json *d, struct node *n, const struct json_value *v)
{
    n->has_list = true;
    if (v->type != JSON_NULL && v->key.len > 1)
        builder_skip(&d->b, DIAG_AT_FILE, "the children of a node are no list: %s; skipped",
                     json_quoted(v).text);
}

static void read_member(struct d3_json *d, uint32_t node, const struct json_value *v)
{
    struct node *n = get_node(d, node);

    if (is_key(v->key, SLICE("name")))
        n->name = intern_add(&d->names, json_text(v));
    else if (is_key(v->key, SLICE("value")))
        read_amount(d, n, v);
    else if (is_key(v->key, SLICE("delta")))
        read_delta(d, node, v);
    else if (is_list(v->key))
        read_no_list(d, n, v);
}

/* The top is a node; those of its members that are not lists of nodes may be trees of their own. */
static bool open_container(void *context, struct slice key)
{
    struct d3_json *d = context;
    struct json_tree_level inner = d->tree.levels.items[d->tree.levels.count - 1];

    if (json_tree_open(&d->tree, key)) {
        if (!inner.list)
            get_node(d, inner.node)->has_list = true;
        if (!inner.list && !inner.node)
            vec_clear(&d->trees);
        return true;
    }
    if (inner.node)
        return false;
    *vec_add(&d->trees) = (struct tree){.root = json_tree_begin(&d->tree),
                                        .delta_from = d->deltas.count,
                                        .name = intern_add(&d->names, key)};
    return true;
}

static void end_tree(const struct d3_json *d, struct tree *tree)
{
    tree->end = (uint32_t)d->tree.parents.count;
    tree->delta_to = d->deltas.count;
}

static bool close_container(void *context)
{
    struct d3_json *d = context;

    json_tree_close(&d->tree);
    if (d->tree.levels.count == 1 && d->trees.count)
        end_tree(d, &d->trees.items[d->trees.count - 1]);
    return true;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct d3_json *d = context;
    uint32_t node = json_tree_value(&d->tree);

    (void)parent;
    (void)at;
    if (node == JSON_TREE_NONE)
        builder_skip_child(&d->b, v);
    else if (!v->key.len)
        builder_skip(&d->b, DIAG_AT_FILE, "a list among the children has %s; skipped",
                     json_quoted(v).text);
    else
        read_member(d, node, v);
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Converts a number to the unit of the sums. */
static i128 scaled(const struct d3_json *d, uint64_t value, unsigned decimals, bool negative)
{
    i128 number = value;

    if (decimals < d->decimals)
        number *= (i128)num_pow10(d->decimals - decimals);
    return negative ? -number : number;
}

static void find_deltas(struct d3_json *d, const struct tree *tree)
{
    d->differential = false;
    for (size_t i = tree->delta_from; i < tree->delta_to; i++) {
        const struct delta *delta = &d->deltas.items[i];

        if (delta->node < tree->root || delta->node >= tree->end)
            continue;
        if (!d->differential) {
            vec_reserve(&d->deltas_of, tree->end - tree->root);
            memset(d->deltas_of.items, 0, (tree->end - tree->root) * sizeof(i128));
        }
        d->differential = true;
        d->deltas_of.items[delta->node - tree->root] =
            scaled(d, delta->change.value, delta->change.decimals, delta->negative);
    }
}

/* Returns the sum of the node's children and forgets it. */
static i128 take_below(struct d3_json *d, uint32_t node)
{
    if (!d->below.count || d->below.items[d->below.count - 1].node != node)
        return 0;
    return d->below.items[--d->below.count].sum;
}

static void add_below(struct d3_json *d, uint32_t parent, i128 value)
{
    if (!d->below.count || d->below.items[d->below.count - 1].node != parent)
        *vec_add(&d->below) = (struct below){.node = parent};
    d->below.items[d->below.count - 1].sum += value;
}

/*
 * Self value of a node: its stated value minus its children's. Call it for the
 * nodes from the last one to the root, so that sums are kept only for the
 * ancestors of one node.
 */
static i128 own(struct d3_json *d, const struct tree *tree, uint32_t node, int side)
{
    const struct node *n = &d->nodes.items[node];
    i128 below = d->own_values ? 0 : take_below(d, node), value = below;

    if (n->has_value)
        value = scaled(d, n->value, n->decimals, n->negative);
    if (n->has_value && side == BEFORE)
        value -= d->deltas_of.items[node - tree->root];
    if (!d->own_values && node > tree->root)
        add_below(d, d->tree.parents.items[node], value);
    return value - below;
}

/* Decides whether the values include the children. */
static void find_kind(struct d3_json *d, const struct tree *tree)
{
    bool more_below = false;

    d->own_values = false;
    for (uint32_t i = tree->end; i-- > tree->root;)
        more_below = own(d, tree, i, NOW) < 0 || more_below;
    if (!more_below)
        return;
    d->own_values = true;
    diag_add(d->b.diag, DIAG_NOTE, DIAG_AT_FILE,
             "some nodes weigh less than their children: all values are taken as self values");
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Returns true for a name that only means "everything". */
static bool is_top_name(struct slice name)
{
    return slice_is_any(name, "root", "all", "total", "");
}

static struct slice name_of(const struct d3_json *d, uint32_t node)
{
    uint32_t name = d->nodes.items[node].name;

    return name == MAP_NONE ? SLICE("") : intern_get(&d->names, name);
}

/* Counts and quotes the numbers of a node that are none. */
static void tell_node(const struct d3_json *d, uint32_t node)
{
    const struct node *n = &d->nodes.items[node];
    struct slice name = name_of(d, node);

    if (n->bad)
        builder_skip(&d->b, DIAG_AT_FILE,
                     "the value of '%.*s' is not a number; it counts as the sum of its children",
                     SLICE_ARG(name));
    if (n->bad_delta)
        builder_skip(&d->b, DIAG_AT_FILE, "the delta of '%.*s' is not a number; it counts as 0",
                     SLICE_ARG(name));
}

/* Adds the self value of a node. */
static bool add_weight(struct d3_json *d, uint32_t series, uint32_t node, uint32_t stack,
                       i128 weight)
{
    struct decimal w = {.decimals = d->decimals};

    if (weight < 0)
        builder_skip(&d->b, DIAG_AT_FILE, "the self value of '%.*s' is negative; it counts as 0",
                     SLICE_ARG(name_of(d, node)));
    if (weight <= 0)
        return true;
    for (; weight > (i128)UINT64_MAX && w.decimals > 0 && weight % 10 == 0; w.decimals--)
        weight /= 10;
    if (weight > (i128)UINT64_MAX)
        return diag_error(d->b.diag, PROFILE_TOO_HEAVY);
    for (w.value = (uint64_t)weight; w.decimals > 0 && w.value % 10 == 0; w.decimals--)
        w.value /= 10;
    return builder_add_at(&d->b, series, stack, w);
}

/* Returns the entry of a name, made when first needed. */
static uint32_t entry_of(struct d3_json *d, uint32_t name)
{
    struct frame f = {.kind = FRAME_ANNOTATED};

    if (name == MAP_NONE)
        return builder_entry(&d->b, &f);
    while (d->entries.count <= name)
        *vec_add(&d->entries) = MAP_NONE;
    if (d->entries.items[name] == MAP_NONE) {
        f.name = intern_get(&d->names, name);
        d->entries.items[name] = builder_entry(&d->b, &f);
    }
    return d->entries.items[name];
}

static bool make_stack(struct d3_json *d, const struct tree *tree, uint32_t node, uint32_t *stack)
{
    uint32_t name = d->nodes.items[node].name, parent = STACK_ROOT;

    *stack = STACK_ROOT;
    if (node > tree->root)
        parent = d->stacks.items[d->tree.parents.items[node] - tree->root];
    else if (name == MAP_NONE || is_top_name(intern_get(&d->names, name)))
        return true;
    return builder_child_entry(&d->b, parent, entry_of(d, name), stack);
}

static bool make_stacks(struct d3_json *d, const struct tree *tree)
{
    vec_clear(&d->stacks);
    for (uint32_t i = tree->root; i < tree->end; i++) {
        uint32_t stack;

        d->b.profile->ledger.lines++;
        tell_node(d, i);
        if (!make_stack(d, tree, i, &stack))
            return false;
        *vec_add(&d->stacks) = stack;
    }
    return true;
}

static bool add_weights(struct d3_json *d, const struct tree *tree, uint32_t series, int side)
{
    for (uint32_t i = tree->end; i-- > tree->root;)
        if (!add_weight(d, series, i, d->stacks.items[i - tree->root], own(d, tree, i, side)))
            return false;
    return true;
}

/* Finds or makes the series of a tree; `name` is empty if it is the only one. */
static void find_series(struct d3_json *d, struct slice name, uint32_t *series)
{
    struct profile *p = d->b.profile;
    struct buf before = {0};

    if (!d->differential) {
        series[NOW] = builder_series(&d->b, &(struct origin){.event = name}, unit_samples);
        series[BEFORE] = SERIES_NONE;
        return;
    }
    buf_printf(&before, "%.*s%s", SLICE_ARG(name), name.len ? " before" : "base");
    series[NOW] =
        profile_series_pair(p, buf_slice(&before), name.len ? name : SLICE("new"), unit_samples);
    series[BEFORE] = p->series.items[series[NOW]].base;
    buf_release(&before);
}

static bool read_tree(struct d3_json *d, const struct tree *tree)
{
    uint32_t series[SIDES];

    find_deltas(d, tree);
    find_kind(d, tree);
    find_series(d, tree->name == MAP_NONE ? SLICE("") : intern_get(&d->names, tree->name), series);
    return make_stacks(d, tree) && add_weights(d, tree, series[NOW], NOW) &&
           (!d->differential || add_weights(d, tree, series[BEFORE], BEFORE));
}

/* Whether a member of the top object is a tree, which may be a single node. */
static bool is_tree(const struct node *root)
{
    return root->has_list || (root->has_value && root->name != MAP_NONE);
}

/* Reads the top object as one tree, or its members as trees. */
static bool read_trees(struct d3_json *d)
{
    struct tree top = {.name = MAP_NONE};

    json_tree_end(&d->tree);
    end_tree(d, &top);
    if (get_node(d, 0)->has_list) {
        if (d->trees.count && d->trees.items[0].root < top.end)
            top.end = d->trees.items[0].root;
        return read_tree(d, &top);
    }
    vec_each (struct tree, tree, &d->trees) {
        if (!tree->end)
            end_tree(d, tree);
        if (is_tree(&d->nodes.items[tree->root]) && !read_tree(d, tree))
            return false;
    }
    return true;
}

bool d3_json_read(struct content *c)
{
    struct d3_json d = {.tree.is_list = is_list};
    struct json_handler handler = {.context = &d,
                                   .one_document = true,
                                   .open = open_container,
                                   .close = close_container,
                                   .value = read_value};
    bool ok;

    builder_init(&d.b, c->profile, c->options, c->diag);
    json_tree_begin(&d.tree);
    ok = json_read(c, &handler) && read_trees(&d);
    release_each(&d, (json_tree, tree),
                 (vec, nodes, deltas, trees, entries, stacks, deltas_of, below), (intern, names),
                 (builder, b));
    return ok;
}

const struct format format_d3_json = {
    .name = "d3-json",
    .family = FORMAT_ANY,
    .description = "d3-flame-graph trees; with deltas, a differential graph",
    .recognised = "JSON tree of 'name', 'value', 'children' (or n, v, c)",
    .example = "burn convert app.perf > app.json   # github.com/spiermar/burn",
    .claims = d3_json_claims,
    .read = d3_json_read,
};
