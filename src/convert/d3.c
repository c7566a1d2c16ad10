/*
 * A tree as d3-flame-graph draws it: {"name", "value", "children"}, where the value of a frame
 * includes its children. A differential graph has "delta", the change since the base.
 *
 * Source: the README of github.com/spiermar/d3-flame-graph.
 */
#include "base/json_writer.h"
#include "convert/lines.h"
#include "convert/sides.h"
#include "convert/values.h"
#include "profile/profile.h"

struct d3_writer {
    const struct profile *profile;
    struct convert_stream *out;
    struct lines lines;
    struct values_decimal decimal;
    size_t count;       /* of series: the base and the new one, or one */
    uint64_t *total[2]; /* by series and node */
    struct buf text;
};

static void add_up(struct d3_writer *w)
{
    const struct stacks *stacks = &w->profile->stacks;

    for (size_t i = 0; i < w->count; i++)
        w->total[i] = xcalloc(stacks->count, sizeof(uint64_t));
    for (uint32_t node = stacks->count; node-- > 0;) {
        const struct line *end, *line = lines_of(&w->lines, node, &end);

        for (; line < end; line++)
            w->total[line->series][node] += line->weight;
        for (size_t i = 0; node && i < w->count; i++)
            w->total[i][stacks->parent[node]] += w->total[i][node];
    }
}

static void open_node(struct d3_writer *w, uint32_t node)
{
    struct buf *out = &w->out->bytes;
    uint64_t value = w->total[w->count - 1][node], before;

    buf_clear(&w->text);
    if (node)
        values_add_name(&w->text, &w->profile->symbols, w->profile->stacks.symbol[node]);
    else
        buf_add_str(&w->text, "root");
    buf_add_str(out, "{\"name\":");
    json_writer_string(out, buf_slice(&w->text));
    buf_add_str(out, ",\"value\":");
    values_add_decimal(out, &w->decimal, value);
    if (w->count > 1) {
        before = w->total[0][node];
        buf_add_str(out, before > value ? ",\"delta\":-" : ",\"delta\":");
        values_add_decimal(out, &w->decimal, before > value ? before - value : value - before);
    }
    if (w->lines.first[node])
        buf_add_str(out, ",\"children\":[\n");
}

static void close_node(struct d3_writer *w, uint32_t node)
{
    buf_add_str(&w->out->bytes, w->lines.first[node] ? "]}" : "}");
    if (w->lines.next[node])
        buf_add_str(&w->out->bytes, ",\n");
    convert_stream_pass(w->out);
}

/* Opens each node in use before its children, and closes it after them. */
static void write_tree(struct d3_writer *w)
{
    const uint32_t *parent = w->profile->stacks.parent;
    uint32_t node = STACK_ROOT;

    open_node(w, node);
    while (!w->out->stopped) {
        if (w->lines.first[node]) {
            node = w->lines.first[node];
            open_node(w, node);
            continue;
        }
        while (node && !w->lines.next[node]) {
            close_node(w, node);
            node = parent[node];
        }
        close_node(w, node);
        if (!node)
            break;
        node = w->lines.next[node];
        open_node(w, node);
    }
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    const struct series *s = &c->profile->series.items[c->series[0]];
    struct d3_writer w = {.profile = c->profile, .out = out};
    struct sides sides;

    sides_init(&sides, c);
    w.count = sides.ids.count;
    w.decimal = values_decimal(c->profile, s, VALUES_ANY);
    values_tell_none(s, w.decimal.unit, diag);
    values_tell_digits(c->profile, s, VALUES_ANY, diag);
    lines_init(&w.lines, &sides.conversion);
    add_up(&w);
    write_tree(&w);
    buf_add_char(&out->bytes, '\n');
    lines_release(&w.lines);
    xfree(w.total[0]);
    xfree(w.total[1]);
    buf_release(&w.text);
    vec_release(&sides.ids);
}

const struct convert_writer convert_d3 = {
    .name = "d3",
    .title = "d3-flame-graph",
    .endings = ".json",
    .about = "a tree for d3-flame-graph",
    .write = write,
};
