#include "report/verdicts_json.h"

#include <math.h>

#include "compare/budgets.h"
#include "report/verdicts.h"

/* A probability, or a correlation. */
static void put_small(struct json_writer *w, const char *key, double value)
{
    struct buf text = {0};

    buf_printf(&text, "%.4g", value);
    json_writer_number(w, key, buf_slice(&text));
    buf_release(&text);
}

static void put_exactly(struct json_writer *w, const char *key, double value)
{
    struct buf text = {0};

    buf_printf(&text, "%.10g", value);
    json_writer_number(w, key, buf_slice(&text));
    buf_release(&text);
}

/* Shares by label: null if the label does not have the service. */
static void put_levels(struct json_writer *w, const char *key, const struct compare_levels *levels)
{
    json_writer_list(w, key, JSON_LINES);
    vec_each (const struct compare_level, l, levels) {
        json_writer_object(w, NULL, JSON_INLINE);
        json_writer_text(w, "label", l->label);
        if (l->samples > 0)
            json_writer_share(w, "percent", l->share);
        else
            json_writer_null(w, "percent");
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_finding(struct json_writer *w, const struct compared_service *s,
                        const struct finding *f)
{
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "function", f->function);
    json_writer_optional(w, "module", f->module);
    json_writer_optional(w, "file", f->file);
    if (f->line)
        json_writer_u64(w, "line", f->line);
    else
        json_writer_null(w, "line");
    json_writer_optional(w, "link", f->link);
    json_writer_optional(w, "owner", f->owner);
    json_writer_text(w, "scope", compare_scope_word(f->scope));
    json_writer_text(w, "verdict", compare_verdict_word(f->verdict));
    json_writer_share(w, "base_percent", f->base);
    json_writer_share(w, "new_percent", f->new);
    json_writer_share(w, "points", f->change);
    json_writer_share(w, "low", f->low);
    json_writer_share(w, "high", f->high);
    if (s->exact) {
        json_writer_null(w, "p");
        json_writer_null(w, "q");
    } else {
        put_small(w, "p", f->p);
        put_small(w, "q", f->q);
    }
    json_writer_weight(w, "base_weight", f->base_weight, s->decimals);
    json_writer_weight(w, "new_weight", f->new_weight, s->decimals);
    json_writer_optional(w, "since", f->since);
    json_writer_optional(w, "since_earliest", f->since_earliest);
    json_writer_optional(w, "since_latest", f->since_latest);
    json_writer_optional(w, "undoes", f->undoes);
    json_writer_bool(w, "confirmed", f->confirmed);
    json_writer_optional(w, "through", f->through);
    json_writer_optional(w, "renamed_from", f->renamed_from);
    json_writer_optional(w, "accepted", f->accepted);
    put_levels(w, "history", &f->levels);
    json_writer_close(w);
}

static void put_sides(struct json_writer *w, const char *key, const struct compared_service *s,
                      bool samples)
{
    static const char *const keys[] = {[STATS_BASE] = "base", [STATS_NEW] = "new"};

    json_writer_object(w, key, JSON_INLINE);
    for (int side = 0; side < 2; side++)
        if (!samples)
            json_writer_u64(w, keys[side], s->sides[side].runs);
        else if (s->sides[side].samples)
            json_writer_u64(w, keys[side], s->sides[side].samples);
        else
            json_writer_null(w, keys[side]);
    json_writer_close(w);
}

/* What the service costs, in its unit; null if it is not known. */
static void put_cost(struct json_writer *w, const struct compared_service *s)
{
    const struct compared_cost *cost = &s->cost;
    const double unit = pow(10, s->decimals);

    if (!(cost->base > 0)) {
        json_writer_null(w, "cost");
        return;
    }
    json_writer_object(w, "cost", JSON_LINES);
    json_writer_text(w, "per", budgets_basis(cost->basis));
    put_exactly(w, "base", cost->base / unit);
    put_exactly(w, "new", cost->new / unit);
    json_writer_share(w, "percent", cost->change);
    if (cost->has_interval) {
        json_writer_share(w, "low", cost->low);
        json_writer_share(w, "high", cost->high);
    } else {
        json_writer_null(w, "low");
        json_writer_null(w, "high");
    }
    put_exactly(w, "base_run", cost->exposure[STATS_BASE]);
    put_exactly(w, "new_run", cost->exposure[STATS_NEW]);
    json_writer_close(w);
}

/* The sentence that other outputs have. */
static void put_summary(struct json_writer *w, const struct compared_service *s)
{
    struct buf text = {0};

    verdicts_service(&text, s);
    json_writer_text(w, "summary", buf_slice(&text));
    buf_release(&text);
}

static void put_service(struct json_writer *w, const struct compared_service *s)
{
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "name", s->name);
    json_writer_optional(w, "event", s->event);
    json_writer_optional(w, "owner", s->owner);
    json_writer_text(w, "unit", unit_word(&s->unit));
    json_writer_i64(w, "exponent", s->unit.exponent);
    json_writer_bool(w, "exact", s->exact);
    json_writer_text(w, "measure", compare_measure_word(s->measure));
    put_sides(w, "runs", s, false);
    put_sides(w, "samples", s, true);
    if (s->tested && !s->exact)
        put_small(w, "rho", s->rho);
    else
        json_writer_null(w, "rho");
    if (s->smallest < 1)
        json_writer_share(w, "mdc_points", s->smallest);
    else
        json_writer_null(w, "mdc_points");
    json_writer_text(w, "verdict", compare_verdict_word(s->verdict));
    json_writer_optional(w, "reason", s->reason);
    put_summary(w, s);
    put_cost(w, s);
    json_writer_object(w, "normalized", JSON_INLINE);
    json_writer_u64(w, "functions", s->normalized);
    json_writer_list(w, "example", JSON_INLINE);
    for (size_t i = 0; i < 2 && s->normalized; i++)
        json_writer_text(w, NULL, s->normalized_names[i]);
    json_writer_close(w);
    json_writer_close(w);
    json_writer_optional(w, "heaviest", s->heaviest);
    put_levels(w, "history", &s->levels);
    json_writer_list(w, "warnings", JSON_LINES);
    vec_each (const struct slice, warning, &s->warnings)
        json_writer_text(w, NULL, *warning);
    json_writer_close(w);
    json_writer_list(w, "findings", JSON_LINES);
    vec_each (const struct finding, f, &s->findings)
        put_finding(w, s, f);
    json_writer_close(w);
    json_writer_close(w);
}

