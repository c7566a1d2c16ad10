#include "output/legend.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/intern.h"
#include "base/num.h"
#include "output/picture_color.h"
#include "output/picture_pair.h"

static struct buf *add_entry(struct legend *l, palette_color color)
{
    *vec_add(&l->entries) = (struct legend_entry){.color = color, .at = l->text.len};
    return &l->text;
}

static void end_entry(struct legend *l)
{
    struct legend_entry *e = &l->entries.items[l->entries.count - 1];

    e->len = (uint32_t)(l->text.len - e->at);
}

/* ---- changes ---- */

enum { STEPS = 4 }; /* steps of the scale on either side of no change */

/* Adds the steps of the scale of colours, then the meaning of its two ends. */
static void add_scale(struct legend *l, const struct picture *p)
{
    const struct diverge_look *look = &p->options.diverge;
    struct buf *out = NULL;

    for (int step = -STEPS; step <= STEPS; step++) {
        int shown = p->layout->negate ? -step : step;

        out = add_entry(l, diverge_pick(look->pair, shown, STEPS, 1));
        l->entries.items[l->entries.count - 1].hatch = look->hatch ? shown : 0;
    }
    picture_pair_write_scale(p, out);
    end_entry(l);
}

static void add_changes(struct legend *l, const struct picture *p)
{
    bool by_base = p->layout->width_by == CHANGE_BY_BASE;

    add_scale(l, p);
    if (p->layout->lane) {
        buf_add_str(add_entry(l, PALETTE_ROOT),
                    by_base ? "new: stacks only in new, at their new width"
                            : "gone: stacks only in base, at their old width");
        end_entry(l);
    }
}

/* ---- classes ---- */

/* False for a weight whose share rounds to 0.0%. */
static bool is_worth_telling(const struct picture *p, uint64_t weight)
{
    return weight && weight >= tree_weight(p->layout->tree) / 2000;
}

/* Writes "kernel 12.3%". */
static void write_share(const struct picture *p, struct slice word, uint64_t weight,
                        struct buf *out)
{
    buf_add_slice(out, word);
    buf_add_char(out, ' ');
    num_write_percent(out, weight, tree_weight(p->layout->tree), PERCENT_CAPTION);
    buf_add_char(out, '%');
}

static void add_share(struct legend *l, const struct picture *p, palette_color color,
                      struct slice word, uint64_t weight)
{
    if (!is_worth_telling(p, weight))
        return;
    write_share(p, word, weight, add_entry(l, color));
    end_entry(l);
}

/* Returns the colour in the middle of a class's range. */
static palette_color class_color(const struct picture *p, unsigned class)
{
    static const double middle[] = {0.5, 0.5, 0.5};

    return hue_color(p->options.colors.palette->classes[class].hue, middle);
}

static uint64_t *self_weights(const struct picture *p)
{
    const struct tree *t = p->layout->tree;
    size_t count = symbols_count(&t->profile->symbols);
    uint64_t *self = xreallocarray(NULL, count + 1, sizeof(*self));

    tree_self_symbols(t, self);
    return self;
}

/* Adds the classes that the graph has, without shares. */
static void add_roles(struct legend *l, const struct picture *p)
{
    const struct palette_class *classes = p->options.colors.palette->classes;
    const struct tree *t = p->layout->tree;
    bool seen[PICTURE_CLASSES] = {false};

    for (uint32_t i = 1; i < t->count; i++)
        seen[p->classes[t->symbol[i]]] |= t->total[i] || (t->base && t->base[i]);
    for (unsigned i = 0; classes[i].word; i++) {
        if (!seen[i])
            continue;
        buf_add_str(add_entry(l, class_color(p, i)), classes[i].word);
        end_entry(l);
    }
}

static void add_classes(struct legend *l, const struct picture *p)
{
    const struct palette_class *classes = p->options.colors.palette->classes;
    uint64_t sums[PICTURE_CLASSES] = {0};
    uint64_t *self;

    if (p->options.colors.palette->roles) {
        add_roles(l, p);
        return;
    }
    self = self_weights(p);
    for (uint32_t id = 0; id < symbols_count(&p->layout->tree->profile->symbols); id++)
        sums[p->classes[id]] += self[id];
    free(self);
    for (unsigned i = 0; classes[i].word; i++)
        add_share(l, p, class_color(p, i), slice_str(classes[i].word), sums[i]);
}

/* ---- modules ---- */

struct module {
    struct slice name;
    uint64_t weight;
    unsigned class;
};

struct modules {
    struct intern names;
    VEC(struct module) items; /* by id of `names` */
};

static uint32_t find_module(struct modules *m, const struct picture *p, uint32_t symbol)
{
    const struct symbols *symbols = &p->layout->tree->profile->symbols;
    struct palette_subject subject = {
        .module = symbol_module(symbols, symbol),
        .class = symbol_class_of_code(symbol_class(symbols, symbol)),
    };
    struct slice name = palette_module_name(&subject);
    uint32_t id = intern_add(&m->names, name.len ? name : SLICE("unknown module"));

    if (id == m->items.count)
        *vec_add(&m->items) = (struct module){intern_get(&m->names, id), 0, p->classes[symbol]};
    return id;
}

