#include "report/json.h"

#include <stddef.h>

#include "base/json_writer.h"
#include "report/pages.h"
#include "report/verdicts_json.h"

/* ---- graphs, by the lists of their members (report/records.h) -------------------------------- */

/* Where a member goes, and the graph that it belongs to. */
struct writing {
    struct json_writer *w;
    const struct report_graph *g;
};

/* How a member of a record is written. */
struct json_member {
    void (*put)(const struct writing *s, const struct json_member *m,
                const void *record); /* or NULL */
    const char *key;
    size_t offset;
    const struct json_record *of; /* of an object or the objects of a list */
};

struct json_record {
    size_t size;
    const struct json_member *members;
    size_t count;
};

static const void *member_of(const struct json_member *m, const void *record)
{
    return (const char *)record + m->offset;
}

static struct slice text_of(const struct json_member *m, const void *record)
{
    return *(const struct slice *)member_of(m, record);
}

static uint64_t number_of(const struct json_member *m, const void *record)
{
    return *(const uint64_t *)member_of(m, record);
}

static void put_members(const struct writing *s, const struct json_record *of, const void *record)
{
    for (const struct json_member *m = of->members; m < of->members + of->count; m++)
        if (m->put)
            m->put(s, m, record);
}

static void put_text(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_text(s->w, m->key, text_of(m, record));
}

static void put_or_null(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_optional(s->w, m->key, text_of(m, record));
}

static void put_if_any(const struct writing *s, const struct json_member *m, const void *record)
{
    if (text_of(m, record).len)
        put_text(s, m, record);
}

static void put_decimal(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_number(s->w, m->key, text_of(m, record));
}

static void put_count(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_u64(s->w, m->key, number_of(m, record));
}

static void put_count_or_null(const struct writing *s, const struct json_member *m,
                              const void *record)
{
    if (number_of(m, record))
        put_count(s, m, record);
    else
        json_writer_null(s->w, m->key);
}

static void put_weight(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_weight(s->w, m->key, number_of(m, record), s->g->scale.decimals);
}

static void put_flag(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_bool(s->w, m->key, *(const bool *)member_of(m, record));
}

static void put_object(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_object(s->w, m->key, JSON_LINES);
    put_members(s, m->of, member_of(m, record));
    json_writer_close(s->w);
}

static void put_objects(const struct writing *s, const struct json_member *m, const void *record)
{
    struct record_list list = report_record_get_list(member_of(m, record));

    json_writer_list(s->w, m->key, JSON_LINES);
    for (size_t i = 0; i < list.count; i++) {
        json_writer_object(s->w, NULL, JSON_LINES);
        put_members(s, m->of, list.items + i * m->of->size);
        json_writer_close(s->w);
    }
    json_writer_close(s->w);
}

#define PUT_NONE .put = NULL
#define PUT_TEXT(key_) .put = put_text, .key = key_
#define PUT_OR_NULL(key_) .put = put_or_null, .key = key_
#define PUT_IF_ANY(key_) .put = put_if_any, .key = key_
#define PUT_DECIMAL(key_) .put = put_decimal, .key = key_
#define PUT_COUNT(key_) .put = put_count, .key = key_
#define PUT_COUNT_OR_NULL(key_) .put = put_count_or_null, .key = key_
#define PUT_WEIGHT(key_) .put = put_weight, .key = key_
#define PUT_FLAG(key_) .put = put_flag, .key = key_
#define PUT_OBJECT(key_, record) .put = put_object, .key = key_, .of = &record
#define PUT_OBJECTS(key_, record) .put = put_objects, .key = key_, .of = &record
#define PUT_BY(function) .put = function

#define ROW(S, kind, name, json) {.offset = offsetof(struct S, name), PUT_##json},

