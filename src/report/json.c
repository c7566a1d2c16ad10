#include "report/json.h"

#include "base/json_writer.h"
#include "report/pages.h"
#include "report/verdicts_json.h"

static void put_amount(struct json_writer *w, const char *key, const struct report_graph *g,
                       const struct report_amount *amount)
{
    json_writer_object(w, key, JSON_LINES);
    json_writer_weight(w, "weight", amount->weight, g->scale.decimals);
    json_writer_number(w, "percent", amount->percent);
    if (g->differential)
        json_writer_weight(w, "base", amount->base, g->scale.decimals);
    else
        json_writer_null(w, "base");
    if (g->other_unit.len)
        json_writer_weight(w, "other", amount->base, g->scale.decimals);
    json_writer_close(w);
}

/* A search that was given up has no share; 0 would be a statement. */
static void put_no_amount(struct json_writer *w, const char *key, const struct report_graph *g)
{
    static const char *const members[] = {"weight", "percent", "base", "other"};
    size_t count = g->other_unit.len ? 4 : 3;

    json_writer_object(w, key, JSON_LINES);
    for (size_t i = 0; i < count; i++)
        json_writer_null(w, members[i]);
    json_writer_close(w);
}

static void put_unit(struct json_writer *w, const struct report_graph *g)
{
    static const char *const kinds[] = {
        [UNIT_COUNT] = "count", [UNIT_SECONDS] = "seconds", [UNIT_BYTES] = "bytes"};
    const struct unit *unit = &g->scale.unit;

    json_writer_object(w, "unit", JSON_LINES);
    json_writer_text(w, "word", g->unit);
    json_writer_text(w, "kind", slice_str(kinds[unit->kind]));
    json_writer_i64(w, "exponent", unit->kind == UNIT_SECONDS ? unit->exponent : 0);
    json_writer_close(w);
}

static void put_facts(struct json_writer *w, const struct report_fact *facts, size_t count)
{
    json_writer_list(w, "facts", JSON_LINES);
    for (const struct report_fact *f = facts; f < facts + count; f++) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "key", f->key);
        json_writer_text(w, "value", f->value);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_count(struct json_writer *w, const char *key, uint64_t count)
{
    if (count)
        json_writer_u64(w, key, count);
    else
        json_writer_null(w, key);
}

static void put_runs(struct json_writer *w, const struct report_graph *g)
{
    json_writer_optional(w, "service", g->service);
    json_writer_optional(w, "owner", g->owner);
    json_writer_list(w, "runs", JSON_LINES);
    vec_each (struct report_run, run, &g->runs) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "name", run->name);
        put_count(w, "samples", run->samples);
        put_count(w, "duration_ns", run->duration_ns);
        json_writer_u64(w, "lost", run->lost);
        json_writer_optional(w, "host", run->host);
        json_writer_optional(w, "date", run->date);
        put_facts(w, run->facts.items, run->facts.count);
        json_writer_close(w);
    }
    json_writer_close(w);
}

/* Writes the crops of functions, if there are any. */
static void put_crops(struct json_writer *w, const struct report_graph *g)
{
    bool begun = false;

    vec_each (const struct report_function, f, &g->by_self) {
        if (!f->crop.len)
            continue;
        if (!begun)
            json_writer_list(w, "crops", JSON_LINES);
        begun = true;
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "function", f->name);
        json_writer_text(w, "png", f->crop);
        json_writer_close(w);
    }
    if (begun)
        json_writer_close(w);
}

static void put_files(struct json_writer *w, const struct report_graph *g)
{
    static const char *const keys[] = {
        [REPORT_SVG] = "svg",
        [REPORT_PNG] = "png",
        [REPORT_PNG_2X] = "png_2x",
        [REPORT_PNG_DARK] = "png_dark",
        [REPORT_PNG_DARK_2X] = "png_dark_2x",
    };

    json_writer_object(w, "files", JSON_LINES);
    for (size_t i = 0; i < REPORT_PICTURES; i++)
        json_writer_optional(w, keys[i], g->pictures[i].path);
    json_writer_optional(w, "runs", g->kept);
    if (g->exports.count)
        json_writer_object(w, "converted", JSON_LINES);
    vec_each (struct report_export, e, &g->exports)
        json_writer_text(w, e->name, e->path);
    if (g->exports.count)
        json_writer_close(w);
    put_crops(w, g);
    json_writer_close(w);
    json_writer_u64(w, "width", g->pictures[REPORT_SVG].width);
    json_writer_u64(w, "height", g->pictures[REPORT_SVG].height);
}