static void put_budget(struct json_writer *w, const struct budget_result *b)
{
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "service", b->service);
    json_writer_optional(w, "event", b->event);
    if (budgets_basis(b->kind).len)
        json_writer_text(w, "total_per", budgets_basis(b->kind));
    else
        json_writer_text(w, b->kind == BUDGET_SEARCH ? "search" : "function", b->name);
    json_writer_share(w, "base_percent", b->base);
    json_writer_share(w, "new_percent", b->new);
    if (b->max_share < 1)
        json_writer_share(w, "max_share", b->max_share);
    else
        json_writer_null(w, "max_share");
    if (b->max_growth < 1 || budgets_basis(b->kind).len)
        json_writer_share(w, "max_growth", b->max_growth);
    else
        json_writer_null(w, "max_growth");
    json_writer_bool(w, "broken", budget_is_broken(b));
    json_writer_close(w);
}

void verdicts_json_put(struct json_writer *w, const char *key, const struct comparison *c)
{
    const struct stats_settings *stats = &c->settings.stats;
    struct buf headline = {0};

    verdicts_headline(&headline, c);
    json_writer_object(w, key, JSON_LINES);
    json_writer_text(w, "schema", SLICE("flamepress-comparison/1"));
    json_writer_text(w, "base", c->base);
    json_writer_text(w, "new", c->new);
    json_writer_text(w, "headline", buf_slice(&headline));
    json_writer_text(w, "measure", compare_measure_word(c->settings.measure));
    json_writer_share(w, "min_change", stats->min_change);
    json_writer_share(w, "min_share", stats->min_share);
    json_writer_share(w, "fdr", stats->rate);
    json_writer_list(w, "services", JSON_LINES);
    vec_each (const struct compared_service, s, &c->services)
        put_service(w, s);
    json_writer_close(w);
    json_writer_list(w, "budgets", JSON_LINES);
    vec_each (const struct budget_result, b, &c->budgets)
        put_budget(w, b);
    json_writer_close(w);
    json_writer_close(w);
    buf_release(&headline);
}

void verdicts_json_write(const struct comparison *c, struct buf *out)
{
    struct json_writer w;

    json_writer_init(&w, out);
    verdicts_json_put(&w, NULL, c);
    buf_add_char(out, '\n');
}
