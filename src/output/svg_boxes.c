#include "output/svg_boxes.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/map.h"
#include "output/attributes.h"
#include "output/picture_pair.h"
#include "output/svg.h"
#include "output/svg_markup.h"
#include "output/xml.h"
#include "raster/color.h"

/* Returns the user's attributes of a function, or NULL. */
static const struct attribute_set *given(const struct picture *p, struct slice name)
{
    const struct attributes *all = p->options.attributes;

    return all && all->items.count ? attributes_find(all, name) : NULL;
}

/* Opens the group of a box, with the user's class and link. */
static void open_box(struct buf *out, const struct attribute_set *set)
{
    buf_add_str(out, "<g");
    if (set && set->values[ATTRIBUTE_CLASS].len)
        xml_write_attribute(out, "class", set->values[ATTRIBUTE_CLASS]);
    buf_add_char(out, '>');
    if (set && set->values[ATTRIBUTE_HREF].len) {
        struct slice target = set->values[ATTRIBUTE_TARGET];

        buf_add_str(out, "<a");
        xml_write_attribute(out, "href", set->values[ATTRIBUTE_HREF]);
        xml_write_attribute(out, "target", target.len ? target : SLICE("_top"));
        buf_add_char(out, '>');
    }
}

static void close_box(struct buf *out, const struct attribute_set *set)
{
    if (set && set->values[ATTRIBUTE_HREF].len)
        buf_add_str(out, "</a>");
    buf_add_str(out, "</g>\n");
}

static void write_title(const struct picture *p, struct buf *out, const struct box *box,
                        const struct attribute_set *set, struct buf *scratch)
{
    buf_add_str(out, "<title>");
    if (set && set->values[ATTRIBUTE_TITLE].len) {
        xml_write_shown(out, set->values[ATTRIBUTE_TITLE]);
    } else {
        xml_write_name(out, picture_name(p, box));
        buf_add_char(out, ' ');
        buf_clear(scratch);
        picture_write_share(p, box, scratch);
        xml_write_shown(out, buf_slice(scratch));
    }
    buf_add_str(out, "</title>");
}

static void write_step(struct buf *out, char letter, int64_t value)
{
    buf_add_char(out, letter);
    buf_add_i64(out, value);
}

/* Writes a rectangle as a path that is not stroked: three of its sides. */
static void write_path(struct buf *out, struct rect r)
{
    buf_add_str(out, "<path d=\"");
    write_step(out, 'M', r.x);
    write_step(out, ' ', r.y);
    write_step(out, 'h', r.width);
    write_step(out, 'v', r.height);
    write_step(out, 'H', r.x);
    buf_add_str(out, "\"/>");
}

/* Writes a box. Its colour is an attribute of the group around it. */
static void write_box(const struct picture *p, struct buf *out, const struct picture_box *b,
                      struct buf *scratch)
{
    const struct box *box = &p->layout->boxes.items[b->box];
    const struct attribute_set *set = given(p, picture_name(p, box));
    struct rect r = b->rect;

    open_box(out, set);
    write_title(p, out, box, set, scratch);
    write_path(out, r);
    svg_markup_hatch(out, "hatch", r, picture_pair_hatch(p, box), b->color);
    if (b->label.len) {
        buf_add_str(out, "<text");
        svg_markup_number(out, "x", r.x + PICTURE_LABEL_PAD);
        svg_markup_number(out, "y", r.y + p->baseline);
        buf_add_str(out, color_text(svg_markup_on_background(p, b->color, b->dark))
                             ? " fill=\"#fff\""
                             : " fill=\"#000\"");
        svg_markup_label(p, out, b->label, r.width - 2 * PICTURE_LABEL_PAD);
    }
    close_box(out, set);
}

/* A box, and the key by which boxes are brought together in the file. */
struct keyed_box {
    uint32_t key; /* a colour, or the first box that has the colour */
    uint32_t box;
};

static int compare_keys(const void *a, const void *b)
{
    const struct keyed_box *left = a, *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->box < right->box ? -1 : left->box > right->box;
}

static bool same_color(const void *context, uint32_t box, const void *key)
{
    const struct picture *p = context;

    return p->boxes.items[box].color == *(const palette_color *)key;
}

/* Returns the first box, up to this one, that has its colour. */
static uint32_t first_of_color(const struct picture *p, struct map *firsts, uint32_t box)
{
    palette_color color = p->boxes.items[box].color;
    uint64_t hash = map_hash_pair(firsts, color, 0);
    uint32_t first = map_find(firsts, hash, same_color, p, &color);

    if (first != MAP_NONE)
        return first;
    map_add(firsts, hash, box);
    return box;
}

/*
 * Sorts boxes, which are in the order of their numbers, by keys below `keys`. Frees them, and
 * returns the sorted ones.
 */
static struct keyed_box *sort_by_key(struct keyed_box *boxes, size_t count, size_t keys)
{
    struct keyed_box *sorted = xreallocarray(NULL, count + 1, sizeof(*sorted));
    uint32_t *place = xcalloc(keys + 1, sizeof(*place));

    for (size_t i = 0; i < count; i++)
        place[boxes[i].key + 1]++;
    for (size_t key = 1; key < keys; key++)
        place[key] += place[key - 1];
    for (size_t i = 0; i < count; i++)
        sorted[place[boxes[i].key]++] = boxes[i];
    free(place);
    free(boxes);
    return sorted;
}

/*
 * Returns the boxes that have titles, those of one colour together. With the user's attributes they
 * stay in the order of the picture, which is the order of the Tab key. The caller frees them.
 */
