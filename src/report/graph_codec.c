#include "report/graph_codec.h"

#include <string.h>

#include "base/varint.h"

/* One walk over all members serves both directions. */
struct codec {
    struct buf *out; /* NULL while reading */
    struct slice in;
    struct arena *memory;
    bool failed;
};

void graph_codec_write_number(struct buf *out, uint64_t value)
{
    varint_add(out, value);
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

static void word(struct codec *c, const char **value)
{
    struct slice read = slice_str(*value ? *value : "");

    text(c, &read);
    *value = read.ptr;
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

static void record(struct codec *c, const struct record_type *type, void *at);

/* Each element of a list takes a byte at least, which bounds how many can follow. */
static void list(struct codec *c, const struct record_type *of, void *member)
{
    struct record_list l = report_record_get_list(member);
    uint64_t n = l.count;

    number(c, &n);
    if (!c->out && n > c->in.len)
        c->failed = true;
    for (uint64_t i = 0; i < n && !c->failed; i++) {
        if (!c->out) {
            if (l.count == l.cap)
                l.items = vec_grow(l.items, &l.cap, l.count + 1, of->size);
            memset(l.items + l.count++ * of->size, 0, of->size);
            report_record_set_list(member, l);
        }
        record(c, of, l.items + i * of->size);
    }
}

static void member(struct codec *c, const struct record_member *m, char *at)
{
    switch (m->kind) {
    case RECORD_TEXT:
        text(c, (void *)at);
        break;
    case RECORD_WORD:
        word(c, (void *)at);
        break;
    case RECORD_NUMBER:
        number(c, (void *)at);
        break;
    case RECORD_UNSIGNED:
        count_of(c, (void *)at);
        break;
    case RECORD_FLAG:
        flag(c, (void *)at);
        break;
    case RECORD_SCALE:
        scale(c, (void *)at);
        break;
    case RECORD_PICTURES:
        for (size_t i = 0; i < REPORT_PICTURES; i++)
            record(c, m->of, at + i * m->of->size);
        break;
    case RECORD_RECORD:
        record(c, m->of, at);
        break;
    case RECORD_LIST:
        list(c, m->of, at);
        break;
    case RECORD_MEMORY:
    case RECORD_PACKED:
        break;
    }
}

static void record(struct codec *c, const struct record_type *type, void *at)
{
    for (size_t i = 0; i < type->count; i++)
        member(c, &type->members[i], (char *)at + type->members[i].offset);
}

void graph_codec_write(const struct report_graph *g, struct buf *out)
{
    struct codec c = {.out = out};

    record(&c, &report_record_graph, (struct report_graph *)(uintptr_t)g);
}

bool graph_codec_read(struct slice *in, struct report_graph *g)
{
    struct codec c = {.in = *in, .memory = &g->memory};

    record(&c, &report_record_graph, g);
    *in = c.in;
    return !c.failed;
}
