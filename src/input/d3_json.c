/*
 * Trees as d3-flame-graph draws them.
 *
 *     {"name": "root", "value": 57412, "children": [
 *         {"name": "main", "value": 57000, "delta": -3, "children": [...]}]}
 *
 * or with the short names n, v, d and c. A value is of a node with all below
 * it; where those below one node have more than that node, the values of the
 * file are the nodes' own (as d3-flame-graph's selfValue() has it). A node
 * without a value has that of its children. "delta" is the change since a
 * profile before: value - delta was there. The root is a frame only where it
 * has a name of its own. A file may hold several trees, the members of an
 * object ({"4930882": tree, ...}), each of which is a graph.
 */
#include "base/num.h"
#include "input/builder.h"
#include "input/format.h"
#include "input/json.h"

typedef __int128 i128;

/* Values are kept in units of 10^-9 while they are added and subtracted. */
enum { UNIT_DECIMALS = NUM_MAX_DECIMALS };

enum { NOW, BEFORE, SIDES };

struct node {
    const struct json_value *value; /* of the tree */
    uint32_t parent;
    uint32_t stack;
    i128 stated[SIDES]; /* its value */
    i128 below[SIDES];  /* the sum of those of its children */
    bool has_value;
};

struct d3_json {
    struct builder b;
    VEC(struct node) nodes; /* parents first */
    bool differential, own_values;
    uint64_t bad_values, negative;
};

static bool has(const struct head *h, struct slice before, const char *path)
{
    struct buf text;
    bool found;

    buf_init(&text);
    buf_add_slice(&text, before);
    buf_add_str(&text, path);
    found = head_has(h, text.ptr);
    buf_release(&text);
    return found;
}

/* Whether the members behind `before` are those of a tree; of a long file the head may show a
 * single way down. */
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
    struct slice first;

    if (!h->is_json || !intern_count(&h->paths))
        return false;
    if (claims_tree(h, SLICE("")))
        return true;
    /* The first member of the file, and the tree that it may be. */
    first = intern_get(&h->paths, 0);
    return slice_find(first, '.') == first.len && has(h, first, ".name") &&
           has(h, first, ".value") && has(h, first, ".children[].name") &&
           has(h, first, ".children[].value");
}

/* The member with the long name or the short one. */
static const struct json_value *member(const struct json_value *v, const char *name,
                                       const char *letter)
{
    const struct json_value *found = json_get(v, name);

    return found ? found : json_get(v, letter);
}

/* ---- values -------------------------------------------------------------------------------- */

static bool read_number(const struct json_value *v, i128 *number)
{
    struct decimal d;
    bool negative;

    if (!json_decimal(v, &d, &negative))
        return false;
    *number = (i128)d.value * (i128)num_pow10(UNIT_DECIMALS - d.decimals);
    if (negative)
        *number = -*number;
    return true;
}

static void read_values(struct d3_json *d, struct node *n)
{
    const struct json_value *value = member(n->value, "value", "v");
    const struct json_value *delta = member(n->value, "delta", "d");
    i128 change = 0;

    n->has_value = value && read_number(value, &n->stated[NOW]);
    d->bad_values += value && value->type != JSON_NULL && !n->has_value;
    n->stated[BEFORE] = n->stated[NOW];
    if (delta && read_number(delta, &change)) {
        d->differential = d->differential || change;
        n->stated[BEFORE] -= change;
    }
}

