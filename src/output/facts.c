#include "output/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "output/picture_color.h"
#include "output/picture_pair.h"
#include "profile/reshape.h"

static const char separator[] = " \xc2\xb7 "; /* a middle dot */

static bool has_classes(const struct symbols *symbols)
{
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        if (symbol_class_of_code(symbol_class(symbols, id)) != SYMBOL_USER)
            return true;
    return false;
}

/* Adds up self weights by class. */
static void sum_classes(const struct tree *t, uint64_t sums[SYMBOL_CLASSES])
{
    const struct symbols *symbols = &t->profile->symbols;
    uint64_t *self = xreallocarray(NULL, symbols_count(symbols) + (size_t)1, sizeof(*self));

    tree_self_symbols(t, self);
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        sums[symbol_class_of_code(symbol_class(symbols, id))] += self[id];
    free(self);
}

/* True if the picture shows what goes through one function only. */
static bool is_part(const struct tree *t)
{
    return t->whole || t->part_of;
}

/* Appends "12.3% WHAT" unless that rounds to nothing. */
static void add_share(const struct picture *p, uint64_t weight, struct slice what, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    /* A picture of one function has shares of that function's total, as in the legend. */
    uint64_t whole = is_part(t) ? tree_weight(t) : p->layout->whole;

    if (weight < whole / 2000 || !weight)
        return;
    buf_add_str(out, separator);
    num_write_percent(out, weight, whole, PERCENT_CAPTION);
    buf_add_str(out, "% ");
    buf_add_slice(out, what);
}

/* True if the palette distinguishes that class: then the legend has its share. */
static bool in_legend(const struct picture *p, enum symbol_class class)
{
    const struct palette *palette = p->options.colors.palette;
    const struct palette_subject user = {.class = SYMBOL_USER}, other = {.class = class};

    return p->classes && palette_class_of(palette, &other) != palette_class_of(palette, &user);
}

/* Adds the shares of classes, unless a single class has everything. */
static void add_classes(const struct picture *p, struct buf *out)
{
    static const enum symbol_class shown[] = {
        SYMBOL_KERNEL, SYMBOL_INLINED, SYMBOL_JIT, SYMBOL_INTERPRETED, SYMBOL_BASELINE,
    };
    uint64_t sums[SYMBOL_CLASSES] = {0}, all = 0;

    if (!has_classes(&p->layout->tree->profile->symbols))
        return;
    sum_classes(p->layout->tree, sums);
    for (size_t i = 0; i < SYMBOL_CLASSES; i++)
        all += sums[i];
    if (sums[SYMBOL_WAKER]) { /* leaves are wakers: the other classes say nothing */
        add_share(p, all - sums[SYMBOL_WAKER], SLICE("without a waker"), out);
        return;
    }
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        if (!in_legend(p, shown[i]) && all - sums[shown[i]] > all / 2000)
            add_share(p, sums[shown[i]], symbol_class_word(shown[i]), out);
}

/* Adds "cpu-clock . 12.4 s in 1,844 samples"; without the event if the unit has its name. */
static void add_total(const struct picture *p, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    const struct series *series = &t->profile->series.items[t->series];
    struct slice name = series->before ? series->event : series->name;
    const struct unit *unit = &p->scale.unit;

    if (name.len && !t->base && !(unit->kind == UNIT_COUNT && slice_equal(unit->noun, name))) {
        buf_add_slice(out, name);
        buf_add_str(out, separator);
    }
    if (t->base && !picture_pair_is_ratio(p) && series->input.len)
        buf_printf(out, "new %.*s: ", SLICE_ARG(series->input));
    if (unit->kind == UNIT_COUNT)
        unit_write_exact(out, &p->scale, tree_weight(t));
    else
        unit_write_short(out, &p->scale, tree_weight(t));
    if (!is_part(t)) {
        picture_write_samples(p, p->options.samples, tree_weight(t), out);
        return;
    }
    buf_add_str(out, ", ");
    num_write_percent(out, tree_weight(t), p->layout->whole, PERCENT_CAPTION);
    buf_add_str(out, "% of all");
}

/* Adds what each filter removed, as a share of the weight before all filters. */
static void add_removals(const struct picture *p, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    const struct series *s = &t->profile->series.items[t->series];
    uint64_t whole = reshape_whole(s);

    vec_each (const struct removal, r, &s->removals) {
        buf_add_str(out, separator);
        num_write_percent(out, r->weight, whole, PERCENT_CAPTION);
        buf_add_str(out, r->stayed ? "% shortened by " : "% left out by ");
        buf_add_str(out, r->option);
    }
}

/* Adds what the full width stands for, if that is more than the graph's total. */
static void add_scale(const struct picture *p, struct buf *out)
{
    const struct layout *l = p->layout;

    if (l->tree->base || l->tree->whole || l->total <= tree_weight(l->tree))
        return;
    buf_add_str(out, separator);
    buf_add_str(out, "full width: ");
    unit_write_plain(out, &p->scale, l->total);
}

/* Names the searches that were given up. */
static void add_given_up(const struct picture *p, struct buf *out)
{
    for (size_t i = 0; i < p->options.search_count; i++) {
        const struct share *s = &p->options.searches[i];

        if (!s->exhausted)
            continue;
        buf_add_str(out, separator);
        buf_printf(out, "search %.*s given up", SLICE_ARG(s->search->name));
    }
}

static void add_words(struct slice words, struct buf *out)
{
    if (!words.len)
        return;
    buf_add_str(out, separator);
    buf_add_slice(out, words);
}

void facts_write(const struct picture *p, struct buf *out)
{
    const struct layout *l = p->layout;

    add_total(p, out);
    add_words(p->options.view, out);
    add_words(p->options.part, out);
    add_scale(p, out);
    if (picture_is_estimated(p)) {
        buf_add_str(out, separator);
        buf_add_str(out, "stacks estimated from calls");
    }
    if (l->tree->base)
        picture_pair_write_total(p, separator, out);
    add_removals(p, out);
    add_given_up(p, out);
    add_classes(p, out);
    add_share(p, l->thin, SLICE("in frames too thin to draw"), out);
    add_share(p, l->above, SLICE("above the last row"), out);
    if (picture_color_is_plain(p))
        add_words(SLICE(FACTS_PLAIN_COLORS), out);
}
