#include "stats/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/prior.h"
#include "stats/student.h"

enum { LEVEL_LEAST = 2 };

/* A segment in the middle of a part, whose change is undone, or one that ends with it. */
enum { UNDONE, LASTING, KINDS };

/* The scales of the values: roots of shares, and roots of these. */
enum { ROOTS, FOURTH, SCALES };

/* Twice the logarithm of a likelihood ratio that chance exceeds in one of twenty shifts. */
static const double likely = 7.35;

/* What is left at most of a shift that is undone. */
static const double undone_part = 0.25;

/* Sums over the points before one. */
struct sums {
    double weight, share, value[SCALES], square[SCALES];
};

/* The points with data. */
struct series {
    struct sums *sums; /* one more than points */
    size_t *index;     /* by point: in the points of the caller */
    size_t n;
    double variance[SCALES]; /* of the values, where the weight is 1 */
    double freedom, level;
};

struct segment {
    size_t first, end;
    double gain;  /* squares of roots that a level of its own explains */
    double tried; /* segments of its kind */
};

/* A part of one level, and the segments of it that explain most. */
struct part {
    size_t from, to;
    struct segment best[KINDS];
};

/* Where levels begin: 0, the shifts, and n after the last one. */
struct places {
    size_t at[STATS_SERIES_SHIFTS + 2];
    size_t count; /* of the shifts */
};

/* ---- sums ------------------------------------------------------------------------------------ */

static bool valid(const struct stats_point *p)
{
    return isfinite(p->share) && p->variance > 1e-100 && p->variance < 1e100;
}

/* Three eighths of a sample are added, as Anscombe did, so that no sample is no outlier. */
static void add_point(struct series *s, const struct stats_point *p, size_t index, double weight)
{
    double share = fmin(fmax(p->share, 0), 1), added = 0.375 * p->variance;
    double part = (share + added) / (1 + 2 * added), roots[2] = {sqrt(part), sqrt(1 - part)};
    double values[SCALES] = {roots[0] - roots[1], sqrt(roots[0]) - sqrt(roots[1])};
    struct sums *now = &s->sums[s->n], *next = now + 1;

    s->index[s->n++] = index;
    next->weight = now->weight + weight;
    next->share = now->share + weight * share;
    for (int scale = 0; scale < SCALES; scale++) {
        next->value[scale] = now->value[scale] + weight * values[scale];
        next->square[scale] = now->square[scale] + weight * values[scale] * values[scale];
    }
}

/* Sets the variances of values by the slopes of the scales at the share of all points. */
static void set_variances(struct series *s)
{
    double share = s->sums[s->n].share / s->sums[s->n].weight, roots[2], slopes[SCALES];

    share = fmin(fmax(share, 1e-6), 1 - 1e-6);
    roots[0] = sqrt(share);
    roots[1] = sqrt(1 - share);
    slopes[ROOTS] = (1 / roots[0] + 1 / roots[1]) / 2;
    slopes[FOURTH] = (1 / (roots[0] * sqrt(roots[0])) + 1 / (roots[1] * sqrt(roots[1]))) / 4;
    for (int scale = 0; scale < SCALES; scale++)
        s->variance[scale] = share * (1 - share) * slopes[scale] * slopes[scale];
}

/* Takes the newest points. */
static void series_init(struct series *s, const struct stats_point *points, size_t count)
{
    static const double least = 1e-9; /* weight, of the largest: sums have so many digits */
    size_t from = count, known = 0;
    double most = 0;

    while (from > 0 && known < STATS_SERIES_MOST)
        if (valid(&points[--from])) {
            most = fmax(most, 1 / points[from].variance);
            known++;
        }
    *s = (struct series){.sums = xcalloc(known + 1, sizeof(*s->sums)),
                         .index = xcalloc(known + 1, sizeof(*s->index))};
    for (size_t i = from; i < count; i++)
        if (valid(&points[i]))
            add_point(s, &points[i], i, fmax(1 / points[i].variance, least * most));
    if (s->n)
        set_variances(s);
}

