#include "output/picture_color.h"

#include <stdlib.h>

#include "base/die.h"
#include "tree/share.h"

static const struct palette *palette_of(const struct picture *p)
{
    return p->options.colors.palette;
}

enum picture_fills picture_color_fills(const struct picture *p)
{
    if (p->layout->tree->base)
        return PICTURE_FILLS_CHANGES;
    return palette_of(p)->basis == PALETTE_OF_SELF ? PICTURE_FILLS_SELF : PICTURE_FILLS_SYMBOLS;
}

bool picture_color_is_plain(const struct picture *p)
{
    return picture_color_fills(p) == PICTURE_FILLS_SYMBOLS && !palette_has_classes(palette_of(p)) &&
           !p->options.heat && !p->options.color_map;
}

/* ---- classes ---- */

static void classify_by_palette(struct picture *p, const struct symbols *symbols)
{
    for (uint32_t id = 0; id < symbols_count(symbols); id++) {
        struct palette_subject subject = {
            .name = symbol_name(symbols, id),
            .module = symbol_module(symbols, id),
            .class = symbol_class_of_code(symbol_class(symbols, id)),
        };

        p->classes[id] = subject.class == SYMBOL_SEPARATOR
                             ? PICTURE_CLASSES - 1
                             : (uint8_t)palette_class_of(palette_of(p), &subject);
    }
}

/* The class of a symbol is the index of the first search that matches it. */
static void classify_by_search(struct picture *p, const struct symbols *symbols)
{
    size_t count = p->options.search_count;
    bool *hit = xmalloc(symbols_count(symbols) + (size_t)1);

    if (count > PALETTE_SEARCHES)
        count = PALETTE_SEARCHES;
    while (count-- > 0) {
        memset(hit, 0, symbols_count(symbols));
        if (p->options.searches[count].exhausted)
            continue;
        share_match(p->options.searches[count].search, symbols, hit);
        for (uint32_t id = 0; id < symbols_count(symbols); id++)
            if (hit[id] && p->classes[id] != PICTURE_CLASSES - 1)
                p->classes[id] = (uint8_t)count;
    }
    free(hit);
}

static void map_colors(struct picture *p, const struct symbols *symbols)
{
    const struct color_map *map = p->options.color_map;

    if (!map || !intern_count(&map->names))
        return;
    p->mapped = xreallocarray(NULL, symbols_count(symbols) + (size_t)1, sizeof(*p->mapped));
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        if (!color_map_find(map, symbol_name(symbols, id), symbol_class(symbols, id),
                            &p->mapped[id]))
            p->mapped[id] = PICTURE_UNMAPPED;
}

void picture_color_init(struct picture *p)
{
    const struct tree *t = p->layout->tree;
    const struct symbols *symbols = &t->profile->symbols;

    switch (picture_color_fills(p)) {
    case PICTURE_FILLS_CHANGES:
        break;
    case PICTURE_FILLS_SELF:
        p->self = xreallocarray(NULL, t->count, sizeof(*p->self));
        tree_self(t, p->self);
        break;
    case PICTURE_FILLS_SYMBOLS:
        map_colors(p, symbols);
        if (!palette_has_classes(palette_of(p)))
            break;
        p->classes = xmalloc(symbols_count(symbols) + (size_t)1);
        classify_by_palette(p, symbols);
        if (palette_of(p)->basis == PALETTE_OF_SEARCHES)
            classify_by_search(p, symbols);
        break;
    }
}

void picture_color_release(struct picture *p)
{
    free(p->classes);
    free(p->mapped);
    free(p->self);
}

/* ---- colours ---- */

palette_color picture_color_symbol(const struct picture *p, uint32_t symbol)
{
    const struct symbols *symbols = &p->layout->tree->profile->symbols;
    struct slice name = symbol_name(symbols, symbol);

    if (symbol_class(symbols, symbol) == SYMBOL_SEPARATOR)
        return palette_separator(name);
    if (p->mapped && p->mapped[symbol] != PICTURE_UNMAPPED)
        return p->mapped[symbol];
    return palette_shade(&p->options.colors, name, p->classes ? p->classes[symbol] : 0);
}

/* Returns the index of the first search that matches a name, or else `none`. */
static unsigned class_by_search(const struct picture *p, struct slice name, unsigned none)
{
    size_t count =
        p->options.search_count < PALETTE_SEARCHES ? p->options.search_count : PALETTE_SEARCHES;
    bool hit = false;

    for (size_t i = 0; i < count; i++) {
        struct search_matcher *m;

        if (p->options.searches[i].exhausted)
            continue;
        m = search_matcher_new(p->options.searches[i].search);
        hit = search_match(m, name) == SEARCH_HIT;
        search_matcher_free(m);
        if (hit)
            return (unsigned)i;
    }
    return none;
}

palette_color picture_color_module(const struct picture *p, struct slice name,
                                   enum symbol_class class)
{
    struct palette_subject subject = {.name = name, .module = name, .class = class};
    palette_color mapped;
    unsigned own = 0;

    if (p->mapped && color_map_find(p->options.color_map, name, class, &mapped))
        return mapped;
    if (p->classes) {
        own = palette_class_of(palette_of(p), &subject);
        if (palette_of(p)->basis == PALETTE_OF_SEARCHES)
            own = class_by_search(p, name, own);
    }
    return palette_shade(&p->options.colors, name, own);
}

/* The root belongs to no class: it is grey if the palette has classes. */
static palette_color root_color(const struct picture *p)
{
    return p->classes ? PALETTE_ROOT : palette_shade(&p->options.colors, SLICE("all"), 0);
}

/* How far a change is supported, 0 to 1: by a finding if findings are known, else by samples. */
static double support(const struct picture *p, const struct box *box, uint32_t symbol)
{
    if (!p->options.marked)
        return layout_support(p->layout, box);
    return symbol != SYMBOL_NONE && p->options.marked[symbol];
}

palette_color picture_color(const struct picture *p, const struct box *box)
{
    const struct layout *l = p->layout;
    const struct symbols *symbols = &l->tree->profile->symbols;
    enum picture_fills fills = picture_color_fills(p);
    uint32_t symbol;

    if (box->node == LAYOUT_LANE)
        return PALETTE_ROOT;
    symbol = picture_symbol(p, box);
    if (symbol != SYMBOL_NONE && symbol_class(symbols, symbol) == SYMBOL_SEPARATOR)
        return picture_color_symbol(p, symbol);
    if (fills == PICTURE_FILLS_CHANGES)
        return diverge_pick(p->options.diverge.pair, box->delta, l->max_delta,
                            box->delta ? support(p, box, symbol) : 0);
    if (fills == PICTURE_FILLS_SELF)
        return palette_self(palette_of(p), p->self[box->node], l->tree->total[box->node]);
    return symbol == SYMBOL_NONE ? root_color(p) : picture_color_symbol(p, symbol);
}

void picture_color_collect(const struct picture *p, struct color_map *map)
{
    const struct tree *t = p->layout->tree;
    const struct symbols *symbols = &t->profile->symbols;
    bool *seen = xcalloc(symbols_count(symbols) + (size_t)1, sizeof(*seen));

    if (picture_color_fills(p) == PICTURE_FILLS_SYMBOLS)
        for (uint32_t id = 1; id < t->count; id++)
            seen[t->symbol[id]] |= t->total[id] != 0;
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        if (seen[id] && symbol_class(symbols, id) != SYMBOL_SEPARATOR)
            color_map_add(map, symbol_name(symbols, id), symbol_class(symbols, id),
                          picture_color_symbol(p, id));
    free(seen);
}
