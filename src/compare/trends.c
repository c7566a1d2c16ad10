#include "compare/trends.h"

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "compare/since.h"
#include "profile/event.h"
#include "stats/discovery.h"
#include "stats/elementary.h"
#include "stats/prior.h"
#include "stats/series.h"

/* ---- services -------------------------------------------------------------------------------- */

/* The tables of one service, by label: NULL for a label without the service. */
struct trend_tables {
    const struct function_table **labels;
    const struct function_table *newest;
};

struct trend_table_list VEC_OF(struct trend_tables);

static bool is_same(const struct function_table *a, const struct function_table *b)
{
    return slice_equal(a->service, b->service) &&
           slice_equal(event_base(a->event), event_base(b->event));
}

static struct trend_tables *find_service(struct trend_table_list *all,
                                         const struct function_table *t, size_t count)
{
    vec_each (struct trend_tables, s, all)
        if (is_same(s->newest, t))
            return s;
    *vec_add(all) =
        (struct trend_tables){.labels = xcalloc(count, sizeof(*all->items->labels)), .newest = t};
    return &all->items[all->count - 1];
}

static int by_name(const void *a, const void *b)
{
    const struct trend_tables *x = a, *y = b;
    int names = slice_compare(x->newest->service, y->newest->service);

    return names ? names : slice_compare(x->newest->event, y->newest->event);
}

static void sort_services(struct trend_table_list *all, const struct function_tables *labels,
                          size_t count)
{
    for (size_t i = count; i-- > 0;)
        vec_each (const struct function_table, t, &labels[i].items)
            find_service(all, t, count)->labels[i] = t;
    if (all->count)
        qsort(all->items, all->count, sizeof(*all->items), by_name);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* The functions of a service: their numbers by key and class, and where each label has them. */
struct listing {
    struct intern keys;
    VEC(double) most;        /* by function: largest share, self or total, of a label */
    VEC(struct slice) names; /* by function, as the newest label has it */
    VEC(struct slice) modules;
    uint32_t **numbers; /* by label, then line of its table */
};

static uint32_t number_of(struct listing *l, const struct table_function *f, struct buf *key)
{
    uint32_t number;

    buf_clear(key);
    buf_add_slice(key, f->key);
    buf_add_char(key, '\0');
    buf_add_char(key, (char)('0' + f->class));
    number = intern_add(&l->keys, buf_slice(key));
    if (number == l->most.count) {
        *vec_add(&l->most) = 0;
        *vec_add(&l->names) = f->name;
        *vec_add(&l->modules) = f->module;
    }
    return number;
}

static void list_functions(struct listing *l, const struct trend_tables *of, size_t count)
{
    struct buf key = {0};

    *l = (struct listing){.numbers = xcalloc(count + 1, sizeof(*l->numbers))};
    for (size_t i = count; i-- > 0;) {
        const struct function_table *t = of->labels[i];

        if (!t)
            continue;
        l->numbers[i] = xreallocarray(NULL, t->functions.count + 1, sizeof(**l->numbers));
        for (size_t k = 0; k < t->functions.count; k++) {
            uint32_t number = number_of(l, &t->functions.items[k], &key);
            struct compare_level level;

            since_point(&level, t, k, COMPARE_TOTAL, 0);
            l->numbers[i][k] = number;
            l->most.items[number] = fmax(l->most.items[number], level.share);
        }
    }
    buf_release(&key);
}

static void release_listing(struct listing *l, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(l->numbers[i]);
    free(l->numbers);
    release_all(l, vec, most, names, modules);
    intern_release(&l->keys);
}

/* Adds the series of the functions that are large enough; series[number] is the first of two. */
static void add_series(struct trend_service *s, const struct listing *l, size_t labels,
                       double min_share, uint32_t *series)
{
    for (size_t n = 0; n < l->most.count; n++) {
        series[n] = UINT32_MAX;
        if (l->most.items[n] < min_share)
            continue;
        series[n] = (uint32_t)s->series.count;
        for (int scope = COMPARE_SELF; scope <= COMPARE_TOTAL; scope++)
            *vec_add(&s->series) = (struct trend_series){
                .function = l->names.items[n],
                .module = l->modules.items[n],
                .scope = (enum compare_scope)scope,
                .levels = xcalloc(labels, sizeof(struct compare_level)),
                .p = 1,
            };
    }
}

static void fill_series(struct trend_service *s, const struct trend_tables *of,
                        const struct listing *l, const uint32_t *series, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct function_table *t = of->labels[i];
        struct compare_level none;

        if (!t)
            continue;
        since_point(&none, t, t->functions.count, COMPARE_SELF, 0);
        vec_each (struct trend_series, one, &s->series)
            one->levels[i] = none;
        for (size_t k = 0; k < t->functions.count; k++) {
            uint32_t first = series[l->numbers[i][k]];

            if (first == UINT32_MAX)
                continue;
            since_point(&s->series.items[first].levels[i], t, k, COMPARE_SELF, 0);
            since_point(&s->series.items[first + 1].levels[i], t, k, COMPARE_TOTAL, 0);
        }
    }
    vec_each (struct trend_series, one, &s->series)
        for (size_t i = 0; i < count; i++)
            one->most = fmax(one->most, one->levels[i].share);
}