/* What a node has for itself. */
static i128 own(const struct d3_json *d, const struct node *n, int side)
{
    return d->own_values ? n->stated[side] : n->stated[side] - n->below[side];
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Lists all nodes, parents before their children. */
static void list_nodes(struct d3_json *d, const struct json_value *root)
{
    *vec_add(&d->nodes) = (struct node){.value = root};
    for (uint32_t i = 0; i < d->nodes.count; i++) {
        const struct json_value *children = member(d->nodes.items[i].value, "children", "c");

        read_values(d, &d->nodes.items[i]);
        json_each(child, children) * vec_add(&d->nodes) =
            (struct node){.value = child, .parent = i};
    }
}

/* Sums up what is below each node, and finds out what kind of values these are. */
static void sum_up(struct d3_json *d)
{
    bool more_below = false;

    for (size_t i = d->nodes.count; i-- > 0;) {
        struct node *n = &d->nodes.items[i];
        struct node *parent = &d->nodes.items[n->parent];

        for (int side = 0; side < SIDES; side++) {
            if (!n->has_value)
                n->stated[side] = n->below[side];
            if (i > 0)
                parent->below[side] += n->stated[side];
        }
        more_below = more_below || n->stated[NOW] < n->below[NOW];
    }
    if (!more_below)
        return;
    d->own_values = true;
    vec_each (struct node, n, &d->nodes)
        if (!n->has_value)
            n->stated[NOW] = n->stated[BEFORE] = 0;
    diag_add(d->b.diag, DIAG_NOTE, DIAG_AT_FILE,
             "below some nodes there is more than they have: values are taken as the nodes' own");
}

/* A name that only says "all of it". */
static bool is_top_name(struct slice name)
{
    static const struct slice names[] = {{"root", 4}, {"all", 3}, {"total", 5}, {"", 0}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (slice_equal(name, names[i]))
            return true;
    return false;
}

static bool add_weight(struct d3_json *d, uint32_t series, uint32_t stack, i128 weight)
{
    unsigned decimals = UNIT_DECIMALS;

    if (weight < 0) {
        d->negative++;
        return true;
    }
    for (; decimals > 0 && weight % 10 == 0; decimals--)
        weight /= 10;
    if (weight > (i128)UINT64_MAX)
        return diag_error(d->b.diag, "the sum of the weights does not fit in 64 bits");
    return !weight || builder_add_at(&d->b, series, stack,
                                     (struct decimal){(uint64_t)weight, decimals, false});
}

static bool add_node(struct d3_json *d, struct node *n, bool root, const uint32_t *series)
{
    struct slice name = json_text(member(n->value, "name", "n"));
    const struct frame f = {.name = name, .kind = FRAME_ANNOTATED};

    d->b.profile->ledger.lines++;
    n->stack = STACK_ROOT;
    if (!(root && is_top_name(name)) &&
        !builder_child(&d->b, root ? STACK_ROOT : d->nodes.items[n->parent].stack, &f, &n->stack))
        return false;
    for (int side = 0; side < (d->differential ? SIDES : 1); side++)
        if (!add_weight(d, series[side], n->stack, own(d, n, side)))
            return false;
    return true;
}

/* The series of a tree, `name` being empty where it is the only one. */
static void find_series(struct d3_json *d, struct slice name, uint32_t *series)
{
    struct profile *p = d->b.profile;
    struct buf before;

    if (!d->differential) {
        series[NOW] = builder_series(&d->b, &(struct origin){.event = name}, unit_samples);
        return;
    }
    buf_init(&before);
    buf_printf(&before, "%.*s%s", SLICE_ARG(name), name.len ? " before" : "base");
    series[NOW] =
        profile_series_pair(p, buf_slice(&before), name.len ? name : SLICE("new"), unit_samples);
    series[BEFORE] = p->series.items[series[NOW]].base;
    buf_release(&before);
}

static bool read_tree(struct d3_json *d, const struct json_value *root, struct slice name)
{
    uint32_t series[SIDES];

    d->differential = d->own_values = false;
    vec_clear(&d->nodes);
    list_nodes(d, root);
    sum_up(d);
    find_series(d, name, series);
    for (size_t i = 0; i < d->nodes.count; i++)
        if (!add_node(d, &d->nodes.items[i], i == 0, series))
            return false;
    return true;
}

static bool read_trees(struct d3_json *d, const struct json_value *top)
{
    if (member(top, "children", "c"))
        return read_tree(d, top, SLICE(""));
    json_each(tree, top) if (member(tree, "children", "c") &&
                             !read_tree(d, tree, tree->key)) return false;
    return true;
}

static void tell(struct d3_json *d)
{
    if (d->bad_values)
        diag_add(d->b.diag, DIAG_WARNING, DIAG_AT_FILE, "%llu values are no numbers",
                 (unsigned long long)d->bad_values);
    if (d->negative)
        diag_add(d->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu nodes have less than nothing for themselves; taken as nothing",
                 (unsigned long long)d->negative);
    d->b.profile->ledger.unreadable += d->bad_values;
}

static bool d3_json_read(struct content *c)
{
    struct d3_json d = {0};
    struct json_document document;
    bool ok;

    builder_init(&d.b, c->profile, c->options, c->diag);
    ok = json_load(c, &document) && read_trees(&d, document.values.items);
    tell(&d);
    json_release(&document);
    vec_release(&d.nodes);
    builder_release(&d.b);
    return ok;
}

const struct format format_d3_json = {
    .name = "d3-json",
    .family = FORMAT_ANY,
    .description = "trees of d3-flame-graph, with deltas as a differential graph",
    .recognised = "JSON tree of 'name', 'value', 'children' (or n, v, c)",
    .example = "burn convert app.perf > app.json   # github.com/spiermar/burn",
    .claims = d3_json_claims,
    .read = d3_json_read,
};
