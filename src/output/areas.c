#include "output/areas.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/utf8.h"
#include "output/picture_pair.h"

/* Two words, mixed as in templates/flame_tree.js. */
struct place {
    uint32_t a, b;
};

static const uint32_t mix_a = 2654435761u, mix_b = 1597334677u, added = 0x9e37;

static void add_unit(struct place *p, uint32_t unit)
{
    p->a = (p->a ^ unit) * mix_a;
    p->b = (p->b ^ unit) * mix_b;
}

/* Hashes the UTF-16 units of a name, as the script does. */
static struct place hash_name(struct slice name)
{
    struct place p = {0xdeadbeef, 0x41c6ce57};

    while (name.len) {
        uint32_t c;

        name = slice_skip(name, utf8_decode(name, &c));
        if (c > 0xffff) {
            add_unit(&p, 0xd800 + ((c - 0x10000) >> 10));
            c = 0xdc00 + ((c - 0x10000) & 0x3ff);
        }
        add_unit(&p, c);
    }
    p.a = (p.a ^ p.a >> 16) * 2246822507u ^ (p.b ^ p.b >> 13) * 3266489909u;
    p.b = (p.b ^ p.b >> 16) * 2246822507u ^ (p.a ^ p.a >> 13) * 3266489909u;
    return p;
}

static struct place step(struct place from, struct place name)
{
    return (struct place){
        .a = (from.a ^ name.a) * mix_a + added,
        .b = (from.b ^ name.b) * mix_b + (from.a >> 16),
    };
}

static void write_word(char *to, uint32_t word)
{
    for (int i = AREA_PLACE / 2; i-- > 0; word /= 36)
        to[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[word % 36];
}

/* Hashes the path from the root to a box. `path` has room for one hash per row. */
static struct place find_place(const struct picture *p, const struct box *box, struct place *path)
{
    const struct tree *t = p->layout->tree;
    const struct change_amount *c =
        t->base ? &p->layout->changes.items[box - p->layout->boxes.items] : NULL;
    uint32_t node = box->node == LAYOUT_LANE ? TREE_ROOT : box->node;
    struct place place = {0, 0};
    size_t depth = 0;

    for (; node != TREE_ROOT; node = t->parent[node])
        path[depth++] = hash_name(symbol_name(&t->profile->symbols, t->symbol[node]));
    if (c && c->lane)
        path[depth++] = hash_name(picture_pair_lane(p));
    while (depth > 0)
        place = step(place, path[--depth]);
    return place;
}

void areas_init(struct areas *a, const struct picture *p, int32_t least, size_t most)
{
    struct place *path = xreallocarray(NULL, p->layout->rows + 1, sizeof(*path));
    struct buf share = {0};

    *a = (struct areas){0};
    vec_each (const struct picture_box, b, &p->boxes) {
        const struct box *box = &p->layout->boxes.items[b->box];
        struct area area = {.rect = b->rect};
        struct place place;

        if (!box->depth || box->callers || b->rect.width < least)
            continue; /* a click cannot zoom to these */
        if (a->items.count == most)
            break;
        place = find_place(p, box, path);
        write_word(area.place, place.a);
        write_word(area.place + AREA_PLACE / 2, place.b);
        area.name = arena_copy(&a->memory, picture_name(p, box));
        picture_write_share(p, box, &share);
        area.share = arena_copy(&a->memory, buf_slice(&share));
        buf_clear(&share);
        *vec_add(&a->items) = area;
    }
    buf_release(&share);
    free(path);
}

void areas_release(struct areas *a)
{
    vec_release(&a->items);
    arena_release(&a->memory);
}
