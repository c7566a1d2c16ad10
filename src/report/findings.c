#include "report/findings.h"

#include "base/num.h"
#include "report/outlier.h"

enum { SEARCHES = 3, SHOWN_MEASURES = 4 };

/* The smallest share of an omission that is a finding. */
static const long double least_omission = 0.01L;

static long double share(const struct report_graph *g, uint64_t weight)
{
    return g->total ? (long double)weight / g->total : 0;
}

/* True unless the graph is known to have too few samples for a statement about shares. */
static bool has_evidence(const struct report_graph *g)
{
    return !g->samples || g->samples >= REPORT_LEAST_SAMPLES;
}

/* Returns "self (1,844 samples)", or "self" if the weights count all events, or calls. */
static struct slice with_samples(struct report *r, struct slice how, const struct report_graph *g)
{
    struct slice text;
    struct buf out = {0};

    if (g->exact || (!g->samples && !slice_equal(g->records, unit_samples.noun)))
        return arena_copy(&r->memory, how);
    buf_add_slice(&out, how);
    buf_add_str(&out, how.len ? " (" : "(");
    if (g->samples) {
        unit_write_things(&out, g->samples, g->records);
    } else {
        buf_add_str(&out, "number of samples unknown");
    }
    buf_add_char(&out, ')');
    text = arena_copy(&r->memory, buf_slice(&out));
    buf_release(&out);
    return text;
}

static struct report_finding *add(struct report *r, const char *key, const char *what,
                                  const struct report_graph *g, struct slice how)
{
    struct report_finding *f = vec_add(&r->findings);

    *f = (struct report_finding){
        .key = slice_str(key),
        .what = slice_str(what),
        .how = with_samples(r, how, g),
        .samples = g->samples,
        .graph_title = g->title,
        .graph_name = g->name,
        .graph_anchor = g->anchor,
        .graph_svg = g->pictures[REPORT_SVG].path,
    };
    return f;
}

/* ---- measures -------------------------------------------------------------------------------- */
static struct slice measure(const struct report_graph *g)
{
    return g->event.len ? g->event : g->unit;
}

/* An event, or the unit if the input names no event, and the number of its graphs. */
struct measure {
    struct slice what;
    size_t count;
};

struct measures VEC_OF(struct measure);

/* Adds the measures of all graphs, most frequent first, then in the order of the graphs. */
static void add_measures(const struct report *r, struct measures *out)
{
    vec_each (const struct report_graph, g, &r->graphs) {
        size_t i = 0;

        while (i < out->count && !slice_equal(out->items[i].what, measure(g)))
            i++;
        if (i == out->count)
            *vec_add(out) = (struct measure){measure(g), 0};
        out->items[i].count++;
        for (; i > 0 && out->items[i].count > out->items[i - 1].count; i--) {
            struct measure lower = out->items[i - 1];

            out->items[i - 1] = out->items[i];
            out->items[i] = lower;
        }
    }
}

/* Appends " of cpu-clock" to a text, unless all graphs measure the same. */
static struct slice with_measure(struct report *r, struct slice text, const struct report_graph *g)
{
    struct slice what = measure(g);

    vec_each (const struct report_graph, other, &r->graphs) {
        if (slice_equal(measure(other), what))
            continue;
        return slice_str(arena_printf(&r->memory, "%.*s%sof %.*s", SLICE_ARG(text),
                                      text.len ? " " : "", SLICE_ARG(what)));
    }
    return text;
}

/* ---- functions ------------------------------------------------------------------------------- */
static void add_heaviest(struct report *r, struct slice what)
{
    const struct report_graph *at = NULL;
    const struct report_function *heaviest = NULL;
    struct report_finding *f;

    vec_each (const struct report_graph, g, &r->graphs) {
        const struct report_function *own = report_graph_busiest(g);

        if (!own || !has_evidence(g) || !slice_equal(measure(g), what))
            continue;
        if (!heaviest || share(g, own->self.weight) > share(at, heaviest->self.weight)) {
            heaviest = own;
            at = g;
        }
    }
    if (!heaviest)
        return;
    f = add(r, "heaviest_function", "Heaviest function", at, SLICE("self"));
    f->what = with_measure(r, f->what, at);
    if (heaviest != at->by_self.items)
        f->what =
            slice_str(arena_printf(&r->memory, "%.*s" REPORT_IDLE_LEFT_OUT, SLICE_ARG(f->what)));
    f->function = heaviest->shown;
    f->address = heaviest->address;
    f->percent = heaviest->self.percent;
}

/* Returns true if a graph has the measure and the kind of the graph `context`. */
static bool measures_like(const void *context, const struct report_graph *g)
{
    const struct report_graph *first = context;

    return slice_equal(measure(g), measure(first)) && slice_equal(g->kind, first->kind);
}

