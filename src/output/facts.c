#include "output/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/release.h"
#include "output/picture_color.h"
#include "output/picture_pair.h"
#include "profile/reshape.h"

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

/* Returns 100 % of shares. In a picture of one function that is its total, as in the legend. */
static uint64_t whole_of(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return is_part(t) ? tree_weight(t) : p->layout->whole;
}

/* Adds "12.3% WHAT" unless that rounds to nothing. */
static void add_share(struct facts *f, enum fact_rank rank, uint64_t weight, uint64_t whole,
                      struct slice what)
{
    struct buf *out;

    if (weight < whole / 2000 || !weight)
        return;
    out = facts_add(f, rank);
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
static void add_classes(struct facts *f, const struct picture *p)
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
        add_share(f, FACT_CLASS, all - sums[SYMBOL_WAKER], whole_of(p), SLICE("without a waker"));
        return;
    }
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        if (!in_legend(p, shown[i]) && all - sums[shown[i]] > all / 2000)
            add_share(f, FACT_CLASS, sums[shown[i]], whole_of(p), symbol_class_word(shown[i]));
}

/* Adds "cpu-clock" and "12.4 s in 1,844 samples"; only the latter if the unit has that name. */
static void add_total(struct facts *f, const struct picture *p)
{
    const struct tree *t = p->layout->tree;
    const struct series *series = &t->profile->series.items[t->series];
    struct slice name = series->before ? series->event : series->name;
    const struct unit *unit = &p->scale.unit;
    struct buf *out;

    if (!t->base && !unit_implies(unit, name))
        buf_add_slice(facts_add(f, FACT_TOTAL), name);
    out = facts_add(f, FACT_TOTAL);
    if (t->base && !picture_pair_is_ratio(p) && series->input.len)
        buf_printf(out, "new %.*s: ", SLICE_ARG(series->input));
    if (unit->kind == UNIT_COUNT)
        unit_write_exact(out, &p->scale, tree_weight(t));
    else
        unit_write_short(out, &p->scale, tree_weight(t));
    if (!is_part(t)) {
        picture_write_samples(p, p->options.samples, tree_weight(t), out);
        if (!t->base)
            profile_add_dumps(t->profile, t->series, out);
        return;
    }
    buf_add_str(out, ", ");
    num_write_percent(out, tree_weight(t), p->layout->whole, PERCENT_CAPTION);
    buf_add_str(out, "% of all");
}

/* Adds what each filter removed, as a share of the weight before all filters. */
static void add_removals(struct facts *f, const struct picture *p)
{
    const struct tree *t = p->layout->tree;
    const struct series *s = &t->profile->series.items[t->series];
    uint64_t whole = reshape_whole(s);

    vec_each (const struct removal, r, &s->removals) {
        struct buf *out = facts_add(f, FACT_PART);

        num_write_percent(out, r->weight, whole, PERCENT_CAPTION);
        buf_printf(out, "%% %s%s", reshape_removal_verb(r), r->option);
    }
}

/* Adds what the full width stands for, if that is more than the graph's total. */
static void add_scale(struct facts *f, const struct picture *p)
{
    const struct layout *l = p->layout;
    struct buf *out;

    if (l->tree->base || l->tree->whole || l->total <= tree_weight(l->tree))
        return;
    out = facts_add(f, FACT_PART);
    buf_add_str(out, "full width: ");
    unit_write_plain(out, &p->scale, l->total);
}

/* Names the searches that were given up. */
static void add_given_up(struct facts *f, const struct picture *p)
{
    for (size_t i = 0; i < p->options.search_count; i++) {
        const struct share *s = &p->options.searches[i];

        if (s->exhausted)
            buf_printf(facts_add(f, FACT_PART), "search %.*s given up", SLICE_ARG(s->search->name));
    }
}

static void add_words(struct facts *f, enum fact_rank rank, struct slice words)
{
    if (words.len)
        buf_add_slice(facts_add(f, rank), words);
}

