#include "output/svg_data.h"

#include "assets/asset.h"
#include "base/die.h"
#include "base/json_writer.h"
#include "base/map.h"
#include "base/pool.h"
#include "output/attributes.h"
#include "output/deflate.h"
#include "output/graph_words.h"
#include "output/picture_color.h"
#include "output/picture_pair.h"
#include "output/svg.h"
#include "output/svg_origin.h"
#include "output/svg_tree.h"
#include "output/xml.h"
#include "profile/pair.h"
#include "text/font_subset.h"
#include "tree/group.h"

/* NODE_TENTHS: a first guess at the size of a node in the file, in tenths of a byte. */
enum { NODE_TENTHS = 11, LEAST_NODES = 16, FEW_NODES = 20000 };

/* Trees of this many nodes are encoded as two halves, also by one thread. */
enum { LEAST_HALVED = 50000 };

/* By how many bytes the attributes may grow: the weight and the number of frames that are left out,
 * and the word of the origins. */
enum { LONGER_ATTRIBUTES = 64 };

/* Bytes of all fonts together. Fonts beyond that, and rarer letters, are left out. */
enum { MOST_FONTS = 100 * 1000 };

/* The largest integer up to which JavaScript's numbers are exact. */
#define MOST_EXACT ((UINT64_C(1) << 53) - 1)

/* The distinct colours. */
struct colors {
    struct map index;
    VEC(palette_color) items;
};

static bool same_color(const void *context, uint32_t id, const void *key)
{
    return ((const struct colors *)context)->items.items[id] == *(const palette_color *)key;
}

static uint32_t add_color(struct colors *c, palette_color color)
{
    uint64_t hash = map_hash_pair(&c->index, color, 0);
    uint32_t id = map_find(&c->index, hash, same_color, c, &color);

    if (id == MAP_NONE) {
        id = (uint32_t)c->items.count;
        *vec_add(&c->items) = color;
        map_add(&c->index, hash, id);
    }
    return id;
}

/* Writes the attributes of a graph of two counters. */
static void write_range(const struct picture *p, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    const struct ratio_range *range = &p->layout->range;
    const struct unit other = picture_pair_other_unit(p);

    buf_printf(out,
               " data-counters=\"%.*s\" data-stalled=\"%llu %llu\" data-flowing=\"%llu %llu\" "
               "data-average=\"%llu %llu\" data-least=\"%llu\" data-negate=\"%d\"%s",
               SLICE_ARG(pair_word(pair_kind(t->profile, t->series))),
               (unsigned long long)range->stalled.part, (unsigned long long)range->stalled.cycles,
               (unsigned long long)range->flowing.part, (unsigned long long)range->flowing.cycles,
               (unsigned long long)range->average.part, (unsigned long long)range->average.cycles,
               (unsigned long long)range->least, p->layout->negate,
               pair_is_relative(t->profile, t->series) ? " data-relative=\"1\"" : "");
    xml_write_attribute(out, "data-other-word", other.noun);
    xml_write_attribute(out, "data-other-word-of-one", unit_word_of_one(&other));
}

/* Writes the names of the functions whose changes are findings. */
static void write_marked(const struct picture *p, struct buf *out)
{
    const struct symbols *symbols = &p->layout->tree->profile->symbols;
    struct json_writer json;
    struct buf names = {0};

    json_writer_init(&json, &names);
    json_writer_list(&json, NULL, JSON_INLINE);
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        if (p->options.marked[id])
            json_writer_text(&json, NULL, symbol_name(symbols, id));
    json_writer_close(&json);
    xml_write_attribute(out, "data-findings", buf_slice(&names));
    buf_release(&names);
}