static void sum_modules(struct modules *m, const struct picture *p)
{
    const struct symbols *symbols = &p->layout->tree->profile->symbols;
    uint64_t *self = self_weights(p);

    for (uint32_t id = 0; id < symbols_count(symbols); id++) {
        uint32_t module;

        if (!self[id] || symbol_class(symbols, id) == SYMBOL_SEPARATOR)
            continue;
        module = find_module(m, p, id);
        m->items.items[module].weight += self[id];
    }
    free(self);
}

static int compare_modules(const void *a, const void *b)
{
    const struct module *left = a, *right = b;

    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return slice_compare(left->name, right->name);
}

/* Adds "libc.so.6 12.3%, libz.so.1 0.4%": those of the `count` modules with one colour. */
static void add_shared(struct legend *l, const struct picture *p, const struct modules *m,
                       size_t first, size_t count)
{
    const struct module *module = &m->items.items[first];
    struct buf *out;

    for (size_t i = 0; i < first; i++)
        if (m->items.items[i].class == module->class)
            return; /* added with that module */
    if (!is_worth_telling(p, module->weight))
        return;
    out = add_entry(l, class_color(p, module->class));
    write_share(p, module->name, module->weight, out);
    for (size_t i = first + 1; i < count; i++) {
        const struct module *other = &m->items.items[i];

        if (other->class != module->class || !is_worth_telling(p, other->weight))
            continue;
        buf_add_str(out, ", ");
        write_share(p, other->name, other->weight, out);
    }
    end_entry(l);
}

/*
 * Adds the heaviest modules and the sum of the others. A module has the same colour in every graph
 * and there are few colours, so modules without an entry share the colours of those with one.
 */
static void add_modules(struct legend *l, const struct picture *p)
{
    enum { SHOWN = 12 };
    struct modules m = {0};
    uint64_t others = 0;
    size_t shown;

    sum_modules(&m, p);
    if (m.items.count)
        qsort(m.items.items, m.items.count, sizeof(struct module), compare_modules);
    shown = m.items.count < SHOWN ? m.items.count : SHOWN;
    for (size_t i = 0; i < shown; i++)
        add_shared(l, p, &m, i, shown);
    for (size_t i = shown; i < m.items.count; i++)
        others += m.items.items[i].weight;
    add_share(l, p, p->theme.background[BACKGROUND_BOTTOM],
              SLICE("other modules, in the same colours"), others);
    intern_release(&m.names);
    vec_release(&m.items);
}

/* ---- searches and self weight ---- */

/* Adds the searches with the shares that reports give: of all stacks that match. */
static void add_searches(struct legend *l, const struct picture *p)
{
    for (size_t i = 0; i < p->options.search_count && i < PALETTE_SEARCHES; i++) {
        const struct share *s = &p->options.searches[i];

        buf_add_slice(add_entry(l, class_color(p, (unsigned)i)), s->search->name);
        buf_add_char(&l->text, ' ');
        if (s->exhausted) {
            buf_add_str(&l->text, "given up");
        } else {
            num_write_percent(&l->text, s->weight, tree_weight(p->layout->tree), PERCENT_CAPTION);
            buf_add_char(&l->text, '%');
        }
        end_entry(l);
    }
    if (p->options.search_count) {
        buf_add_str(add_entry(l, class_color(p, PALETTE_SEARCHES)), "no match");
        end_entry(l);
    }
}

static void add_self(struct legend *l, const struct picture *p)
{
    static const char *const words[] = {"0% self", "50% self", "100% self"};

    for (unsigned i = 0; i < 3; i++) {
        buf_add_str(add_entry(l, palette_self(p->options.colors.palette, i, 2)), words[i]);
        end_entry(l);
    }
}

static void add_entries(struct legend *l, const struct picture *p)
{
    switch (picture_color_fills(p)) {
    case PICTURE_FILLS_CHANGES:
        add_changes(l, p);
        return;
    case PICTURE_FILLS_SELF:
        add_self(l, p);
        return;
    case PICTURE_FILLS_SYMBOLS:
        break;
    }
    if (p->options.colors.palette->basis == PALETTE_OF_MODULES)
        add_modules(l, p);
    else if (p->options.colors.palette->basis == PALETTE_OF_SEARCHES)
        add_searches(l, p);
    else if (p->classes)
        add_classes(l, p);
}

/* ---- layout ---- */

static void lay(struct legend *l, const struct picture *p)
{
    struct label_style style = label_style(picture_text_size(p, PICTURE_LEGEND), 1);
    int32_t room = (int32_t)geometry_drawable_width(p->options.look.width), x = 0;
    bool step = false; /* of a scale, which stays in one row */

    vec_each (struct legend_entry, e, &l->entries) {
        int64_t text = label_width(p->fonts, style, legend_text(l, e));
        int32_t width = e->len ? legend_gap(l) + (int32_t)((text + 63) / 64) : l->swatch;

        if (x && x + width > room && !step) {
            l->rows++;
            x = 0;
        }
        e->row = l->rows;
        e->x = x;
        x += width + (e->len ? 2 * l->swatch : 0);
        step = !e->len;
    }
    l->rows += l->entries.count > 0;
}

void legend_init(struct legend *l, const struct picture *p)
{
    *l = (struct legend){.swatch = (int32_t)lround(p->options.look.font_size * 0.8)};
    add_entries(l, p);
    lay(l, p);
}

void legend_release(struct legend *l)
{
    vec_release(&l->entries);
    buf_release(&l->text);
}