static void collect(struct facts *f, const struct picture *p)
{
    const struct layout *l = p->layout;
    /* The frames of a change add up to more than the new total. */
    uint64_t width = l->tree->base ? l->total : whole_of(p);

    add_total(f, p);
    add_words(f, FACT_PART, p->options.view);
    add_words(f, FACT_PART, p->options.part);
    add_scale(f, p);
    if (picture_is_estimated(p))
        add_words(f, FACT_PART, SLICE("stacks estimated from calls"));
    if (l->tree->base)
        picture_pair_add_total(p, f);
    add_removals(f, p);
    add_given_up(f, p);
    add_classes(f, p);
    add_share(f, FACT_HIDDEN, l->thin, width, SLICE("in frames too thin to draw"));
    add_share(f, FACT_HIDDEN, l->above, width, SLICE("above the last row"));
    if (picture_color_is_plain(p))
        add_words(f, FACT_COLORS, SLICE(FACTS_PLAIN_COLORS));
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Facts on their way into lines. */
struct filler {
    struct facts *facts;
    const struct picture *p;
    int64_t room, used; /* 26.6; used of the last line */
    bool full;          /* the last line that there may be is wider than the room */
};

static int64_t measure(const struct filler *f, struct slice text)
{
    return label_width(f->p->fonts, label_style(picture_text_size(f->p, PICTURE_FACTS), 1), text);
}

static void begin_line(struct filler *f)
{
    *vec_add(&f->facts->lines) = (struct facts_line){.at = f->facts->shown.len};
    f->used = 0;
}

/* Appends to the last line. */
static void append(struct filler *f, struct slice text, int64_t width)
{
    struct facts *facts = f->facts;

    buf_add_slice(&facts->shown, text);
    facts->lines.items[facts->lines.count - 1].len += text.len;
    f->used += width;
    f->full |= facts->lines.count == FACTS_LINES && f->used > f->room;
}

/* Returns the length of the longest part of `text` that ends before a blank and fits, or 0. */
static size_t fitting(const struct filler *f, struct slice text)
{
    size_t fits = 0;

    for (size_t i = 1; i < text.len; i++) {
        if (text.ptr[i] != ' ')
            continue;
        if (measure(f, slice_take(text, i)) > f->room)
            break;
        fits = i;
    }
    return fits;
}

/* Appends a fact to the last line, or begins lines with it if it does not fit there. */
static void fill(struct filler *f, struct slice fact)
{
    const struct slice between = SLICE(FACTS_BETWEEN);
    const size_t lines = f->facts->lines.count;
    int64_t width = measure(f, fact), gap = measure(f, between);

    if (lines && (lines == FACTS_LINES || f->used + gap + width <= f->room)) {
        append(f, between, gap);
        append(f, fact, width);
        return;
    }
    begin_line(f);
    while (width > f->room && f->facts->lines.count < FACTS_LINES) {
        size_t len = fitting(f, fact);

        if (!len)
            break;
        append(f, slice_take(fact, len), 0);
        fact = slice_skip(fact, len + 1);
        width = measure(f, fact);
        begin_line(f);
    }
    append(f, fact, width);
}

/* Fills the lines with all facts but the `omitted`. Returns false if the last line is too wide. */
static bool fill_all(struct facts *facts, const struct picture *p, int32_t room,
                     const bool *omitted)
{
    struct filler f = {.facts = facts, .p = p, .room = (int64_t)room * 64};

    facts->lines.count = 0;
    buf_clear(&facts->shown);
    for (size_t i = 0; i < facts->items.count; i++)
        if (!omitted[i])
            fill(&f, facts_text(facts, i));
    return !f.full;
}

/*
 * Omits the least important fact, the last one of several. Returns false if all that are left
 * stay.
 */
static bool omit_one(const struct facts *f, bool *omitted)
{
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < f->items.count; i++)
        if (!omitted[i] && f->items.items[i].rank > FACT_PART &&
            (least == SIZE_MAX || f->items.items[i].rank >= f->items.items[least].rank))
            least = i;
    if (least != SIZE_MAX)
        omitted[least] = true;
    return least != SIZE_MAX;
}

void facts_init(struct facts *f, const struct picture *p, int32_t room)
{
    bool *omitted;

    *f = (struct facts){0};
    collect(f, p);
    omitted = xcalloc(f->items.count + 1, sizeof(*omitted));
    f->complete = fill_all(f, p, room, omitted);
    if (!f->complete)
        while (omit_one(f, omitted) && !fill_all(f, p, room, omitted))
            ;
    free(omitted);
}

void facts_release(struct facts *f)
{
    release_all(f, vec, items, lines);
    release_all(f, buf, text, shown);
}

struct buf *facts_add(struct facts *f, enum fact_rank rank)
{
    *vec_add(&f->items) = (struct facts_item){rank, f->text.len};
    return &f->text;
}

struct slice facts_text(const struct facts *f, size_t i)
{
    size_t at = f->items.items[i].at;
    size_t end = i + 1 < f->items.count ? f->items.items[i + 1].at : f->text.len;

    return slice_make(buf_string(&f->text) + at, end - at);
}

void facts_write(const struct facts *f, struct buf *out)
{
    for (size_t i = 0; i < f->items.count; i++) {
        buf_add_str(out, i ? FACTS_BETWEEN : "");
        buf_add_slice(out, facts_text(f, i));
    }
}