static void series_release(struct series *s)
{
    free(s->sums);
    free(s->index);
}

/* The squares that are left of a part if it has one level. */
static double rest_of(const struct series *s, size_t from, size_t to, int scale)
{
    const struct sums *a = &s->sums[from], *b = &s->sums[to];
    double value = b->value[scale] - a->value[scale];

    return fmax(0, b->square[scale] - a->square[scale] - value * value / (b->weight - a->weight));
}

static double rest_of_all(const struct series *s, const struct places *places, int scale)
{
    double rest = 0;

    for (size_t i = 0; i <= places->count; i++)
        rest += rest_of(s, places->at[i], places->at[i + 1], scale);
    return rest;
}

/* The squares that a level of its own for the segment explains. */
static double gain_of(const struct series *s, size_t from, size_t to, size_t first, size_t end,
                      int scale)
{
    double weight = s->sums[to].weight - s->sums[from].weight;
    double w = s->sums[end].weight - s->sums[first].weight;
    double lag = s->sums[end].value[scale] - s->sums[first].value[scale] -
                 (s->sums[to].value[scale] - s->sums[from].value[scale]) * (w / weight);

    return lag * lag / (w * ((weight - w) / weight));
}

/*
 * Returns the variance of values of weight 1 that is left: from the points and from what is known,
 * unless the points have more than that by more than chance. Sets its degrees of freedom.
 */
static double variance_of(const struct series *s, double rest, double own, int scale,
                          double *freedom)
{
    double least = 1e-12 * (s->sums[s->n].square[scale] / (double)s->n) + 1e-300;
    double known = s->variance[scale];

    rest = fmax(rest, 0);
    *freedom = own;
    if (!(s->freedom > 0) ||
        (own > 0 && stats_fisher_tail(rest / own / known, own, STATS_MOST_FREEDOM) < STATS_WILD))
        return fmax(own > 0 ? rest / own : 0, least);
    *freedom = own + s->freedom;
    return fmax((rest + s->freedom * known) / *freedom, least);
}

/*
 * Returns the p-value of the best of so many segments of a part, if the places and it leave
 * `levels` levels; `places` has the segment or has not. It is that of the scale on which it is
 * larger: small shares of few runs are skewed.
 */