static struct keyed_box *order_boxes(const struct picture *p, const bool *kept, size_t *count)
{
    struct keyed_box *found = xreallocarray(NULL, p->boxes.count, sizeof(*found));
    bool linked = p->options.attributes && p->options.attributes->items.count;
    struct keyed_box *order;
    struct map firsts = {0};

    *count = 0;
    for (uint32_t i = 0; i < p->boxes.count; i++) {
        if (p->boxes.items[i].rect.width < SVG_POINTABLE || (kept && !kept[i]))
            continue;
        found[(*count)++] = (struct keyed_box){linked ? i : first_of_color(p, &firsts, i), i};
    }
    order = linked ? found : sort_by_key(found, *count, p->boxes.count);
    map_release(&firsts);
    return order;
}

/* Writes a group per colour. `kept` NULL keeps all boxes. */
static void write_boxes(const struct picture *p, const bool *kept, struct buf *out)
{
    struct buf scratch = {0};
    size_t count;
    struct keyed_box *order = order_boxes(p, kept, &count);

    buf_add_str(out, "<g class=\"frames\">\n");
    for (size_t i = 0; i < count; i++) {
        const struct picture_box *b = &p->boxes.items[order[i].box];

        if (!i || b->color != p->boxes.items[order[i - 1].box].color) {
            buf_add_str(out, i ? "</g>\n<g" : "<g");
            svg_markup_colors(p, out, "fill", b->color, b->dark);
            buf_add_str(out, ">\n");
        }
        write_box(p, out, b, &scratch);
    }
    buf_add_str(out, count ? "</g>\n</g>\n" : "</g>\n");
    buf_release(&scratch);
    free(order);
}

/* Writes boxes one pixel wide as vertical strokes, one path per colour. Their keys are colours. */
static void write_strokes(const struct picture *p, struct buf *out, const struct keyed_box *thin,
                          size_t count)
{
    int32_t height = (int32_t)p->options.look.frame_height - 1, x = 0, y = 0;

    for (size_t i = 0; i < count; i++) {
        struct rect r = p->boxes.items[thin[i].box].rect;

        if (!i || thin[i].key != thin[i - 1].key) {
            buf_add_str(out, i ? "\"/>\n<path" : "<path");
            svg_markup_colors(p, out, "stroke", thin[i].key, p->boxes.items[thin[i].box].dark);
            buf_printf(out, " d=\"M%ld.5 %ld", (long)r.x, (long)r.y);
        } else {
            buf_add_char(out, 'm');
            buf_add_i64(out, r.x - x);
            if (r.y >= y)
                buf_add_char(out, ' ');
            buf_add_i64(out, r.y - y);
        }
        buf_add_char(out, 'v');
        buf_add_i64(out, height);
        x = r.x;
        y = r.y + height;
    }
    if (count)
        buf_add_str(out, "\"/>\n");
}

static void write_thin(const struct picture *p, const bool *kept, struct buf *out)
{
    VEC(struct keyed_box) thin = {0};

    for (uint32_t i = 0; i < p->boxes.count; i++)
        if (p->boxes.items[i].rect.width < SVG_POINTABLE && (!kept || kept[i]))
            *vec_add(&thin) = (struct keyed_box){p->boxes.items[i].color, i};
    if (thin.count)
        qsort(thin.items, thin.count, sizeof(struct keyed_box), compare_keys);
    buf_add_str(out, "<g class=\"thin\" fill=\"none\">\n");
    write_strokes(p, out, thin.items, thin.count);
    buf_add_str(out, "</g>\n");
    vec_release(&thin);
}

/* ---- fewer boxes --------------------------------------------------------------------------- */

struct ranked {
    uint64_t weight;
    uint32_t box;
};

/* Sorts heavy boxes first, and a parent before a child of the same weight. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;

    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->box < right->box ? -1 : left->box > right->box;
}

static struct ranked *rank_boxes(const struct picture *p)
{
    struct ranked *ranked = xreallocarray(NULL, p->boxes.count, sizeof(*ranked));

    for (uint32_t i = 0; i < p->boxes.count; i++)
        ranked[i] = (struct ranked){p->layout->boxes.items[p->boxes.items[i].box].weight, i};
    qsort(ranked, p->boxes.count, sizeof(*ranked), compare_ranked);
    return ranked;
}

static void write_kept(const struct picture *p, const bool *kept, struct buf *out)
{
    write_boxes(p, kept, out);
    write_thin(p, kept, out);
}

/* Writes the `count` heaviest boxes. Returns the number of bytes. */
static size_t write_ranked(const struct picture *p, const struct ranked *ranked, uint32_t count,
                           struct buf *out)
{
    size_t start = out->len;
    bool *kept = xcalloc(p->boxes.count, sizeof(*kept));

    for (uint32_t i = 0; i < count; i++)
        kept[ranked[i].box] = true;
    write_kept(p, kept, out);
    free(kept);
    return out->len - start;
}

/* Returns how many of the heaviest boxes fit, at least one. */
static uint32_t count_fitting(const struct picture *p, const struct ranked *ranked, size_t most,
                              struct buf *out)
{
    uint32_t low = 1, high = (uint32_t)p->boxes.count;
    size_t start = out->len;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (write_ranked(p, ranked, middle, out) <= most)
            low = middle;
        else
            high = middle;
        out->len = start;
    }
    return low;
}

uint32_t svg_boxes_write(const struct picture *p, size_t most, struct buf *out)
{
    size_t start = out->len;
    struct ranked *ranked;
    uint32_t count;

    write_kept(p, NULL, out);
    if (out->len - start <= most || p->boxes.count < 2)
        return 0;
    out->len = start;
    ranked = rank_boxes(p);
    count = count_fitting(p, ranked, most, out);
    write_ranked(p, ranked, count, out);
    free(ranked);
    return (uint32_t)p->boxes.count - count;
}
