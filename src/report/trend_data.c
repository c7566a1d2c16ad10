#include <stdio.h>
#include <stdlib.h>

#include "base/json_writer.h"
#include "base/percent.h"
#include "report/atom.h"
#include "report/trend_pages.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_probability(struct json_writer *w, const char *key, double p)
{
    char text[32];

    snprintf(text, sizeof(text), "%.4g", p);
    json_writer_number(w, key, slice_str(text));
}

static void put_labels(struct json_writer *w, const struct trend_report *r)
{
    json_writer_list(w, "labels", JSON_LINES);
    for (size_t i = 0; i < r->trends->labels; i++) {
        json_writer_object(w, NULL, JSON_INLINE);
        json_writer_text(w, "label", r->labels[i].name);
        json_writer_optional(w, "date", r->labels[i].date);
        json_writer_optional(w, "commit", r->labels[i].commit);
        json_writer_optional(w, "note", r->labels[i].note);
        json_writer_close(w);
    }
    json_writer_close(w);
}

/* Returns the name of a label that is not that of the shift; or nothing. */
static struct slice other_label(const struct trend_report *r, const struct trend_shift *shift,
                                size_t label)
{
    return label == shift->label ? SLICE("") : r->labels[label].name;
}

static void put_shifts(struct json_writer *w, const struct trend_report *r,
                       const struct trend_service *s)
{
    json_writer_list(w, "changes", JSON_LINES);
    vec_each (const struct trend_shift, shift, &s->shifts) {
        const struct trend_series *one = &s->series.items[shift->series];

        json_writer_object(w, NULL, JSON_INLINE);
        json_writer_text(w, "function", one->function);
        json_writer_text(w, "scope", compare_scope_word(one->scope));
        json_writer_text(w, "since", r->labels[shift->label].name);
        json_writer_text(w, "earliest", r->labels[shift->earliest].name);
        json_writer_text(w, "latest", r->labels[shift->latest].name);
        json_writer_optional(w, "until", other_label(r, shift, shift->went));
        json_writer_optional(w, "undoes", other_label(r, shift, shift->came));
        json_writer_share(w, "before_percent", shift->before);
        json_writer_share(w, "after_percent", shift->after);
        json_writer_share(w, "points", shift->after - shift->before);
        put_probability(w, "p", shift->p);
        json_writer_bool(w, "leads", shift->leads);
        json_writer_close(w);
    }
    json_writer_close(w);
}

static void put_series(struct json_writer *w, const struct trend_series *s, size_t labels)
{
    json_writer_object(w, NULL, JSON_INLINE);
    json_writer_text(w, "function", s->function);
    json_writer_optional(w, "module", s->module);
    json_writer_text(w, "scope", compare_scope_word(s->scope));
    json_writer_list(w, "percent", JSON_INLINE);
    for (size_t i = 0; i < labels; i++)
        if (s->levels[i].samples > 0)
            json_writer_share(w, NULL, s->levels[i].share);
        else
            json_writer_null(w, NULL);
    json_writer_close(w);
    json_writer_close(w);
}

static void put_service(struct json_writer *w, const struct trend_report *r, size_t index)
{
    const struct trend_service *s = &r->trends->services.items[index];
    char page[160];

    snprintf(page, sizeof(page), "services/%.*s.html", SLICE_ARG(r->pages[index]));
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "name", s->name);
    json_writer_optional(w, "event", s->event);
    json_writer_optional(w, "owner", s->owner);
    json_writer_text(w, "page", slice_str(page));
    json_writer_list(w, "runs", JSON_INLINE);
    for (size_t i = 0; i < r->trends->labels; i++)
        json_writer_u64(w, NULL, s->labels[i].runs);
    json_writer_close(w);
    json_writer_list(w, "samples", JSON_INLINE);
    for (size_t i = 0; i < r->trends->labels; i++)
        json_writer_u64(w, NULL, s->labels[i].samples);
    json_writer_close(w);
    put_shifts(w, r, s);
    json_writer_list(w, "series", JSON_LINES);
    vec_each (const struct trend_series, one, &s->series)
        put_series(w, one, r->trends->labels);
    json_writer_close(w);
    json_writer_close(w);
}

void report_trend_json(const struct trend_report *r, struct buf *out)
{
    struct json_writer w;

    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "schema", SLICE("flamepress-trends/1"));
    json_writer_text(&w, "title", r->title);
    put_labels(&w, r);
    json_writer_list(&w, "left_out", JSON_INLINE);
    for (size_t i = 0; i < r->left_out_count; i++)
        json_writer_text(&w, NULL, r->left_out[i]);
    json_writer_close(&w);
    json_writer_list(&w, "services", JSON_LINES);
    for (size_t i = 0; i < r->trends->services.count; i++)
        put_service(&w, r, i);
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(out, '\n');
}

/* ---- Atom ------------------------------------------------------------------------------------ */

/* Returns the number of other shifts that belong to the same change as `leads`. */
static size_t others_of(const struct trend_service *s, const struct trend_shift *leads)
{
    size_t others = 0;

    vec_each (const struct trend_shift, shift, &s->shifts)
        others += shift != leads && trends_are_one(s, shift, leads);
    return others;
}

static void add_entry(const struct trend_report *r, const struct trend_change *c, struct buf *out)
{
    const struct trend_service *s = &r->trends->services.items[c->service];
    const struct trend_series *one = &s->series.items[c->shift->series];
    const struct trend_label *label = &r->labels[c->shift->label];
    size_t others = others_of(s, c->shift);
    struct buf id = {0}, undone = {0};

    buf_printf(&id, "%.*s\n%.*s\n%.*s", SLICE_ARG(s->name), SLICE_ARG(s->event),
               SLICE_ARG(label->name));
    buf_add_str(out, "<entry>\n");
    atom_add_id(out, buf_slice(&id));
    buf_add_str(out, "<title>");
    atom_add_text(out, s->name);
    buf_add_str(out, ": ");
    atom_add_text(out, one->function);
    buf_add_char(out, ' ');
    percent_write_points(out, c->shift->after - c->shift->before, PERCENT_TABLE);
    buf_add_str(out, " points");
    report_trend_undone(&undone, r, c->shift);
    buf_add_str(out, undone.len ? ": " : " since ");
    atom_add_text(out, undone.len ? buf_slice(&undone) : label->name);
    buf_add_str(out, "</title>\n");
    atom_add_updated(out, label->date);
    buf_printf(out, "<link href=\"services/%.*s.html\"/>\n<summary>",
               SLICE_ARG(r->pages[c->service]));
    buf_printf(out, "%.*s share ", SLICE_ARG(compare_scope_word(one->scope)));
    percent_write(out, c->shift->before, PERCENT_TABLE);
    buf_add_str(out, " % to ");
    percent_write(out, c->shift->after, PERCENT_TABLE);
    buf_add_str(out, " %");
    if (others)
        buf_printf(out, "; %zu more function%s changed", others, others == 1 ? "" : "s");
    buf_add_str(out, "</summary>\n</entry>\n");
    buf_release(&undone);
    buf_release(&id);
}

void report_trend_feed(const struct trend_report *r, struct buf *out)
{
    enum { ENTRIES = 100 };
    size_t count, newest = r->trends->labels - 1;
    struct trend_change *list = report_trend_changes(r, &count);

    if (count)
        newest = list[0].shift->label;
    atom_open(r->title, r->labels[newest].date, out);
    for (size_t i = 0; i < count && i < ENTRIES; i++)
        add_entry(r, &list[i], out);
    atom_close(out);
    free(list);
}