static void add_outlier(struct report *r, struct slice what)
{
    const struct report_graph *first = r->graphs.items;
    struct report_finding *f;
    struct slice elsewhere;
    struct buf how = {0};
    struct outlier found;

    while (!slice_equal(measure(first), what))
        first++;
    if (!outlier_find(r, measures_like, first, &found))
        return;
    num_write_percent(&how, found.next.weight, found.next.graph->total, PERCENT_TABLE);
    elsewhere = arena_copy(&r->memory, buf_slice(&how));
    buf_clear(&how);
    buf_printf(&how, "self, at most %.*s %% in the ", SLICE_ARG(elsewhere));
    if (found.others == 1)
        buf_add_str(&how, "other graph");
    else
        buf_printf(&how, "%zu other graphs", found.others);
    f = add(r, "differs_most", "Differs most between graphs", found.most.graph, buf_slice(&how));
    f->what = with_measure(r, f->what, found.most.graph);
    f->function = found.function->shown;
    f->address = found.function->address;
    f->percent = found.function->self.percent;
    f->elsewhere = elsewhere;
    buf_release(&how);
}

/* ---- searches -------------------------------------------------------------------------------- */
/*
 * Returns the graph in which search `index` matches the largest share. Graphs that measure `what`
 * go first if the search matches in any of them. Returns NULL if it matches nowhere.
 */
static const struct report_graph *find_best(const struct report *r, struct slice what, size_t index)
{
    const struct report_graph *best[2] = {NULL, NULL}; /* [0]: of other measures, [1]: of `what` */

    vec_each (const struct report_graph, g, &r->graphs) {
        uint64_t weight = index < g->matches.count ? g->matches.items[index].amount.weight : 0;
        const struct report_graph **to = &best[slice_equal(measure(g), what)];

        if (weight && has_evidence(g) &&
            (!*to || share(g, weight) > share(*to, (*to)->matches.items[index].amount.weight)))
            *to = g;
    }
    return best[1] ? best[1] : best[0];
}

static void add_searches(struct report *r, struct slice what)
{
    size_t chosen[SEARCHES];
    size_t count = 0;

    while (count < SEARCHES) {
        const struct report_graph *best = NULL;
        const struct report_match *match;
        struct report_finding *f;

        for (size_t i = 0; i < r->searches.count; i++) {
            const struct report_graph *g = find_best(r, what, i);
            bool known = false;

            for (size_t k = 0; k < count; k++)
                known |= chosen[k] == i;
            if (!g || known ||
                (best && share(g, g->matches.items[i].amount.weight) <=
                             share(best, best->matches.items[chosen[count]].amount.weight)))
                continue;
            best = g;
            chosen[count] = i;
        }
        if (!best)
            return;
        match = &best->matches.items[chosen[count++]];
        f = add(r, "search", "Highest share of the search", best, with_measure(r, SLICE(""), best));
        f->search = match->name;
        f->percent = match->amount.percent;
    }
}

/* ---- omissions ------------------------------------------------------------------------------- */

static void add_omission(struct report *r, const char *key, const char *what)
{
    const struct report_graph *at = NULL;
    const struct report_omission *worst = NULL;
    struct report_finding *f;

    vec_each (const struct report_graph, g, &r->graphs) {
        vec_each (const struct report_omission, omission, &g->omissions) {
            if (!has_evidence(g) || !slice_equal(omission->key, slice_str(key)) ||
                share(g, omission->weight) < least_omission ||
                (worst && share(g, omission->weight) <= share(at, worst->weight)))
                continue;
            worst = omission;
            at = g;
        }
    }
    if (!worst)
        return;
    f = add(r, key, what, at,
            slice_str(arena_printf(&r->memory, "of the weight is %.*s", SLICE_ARG(worst->what))));
    f->percent = worst->percent;
}

/* Writes "14 graphs: 10 of cpu-clock, 4 of page-faults". */
static void write_measured(const struct report *r, const struct measures *measures, struct buf *out)
{
    size_t shown = measures->count;

    if (shown > SHOWN_MEASURES + 1)
        shown = SHOWN_MEASURES;
    num_write_grouped(out, r->graphs.count, 0);
    buf_add_str(out, r->graphs.count == 1 ? " graph" : " graphs");
    for (size_t i = 0; i < shown; i++) {
        buf_add_str(out, i ? ", " : measures->count > 1 ? ": " : " of ");
        if (measures->count > 1) {
            num_write_grouped(out, measures->items[i].count, 0);
            buf_add_str(out, " of ");
        }
        buf_add_slice(out, measures->items[i].what);
    }
    if (shown < measures->count)
        buf_printf(out, " and %zu others", measures->count - shown);
}

static void name_hottest(struct report_graph *g)
{
    const struct report_function *f = report_graph_busiest(g);

    if (!f)
        return;
    g->hottest = f->shown;
    g->hottest_address = f->address;
    g->hottest_percent = f->self.percent;
}

void report_add_findings(struct report *r)
{
    struct measures measures = {0};
    struct buf text = {0};

    if (!r->graphs.count)
        return;
    add_measures(r, &measures);
    write_measured(r, &measures, &text);
    r->measured = arena_copy(&r->memory, buf_slice(&text));
    buf_release(&text);
    vec_each (struct report_graph, g, &r->graphs) {
        r->has_samples |= g->samples_apart > 0;
        r->has_hottest |= report_graph_busiest(g) != NULL;
        name_hottest(g);
    }
    add_heaviest(r, measures.items[0].what);
    add_outlier(r, measures.items[0].what);
    add_searches(r, measures.items[0].what);
    add_omission(r, "unknown", "Most unresolved symbols");
    add_omission(r, "too_thin", "Most frames too thin to draw");
    vec_release(&measures);
}
