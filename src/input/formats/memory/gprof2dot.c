/*
 * Stacks in the JSON of gprof2dot, as memray transform gprof2dot writes it.
 *
 *     {"version": 0, "costs": [{"description": "Memory", "unit": "bytes"}],
 *      "events": [{"callchain": [1, 0], "cost": [992]}],
 *      "functions": [{"name": "main", "module": "app.py"}, {"name": "f", "module": "app.py"}]}
 *
 * A chain has indices of "functions", leaf first. Each cost is a graph. A module that is a file of
 * Python is the file of the function.
 *
 * Source: the class JsonParser of github.com/jrfonseca/gprof2dot.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/memory/memray_frame.h"
#include "input/parse/json.h"

struct gprof2dot {
    struct builder b;
    VEC(uint32_t) functions; /* entries of the builder */
    VEC(uint32_t) series;    /* by cost */
    struct buf name;
};

static bool gprof2dot_claims(const struct head *head)
{
    return head_has(head, "costs[].description") && head_has(head, "costs[].unit") &&
           (head_has(head, "events[].callchain") || !head->whole);
}

static void read_function(struct gprof2dot *g, const struct json_value *v)
{
    struct slice module = json_text(json_get(v, "module")), name = json_text(json_get(v, "name"));
    struct frame f;

    if (slice_ends(module, SLICE(".py")) || slice_starts(module, SLICE("<")))
        f = memray_frame(name, module, 0, &g->name);
    else
        f = (struct frame){.name = name, .module = module, .kind = FRAME_NATIVE};
    *vec_add(&g->functions) = builder_entry(&g->b, &f);
}

static void push_function(struct gprof2dot *g, const struct json_value *v)
{
    uint64_t index;

    if (json_u64(v, &index) && index < g->functions.count) {
        builder_push(&g->b, g->functions.items[index]);
        return;
    }
    builder_skip(&g->b, DIAG_AT_FILE, "function %s is not in the table; shown as unknown",
                 json_quoted(v).text);
    builder_frame(&g->b, &(struct frame){.kind = FRAME_PLAIN});
}

static bool read_event(struct gprof2dot *g, const struct json_value *event)
{
    size_t cost = 0;

    g->b.profile->ledger.lines++;
    builder_begin_leaf(&g->b);
    json_each(v, json_get(event, "callchain")) push_function(g, v);
    json_each(v, json_get(event, "cost"))
    {
        struct decimal weight;

        if (cost >= g->series.count || !json_decimal(v, &weight, NULL))
            builder_skip(&g->b, DIAG_AT_FILE, "malformed cost of an event: %s; skipped",
                         json_quoted(event).text);
        else if (weight.value && !builder_add_decimal(&g->b, g->series.items[cost], weight))
            return false;
        cost++;
    }
    return true;
}

static bool read_document(struct gprof2dot *g, const struct json_value *top)
{
    json_each(v, json_get(top, "costs"))
    {
        struct origin origin = {.event = json_text(json_get(v, "description"))};
        struct slice unit = arena_copy(&g->b.profile->strings, json_text(json_get(v, "unit")));

        *vec_add(&g->series) = builder_series(&g->b, &origin, unit_named(unit));
    }
    json_each(v, json_get(top, "functions")) read_function(g, v);
    json_each(v, json_get(top, "events")) if (!read_event(g, v)) return false;
    return true;
}

static bool gprof2dot_read(struct content *c)
{
    struct gprof2dot g = {.name = {0}};
    struct json_document document;
    bool ok;

    builder_init(&g.b, c->profile, c->options, c->diag);
    ok = json_load(c, &document) && read_document(&g, document.values.items);
    json_release(&document);
    release_each(&g, (vec, functions, series), (buf, name), (builder, b));
    return ok;
}

const struct format format_gprof2dot = {
    .name = "gprof2dot",
    .family = FORMAT_MEMORY,
    .description = "stacks in gprof2dot's JSON, such as those of memray transform",
    .recognised = "JSON with 'costs', 'events' that have a 'callchain', and 'functions'",
    .example = "memray transform gprof2dot -o app.json app.bin",
    .claims = gprof2dot_claims,
    .read = gprof2dot_read,
};