static double p_of(const struct series *s, const struct part *part, const struct segment *best,
                   const struct places *places, bool has_it)
{
    double p = 0, freedom, own = (double)s->n - (double)places->count - (has_it ? 1 : 2);

    for (int scale = 0; scale < SCALES; scale++) {
        double gain = gain_of(s, part->from, part->to, best->first, best->end, scale);
        double rest = rest_of_all(s, places, scale) - (has_it ? 0 : gain);
        double variance = variance_of(s, rest, own, scale, &freedom);

        if (!(freedom > 0))
            return 1;
        p = fmax(p, best->tried * stats_student_tails(sqrt(gain / variance), freedom));
    }
    return fmin(1, p);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Whether so many points up to `end` can be a level. */
static bool is_level(const struct series *s, size_t length, size_t end)
{
    return length >= LEVEL_LEAST || (length && end == s->n);
}

static struct part search(const struct series *s, size_t from, size_t to)
{
    struct part out = {.from = from, .to = to};

    for (size_t i = from + LEVEL_LEAST; i < to; i++)
        for (size_t j = i + 1; j <= to; j++) {
            struct segment *best = &out.best[j == to ? LASTING : UNDONE];
            double gain;

            if (!is_level(s, j - i, j) || (j < to && !is_level(s, to - j, to)))
                continue;
            gain = gain_of(s, from, to, i, j, ROOTS);
            best->tried++;
            if (gain > best->gain)
                *best = (struct segment){i, j, gain, best->tried};
        }
    return out;
}

static int by_place(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void add_place(const struct series *s, struct places *places, size_t at)
{
    places->at[++places->count] = at;
    qsort(places->at + 1, places->count, sizeof(*places->at), by_place);
    places->at[places->count + 1] = s->n;
}

/* Replaces a part by those that a segment makes of it. Returns how many parts there are. */
static size_t split(const struct series *s, struct part *parts, size_t count, size_t which,
                    struct segment by, struct places *places)
{
    struct part old = parts[which];

    add_place(s, places, by.first);
    parts[which] = search(s, old.from, by.first);
    parts[count++] = search(s, by.first, by.end);
    if (by.end == old.to)
        return count;
    add_place(s, places, by.end);
    parts[count++] = search(s, by.end, old.to);
    return count;
}

/* Finds the segment with the smallest p-value; each kind has half of the level. */
static double best_segment(const struct series *s, const struct part *parts, size_t count,
                           const struct places *places, size_t *which, struct segment *best)
{
    double least = 1;

    for (int kind = 0; kind < KINDS; kind++) {
        double tried = 0;

        for (size_t i = 0; i < count; i++)
            tried += KINDS * parts[i].best[kind].tried;
        for (size_t i = 0; i < count; i++) {
            struct segment one = parts[i].best[kind];
            double p;

            one.tried = tried;
            p = one.gain > 0 ? p_of(s, &parts[i], &one, places, false) : 1;
            if (!(p < least))
                continue;
            least = p;
            *which = i;
            *best = one;
        }
    }
    return least;
}

/* Splits until no part has a segment of its own level. Returns the p-value of the first split. */
static double split_all(const struct series *s, struct places *places)
{
    struct part parts[STATS_SERIES_SHIFTS + 2] = {search(s, 0, s->n)};
    size_t count = 1, which = 0;
    struct segment best = {0};
    double first = 1;

    places->at[1] = s->n;
    while (places->count + 2 <= STATS_SERIES_SHIFTS) {
        double p = best_segment(s, parts, count, places, &which, &best);

        first = count == 1 ? p : first;
        if (!(p <= s->level))
            break;
        count = split(s, parts, count, which, best, places);
    }
    return first;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Finds the best place from `least` on in a part. */
static struct segment best_place(const struct series *s, const struct part *part, size_t least)
{
    struct segment best = {.first = least, .end = part->to, .gain = -1};

    for (size_t i = least; i < part->to; i++) {
        double gain;

        if (!is_level(s, part->to - i, part->to))
            continue;
        gain = gain_of(s, part->from, part->to, i, part->to, ROOTS);
        best.tried++;
        if (gain > best.gain)
            best = (struct segment){i, part->to, gain, best.tried};
    }
    return best;
}

/* The levels on both sides of a shift. */
static struct part around(const struct places *places, size_t which)
{
    return (struct part){.from = places->at[which - 1], .to = places->at[which + 1]};
}

/* Moves a shift to its best place, given those beside it. Returns its p-value. */
static double settle(const struct series *s, struct places *places, size_t which)
{
    struct part part = around(places, which);
    struct segment best = best_place(s, &part, part.from + LEVEL_LEAST);

    places->at[which] = best.first;
    return p_of(s, &part, &best, places, true);
}

static void remove_place(struct places *places, size_t which)
{
    memmove(&places->at[which], &places->at[which + 1],
            (places->count + 1 - which) * sizeof(*places->at));
    places->count--;
}

/* Settles all shifts, and removes those that the others make unnecessary, the weakest first. */
static void settle_all(const struct series *s, struct places *places)
{
    enum { ROUNDS = 2 };

    for (size_t weakest = 1; weakest;) {
        double worst = s->level;

        weakest = 0;
        for (size_t n = 0; n < ROUNDS * places->count; n++) {
            size_t which = n % places->count + 1;
            double p = settle(s, places, which);

            if (n < places->count || !(p > worst))
                continue;
            worst = p;
            weakest = which;
        }
        if (weakest)
            remove_place(places, weakest);
    }
}

/* Adds the best place from `known` on, after all shifts, if the levels on its sides differ. */
static void add_known(const struct series *s, struct places *places, size_t known)
{
    struct part last = {.from = places->at[places->count], .to = s->n};
    struct segment best;
    size_t least = 0;

    while (least < s->n && s->index[least] < known)
        least++;
    if (last.from >= least || least == s->n || places->count == STATS_SERIES_SHIFTS)
        return;
    best = best_place(s, &last, least);
    if (p_of(s, &last, &best, places, false) <= s->level)
        add_place(s, places, best.first);
}

/* ---- results --------------------------------------------------------------------------------- */

static double level(const struct series *s, size_t from, size_t to)
{
    return (s->sums[to].share - s->sums[from].share) / (s->sums[to].weight - s->sums[from].weight);
}

/* Finds the places that explain as much as that of the shift, but for what is likely by chance. */
static void find_interval(struct stats_shift *shift, const struct series *s,
                          const struct places *places, size_t which)
{
    struct part part = around(places, which);
    double freedom, variance, least, t;
    size_t first = places->at[which], last = first;

    variance = variance_of(s, rest_of_all(s, places, ROOTS),
                           (double)s->n - (double)places->count - 1, ROOTS, &freedom);
    t = stats_student_quantile(0.05, fmax(1, freedom)) /
        stats_student_quantile(0.05, STATS_MOST_FREEDOM);
    least = gain_of(s, part.from, part.to, first, part.to, ROOTS) - likely * t * t * variance;
    for (size_t i = part.from + 1; i < part.to; i++)
        if (gain_of(s, part.from, part.to, i, part.to, ROOTS) >= least) {
            first = i < first ? i : first;
            last = i > last ? i : last;
        }
    shift->earliest = s->index[first - 1] + 1;
    shift->latest = s->index[last];
}

/* Whether a shift leads back to the level before the one before it. */
static bool is_undoing(const struct stats_shift *shift, const struct stats_shift *earlier)
{
    return !earlier->undoes && fabs(shift->after - earlier->before) <=
                                   undone_part * fabs(earlier->after - earlier->before);
}

static void add_results(struct stats_shifts *out, const struct series *s, struct places *places)
{
    out->items = xcalloc(places->count + 1, sizeof(*out->items));
    out->count = places->count;
    for (size_t i = 0; i < out->count; i++) {
        const size_t *at = &places->at[i + 1];
        struct stats_shift *shift = &out->items[i];
        struct part part = around(places, i + 1);
        struct segment segment = {*at, part.to, 0, (double)(part.to - part.from - 1)};

        *shift = (struct stats_shift){
            .at = s->index[*at],
            .p = p_of(s, &part, &segment, places, true),
            .before = level(s, part.from, *at),
            .after = level(s, *at, part.to),
        };
        find_interval(shift, s, places, i + 1);
        shift->undoes = i && is_undoing(shift, shift - 1);
    }
}

void stats_series_find(struct stats_shifts *out, const struct stats_point *points, size_t count,
                       const struct stats_series_settings *settings)
{
    struct places places = {0};
    struct series s;

    series_init(&s, points, count);
    s.freedom = settings->freedom;
    s.level = settings->level;
    *out = (struct stats_shifts){.p = 1};
    if (s.n > 1) {
        out->p = split_all(&s, &places);
        settle_all(&s, &places);
        add_known(&s, &places, settings->known);
        add_results(out, &s, &places);
    }
    series_release(&s);
}

double stats_series_noise(const struct stats_point *points, size_t count, double *freedom)
{
    double squares = 0, pairs = 0, noise = 0;
    struct series s;

    series_init(&s, points, count);
    for (size_t i = 0; i + 1 < s.n; i++, pairs++)
        squares += rest_of(&s, i, i + 2, ROOTS);
    if (pairs > 0)
        noise = squares / pairs / s.variance[ROOTS];
    *freedom = pairs * 2 / 3;
    series_release(&s);
    return noise;
}

void stats_series_release(struct stats_shifts *shifts)
{
    free(shifts->items);
    *shifts = (struct stats_shifts){0};
}