static void describe(struct trend_service *s, const struct trend_tables *of, size_t count)
{
    *s = (struct trend_service){.name = of->newest->service,
                                .event = of->newest->event,
                                .owner = of->newest->owner,
                                .labels = xcalloc(count + 1, sizeof(*s->labels))};
    for (size_t i = 0; i < count; i++) {
        const struct function_table *t = of->labels[i];

        if (!t)
            continue;
        s->labels[i].runs = t->runs.count;
        vec_each (const struct run, run, &t->runs)
            s->labels[i].samples += run->samples;
    }
}

static void add_service(struct trends *t, const struct trend_tables *of, double min_share)
{
    struct trend_service *s = vec_add(&t->services);
    struct listing l;
    uint32_t *series;

    describe(s, of, t->labels);
    list_functions(&l, of, t->labels);
    series = xreallocarray(NULL, l.most.count + 1, sizeof(*series));
    add_series(s, &l, t->labels, min_share, series);
    fill_series(s, of, &l, series, t->labels);
    free(series);
    release_listing(&l, t->labels);
}

/* ---- shifts ---------------------------------------------------------------------------------- */

/* Whether any two labels differ enough for a shift. Other series count as tested, with p 1. */
static bool varies(const struct trend_series *s, size_t count, double min_change)
{
    double low = 1, high = 0;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (!(s->levels[i].samples > 0))
            continue;
        low = fmin(low, s->levels[i].share);
        high = fmax(high, s->levels[i].share);
        known++;
    }
    return known >= STATS_SERIES_LEAST && high - low >= min_change;
}

static void set_points(struct stats_point *points, const struct trend_series *s, size_t count,
                       double scale)
{
    for (size_t i = 0; i < count; i++)
        points[i] = (struct stats_point){s->levels[i].share, s->levels[i].variance * scale};
}

/* Finds by how much labels vary more than samples do, and how alike functions are in that. */
static void fit_noise(const struct trends *t, const struct trend_service *s, double *scale,
                      double *freedom)
{
    enum { ROUNDS = 3 };
    struct stats_point *points = xcalloc(t->labels + 1, sizeof(*points));
    struct stats_ratio *ratios = xcalloc(s->series.count + 1, sizeof(*ratios));
    bool *left_out = xcalloc(s->series.count + 1, sizeof(*left_out));
    size_t count = 0;

    vec_each (const struct trend_series, one, &s->series) {
        if (one->scope != COMPARE_SELF)
            continue;
        set_points(points, one, t->labels, 1);
        ratios[count].u = stats_series_noise(points, t->labels, &ratios[count].freedom);
        count += ratios[count].u > 0;
    }
    *scale = 1;
    *freedom = 0;
    for (int n = 0; n < ROUNDS && count; n++)
        stats_prior_fit(scale, freedom, ratios, left_out, count);
    free(points);
    free(ratios);
    free(left_out);
}

static struct trend_shift shift_of(const struct stats_shifts *all, size_t i, size_t series)
{
    const struct stats_shift *s = &all->items[i];
    bool is_undone = i + 1 < all->count && s[1].undoes;

    return (struct trend_shift){
        .series = series,
        .label = s->at,
        .earliest = s->earliest,
        .latest = s->latest,
        .came = s->undoes ? s[-1].at : s->at,
        .went = is_undone ? s[1].at : s->at,
        .before = s->before,
        .after = s->after,
        .p = s->p,
    };
}

/* Returns the largest share that a series must have for TRENDS_SERIES of them to be searched. */
static double least_searched(const struct trend_service *s)
{
    double least = 0.001;
    size_t count;

    do {
        count = 0;
        vec_each (const struct trend_series, one, &s->series)
            count += one->most >= least;
        least *= 2;
    } while (count > TRENDS_SERIES && least < 1);
    return least / 2;
}

