#include "compare/renames.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"
#include "compare/callers.h"
#include "compare/names.h"
#include "stats/renames.h"

enum { CANDIDATES_MOST = 100 }; /* on each side: callers of each are counted */

/* The two names of a function cost about the same. */
static const double most_ratio = 2;

/* Costs are the same up to this part of them, or up to so many standard errors. */
static const double same_part = 0.25, same_errors = 3;

/* Functions that one side does not have. */
struct candidates {
    uint32_t functions[CANDIDATES_MOST];
    double shares[CANDIDATES_MOST][2]; /* self and total, of the samples of their side */
    double *callers[CANDIDATES_MOST];
    double *parts[CANDIDATES_MOST]; /* samples by callee; the last are its own */
    double samples;                 /* of the side */
    size_t count;
};

static void candidates_release(struct candidates *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->callers[i]);
        free(c->parts[i]);
    }
}

/* Finds functions with half of the samples of a test on `side`, and none on the other. */
static void find_candidates(struct candidates *c, const struct functions *f, enum stats_side side,
                            const struct stats_settings *settings)
{
    double whole = 0;

    for (size_t run = 0; run < f->run_count; run++)
        whole += f->runs[run].run.side == side ? f->runs[run].samples : 0;
    *c = (struct candidates){.samples = whole};
    for (size_t row = 0; row < f->row_count && c->count < CANDIDATES_MOST; row++) {
        const double *counts = &f->total[row * f->run_count];
        double own = functions_sum_side(f, counts, side);
        double other = functions_sum_side(f, counts, side == STATS_BASE ? STATS_NEW : STATS_BASE);

        if (other > 0 || own < settings->min_count / 2 || own < settings->min_share / 2 * whole)
            continue;
        c->functions[c->count] = f->rows[row];
        c->shares[c->count][0] = functions_sum_side(f, &f->self[row * f->run_count], side) / whole;
        c->shares[c->count][1] = own / whole;
        c->callers[c->count] = xcalloc(f->items.count + 1, sizeof(double));
        c->parts[c->count] = xcalloc(f->items.count + 1, sizeof(double));
        c->parts[c->count][f->items.count] = c->shares[c->count][0] * whole;
        c->count++;
    }
    callers_of(f, c->functions, c->count, side, c->callers);
    callers_callees(f, c->functions, c->count, side, c->parts);
}

/* Whether two modules are builds of one program: their files have one name but for digits. */
static bool same_module(struct slice a, struct slice b)
{
    struct buf names[2] = {0};
    bool same;

    for (int i = 0; i < 2; i++) {
        struct slice name = file_name_of(i ? b : a);

        for (size_t n = 0; n < name.len; n++)
            if (!ascii_is_digit(name.ptr[n]))
                buf_add_char(&names[i], name.ptr[n]);
    }
    same = slice_equal(buf_slice(&names[0]), buf_slice(&names[1]));
    for (int i = 0; i < 2; i++)
        buf_release(&names[i]);
    return same;
}

bool renames_same_place(const struct function *a, const struct function *b)
{
    if (a->module.len || b->module.len)
        return same_module(a->module, b->module);
    return slice_equal(compare_name_scope(a->key), compare_name_scope(b->key));
}

/* Whether two functions cost about the same, by self and by total, or too little to tell. */
static bool same_cost(const double *a, const double *b, double least)
{
    for (int i = 0; i < 2; i++)
        if (fmax(a[i], b[i]) >= least && fmax(a[i], b[i]) > most_ratio * fmin(a[i], b[i]))
            return false;
    return true;
}

/* Whether two functions cost the same, as far as these samples show. */
static bool equal_cost(const struct candidates *gone, size_t i, const struct candidates *now,
                       size_t j)
{
    for (int k = 0; k < 2; k++) {
        double a = gone->shares[i][k], b = now->shares[j][k];
        double chance = same_errors * sqrt(a / gone->samples + b / now->samples);

        if (fabs(a - b) > fmax(same_part * fmin(a, b), chance))
            return false;
    }
    return true;
}

/* Marks the pairs of which neither function fits into another pair. `fits` is by pair. */
static void mark_alone(struct stats_rename *pairs, const bool *fits, size_t count)
{
    unsigned of_gone[CANDIDATES_MOST] = {0}, of_new[CANDIDATES_MOST] = {0};

    for (size_t i = 0; i < count; i++) {
        of_gone[pairs[i].gone] += fits[i];
        of_new[pairs[i].new] += fits[i];
    }
    for (size_t i = 0; i < count; i++)
        pairs[i].alone = fits[i] && of_gone[pairs[i].gone] == 1 && of_new[pairs[i].new] == 1;
}

static void join_chosen(struct functions *f, const struct candidates *gone,
                        const struct candidates *now, const struct stats_rename *pairs,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].chosen)
            functions_join(f, gone->functions[pairs[i].gone], now->functions[pairs[i].new]);
}

void renames_join(struct functions *f, const struct stats_settings *settings)
{
    struct candidates gone, now;
    struct stats_rename *pairs;
    size_t classes = f->items.count + 1, count = 0;
    bool *fits;

    find_candidates(&gone, f, STATS_BASE, settings);
    find_candidates(&now, f, STATS_NEW, settings);
    pairs = xcalloc(gone.count * now.count + 1, sizeof(*pairs));
    fits = xcalloc(gone.count * now.count + 1, sizeof(*fits));
    for (uint32_t i = 0; i < gone.count; i++)
        for (uint32_t j = 0; j < now.count; j++) {
            const struct function *a = &f->items.items[gone.functions[i]];
            const struct function *b = &f->items.items[now.functions[j]];

            if (a->class != b->class ||
                !same_cost(gone.shares[i], now.shares[j], settings->min_share))
                continue;
            pairs[count] = (struct stats_rename){
                .gone = i,
                .new = j,
                .overlap = stats_renames_overlap(gone.callers[i], now.callers[j], classes),
                .alike = compare_names_alike(a->key, b->key),
                .same_place = renames_same_place(a, b),
            };
            fits[count] = pairs[count].same_place &&
                          pairs[count].overlap >= STATS_RENAMES_OVERLAP &&
                          equal_cost(&gone, i, &now, j) &&
                          stats_renames_overlap(gone.parts[i], now.parts[j], classes) >=
                              STATS_RENAMES_OVERLAP;
            count++;
        }
    mark_alone(pairs, fits, count);
    free(fits);
    if (stats_renames_choose(pairs, count, gone.count, now.count))
        join_chosen(f, &gone, &now, pairs, count);
    free(pairs);
    candidates_release(&gone);
    candidates_release(&now);
}