/* Writes what the script needs to lay out and colour a differential graph like layout/change.h. */
static void write_change(const struct picture *p, struct buf *out)
{
    static const char *const widths[] = {
        [CHANGE_BY_NEW] = "new",
        [CHANGE_BY_BASE] = "base",
        [CHANGE_BY_BOTH] = "both",
        [CHANGE_BY_CYCLES] = "cycles",
    };
    const struct diverge *colors = &diverge_pairs[p->options.diverge.pair];
    const struct layout *l = p->layout;

    buf_printf(out, " data-width-by=\"%s\" data-delta=\"%s\" data-most-change=\"%lld\"",
               widths[l->width_by], l->delta_of_total ? "total" : "self", (long long)l->max_delta);
    buf_printf(out, " data-more=\"#%06lx #%06lx\" data-less=\"#%06lx #%06lx\"",
               (unsigned long)colors->more.pale, (unsigned long)colors->more.full,
               (unsigned long)colors->less.pale, (unsigned long)colors->less.full);
    if (p->options.marked)
        write_marked(p, out);
    else if (evidence_is_known(&l->evidence))
        buf_printf(out, " data-sample=\"%.17g %.17g\"", l->evidence.now, l->evidence.base);
    if (picture_pair_is_ratio(p))
        write_range(p, out);
    if (p->options.diverge.hatch)
        buf_add_str(out, " data-hatch=\"1\"");
    if (l->whole > MOST_EXACT || l->tree->base[TREE_ROOT] > MOST_EXACT)
        buf_add_str(out, " data-exact=\"1\"");
    xml_write_attribute(out, "data-lane", picture_pair_lane(p));
}

/* The picked tree, its encoded data, and the fonts for its names. */
struct svg_data {
    const struct picture *picture;
    uint32_t nodes; /* the most nodes that are picked at first */
    struct svg_pick pick;
    struct svg_tree tree; /* of the pick, once it is open */
    struct svg_tree_order order;
    struct buf symbols;
    struct buf data, fonts;
    struct buf notes;     /* with the numbers of their functions */
    size_t origins;       /* bytes of the data before they were compressed */
    unsigned long around; /* the number of the function that the picture is around */
};

/*
 * Returns the tree to write. That is the complete graph, merged from the root, even if the picture
 * shows a part or merges from the leaves: the script merges likewise. If the complete graph has
 * more than `nodes` nodes, the tree that is drawn goes first.
 */
static const struct tree *data_tree(const struct picture *p, uint32_t nodes)
{
    const struct tree *t = p->layout->tree;

    return t->whole ? t->whole : t->measured && t->measured->count <= nodes ? t->measured : t;
}

/* Returns the number of a symbol in the file; 0 if the file does not contain it. */
static unsigned long symbol_number(const struct svg_tree_order *order, uint32_t symbol)
{
    for (size_t i = 0; i < order->symbols.count && symbol != SYMBOL_NONE; i++)
        if (order->symbols.items[i] == symbol)
            return i + 1;
    return 0;
}

/* Writes how the first view is merged: from the leaves, around a function, or from the root. */
static void write_merge(const struct picture *p, const struct svg_data *packed, struct buf *out)
{
    const struct layout *l = p->layout;

    if (l->tree->whole)
        buf_printf(out, " data-merge=\"around\" data-around=\"%lu\" data-below=\"%lu\"",
                   packed->around, (unsigned long)l->below);
    else if (l->tree->reversed)
        buf_add_str(out, " data-merge=\"leaf\"");
    if (packed->pick.tree && packed->pick.tree->reversed)
        buf_add_str(out, " data-data=\"leaf\"");
}

static void write_words(const struct picture *p, const struct svg_data *packed, struct buf *out)
{
    const struct tree *t = packed->pick.tree ? packed->pick.tree : p->layout->tree;
    struct buf words = {0};

    graph_words_write(p, t, packed->origins, &words);
    xml_write_attribute(out, "data-profile", slice_trim(buf_slice(&words)));
    buf_release(&words);
}

/* Opens the element, with where the rows of boxes are. */
static void write_geometry(const struct picture *p, struct buf *out)
{
    const struct geometry *g = &p->geometry;

    buf_printf(out,
               "<metadata data-flame=\"data\" data-left=\"%lu\" data-span=\"%lu\" data-top=\"%lu\"",
               (unsigned long)g->pad_x, (unsigned long)(g->width - 2 * g->pad_x),
               (unsigned long)g->pad_top);
    buf_printf(out,
               " data-rows=\"%lu\" data-row=\"%lu\" data-inverted=\"%d\" data-pad=\"%d\" "
               "data-baseline=\"%ld\"",
               (unsigned long)g->rows, (unsigned long)p->options.look.frame_height,
               p->options.look.inverted, PICTURE_LABEL_PAD, (long)p->baseline);
}