static void put_functions(struct json_writer *w, const char *key, const struct report_graph *g,
                          const struct report_function *rows, size_t count)
{
    json_writer_list(w, key, JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "name", rows[i].name);
        json_writer_optional(w, "class", rows[i].kind);
        json_writer_optional(w, "module", rows[i].module);
        json_writer_optional(w, "state", rows[i].state);
        put_amount(w, "self", g, &rows[i].self);
        put_amount(w, "total", g, &rows[i].total);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_matches(struct json_writer *w, const struct report_graph *g)
{
    json_writer_list(w, "searches", JSON_LINES);
    vec_each (struct report_match, m, &g->matches) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "name", m->name);
        json_writer_text(w, "pattern", m->pattern);
        if (m->exhausted)
            json_writer_null(w, "functions");
        else
            json_writer_u64(w, "functions", m->symbols);
        json_writer_u64(w, "exhausted", m->exhausted);
        if (m->exhausted)
            put_no_amount(w, "amount", g);
        else
            put_amount(w, "amount", g, &m->amount);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_ledger(struct json_writer *w, const struct report_gaps *gaps)
{
    json_writer_list(w, "ledger", JSON_LINES);
    vec_each (struct report_gap, gap, gaps) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "key", gap->key);
        json_writer_text(w, "what", gap->what);
        json_writer_text(w, "value", gap->exact);
        json_writer_number(w, "percent", gap->percent);
        json_writer_close(w);
    }
    json_writer_close(w);
}

/* Writes what identifies a graph, and its total. */
static void put_head(struct json_writer *w, const struct report_graph *g)
{
    const struct report_amount total = {
        .weight = g->total, .base = g->base_total, .percent = SLICE("100")};

    json_writer_text(w, "name", g->name);
    json_writer_text(w, "title", g->title);
    json_writer_optional(w, "subtitle", g->subtitle);
    json_writer_text(w, "source", g->source);
    json_writer_text(w, "format", g->format);
    json_writer_optional(w, "event", g->event);
    json_writer_optional(w, "kind", g->kind);
    put_unit(w, g);
    if (g->other_unit.len)
        json_writer_text(w, "other_unit", g->other_unit);
    put_amount(w, "total", g, &total);
    put_count(w, "samples", g->samples);
    json_writer_optional(w, "records", g->samples ? g->records : SLICE(""));
    json_writer_u64(w, "functions", g->functions);
    if (g->has_duration)
        json_writer_u64(w, "duration_ns", g->duration_ns);
    else
        json_writer_null(w, "duration_ns");
    json_writer_bool(w, "differential", g->differential);
}

/* Writes the members of a graph into an object that is open. */
static void put_graph(struct json_writer *w, const struct report_graph *g)
{
    put_head(w, g);
    put_facts(w, g->facts.items, g->facts.count);
    put_runs(w, g);
    put_files(w, g);
    put_functions(w, "top_self", g, g->by_self.items, g->by_self.count);
    put_functions(w, "top_total", g, g->by_total.items, g->by_total.count);
    put_functions(w, "self_changes", g, g->self_changes.items, g->self_changes.count);
    put_functions(w, "total_changes", g, g->total_changes.items, g->total_changes.count);
    put_matches(w, g);
    put_ledger(w, &g->gaps);
    json_writer_text(w, "alt", g->alt);
    json_writer_optional(w, "commentary", g->commentary);
}

/* Writes a graph that has a file of its own. */
static void put_entry(struct json_writer *w, const struct report *r, const struct report_graph *g)
{
    struct buf path = {0};

    put_head(w, g);
    json_writer_optional(w, "service", g->service);
    json_writer_optional(w, "owner", g->owner);
    put_matches(w, g);
    pages_path(r, g->name, ".json", &path);
    json_writer_text(w, "file", buf_slice(&path));
    buf_release(&path);
}