#define RECORD_OF(record, rows)                                                                    \
    {                                                                                              \
        sizeof(struct report_##record), rows, sizeof(rows) / sizeof(rows[0])                       \
    }
#define RECORD(record, list)                                                                       \
    static const struct json_member record##_rows[] = {                                            \
        list(ROW, RECORD_NOTHING, report_##record)};                                               \
    static const struct json_record record = RECORD_OF(record, record##_rows)

static void put_base(const struct writing *s, const struct json_member *m, const void *record)
{
    uint64_t base = number_of(m, record);

    if (s->g->differential)
        json_writer_weight(s->w, "base", base, s->g->scale.decimals);
    else
        json_writer_null(s->w, "base");
    if (s->g->other_unit.len)
        json_writer_weight(s->w, "other", base, s->g->scale.decimals);
}

RECORD(amount, REPORT_AMOUNT);
RECORD(fact, REPORT_FACT);
RECORD(run, REPORT_RUN);
RECORD(function, REPORT_FUNCTION);
RECORD(omission, REPORT_OMISSION);

/* ---- searches ---- */

static void put_symbols(const struct writing *s, const struct json_member *m, const void *record)
{
    const struct report_match *match = record;

    (void)m;
    if (match->exhausted)
        json_writer_null(s->w, "functions");
    else
        json_writer_u64(s->w, "functions", match->symbols);
}

/* A search that was given up has no share; 0 would be a statement. */
static void put_found(const struct writing *s, const struct json_member *m, const void *record)
{
    static const char *const keys[] = {"weight", "percent", "base", "other"};
    const struct report_match *match = record;
    size_t count = s->g->other_unit.len ? 4 : 3;

    (void)m;
    json_writer_object(s->w, "amount", JSON_LINES);
    for (size_t i = 0; i < count && match->exhausted; i++)
        json_writer_null(s->w, keys[i]);
    if (!match->exhausted)
        put_members(s, &amount, &match->amount);
    json_writer_close(s->w);
}

RECORD(match, REPORT_MATCH);

/* ---- the graph ---- */

static void put_unit(const struct writing *s, const struct json_member *m, const void *record)
{
    static const char *const kinds[] = {
        [UNIT_COUNT] = "count", [UNIT_SECONDS] = "seconds", [UNIT_BYTES] = "bytes"};
    const struct unit *unit = &s->g->scale.unit;

    json_writer_object(s->w, "unit", JSON_LINES);
    json_writer_text(s->w, "word", text_of(m, record));
    json_writer_text(s->w, "kind", slice_str(kinds[unit->kind]));
    json_writer_i64(s->w, "exponent", unit->kind == UNIT_SECONDS ? unit->exponent : 0);
    json_writer_close(s->w);
}

static void put_total(const struct writing *s, const struct json_member *m, const void *record)
{
    const struct report_amount total = {
        .weight = number_of(m, record), .base = s->g->base_total, .percent = SLICE("100")};

    json_writer_object(s->w, "total", JSON_LINES);
    put_members(s, &amount, &total);
    json_writer_close(s->w);
}

static void put_records(const struct writing *s, const struct json_member *m, const void *record)
{
    json_writer_optional(s->w, "records", s->g->samples ? text_of(m, record) : SLICE(""));
}

static void put_duration(const struct writing *s, const struct json_member *m, const void *record)
{
    if (s->g->has_duration)
        json_writer_u64(s->w, "duration_ns", number_of(m, record));
    else
        json_writer_null(s->w, "duration_ns");
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

static void put_files(const struct writing *s, const struct json_member *m, const void *record)
{
    static const char *const keys[] = {
        [REPORT_SVG] = "svg",
        [REPORT_PNG] = "png",
        [REPORT_PNG_2X] = "png_2x",
        [REPORT_PNG_DARK] = "png_dark",
        [REPORT_PNG_DARK_2X] = "png_dark_2x",
    };
    const struct report_graph *g = s->g;
    struct json_writer *w = s->w;

    (void)m;
    (void)record;
    json_writer_object(w, "files", JSON_LINES);
    for (size_t i = 0; i < REPORT_PICTURES; i++)
        json_writer_optional(w, keys[i], g->pictures[i].path);
    json_writer_optional(w, "runs", g->runs_path);
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

static const struct json_member head_rows[] = {
    REPORT_GRAPH_HEAD(ROW, ROW, RECORD_NOTHING, report_graph)};
static const struct json_record head = RECORD_OF(graph, head_rows);

static const struct json_member rest_rows[] = {
    REPORT_GRAPH_TABLES(ROW, ROW, RECORD_NOTHING, report_graph)
        REPORT_GRAPH_TEXTS(ROW, ROW, RECORD_NOTHING, report_graph)};
static const struct json_record rest = RECORD_OF(graph, rest_rows);

static void put_matches(const struct writing *s)
{
    const struct json_member m = {
        .key = "searches", .offset = offsetof(struct report_graph, matches), .of = &match};

    put_objects(s, &m, s->g);
}

/* Writes the members of a graph into an object that is open. */
static void put_graph(struct json_writer *w, const struct report_graph *g)
{
    const struct writing s = {w, g};

    put_members(&s, &head, g);
    put_members(&s, &rest, g);
}

/* Writes a graph that has a file of its own. */
static void put_entry(struct json_writer *w, const struct report *r, const struct report_graph *g)
{
    const struct writing s = {w, g};
    struct buf path = {0};

    put_members(&s, &head, g);
    json_writer_optional(w, "service", g->service);
    json_writer_optional(w, "owner", g->owner);
    put_matches(&s);
    pages_path(r, g->name, ".json", &path);
    json_writer_text(w, "file", buf_slice(&path));
    buf_release(&path);
}

static void put_graphs(struct json_writer *w, const struct report *r, const struct flush *flush)
{
    json_writer_list(w, "graphs", JSON_LINES);
    vec_each (const struct report_graph, g, &r->graphs) {
        json_writer_object(w, NULL, JSON_LINES);
        if (r->paged)
            put_entry(w, r, g);
        else
            put_graph(w, g);
        json_writer_close(w);
        flush_if_large(flush, w->out);
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
        if (f->samples)
            json_writer_u64(w, "samples", f->samples);
        else
            json_writer_null(w, "samples");
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
    const struct json_member ledger = {
        .key = "ledger", .offset = offsetof(struct report_incomplete, omissions), .of = &omission};

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
        put_objects(&(struct writing){.w = w}, &ledger, i);
        json_writer_close(w);
    }
    json_writer_close(w);
    json_writer_list(w, "not_profiles", JSON_LINES);
    vec_each (struct report_unrecognised, s, &r->unrecognised) {
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

void report_write_json(const struct report *r, struct buf *out, const struct flush *flush)
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
    put_graphs(&w, r, flush);
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