static void write_attributes(const struct picture *p, const struct svg_data *packed,
                             struct buf *out)
{
    static const char *const modes[] = {
        [LABEL_SMART] = "smart",
        [LABEL_HEAD] = "head",
        [LABEL_TAIL] = "tail",
    };
    static const char *const fills[] = {
        [PICTURE_FILLS_SYMBOLS] = "symbols",
        [PICTURE_FILLS_SELF] = "self",
        [PICTURE_FILLS_CHANGES] = "changes",
    };
    static const char *const sorts[] = {
        [LAYOUT_BY_NAME] = "name",
        [LAYOUT_BY_WEIGHT] = "weight",
        [LAYOUT_BY_TIME] = "time",
    };
    const struct unit *unit = &p->scale.unit;
    bool seconds = unit->kind == UNIT_SECONDS;

    write_geometry(p, out);
    buf_printf(out,
               " data-pointable=\"%d\" data-total=\"%llu\" data-places=\"%d\" "
               "data-factor=\"%.17g\" data-seconds=\"%d\"",
               SVG_POINTABLE,
               (unsigned long long)(p->layout->tree->whole ? p->layout->whole : p->layout->total),
               (int)p->scale.decimals - (seconds ? unit->exponent : 0), p->scale.factor, seconds);
    buf_printf(
        out,
        " data-left-out=\"%llu\" data-left-out-frames=\"%lu\" data-sort=\"%s\" data-fills=\"%s\"",
        (unsigned long long)packed->pick.weight, (unsigned long)packed->pick.frames,
        sorts[p->layout->sort], fills[picture_color_fills(p)]);
    buf_printf(out, " data-root=\"#%06lx\"",
               (unsigned long)picture_color(p, &(struct box){.depth = 0}));
    if (unit->kind == UNIT_BYTES)
        buf_add_str(out, " data-bytes=\"1\"");
    if (p->theme.fixed)
        buf_printf(out, " data-ground=\"%s\"", p->theme.dark ? "dark" : "light");
    xml_write_attribute(out, "data-word", seconds ? SLICE("s") : unit_word(unit));
    xml_write_attribute(out, "data-word-of-one", seconds ? SLICE("s") : unit_word_of_one(unit));
    xml_write_attribute(out, "data-label",
                        picture_text_in_boxes(p) ? slice_str(modes[p->options.look.label])
                                                 : SLICE("none"));
    if (p->options.look.label_percent && !p->layout->tree->base)
        buf_add_str(out, " data-label-percent=\"1\"");
    xml_write_attribute(out, "data-type", p->options.look.name_type);
    if (p->options.look.source_url.len)
        xml_write_attribute(out, "data-source-url", p->options.look.source_url);
    if (p->options.view.len)
        xml_write_attribute(out, "data-view", p->options.view);
    if (p->layout->whole != p->layout->total && !p->layout->tree->whole)
        buf_printf(out, " data-whole=\"%llu\"", (unsigned long long)p->layout->whole);
    if (p->layout->tree->base)
        write_change(p, out);
    write_merge(p, packed, out);
    write_words(p, packed, out);
    buf_add_str(out, ">");
}

/* Collects the distinct colours, and for each symbol the index of its colour. */
static void collect_fills(const struct picture *p, const struct svg_tree_order *order,
                          struct colors *colors, struct buf *fills)
{
    if (picture_color_fills(p) != PICTURE_FILLS_SYMBOLS)
        return;
    vec_each (uint32_t, symbol, &order->symbols)
        svg_tree_number(fills, add_color(colors, picture_color_symbol(p, *symbol)));
}

/* Collects the colours of the symbols' modules: frames become modules in the browser, too. */
static void collect_module_fills(const struct picture *p, const struct svg_tree_order *order,
                                 struct colors *colors, struct buf *out)
{
    const struct symbols *symbols = &p->layout->tree->profile->symbols;
    struct intern known = {0};
    struct buf key = {0}, fills = {0};