static void put_graphs(struct json_writer *w, const struct report *r, const struct drain *drain)
{
    json_writer_list(w, "graphs", JSON_LINES);
    vec_each (const struct report_graph, g, &r->graphs) {
        json_writer_object(w, NULL, JSON_LINES);
        if (r->paged)
            put_entry(w, r, g);
        else
            put_graph(w, g);
        json_writer_close(w);
        drain_offer(drain, w->out);
    }
    json_writer_close(w);
}

static void put_searches(struct json_writer *w, const struct report *r)
{
    json_writer_list(w, "searches", JSON_LINES);
    vec_each (struct report_search, s, &r->searches) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "name", s->name);
        json_writer_text(w, "pattern", s->pattern);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_findings(struct json_writer *w, const struct report *r)
{
    json_writer_optional(w, "measured", r->measured);
    json_writer_list(w, "findings", JSON_LINES);
    vec_each (struct report_finding, f, &r->findings) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "key", f->key);
        json_writer_text(w, "what", f->what);
        json_writer_optional(w, "function", f->function);
        json_writer_optional(w, "search", f->search);
        json_writer_number(w, "percent", f->percent);
        if (f->elsewhere.len)
            json_writer_number(w, "elsewhere", f->elsewhere);
        put_count(w, "samples", f->samples);
        json_writer_text(w, "graph", f->graph_name);
        json_writer_close(w);
    }
    json_writer_close(w);
}

/* The files of findings, in the order of their cards. */
static void put_pictures(struct json_writer *w, const struct report_comparison *c)
{
    json_writer_list(w, "finding_files", JSON_LINES);
    vec_each (const struct report_change, card, &c->cards) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "service", card->of->name);
        json_writer_text(w, "function", card->finding->function);
        json_writer_text(w, "scope", card->scope);
        json_writer_optional(w, "svg", card->graph.path);
        json_writer_optional(w, "png", card->crop.path);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_comparison(struct json_writer *w, const struct report_comparison *c)
{
    if (c->data)
        verdicts_json_put(w, "comparison", c->data);
    else
        json_writer_null(w, "comparison");
    put_pictures(w, c);
}

static void put_rest(struct json_writer *w, const struct report *r)
{
    json_writer_optional(w, "missing_glyphs", r->missing_glyphs);
    json_writer_list(w, "failures", JSON_LINES);
    vec_each (struct report_failure, f, &r->failures) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "path", f->path);
        json_writer_list(w, "messages", JSON_LINES);
        vec_each (struct report_text, message, &f->messages)
            json_writer_text(w, NULL, message->text);
        json_writer_close(w);
        json_writer_close(w);
    }
    json_writer_close(w);
    json_writer_list(w, "incomplete", JSON_LINES);
    vec_each (struct report_incomplete, i, &r->incomplete) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "path", i->path);
        put_ledger(w, &i->gaps);
        json_writer_close(w);
    }
    json_writer_close(w);
    json_writer_list(w, "not_profiles", JSON_LINES);
    vec_each (struct report_stranger, s, &r->strangers) {
        json_writer_object(w, NULL, JSON_LINES);
        json_writer_text(w, "path", s->path);
        json_writer_text(w, "reason", s->reason);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_generator(struct json_writer *w, const struct report *r)
{
    json_writer_object(w, "generator", JSON_LINES);
    json_writer_text(w, "name", SLICE("flamepress"));
    json_writer_text(w, "version", r->version);
    json_writer_close(w);
}

void report_write_json(const struct report *r, struct buf *out, const struct drain *drain)
{
    struct json_writer w;

    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "schema",
                     r->paged ? SLICE("flamepress-report-index/1") : SLICE("flamepress-report/2"));
    put_generator(&w, r);
    json_writer_optional(&w, "title", r->title);
    json_writer_optional(&w, "subtitle", r->subtitle);
    json_writer_optional(&w, "introduction", r->introduction);
    json_writer_optional(&w, "date", r->date);
    put_searches(&w, r);
    put_comparison(&w, &r->comparison);
    put_findings(&w, r);
    put_graphs(&w, r, drain);
    put_rest(&w, r);
    json_writer_close(&w);
    buf_add_char(out, '\n');
}

void report_write_graph_json(const struct graph_page *page, struct buf *out)
{
    struct json_writer w;

    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "schema", SLICE("flamepress-graph/1"));
    put_generator(&w, page->report);
    put_graph(&w, page->graph);
    json_writer_close(&w);
    buf_add_char(out, '\n');
}
