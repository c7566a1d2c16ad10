#include "compare/since.h"

#include <math.h>
#include <stdlib.h>

#include "compare/names.h"
#include "stats/series.h"

/* The largest p-value of a date. */
static const double most_p = 0.01;

/* The samples of a function in one label. */
struct level {
    double count, samples, squares;
};

/* A function of a service, as its finding names it. */
struct sought {
    struct slice keys[2]; /* the name as it is compared, and that of the base if it was renamed */
    enum symbol_class class;
    enum compare_scope scope;
    size_t change; /* of the trial; SIZE_MAX: too small to be tested */
};

/* ---- one point ------------------------------------------------------------------------------- */

static void add_run(struct level *l, double count, double samples)
{
    l->count += count;
    l->samples += samples;
    l->squares += samples * samples;
}

static void set_point(struct compare_level *out, const struct level *l, double noise)
{
    out->share = out->variance = 0;
    out->samples = l->samples;
    if (!(l->samples > 0))
        return;
    out->share = l->count / l->samples;
    out->variance = 1 / l->samples + noise * l->squares / l->samples / l->samples;
}

/* Adds a line of a table, if there is one. */
static void add_line(struct level *l, const struct function_table *t, size_t function,
                     enum compare_scope scope)
{
    for (size_t run = 0; run < t->runs.count; run++) {
        double weight = (double)t->weights.items[run];
        double samples = t->exact ? weight : t->runs.items[run].effective;
        uint64_t count = function < t->functions.count
                             ? function_table_count(t, function, run, scope == COMPARE_TOTAL)
                             : 0;

        if (weight > 0)
            add_run(l, (double)count * (samples / weight), samples);
    }
}

void since_point(struct compare_level *out, const struct function_table *t, size_t function,
                 enum compare_scope scope, double noise)
{
    struct level l = {0};

    add_line(&l, t, function, scope);
    set_point(out, &l, noise);
}

static size_t find_line(const struct function_table *t, const struct sought *sought)
{
    for (int i = 0; i < 2 && sought->keys[i].len; i++)
        for (size_t k = 0; k < t->functions.count; k++)
            if (slice_equal(t->functions.items[k].key, sought->keys[i]) &&
                t->functions.items[k].class == sought->class)
                return k;
    return t->functions.count;
}

/* ---- the series of a function ---------------------------------------------------------------- */

static void fill_levels(struct compare_level *levels, const struct since_history *h,
                        const struct sought *sought)
{
    const struct trial *t = h->trial;
    const double *counts = sought->change == SIZE_MAX ? NULL : trial_counts(t, sought->change);
    struct level *sums = xcalloc(h->count, sizeof(*sums));

    for (size_t run = 0; run < t->run_count; run++)
        if (!h->tables[h->labels[run]])
            add_run(&sums[h->labels[run]], counts ? counts[run] : 0, t->runs[run].samples);
    for (size_t i = 0; i < h->count; i++) {
        if (h->tables[i])
            add_line(&sums[i], h->tables[i], find_line(h->tables[i], sought), sought->scope);
        levels[i] = (struct compare_level){.label = h->names[i]};
        set_point(&levels[i], &sums[i], h->noise);
    }
    free(sums);
}

/* Keeps the newest levels. */
static void keep_levels(struct compare_levels *out, const struct compare_level *levels,
                        size_t count, struct arena *memory)
{
    for (size_t i = count > COMPARE_LEVELS ? count - COMPARE_LEVELS : 0; i < count; i++) {
        struct compare_level *level = vec_add(out);

        *level = levels[i];
        level->label = arena_copy(memory, levels[i].label);
    }
}

/* Returns the first label after those of the base. */
static size_t after_base(const struct since_history *h)
{
    size_t after = 0;

    for (size_t run = 0; run < h->trial->run_count; run++)
        if (h->trial->runs[run].run.side == STATS_BASE && h->labels[run] >= after)
            after = h->labels[run] + 1;
    return after;
}