    if (picture_color_fills(p) != PICTURE_FILLS_SYMBOLS)
        return;
    vec_each (uint32_t, symbol, &order->symbols) {
        uint32_t count = intern_count(&known);
        enum symbol_class class;
        struct slice name;

        buf_clear(&key);
        class = group_name(symbols, *symbol, GROUP_MODULE, &key);
        if (!key.len || !symbol_class_is_function(symbol_class(symbols, *symbol)))
            continue;
        buf_add_char(&key, (char)class);
        if (intern_add(&known, buf_slice(&key)) < count)
            continue;
        name = slice_take(buf_slice(&key), key.len - 1);
        svg_tree_number(&fills, add_color(colors, picture_color_module(p, name, class)));
    }
    svg_tree_number(out, intern_count(&known));
    buf_add_slice(out, buf_slice(&fills));
    intern_release(&known);
    buf_release(&key);
    buf_release(&fills);
}

static void add_colors(const struct picture *p, const struct svg_tree_order *order,
                       struct buf *bytes)
{
    struct colors colors = {0};
    struct buf fills = {0};

    collect_fills(p, order, &colors, &fills);
    collect_module_fills(p, order, &colors, &fills);
    svg_tree_number(bytes, colors.items.count);
    vec_each (palette_color, color, &colors.items) {
        buf_add_char(bytes, (char)(*color >> 16));
        buf_add_char(bytes, (char)(*color >> 8));
        buf_add_char(bytes, (char)*color);
    }
    buf_add_slice(bytes, buf_slice(&fills));
    map_release(&colors.index);
    vec_release(&colors.items);
    buf_release(&fills);
}

/* ---- fonts ----------------------------------------------------------------------------------- */

static void pack_font(struct slice file, struct buf *out)
{
    deflate_write(out, (struct deflate_parts){.text = file});
}

/* Appends a subset as text. Returns false, appending nothing, if it cannot be made. */
static bool write_font_subset(const struct font_subsets *subsets, size_t index, bool plain,
                              struct buf *out)
{
    struct slice made;

    if (!font_subsets_embedded(subsets, index, plain))
        return font_subsets_write(subsets, index, plain, pack_font, out);
    BUG_ON(!asset_find(SLICE("fonts/plain.packed"), &made));
    buf_add_slice(out, made);
    return true;
}

/* Appends a font if `out` stays within `most` bytes; else the first font without rarer letters. */
static void add_font(const struct font_subsets *subsets, size_t index, size_t most, struct buf *out)
{
    size_t start = out->len;

    for (int plain = 0; plain <= (index == 0); plain++) {
        buf_add_str(out, "<metadata data-flame=\"font\">");
        if (write_font_subset(subsets, index, plain, out)) {
            buf_add_str(out, "</metadata>\n");
            if (out->len <= most)
                return;
        }
        out->len = start;
    }
}

static void write_fonts(const struct picture *p, const uint32_t *symbols, size_t count,
                        struct buf *out)
{
    const struct symbols *names = &p->layout->tree->profile->symbols;
    size_t most = out->len + MOST_FONTS;
    struct font_subsets subsets;

