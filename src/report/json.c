#include "report/json.h"

#include "base/num.h"
#include "base/utf8.h"

/* Writes objects and lists with their commas and indent. */
struct writer {
    struct buf *out;
    unsigned depth;
    bool first; /* nothing stands in the present object or list yet */
};

/* Printable ASCII that stands for itself. */
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

/* The character after a backslash, or 0 where there is no short form. */
static char short_escape(uint32_t c)
{
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static void put_character(struct buf *out, uint32_t c)
{
    if (short_escape(c))
        buf_printf(out, "\\%c", short_escape(c));
    else if (c < 0x80 || utf8_is_unsafe(c))
        buf_printf(out, "\\u%04x", (unsigned)c);
    else
        utf8_encode(out, c);
}

void json_string(struct buf *out, struct slice text)
{
    uint32_t c;

    buf_add_char(out, '"');
    while (text.len) {
        size_t n = 0;

        while (n < text.len && is_plain((unsigned char)text.ptr[n]))
            n++;
        buf_add(out, text.ptr, n);
        text = slice_skip(text, n);
        if (!text.len)
            break;
        text = slice_skip(text, utf8_decode(text, &c));
        put_character(out, c);
    }
    buf_add_char(out, '"');
}

/* ---- structure ------------------------------------------------------------------------------- */
static void put_line(struct writer *w)
{
    static const char spaces[] = "                                ";
    size_t indent = 2 * (size_t)w->depth;

    BUG_ON(indent >= sizeof(spaces));
    buf_add_char(w->out, '\n');
    buf_add(w->out, spaces, indent);
}

/* Starts the next value of an object (key given) or a list (NULL). Keys need no escape. */
static void put_key(struct writer *w, const char *key)
{
    if (!w->first)
        buf_add_char(w->out, ',');
    if (w->depth)
        put_line(w);
    w->first = false;
    if (!key)
        return;
    buf_add_char(w->out, '"');
    buf_add_str(w->out, key);
    buf_add_str(w->out, "\": ");
}

static void begin(struct writer *w, const char *key, char bracket)
{
    put_key(w, key);
    buf_add_char(w->out, bracket);
    w->depth++;
    w->first = true;
}

static void finish(struct writer *w, char bracket)
{
    w->depth--;
    if (!w->first)
        put_line(w);
    buf_add_char(w->out, bracket);
    w->first = false;
}

static void put_text(struct writer *w, const char *key, struct slice text)
{
    put_key(w, key);
    json_string(w->out, text);
}

/* null where the text is empty. */
static void put_optional(struct writer *w, const char *key, struct slice text)
{
    put_key(w, key);
    if (text.len)
        json_string(w->out, text);
    else
        buf_add_str(w->out, "null");
}

static void put_number(struct writer *w, const char *key, uint64_t value)
{
    put_key(w, key);
    buf_add_u64(w->out, value);
}

static void put_flag(struct writer *w, const char *key, bool value)
{
    put_key(w, key);
    buf_add_str(w->out, value ? "true" : "false");
}

/* Text that is a JSON number already, or null. */
static void put_literal(struct writer *w, const char *key, struct slice number)
{
    put_key(w, key);
    buf_add_slice(w->out, number.len ? number : SLICE("null"));
}

static void put_weight(struct writer *w, const char *key, uint64_t weight, unsigned decimals)
{
    put_key(w, key);
    buf_add_char(w->out, '"');
    num_write_decimal(w->out, weight, decimals);
    buf_add_char(w->out, '"');
}

/* ---- the report ------------------------------------------------------------------------------ */
static void put_amount(struct writer *w, const char *key, const struct report_graph *g,
                       const struct report_amount *amount)
{
    begin(w, key, '{');
    put_weight(w, "weight", amount->weight, g->scale.decimals);
    put_literal(w, "percent", amount->percent);
    if (g->differential)
        put_weight(w, "base", amount->base, g->scale.decimals);
    else
        put_optional(w, "base", SLICE(""));
    if (g->other_unit.len)
        put_weight(w, "other", amount->base, g->scale.decimals);
    finish(w, '}');
}

static void put_unit(struct writer *w, const struct report_graph *g)
{
    static const char *const kinds[] = {
        [UNIT_COUNT] = "count", [UNIT_SECONDS] = "seconds", [UNIT_BYTES] = "bytes"};
    const struct unit *unit = &g->scale.unit;

    begin(w, "unit", '{');
    put_text(w, "word", g->unit);
    put_text(w, "kind", slice_str(kinds[unit->kind]));
    put_key(w, "exponent");
    buf_add_i64(w->out, unit->kind == UNIT_SECONDS ? unit->exponent : 0);
    finish(w, '}');
}

static void put_facts(struct writer *w, const struct report_graph *g)
{
    begin(w, "facts", '[');
    vec_each (struct report_fact, f, &g->facts) {
        begin(w, NULL, '{');
        put_text(w, "key", f->key);
        put_text(w, "value", f->value);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_files(struct writer *w, const struct report_graph *g)
{
    static const char *const keys[] = {
        [REPORT_SVG] = "svg",
        [REPORT_PNG] = "png",
        [REPORT_PNG_2X] = "png_2x",
        [REPORT_PNG_DARK] = "png_dark",
        [REPORT_PNG_DARK_2X] = "png_dark_2x",
    };

    begin(w, "files", '{');
    for (size_t i = 0; i < REPORT_PICTURES; i++)
        put_optional(w, keys[i], g->pictures[i].path);
    finish(w, '}');
    put_number(w, "width", g->pictures[REPORT_SVG].width);
    put_number(w, "height", g->pictures[REPORT_SVG].height);
}

static void put_functions(struct writer *w, const char *key, const struct report_graph *g,
                          const struct report_function *rows, size_t count)
{
    begin(w, key, '[');
    for (size_t i = 0; i < count; i++) {
        begin(w, NULL, '{');
        put_text(w, "name", rows[i].name);
        put_optional(w, "class", rows[i].kind);
        put_optional(w, "module", rows[i].module);
        put_optional(w, "state", rows[i].state);
        put_amount(w, "self", g, &rows[i].self);
        put_amount(w, "total", g, &rows[i].total);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_matches(struct writer *w, const struct report_graph *g)
{
    begin(w, "searches", '[');
    vec_each (struct report_match, m, &g->matches) {
        begin(w, NULL, '{');
        put_text(w, "name", m->name);
        put_text(w, "pattern", m->pattern);
        put_number(w, "functions", m->symbols);
        put_number(w, "exhausted", m->exhausted);
        put_amount(w, "amount", g, &m->amount);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_ledger(struct writer *w, const struct report_graph *g)
{
    begin(w, "ledger", '[');
    vec_each (struct report_gap, gap, &g->gaps) {
        begin(w, NULL, '{');
        put_text(w, "key", gap->key);
        put_text(w, "what", gap->what);
        put_text(w, "value", gap->exact);
        put_literal(w, "percent", gap->percent);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_graph(struct writer *w, const struct report_graph *g)
{
    const struct report_amount total = {
        .weight = g->total, .base = g->base_total, .percent = SLICE("100")};

    begin(w, NULL, '{');
    put_text(w, "name", g->name);
    put_text(w, "title", g->title);
    put_optional(w, "subtitle", g->subtitle);
    put_text(w, "source", g->source);
    put_text(w, "format", g->format);
    put_optional(w, "event", g->event);
    put_optional(w, "kind", g->kind);
    put_unit(w, g);
    if (g->other_unit.len)
        put_text(w, "other_unit", g->other_unit);
    put_amount(w, "total", g, &total);
    put_number(w, "samples", g->samples);
    put_number(w, "functions", g->functions);
    if (g->has_duration)
        put_number(w, "duration_ns", g->duration_ns);
    else
        put_optional(w, "duration_ns", SLICE(""));
    put_flag(w, "differential", g->differential);
    put_facts(w, g);
    put_files(w, g);
    put_functions(w, "top_self", g, g->by_self.items, g->by_self.count);
    put_functions(w, "top_total", g, g->by_total.items, g->by_total.count);
    put_functions(w, "self_changes", g, g->self_changes.items, g->self_changes.count);
    put_functions(w, "total_changes", g, g->total_changes.items, g->total_changes.count);
    put_matches(w, g);
    put_ledger(w, g);
    put_text(w, "alt", g->alt);
    put_optional(w, "commentary", g->commentary);
    finish(w, '}');
}

static void put_searches(struct writer *w, const struct report *r)
{
    begin(w, "searches", '[');
    vec_each (struct report_search, s, &r->searches) {
        begin(w, NULL, '{');
        put_text(w, "name", s->name);
        put_text(w, "pattern", s->pattern);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_findings(struct writer *w, const struct report *r)
{
    put_optional(w, "measured", r->measured);
    begin(w, "findings", '[');
    vec_each (struct report_finding, f, &r->findings) {
        begin(w, NULL, '{');
        put_text(w, "key", f->key);
        put_text(w, "what", f->what);
        put_optional(w, "function", f->function);
        put_optional(w, "search", f->search);
        put_literal(w, "percent", f->percent);
        put_optional(w, "change", f->change);
        put_text(w, "graph", f->graph_name);
        finish(w, '}');
    }
    finish(w, ']');
}

static void put_rest(struct writer *w, const struct report *r)
{
    put_optional(w, "missing_glyphs", r->missing_glyphs);
    begin(w, "failures", '[');
    vec_each (struct report_failure, f, &r->failures) {
        begin(w, NULL, '{');
        put_text(w, "path", f->path);
        begin(w, "messages", '[');
        vec_each (struct report_text, message, &f->messages)
            put_text(w, NULL, message->text);
        finish(w, ']');
        finish(w, '}');
    }
    finish(w, ']');
    begin(w, "not_profiles", '[');
    vec_each (struct report_stranger, s, &r->strangers) {
        begin(w, NULL, '{');
        put_text(w, "path", s->path);
        put_text(w, "reason", s->reason);
        finish(w, '}');
    }
    finish(w, ']');
}

void report_write_json(const struct report *r, struct buf *out)
{
    struct writer w = {.out = out, .first = true};

    begin(&w, NULL, '{');
    put_text(&w, "schema", SLICE("flamepress-report/1"));
    begin(&w, "generator", '{');
    put_text(&w, "name", SLICE("flamepress"));
    put_text(&w, "version", r->version);
    finish(&w, '}');
    put_optional(&w, "title", r->title);
    put_optional(&w, "subtitle", r->subtitle);
    put_optional(&w, "introduction", r->introduction);
    put_optional(&w, "date", r->date);
    put_searches(&w, r);
    put_findings(&w, r);
    begin(&w, "graphs", '[');
    vec_each (struct report_graph, g, &r->graphs)
        put_graph(&w, g);
    finish(&w, ']');
    put_rest(&w, r);
    finish(&w, '}');
    buf_add_char(out, '\n');
}