/* Dates a finding by the newest shift after the base that has its direction. */
static void set_since(struct finding *f, const struct since_history *h,
                      const struct compare_level *levels, double freedom, struct arena *memory)
{
    struct stats_point *points = xcalloc(h->count, sizeof(*points));
    size_t known = 0, after = after_base(h);
    struct stats_shifts shifts;

    f->since_p = 1;
    for (size_t i = 0; i < h->count; i++) {
        points[i] = (struct stats_point){levels[i].share, levels[i].variance};
        known += levels[i].samples > 0;
    }
    stats_series_find(&shifts, points, known < SINCE_LEAST ? 0 : h->count,
                      &(struct stats_series_settings){most_p, freedom, after});
    for (size_t i = shifts.count; i-- > 0 && shifts.items[i].at >= after;) {
        const struct stats_shift *shift = &shifts.items[i];

        if ((shift->after > shift->before) != (f->change > 0))
            continue;
        f->since_p = shift->p;
        f->since = arena_copy(memory, h->names[shift->at]);
        f->since_earliest =
            arena_copy(memory, h->names[shift->earliest > after ? shift->earliest : after]);
        f->since_latest = arena_copy(memory, h->names[shift->latest]);
        if (shift->undoes)
            f->undoes = arena_copy(memory, h->names[shifts.items[i - 1].at]);
        break;
    }
    stats_series_release(&shifts);
    free(points);
}

/* ---- the functions of a service -------------------------------------------------------------- */

/* Returns the function that a finding is about. */
static struct sought sought_of(const struct functions *f, const struct finding *finding)
{
    struct sought out = {.keys = {finding->key}, .scope = finding->scope, .change = SIZE_MAX};

    for (size_t row = 0; row < f->row_count; row++) {
        const struct function *function = &f->items.items[f->rows[row]];

        if (slice_equal(function->key, finding->key) &&
            slice_equal(function->name, finding->function) &&
            slice_equal(function->module, finding->module)) {
            out.change = finding->scope == COMPARE_SELF ? row : row + f->row_count;
            out.class = function->class;
        }
    }
    return out;
}

/* Returns the row of the function with the largest self weight of the new runs, or SIZE_MAX. */
static size_t find_heaviest(const struct trial *t)
{
    double most = 0;
    size_t found = SIZE_MAX;

    for (size_t row = 0; row < t->functions.row_count; row++) {
        const double *counts = trial_counts(t, row);
        double sum = 0;

        for (size_t run = 0; run < t->run_count; run++)
            sum += t->runs[run].run.side == STATS_NEW ? counts[run] : 0;
        if (sum > most) {
            most = sum;
            found = row;
        }
    }
    return found;
}

static void add_heaviest(struct compared_service *s, const struct since_history *h,
                         struct compare_level *levels, struct arena *memory)
{
    const struct functions *f = &h->trial->functions;
    size_t row = find_heaviest(h->trial);
    struct sought sought = {.scope = COMPARE_SELF, .change = row};

    if (row == SIZE_MAX)
        return;
    sought.keys[0] = f->items.items[f->rows[row]].key;
    sought.class = f->items.items[f->rows[row]].class;
    fill_levels(levels, h, &sought);
    s->heaviest = arena_copy(memory, f->items.items[f->rows[row]].name);
    keep_levels(&s->levels, levels, h->count, memory);
}

void since_add(struct compared_service *s, const struct since_history *h, struct arena *memory)
{
    struct compare_level *levels = xcalloc(h->count, sizeof(*levels));
    double freedom = h->trial->noise.known ? h->trial->noise.prior : 1;

    vec_each (struct finding, f, &s->findings) {
        struct sought sought = sought_of(&h->trial->functions, f);
        struct buf key = {0};

        compare_name_add(&key, f->renamed_from);
        sought.keys[1] = buf_slice(&key);
        fill_levels(levels, h, &sought);
        set_since(f, h, levels, freedom, memory);
        keep_levels(&f->levels, levels, h->count, memory);
        buf_release(&key);
    }
    add_heaviest(s, h, levels, memory);
    free(levels);
}