    font_subsets_init(&subsets, p->fonts);
    font_subsets_add(&subsets, buf_slice(&p->text));
    font_subsets_add(&subsets, p->options.look.name_type);
    for (size_t i = 0; i < count; i++)
        font_subsets_add(&subsets, symbol_name(names, symbols[i]));
    for (size_t i = 0; i < subsets.items.count; i++)
        add_font(&subsets, i, most, out);
    font_subsets_release(&subsets);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Writes notes, one per line: the numbers of its functions and, after a tab, its text. */
static void write_notes(const struct picture *p, const struct svg_tree_order *order,
                        struct buf *out)
{
    if (!p->options.note_count)
        return;
    buf_add_str(out, "<metadata data-flame=\"notes\">");
    for (size_t i = 0; i < p->options.note_count; i++) {
        const struct picture_note *note = &p->options.notes[i];

        for (size_t k = 0; k < order->symbols.count; k++)
            if (note->hit[order->symbols.items[k]])
                buf_printf(out, "%zu ", k + 1);
        buf_add_char(out, '\t');
        xml_write_shown(out, note->text);
        buf_add_char(out, '\n');
    }
    buf_add_str(out, "</metadata>\n");
}

/* What two threads encode and compress: stacks, then calls, colours and origins. */
struct halves {
    const struct svg_data *of;
    struct buf stacks, calls, origins;
    struct deflate_piece pieces[2];
};

static void encode_stacks(struct halves *h)
{
    svg_tree_stacks(&h->of->tree, &h->stacks);
}

static void encode_calls(struct halves *h)
{
    const struct picture *p = h->of->picture;

    svg_tree_calls(&h->of->tree, &h->calls);
    add_colors(p, &h->of->order, &h->calls);
    svg_origin_write(&p->layout->tree->profile->symbols, &h->of->order,
                     p->options.look.source_url.len ? SVG_ORIGIN_WHOLE : SVG_ORIGIN_PUBLIC,
                     &h->origins);
}

/* The half of calls takes longer, so it begins first. */
enum half { CALLS, STACKS, HALVES };

static void pack_half(void *context, size_t index, unsigned worker)
{
    struct halves *h = context;

    (void)worker;
    if (index == STACKS) {
        encode_stacks(h);
        deflate_piece_make(&h->pieces[0],
                           (struct deflate_parts){.text = buf_slice(&h->of->symbols),
                                                  .numbers = buf_slice(&h->stacks)},
                           false);
    } else {
        encode_calls(h);
        deflate_piece_make(&h->pieces[1],
                           (struct deflate_parts){.numbers = buf_slice(&h->calls),
                                                  .more_text = buf_slice(&h->origins)},
                           true);
    }
}

/* Compresses a small tree as one piece, which is smaller. */
static void pack_whole(struct halves *h, struct buf *out)
{
    encode_stacks(h);
    encode_calls(h);
    buf_add_slice(&h->stacks, buf_slice(&h->calls));
    deflate_write(out, (struct deflate_parts){buf_slice(&h->of->symbols), buf_slice(&h->stacks),
                                              buf_slice(&h->origins)});
}

static void open_tree(struct svg_data *d)
{
    svg_tree_open(&d->tree, &d->pick, &d->picture->layout->names, &d->symbols, &d->order);
    d->around = symbol_number(&d->order, d->picture->layout->tree->around);
}

static void close_tree(struct svg_data *d)
{
    svg_tree_close(&d->tree);
    vec_clear(&d->order.symbols);
    buf_clear(&d->symbols);
    buf_clear(&d->data);
    buf_clear(&d->fonts);
    buf_clear(&d->notes);
}

/* Encodes the nodes of the open tree. */
static void pack(struct svg_data *d)
{
    const struct picture *p = d->picture;
    struct halves h = {.of = d};

    if (d->pick.count < LEAST_HALVED) {
        pack_whole(&h, &d->data);
    } else {
        pool_run(p->options.threads, HALVES, pack_half, &h);
        deflate_join(&d->data, h.pieces, HALVES);
    }
    d->origins = h.origins.len;
    write_notes(p, &d->order, &d->notes);
    if (!p->options.look.svg_system_font)
        write_fonts(p, d->order.symbols.items, d->order.symbols.count, &d->fonts);
    buf_release(&h.stacks);
    buf_release(&h.calls);
    buf_release(&h.origins);
}

static void write_searches(const struct picture *p, struct buf *out)
{
    if (!p->options.search_count)
        return;
    buf_add_str(out, "<metadata data-flame=\"searches\">");
    for (size_t i = 0; i < p->options.search_count; i++) {
        const struct share *share = &p->options.searches[i];
        const struct search *s = share->search;

        buf_add_char(out, s->ignore_case ? 'i' : '-');
        if (!share->exhausted)
            buf_printf(out, "%llu", (unsigned long long)share->weight);
        buf_add_char(out, '\t');
        xml_write_shown(out, s->name);
        buf_add_char(out, '\t');
        xml_write(out, s->pattern);
        buf_add_char(out, '\n');
    }
    buf_add_str(out, "</metadata>\n");
}

/* True if the profile has a function called `name`. */
static bool is_known(const struct picture *p, struct slice name)
{
    const struct intern *names = &p->layout->tree->profile->symbols.names;

    return intern_find(names, name) != MAP_NONE || slice_equal(name, SLICE("all"));
}

static void write_names(const struct picture *p, struct buf *out)
{
    const struct attributes *a = p->options.attributes;

    if (!a || !a->items.count)
        return;
    buf_add_str(out, "<metadata data-flame=\"names\">");
    vec_each (const struct attribute_set, set, &a->items) {
        if (!is_known(p, set->name))
            continue;
        xml_write(out, set->name);
        for (unsigned i = 0; i < ATTRIBUTE_KEYS; i++) {
            if (!set->values[i].len)
                continue;
            buf_printf(out, "\t%s=", attributes_keys[i]);
            xml_write(out, set->values[i]);
        }
        buf_add_char(out, '\n');
    }
    buf_add_str(out, "</metadata>\n");
}

/* Estimates how many nodes fit. Returns less than there are. */
static uint32_t fewer_nodes(const struct svg_data *packed, size_t most)
{
    size_t fixed = packed->fonts.len + packed->notes.len;
    size_t room = most > fixed ? most - fixed : 0;
    size_t count = packed->pick.count - 1; /* the file does not count the root */
    size_t nodes = count * room / packed->data.len;

    if (nodes > FEW_NODES) /* among many nodes, light ones take less than average */
        nodes = nodes * room / packed->data.len;
    if (nodes < LEAST_NODES - 1)
        nodes = LEAST_NODES - 1;
    return (uint32_t)(nodes < count ? nodes : count - 1);
}

/* Returns the size of everything but the data and the fonts. */
static size_t size_around(const struct picture *p, const struct svg_data *packed)
{
    struct buf text = {0};
    size_t size;

    write_attributes(p, packed, &text);
    buf_add_str(&text, "</metadata>\n");
    write_searches(p, &text);
    write_names(p, &text);
    size = text.len + LONGER_ATTRIBUTES;
    buf_release(&text);
    return size;
}

/* Encodes as many nodes of the open tree as fit into `most` bytes. */
static void pack_tree(struct svg_data *d, size_t most)
{
    pack(d);
    while (d->data.len + d->fonts.len + d->notes.len > most && d->pick.count > LEAST_NODES) {
        uint32_t nodes = fewer_nodes(d, most);

        close_tree(d);
        svg_pick_shrink(&d->pick, nodes);
        open_tree(d);
        pack(d);
    }
}

static void pick_tree(struct svg_data *d, const struct tree *t)
{
    svg_pick_init(&d->pick, t, d->nodes, d->picture->options.threads);
    open_tree(d);
}

struct svg_data *svg_data_open(const struct picture *p, size_t most)
{
    struct svg_data *d = xcalloc(1, sizeof(*d));
    size_t nodes = most / NODE_TENTHS * 10;

