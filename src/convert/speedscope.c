/*
 * speedscope's file format: a table of frames, and for each series a sampled profile whose samples
 * are lists of places in that table, root first. A base and its new series are two profiles.
 * Samples are in the order of time, without the pauses between them; if the profile has no times,
 * each distinct stack has one sample.
 *
 * Source: the schema at https://www.speedscope.app/file-format-schema.json.
 */
#include "base/json_writer.h"
#include "base/vec.h"
#include "base/version.h"
#include "convert/lines.h"
#include "convert/sides.h"
#include "convert/timeline.h"
#include "convert/values.h"

struct speedscope_writer {
    const struct conversion *c;
    struct convert_stream *out;
    struct json_writer json;
    struct lines lines;
    uint32_t *number; /* by symbol in use: its place in the table of frames */
    VEC(uint32_t) path;
    struct buf text;
    struct diag *diag;
};

/* The units that speedscope knows besides those of time. */
static struct slice speedscope_unit(const struct series *s, struct slice unit)
{
    return s->unit.kind == UNIT_COUNT ? SLICE("none") : unit;
}

static void write_place(struct speedscope_writer *w, uint32_t symbol)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    struct slice file = symbol_file(symbols, symbol);

    if (file.len)
        json_writer_text(&w->json, "file", file);
    if (symbols->items.items[symbol].line)
        json_writer_u64(&w->json, "line", symbols->items.items[symbol].line);
}

static void write_frames(struct speedscope_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    uint32_t count = symbols_count(symbols), next = 0;

    w->number = xcalloc((size_t)count + 1, sizeof(*w->number));
    json_writer_object(&w->json, "shared", JSON_LINES);
    json_writer_list(&w->json, "frames", JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        if (!w->lines.named[i])
            continue;
        w->number[i] = next++;
        buf_clear(&w->text);
        values_add_name(&w->text, symbols, i);
        json_writer_object(&w->json, NULL, JSON_INLINE);
        json_writer_text(&w->json, "name", buf_slice(&w->text));
        write_place(w, i);
        json_writer_close(&w->json);
        convert_stream_pass(w->out);
    }
    json_writer_close(&w->json);
    json_writer_close(&w->json);
}

/* Writes a stack as a list of numbers. */
static void write_stack(struct speedscope_writer *w, uint32_t node)
{
    const struct stacks *stacks = &w->c->profile->stacks;

    vec_clear(&w->path);
    for (; node != STACK_ROOT; node = stacks->parent[node])
        *vec_add(&w->path) = w->number[stacks->symbol[node]];
    buf_clear(&w->text);
    buf_add_char(&w->text, '[');
    for (size_t i = w->path.count; i-- > 0;) {
        buf_add_u64(&w->text, w->path.items[i]);
        if (i)
            buf_add_char(&w->text, ',');
    }
    buf_add_char(&w->text, ']');
    json_writer_number(&w->json, NULL, buf_slice(&w->text));
    convert_stream_pass(w->out);
}

static void write_amount(struct speedscope_writer *w, const char *key,
                         const struct values_decimal *d, uint64_t weight)
{
    buf_clear(&w->text);
    values_add_decimal(&w->text, d, weight);
    json_writer_number(&w->json, key, buf_slice(&w->text));
    convert_stream_pass(w->out);
}

static void write_series(struct speedscope_writer *w, const struct series *s)
{
    struct values_decimal d = values_decimal(w->c->profile, s, VALUES_ANY);
    const struct timeline samples = timeline_of(s);

    values_round_times(&d, w->c->profile, s, w->diag);
    json_writer_object(&w->json, NULL, JSON_LINES);
    json_writer_text(&w->json, "type", SLICE("sampled"));
    buf_clear(&w->text);
    values_add_series(&w->text, s);
    json_writer_text(&w->json, "name", buf_slice(&w->text));
    json_writer_text(&w->json, "unit", speedscope_unit(s, d.unit));
    write_amount(w, "startValue", &d, 0);
    write_amount(w, "endValue", &d, s->total);
    json_writer_list(&w->json, "samples", JSON_LINES);
    for (size_t i = 0; i < samples.count && !w->out->stopped; i++)
        write_stack(w, timeline_row(&samples, i).stack);
    json_writer_close(&w->json);
    json_writer_list(&w->json, "weights", JSON_LINES);
    for (size_t i = 0; i < samples.count && !w->out->stopped; i++)
        write_amount(w, NULL, &d, timeline_row(&samples, i).weight);
    json_writer_close(&w->json);
    json_writer_close(&w->json);
}

/* Returns whether the first profile is a base: then the one after it is shown first. */
static bool is_pair(const struct conversion *c)
{
    return c->profile->series.items[c->series[0]].before;
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    struct speedscope_writer w = {.out = out, .diag = diag};
    struct sides sides;

    sides_init(&sides, c);
    c = w.c = &sides.conversion;
    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &c->profile->series.items[c->series[i]];

        values_tell_unit(s, diag);
        values_tell_digits(c->profile, s, VALUES_ANY, diag);
    }
    lines_init(&w.lines, c);
    json_writer_init(&w.json, &out->bytes);
    json_writer_object(&w.json, NULL, JSON_LINES);
    json_writer_text(&w.json, "$schema",
                     SLICE("https://www.speedscope.app/file-format-schema.json"));
    json_writer_text(&w.json, "exporter", SLICE(FLAMEPRESS_MARK));
    json_writer_text(&w.json, "name", c->title);
    json_writer_u64(&w.json, "activeProfileIndex", is_pair(c));
    write_frames(&w);
    json_writer_list(&w.json, "profiles", JSON_LINES);
    for (size_t i = 0; i < c->count; i++)
        write_series(&w, &c->profile->series.items[c->series[i]]);
    json_writer_close(&w.json);
    json_writer_close(&w.json);
    buf_add_char(&out->bytes, '\n');

    lines_release(&w.lines);
    vec_release(&w.path);
    buf_release(&w.text);
    xfree(w.number);
    vec_release(&sides.ids);
}

const struct convert_writer convert_speedscope = {
    .name = "speedscope",
    .title = "speedscope",
    .endings = ".speedscope.json .speedscope",
    .about = "speedscope's own format",
    .many = true,
    .holds = CONVERT_LINES | CONVERT_ORDER,
    .write = write,
};
