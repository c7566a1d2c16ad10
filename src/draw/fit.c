#include "draw/fit.h"

#include <string.h>

#include "prepare/counters.h"
#include "profile/pair.h"
#include "tree/chart.h"

/* What a series is: one of the first three, and perhaps one of the others. */
enum data {
    PLAIN = 1 << 0,
    CHANGE = 1 << 1,
    COUNTERS = 1 << 2,
    UNORDERED = 1 << 3, /* the order of the samples is unknown */
    UNTIMED = 1 << 4,   /* the times of the samples are unknown */
    PAIR = CHANGE | COUNTERS,
};

static unsigned data_of(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];
    unsigned data = s->base == SERIES_NONE                ? PLAIN
                    : pair_kind(p, series) == PAIR_CHANGE ? CHANGE
                                                          : COUNTERS;

    if (!chart_is_possible(p, series))
        data |= UNORDERED;
    return timed_samples_are_timed(&s->timed) ? data : data | UNTIMED;
}

static bool is_added(const struct recipe *r, const struct series *s)
{
    return !r->one_graph && !r->kind && counters_is_added(s);
}

static bool is_for_changes(const struct palette *palette)
{
    return !palette || strcmp(palette->name, "safe") == 0;
}

bool fit_check(const struct look *look, const struct recipe *recipe, bool has_color_map,
               const struct profile *p, uint32_t series, struct diag *diag)
{
    static const char no_change[] = "the graph shows no change; it needs two profiles (flamepress "
                                    "diff) or stacks with two weights";
    static const char colors[] = "cannot be used with a differential graph, whose colours show "
                                 "changes; use --colors=safe or --triple";
    static const char column[] = "the graph shows a change; name one column of it (--event base, "
                                 "--event new)";
    const bool single = !look->triple;
    const struct {
        const char *name;
        bool given;
        unsigned data; /* that the option cannot have */
        const char *why;
    } rows[] = {
        {"normalize", recipe->normalize, PLAIN, no_change},
        {"negate", recipe->negate, PLAIN, no_change},
        {"triple", look->triple, PLAIN, no_change},
        {"hatch", look->hatch, PLAIN, no_change},
        {"width-by", look->width_by != CHANGE_BY_NEW, PLAIN, no_change},
        {"delta", look->delta_of_total, PLAIN, no_change},
        {"normalize", recipe->normalize, COUNTERS, "two counters are not scaled to each other"},
        {"width-by", look->width_by != CHANGE_BY_NEW, COUNTERS,
         "a graph of two counters is as wide as its cycles"},
        {"colors", single && !is_for_changes(look->palette), PAIR, colors},
        {"random", single && look->spread == PALETTE_AT_RANDOM, PAIR, colors},
        {"hash", single && look->spread == PALETTE_BY_ALPHABET, PAIR, colors},
        {"cp", single && has_color_map, PAIR, colors},
        {"around", recipe->around.len > 0, COUNTERS, column},
        {"zoom", recipe->zoom.len > 0, PAIR, column},
        {"crop", recipe->crop.len > 0, PAIR, column},
        {"flamechart", look->flamechart, PAIR, column},
        {"kind=heatmap", recipe_is_of(recipe, KIND_HEATMAP), PAIR, column},
        {"flamechart", look->flamechart, UNORDERED,
         "input does not state the order of its samples"},
        {"kind=heatmap", recipe_is_of(recipe, KIND_HEATMAP), UNTIMED,
         "input does not state when its samples were taken"},
    };
    unsigned data = data_of(p, series);

    if (is_added(recipe, &p->series.items[series]))
        return true;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!rows[i].given || !(rows[i].data & data))
            continue;
        if (rows[i].data & (UNORDERED | UNTIMED))
            return diag_misuse(diag, "this %s %s, which --%s needs", p->format, rows[i].why,
                               rows[i].name);
        return diag_misuse(diag, "option --%s: %s", rows[i].name, rows[i].why);
    }
    return true;
}
