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
#include "input/builder.h"
#include "input/format.h"
#include "input/ghc.h"
#include "input/json.h"

enum { TICKS, ALLOC, SERIES };

static const char *const series_keys[SERIES] = {"ticks", "alloc"};

/* A node whose stack is known and whose children are still to come. */
struct open_node {
    const struct json_value *children, *next;
    uint32_t stack;
};

struct ghc_json {
    struct builder b;
    const struct json_value *top;
    struct intern ids;     /* of cost centres, as written */
    VEC(uint32_t) entries; /* by id */
    VEC(struct open_node) open;
    uint32_t series[SERIES];
    uint64_t sums[SERIES];
    uint64_t unknown; /* nodes of cost centres that are not in the table */
};

static bool ghc_json_claims(const struct head *h)
{
    return head_has(h, "cost_centres") && (!h->whole || head_has(h, "profile"));
}

static void read_cost_centre(struct ghc_json *g, const struct json_value *centre)
{
    const struct json_value *id = json_get(centre, "id");
    uint32_t number = id ? intern_add(&g->ids, id->text) : MAP_NONE;
    struct frame f = {.kind = FRAME_PLAIN};
    struct buf name;

    if (number != g->entries.count)
        return;
    buf_init(&name);
    buf_add_slice(&name, json_text(json_get(centre, "module")));
    buf_add_char(&name, '.');
    buf_add_slice(&name, json_text(json_get(centre, "label")));
    f.name = buf_slice(&name);
    ghc_set_source(&f, json_text(json_get(centre, "src_loc")));
    *vec_add(&g->entries) = builder_entry(&g->b, &f);
    buf_release(&name);
}

static uint32_t entry_of(struct ghc_json *g, const struct json_value *node)
{
    const struct json_value *id = json_get(node, "id");
    uint32_t number = id ? intern_find(&g->ids, id->text) : MAP_NONE;

    if (number != MAP_NONE)
        return g->entries.items[number];
    g->unknown++;
    return builder_entry(&g->b, &(struct frame){.kind = FRAME_PLAIN});
}

static bool add_node(struct ghc_json *g, const struct json_value *node, uint32_t parent)
{
    struct open_node open = {.children = json_get(node, "children")};
    uint64_t weight;

    g->b.profile->ledger.lines++;
    if (!builder_child_entry(&g->b, parent, entry_of(g, node), &open.stack))
        return false;
    for (int i = 0; i < SERIES; i++) {
        if (!json_u64(json_get(node, series_keys[i]), &weight) || !weight)
            continue;
        g->sums[i] += weight;
        if (!builder_add_at(&g->b, g->series[i], open.stack, (struct decimal){.value = weight}))
            return false;
    }
    open.next = open.children ? json_first(open.children) : NULL;
    if (open.next)
        *vec_add(&g->open) = open;
    return true;
}

static bool read_tree(struct ghc_json *g, const struct json_value *root)
{
    if (!add_node(g, root, STACK_ROOT))
        return false;
    while (g->open.count) {
        struct open_node *top = &g->open.items[g->open.count - 1];
        const struct json_value *node = top->next;
        uint32_t stack = top->stack;

        if (!node) {
            g->open.count--;
            continue;
        }
        top->next = json_next(top->children, node);
        if (!add_node(g, node, stack))
            return false;
    }
    return true;
}

static void check_sum(struct ghc_json *g, int series, const char *key)
{
    uint64_t stated;

    if (json_u64(json_get(g->top, key), &stated) && stated != g->sums[series])
        diag_add(g->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s is %llu, and the nodes add up to %llu; what they add up to is shown", key,
                 (unsigned long long)stated, (unsigned long long)g->sums[series]);
}

static bool read_document(struct ghc_json *g)
{
    const struct json_value *root = json_get(g->top, "profile");
    const struct json_value *centres = json_get(g->top, "cost_centres");
    struct slice program = json_text(json_get(g->top, "program"));
    uint64_t interval = 0;

    if (!root)
        return diag_error(g->b.diag, "the profile has no 'profile', its tree");
    if (program.len)
        profile_add_fact(g->b.profile, SLICE("command"), program);
    json_u64(json_get(g->top, "tick_interval"), &interval);
    g->series[TICKS] =
        builder_series(&g->b, &(struct origin){.event = SLICE("time")}, ghc_tick_unit(interval));
    g->series[ALLOC] = builder_series(&g->b, &(struct origin){.event = SLICE("alloc")},
                                      unit_named(SLICE("bytes")));
    json_each(centre, centres) read_cost_centre(g, centre);
    if (!read_tree(g, root))
        return false;
    if (g->unknown)
        diag_add(g->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu nodes are of cost centres that are not in the table, and shown as unknown",
                 (unsigned long long)g->unknown);
    check_sum(g, TICKS, "total_ticks");
    check_sum(g, ALLOC, "total_alloc");
    return true;
}

static bool ghc_json_read(struct content *c)
{
    struct ghc_json g = {0};
    struct json_document document;
    bool ok;

    builder_init(&g.b, c->profile, c->options, c->diag);
    intern_init(&g.ids);
    ok = json_load(c, &document);
    if (ok) {
        g.top = document.values.items;
        ok = read_document(&g);
    }
    json_release(&document);
    vec_release(&g.entries);
    vec_release(&g.open);
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
