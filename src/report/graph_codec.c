#include "report/graph_codec.h"

#include <string.h>

/* A new member of these needs a line below, except `packed`. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct report_graph) == 1240, "a line");
_Static_assert(sizeof(void *) != 8 || sizeof(struct report_run) == 144, "a line");
_Static_assert(sizeof(void *) != 8 || sizeof(struct report_function) == 376, "a line");
_Static_assert(sizeof(void *) != 8 || sizeof(struct report_match) == 200, "a line");

/* One walk over all members serves both directions. */
struct codec {
    struct buf *out; /* NULL while reading */
    struct slice in;
    struct arena *memory;
    bool failed;
};

void graph_codec_write_number(struct buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buf_add_char(out, (char)(value | 0x80));
    buf_add_char(out, (char)value);
}

void graph_codec_write_text(struct buf *out, struct slice text)
{
    graph_codec_write_number(out, text.len);
    buf_add_slice(out, text);
}

bool graph_codec_read_number(struct slice *in, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; in->len && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)*in->ptr;

        *in = slice_skip(*in, 1);
        *value |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80)
            return true;
    }
    return false;
}

bool graph_codec_read_text(struct slice *in, struct slice *text)
{
    uint64_t len;

    if (!graph_codec_read_number(in, &len) || len > in->len)
        return false;
    *text = slice_take(*in, len);
    *in = slice_skip(*in, len);
    return true;
}

static void number(struct codec *c, uint64_t *value)
{
    if (c->out)
        graph_codec_write_number(c->out, *value);
    else if (!c->failed && !graph_codec_read_number(&c->in, value))
        c->failed = true;
}

static void flag(struct codec *c, bool *value)
{
    uint64_t n = *value;

    number(c, &n);
    *value = n != 0;
}

static void count_of(struct codec *c, unsigned *value)
{
    uint64_t n = *value;

    number(c, &n);
    *value = (unsigned)n;
}

static void text(struct codec *c, struct slice *value)
{
    struct slice read;

    if (c->out)
        graph_codec_write_text(c->out, *value);
    else if (!c->failed && graph_codec_read_text(&c->in, &read))
        *value = slice_make(arena_strdup(c->memory, read), read.len);
    else
        c->failed = true;
}

/* Walks a number of texts that are members of one structure. */
static void texts(struct codec *c, struct slice *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text(c, values[i]);
}
#define TEXTS(c, ...)                                                                              \
    texts(c, (struct slice *const[]){__VA_ARGS__},                                                 \
          sizeof((struct slice *const[]){__VA_ARGS__}) / sizeof(struct slice *))

/* Each element of a vector takes a byte at least, which bounds how many can follow. */
#define VECTOR(c, type, vector, walk)                                                              \
    do {                                                                                           \
        uint64_t n = (vector)->count;                                                              \
        number(c, &n);                                                                             \
        if (!(c)->out && n > (c)->in.len)                                                          \
            (c)->failed = true;                                                                    \
        for (uint64_t i = 0; i < n && !(c)->failed; i++) {                                         \
            if (!(c)->out) {                                                                       \
                (void)vec_add(vector);                                                             \
                memset(&(vector)->items[i], 0, sizeof(type));                                      \
            }                                                                                      \
            walk(c, &(vector)->items[i]);                                                          \
        }                                                                                          \
    } while (0)

static void amount(struct codec *c, struct report_amount *a)
{
    number(c, &a->weight);
    number(c, &a->base);
    TEXTS(c, &a->number, &a->percent, &a->change, &a->before, &a->difference, &a->other, &a->ratio);
}

static void fact(struct codec *c, struct report_fact *f)
{
    TEXTS(c, &f->key, &f->value);
}

static void run(struct codec *c, struct report_run *r)
{
    TEXTS(c, &r->name, &r->host, &r->date, &r->samples_text, &r->duration_text, &r->remark);
    number(c, &r->samples);
    number(c, &r->duration_ns);
    number(c, &r->lost);
    VECTOR(c, struct report_fact, &r->facts, fact);
}

static void function(struct codec *c, struct report_function *f)
{
    TEXTS(c, &f->name, &f->shown, &f->address, &f->kind, &f->module, &f->state, &f->crop);
    flag(c, &f->idle);
    count_of(c, &f->rank);
    amount(c, &f->self);
    amount(c, &f->total);
}