/* Finds the shifts of a service's series, each at its part of `rate`. */
static void find_shifts(struct trends *t, struct trend_service *s, double min_change, double rate)
{
    struct stats_point *points = xcalloc(t->labels + 1, sizeof(*points));
    struct stats_series_settings settings = {.level = rate / fmax(1, (double)s->series.count),
                                             .known = STATS_SERIES_NONE};
    double scale, least = least_searched(s);

    fit_noise(t, s, &scale, &settings.freedom);
    for (size_t n = 0; n < s->series.count; n++) {
        struct trend_series *one = &s->series.items[n];
        struct stats_shifts found;

        if (one->most < least || !varies(one, t->labels, min_change))
            continue;
        set_points(points, one, t->labels, scale);
        stats_series_find(&found, points, t->labels, &settings);
        one->p = found.p;
        for (size_t i = 0; i < found.count; i++)
            if (fabs(found.items[i].after - found.items[i].before) >= min_change)
                *vec_add(&s->shifts) = shift_of(&found, i, n);
        stats_series_release(&found);
    }
    free(points);
}

/*
 * How much a shift tells: its size times its ratio, as in Kullback and Leibler's divergence. A
 * function that grows tells more than its callers, and more than all others, which shrink.
 */
static double size_of(const struct trend_shift *s)
{
    static const double least = 0.001;
    double before = fmax(s->before, least), after = fmax(s->after, least);

    return fabs((s->after - s->before) * (stats_log(after) - stats_log(before)));
}

static int newest_first(const void *a, const void *b)
{
    const struct trend_shift *x = a, *y = b;

    if (x->label != y->label)
        return x->label > y->label ? -1 : 1;
    if (size_of(x) != size_of(y))
        return size_of(x) > size_of(y) ? -1 : 1;
    return x->series < y->series ? -1 : x->series > y->series;
}

static size_t labels_apart(const struct trend_shift *a, const struct trend_shift *b)
{
    return a->label > b->label ? a->label - b->label : b->label - a->label;
}

bool trends_are_one(const struct trend_service *s, const struct trend_shift *a,
                    const struct trend_shift *b)
{
    size_t apart = labels_apart(a, b);

    if (apart > TRENDS_NEAR || (a->series == b->series && a != b))
        return false;
    vec_each (const struct trend_shift, other, &s->shifts)
        if ((other->series == a->series && labels_apart(other, b) < apart) ||
            (other->series == b->series && labels_apart(other, a) < apart))
            return false;
    return true;
}

/* Returns true if a more informative shift of the service belongs to the same change. */
static bool is_led(const struct trend_service *s, const struct trend_shift *shift)
{
    vec_each (const struct trend_shift, other, &s->shifts) {
        if (other == shift || !trends_are_one(s, other, shift))
            continue;
        if (size_of(other) > size_of(shift) || (size_of(other) == size_of(shift) && other < shift))
            return true;
    }
    return false;
}

/* Keeps the shifts with a p-value up to the threshold, and marks those that lead. */
static void keep_shifts(struct trend_service *s, double threshold)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->shifts.count; i++)
        if (s->shifts.items[i].p <= threshold &&
            s->series.items[s->shifts.items[i].series].p <= threshold)
            s->shifts.items[kept++] = s->shifts.items[i];
    s->shifts.count = kept;
    if (kept)
        qsort(s->shifts.items, kept, sizeof(*s->shifts.items), newest_first);
    vec_each (struct trend_shift, shift, &s->shifts)
        shift->leads = !is_led(s, shift);
}

/* The p-value of a service: that none of its series changed. */
static double service_p(const struct trend_service *s)
{
    double least = 1;

    vec_each (const struct trend_series, one, &s->series)
        least = fmin(least, one->p * (double)s->series.count);
    return least;
}

static void limit_shifts(struct trends *t, double rate)
{
    size_t count = 0;
    double *p = xcalloc(t->services.count + 1, sizeof(*p));
    struct stats_discovery found;

    vec_each (const struct trend_service, s, &t->services)
        p[count++] = service_p(s);
    stats_discovery_of(&found, p, count, rate, NULL);
    vec_each (struct trend_service, s, &t->services)
        keep_shifts(s, found.threshold / fmax(1, (double)s->series.count));
    free(p);
}

void trends_init(struct trends *t, const struct function_tables *labels, size_t count,
                 const struct stats_settings *settings)
{
    struct trend_table_list all = {0};

    *t = (struct trends){.labels = count};
    sort_services(&all, labels, count);
    vec_each (const struct trend_tables, of, &all) {
        add_service(t, of, settings->min_share);
        find_shifts(t, &t->services.items[t->services.count - 1], settings->min_change,
                    settings->rate);
    }
    limit_shifts(t, settings->rate);
    vec_each (struct trend_tables, of, &all)
        free(of->labels);
    vec_release(&all);
}

void trends_release(struct trends *t)
{
    vec_each (struct trend_service, s, &t->services) {
        vec_each (struct trend_series, one, &s->series)
            free(one->levels);
        free(s->labels);
        release_all(s, vec, series, shifts);
    }
    vec_release(&t->services);
    arena_release(&t->memory);
}
