#include "output/svg_data.h"

#include "base/hash.h"
#include "base/map.h"
#include "output/svg.h"
#include "output/xml.h"

/* A colour and a name that boxes without markup have. */
struct shade {
    palette_color color;
    struct slice name;
};

struct shades {
    struct map index;
    VEC(struct shade) items;
};

static bool same_shade(const void *context, uint32_t id, const void *key)
{
    const struct shades *s = context;
    const struct shade *shade = key;

    return s->items.items[id].color == shade->color &&
           slice_equal(s->items.items[id].name, shade->name);
}

static uint32_t add_shade(struct shades *s, struct shade shade)
{
    uint64_t hash = hash_mix(hash_bytes(shade.name.ptr, shade.name.len), shade.color);
    uint32_t id = map_find(&s->index, hash, same_shade, s, &shade);

    if (id == MAP_NONE) {
        id = (uint32_t)s->items.count;
        *vec_add(&s->items) = shade;
        map_add(&s->index, hash, id);
    }
    return id;
}

static void write_attributes(const struct picture *p, struct buf *out)
{
    static const char *const modes[] = {
        [LABEL_SMART] = "smart",
        [LABEL_HEAD] = "head",
        [LABEL_TAIL] = "tail",
    };
    const struct geometry *g = &p->geometry;
    const struct unit *unit = &p->scale.unit;
    bool seconds = unit->kind == UNIT_SECONDS;

    buf_printf(out, "<metadata class=\"flame-data\" left=\"%lu\" span=\"%lu\" top=\"%lu\"",
               (unsigned long)g->pad_x, (unsigned long)(g->width - 2 * g->pad_x),
               (unsigned long)g->pad_top);
    buf_printf(out, " rows=\"%lu\" row=\"%lu\" inverted=\"%d\" pad=\"%d\" baseline=\"%ld\"",
               (unsigned long)g->rows, (unsigned long)p->options.frame_height, p->options.inverted,
               PICTURE_LABEL_PAD, (long)p->baseline);
    buf_printf(out,
               " pointable=\"%d\" total=\"%llu\" places=\"%d\" factor=\"%.17g\" seconds=\"%d\"",
               SVG_POINTABLE, (unsigned long long)p->layout->total,
               (int)p->scale.decimals - (seconds ? unit->exponent : 0), p->scale.factor, seconds);
    buf_printf(out, " unseen=\"%llu\"", (unsigned long long)(p->layout->thin + p->layout->above));
    xml_write_attribute(out, "word", seconds ? SLICE("s") : unit_word(unit));
    xml_write_attribute(out, "label", slice_str(modes[p->options.label]));
    xml_write_attribute(out, "type", p->options.name_type);
    buf_add_str(out, ">\n");
}

static void write_shades(const struct shades *s, struct buf *out)
{
    vec_each (struct shade, shade, &s->items) {
        buf_printf(out, "%06lx ", (unsigned long)shade->color);
        xml_write(out, shade->name);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
}

/* Appends the rows to `rows`, and to `s` the shades they refer to. */
static void write_rows(const struct picture *p, struct buf *rows, struct shades *s)
{
    const struct layout *l = p->layout;
    const struct picture_box *next = p->boxes.items, *end = next + p->boxes.count;
    uint32_t depth = 0;
    uint64_t right = 0;

    for (size_t i = 0; i < l->boxes.count; i++) {
        const struct box *box = &l->boxes.items[i];
        bool drawn = next < end && next->box == i;

        if (i)
            buf_add_char(rows, box->depth == depth ? ' ' : '\n');
        if (box->depth != depth)
            right = 0;
        depth = box->depth;
        if (box->start != right)
            buf_add_u64(rows, box->start - right);
        buf_add_char(rows, ',');
        buf_add_u64(rows, box->weight);
        right = box->start + box->weight;
        if (!drawn || next->rect.width < SVG_POINTABLE) {
            buf_add_char(rows, ',');
            buf_add_u64(rows,
                        add_shade(s, (struct shade){picture_color(p, box), picture_name(p, box)}));
            if (box->delta) {
                buf_add_char(rows, ',');
                buf_add_i64(rows, box->delta);
            }
        }
        next += drawn;
    }
    buf_add_char(rows, '\n');
}

void svg_data_write(const struct picture *p, struct buf *out)
{
    struct shades shades = {0};
    struct buf rows;

    buf_init(&rows);
    map_init(&shades.index);
    write_rows(p, &rows, &shades);
    write_attributes(p, out);
    write_shades(&shades, out);
    buf_add_slice(out, buf_slice(&rows));
    buf_add_str(out, "</metadata>\n");
    map_release(&shades.index);
    vec_release(&shades.items);
    buf_release(&rows);
}