static void match(struct codec *c, struct report_match *m)
{
    TEXTS(c, &m->name, &m->pattern, &m->expression);
    flag(c, &m->ignore_case);
    amount(c, &m->amount);
    number(c, &m->symbols);
    number(c, &m->exhausted);
}

static void leading(struct codec *c, struct report_leading *f)
{
    number(c, &f->name_hash);
    number(c, &f->weight);
    flag(c, &f->idle);
}

static void gap(struct codec *c, struct report_gap *g)
{
    TEXTS(c, &g->key, &g->what, &g->much, &g->percent, &g->exact);
    number(c, &g->weight);
}

static void area(struct codec *c, struct report_area *a)
{
    TEXTS(c, &a->coordinates, &a->title, &a->place);
}

static void export(struct codec *c, struct report_export *e)
{
    struct slice name = slice_str(e->name);

    TEXTS(c, &e->title, &name, &e->path);
    e->name = name.ptr;
}

static void file(struct codec *c, struct report_file *f)
{
    TEXTS(c, &f->path, &f->inside);
    count_of(c, &f->width);
    count_of(c, &f->height);
}

static void scale(struct codec *c, struct unit_scale *s)
{
    uint64_t kind = s->unit.kind, exponent = (uint64_t)(s->unit.exponent + 1000), factor;

    memcpy(&factor, &s->factor, sizeof(factor));
    number(c, &kind);
    number(c, &exponent);
    number(c, &factor);
    text(c, &s->unit.noun);
    count_of(c, &s->decimals);
    s->unit.kind = kind > UNIT_BYTES ? UNIT_COUNT : (enum unit_kind)kind;
    s->unit.exponent = (int)(exponent % 2000) - 1000;
    memcpy(&s->factor, &factor, sizeof(factor));
}

static void facts(struct codec *c, struct report_graph *g)
{
    TEXTS(c, &g->name, &g->anchor, &g->title, &g->subtitle, &g->source, &g->format, &g->event,
          &g->kind, &g->kind_about, &g->unit, &g->total_text, &g->total_plain, &g->total_short,
          &g->total_sort, &g->base_text, &g->other_unit, &g->other_text, &g->ratio,
          &g->duration_text, &g->alt, &g->service, &g->owner, &g->run_count, &g->kept,
          &g->difference, &g->commentary, &g->headings, &g->hottest, &g->hottest_address,
          &g->hottest_percent, &g->notes_title, &g->notes_name, &g->notes_anchor, &g->records,
          &g->records_label, &g->records_text, &g->records_cell);
    scale(c, &g->scale);
    number(c, &g->total);
    number(c, &g->base_total);
    number(c, &g->samples);
    number(c, &g->duration_ns);
    number(c, &g->functions);
    number(c, &g->samples_apart);
    flag(c, &g->stalls);
    flag(c, &g->relative);
    flag(c, &g->exact);
    flag(c, &g->has_duration);
    flag(c, &g->differential);
    flag(c, &g->is_small);
    flag(c, &g->has_remarks);
}

static void graph(struct codec *c, struct report_graph *g)
{
    facts(c, g);
    VECTOR(c, struct report_fact, &g->facts, fact);
    VECTOR(c, struct report_run, &g->runs, run);
    VECTOR(c, struct report_export, &g->exports, export);
    VECTOR(c, struct report_leading, &g->leading, leading);
    VECTOR(c, struct report_function, &g->by_self, function);
    VECTOR(c, struct report_function, &g->by_total, function);
    VECTOR(c, struct report_function, &g->self_changes, function);
    VECTOR(c, struct report_function, &g->total_changes, function);
    VECTOR(c, struct report_match, &g->matches, match);
    VECTOR(c, struct report_gap, &g->gaps, gap);
    VECTOR(c, struct report_gap, &g->file_gaps, gap);
    VECTOR(c, struct report_area, &g->areas, area);
    for (unsigned i = 0; i < REPORT_PICTURES; i++)
        file(c, &g->pictures[i]);
}

void graph_codec_write(const struct report_graph *g, struct buf *out)
{
    struct codec c = {.out = out};

    graph(&c, (struct report_graph *)(uintptr_t)g);
}

bool graph_codec_read(struct slice *in, struct report_graph *g)
{
    struct codec c = {.in = *in, .memory = &g->memory};

    graph(&c, g);
    *in = c.in;
    return !c.failed;
}