    d->picture = p;
    d->nodes = nodes < LEAST_NODES  ? LEAST_NODES
               : nodes < UINT32_MAX ? (uint32_t)nodes
                                    : UINT32_MAX;
    pick_tree(d, data_tree(p, d->nodes));
    return d;
}

static void release(struct svg_data *d)
{
    close_tree(d);
    svg_pick_release(&d->pick);
    vec_release(&d->order.symbols);
    buf_release(&d->symbols);
    buf_release(&d->data);
    buf_release(&d->fonts);
    buf_release(&d->notes);
    free(d);
}

struct svg_data_left svg_data_write(struct svg_data *d, size_t most, struct buf *out)
{
    const struct picture *p = d->picture;
    size_t around = size_around(p, d);
    struct svg_data_left left;

    most -= around < most ? around : most;
    pack_tree(d, most);
    if (d->pick.tree == p->layout->tree->measured && d->pick.frames) {
        close_tree(d);
        svg_pick_release(&d->pick);
        pick_tree(d, p->layout->tree);
        pack_tree(d, most);
    }
    write_attributes(p, d, out);
    buf_add_slice(out, buf_slice(&d->data));
    buf_add_str(out, "</metadata>\n");
    buf_add_slice(out, buf_slice(&d->fonts));
    write_searches(p, out);
    write_names(p, out);
    buf_add_slice(out, buf_slice(&d->notes));
    left = (struct svg_data_left){d->pick.frames, d->pick.weight};
    release(d);
    return left;
}
