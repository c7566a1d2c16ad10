#include "compare/rights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "profile/event.h"

/* The samples that a side without the kernel has, and the kernel's part of each other run. */
static const double fewest_samples = 500, least_part = 0.01;

/* ---- the kernel's part of a run -------------------------------------------------------------- */

/* Returns the weight of a run that ends in the kernel. A table knows self weights only. */
static uint64_t kernel_weight(const struct compare_run *run)
{
    uint64_t weight = 0;

    if (run->profile) {
        const struct series *s = &run->profile->series.items[run->series];
        bool *nodes = kernel_nodes(run->profile);

        for (uint32_t i = 0; i < s->count; i++)
            weight += nodes[s->stack[i]] ? s->weight[i] : 0;
        free(nodes);
        return weight;
    }
    for (size_t i = 0; i < run->table->functions.count; i++)
        if (run->table->functions.items[i].class == SYMBOL_KERNEL)
            weight += function_table_count(run->table, i, run->series, false);
    return weight < compare_run_whole(run) ? weight : compare_run_whole(run);
}

/* ---- what the sides have --------------------------------------------------------------------- */

/* The samples of one side. */
struct side {
    double samples, kernel; /* and those in the kernel */
    double least;           /* the kernel's part of the run that has the least */
    bool user, all;         /* runs without samples in the kernel, by their events; runs with all */
    bool kernel_only;
};

static bool has_modifier(struct slice event, char letter)
{
    struct slice modifiers = event_modifiers(event);

    return slice_find(modifiers, letter) < modifiers.len;
}

static void add_run(struct side *side, const struct compare_run *run)
{
    bool user = has_modifier(run->event, 'u'), kernel = has_modifier(run->event, 'k');
    double whole = (double)compare_run_whole(run), weight = (double)kernel_weight(run);
    double part = whole > 0 ? weight / whole : 0;

    side->least = side->samples > 0 ? fmin(side->least, part) : part;
    side->samples += run->samples;
    side->kernel += run->samples * part;
    side->user |= user && !kernel;
    side->kernel_only |= kernel && !user;
    side->all |= user == kernel;
}

/* Whether a side has no function of the kernel, and each run of the other has many. */
static bool lacks_kernel(const struct side *without, const struct side *with)
{
    return !(without->kernel > 0) && without->samples >= fewest_samples &&
           with->least >= least_part;
}

/* ---- setting apart --------------------------------------------------------------------------- */

static void set_apart(struct compare_run *runs, size_t count, enum kernel_use use, bool rates)
{
    for (size_t i = 0; i < count; i++) {
        struct compare_run *r = &runs[i];
        uint64_t whole = compare_run_whole(r), kernel;

        if (use != KERNEL_LEFT_OUT && use != KERNEL_ALONE)
            continue;
        kernel = kernel_weight(r);
        r->apart = use == KERNEL_LEFT_OUT ? kernel : whole - kernel;
        if (whole)
            r->samples *= (double)(whole - r->apart) / (double)whole;
        if (!rates)
            r->run.samples = r->samples;
    }
}

/* Returns how far the shares of both sides differ, by self values. */
static double distance(const struct compare_run *all, size_t count, enum kernel_use use, bool rates,
                       double least_share, const struct rename_list *renames)
{
    struct compare_run *runs = xreallocarray(NULL, count, sizeof(*runs));
    double samples[2] = {0}, sum = 0;
    struct functions f;

    for (size_t i = 0; i < count; i++)
        runs[i] = all[i];
    set_apart(runs, count, use, rates);
    functions_init(&f, runs, count, use, least_share, renames);
    for (size_t i = 0; i < count; i++)
        if (runs[i].run.side != STATS_HISTORY)
            samples[runs[i].run.side] += runs[i].samples;
    for (size_t row = 0; row < f.row_count; row++) {
        double shares[2] = {0};

        for (size_t i = 0; i < count; i++)
            if (runs[i].run.side != STATS_HISTORY)
                shares[runs[i].run.side] +=
                    f.self[row * count + i] / fmax(1, samples[runs[i].run.side]);
        sum += fabs(shares[STATS_NEW] - shares[STATS_BASE]);
    }
    functions_release(&f);
    free(runs);
    return sum;
}

void rights_find(struct rights *r, struct compare_run *runs, size_t count, bool rates,
                 double least_share, const struct rename_list *renames)
{
    struct side sides[2];
    bool user, kernel_only, all;

    *r = (struct rights){.kernel = KERNEL_COMPARED};
    memset(sides, 0, sizeof(sides));
    for (size_t i = 0; i < count; i++)
        if (runs[i].run.side != STATS_HISTORY)
            add_run(&sides[runs[i].run.side], &runs[i]);
    user = sides[0].user || sides[1].user;
    kernel_only = sides[0].kernel_only || sides[1].kernel_only;
    all = sides[0].all || sides[1].all;
    if (user && (all || kernel_only))
        r->kernel = KERNEL_LEFT_OUT;
    else if (kernel_only && all)
        r->kernel = KERNEL_ALONE;
    else if (lacks_kernel(&sides[0], &sides[1]) || lacks_kernel(&sides[1], &sides[0]))
        r->kernel = distance(runs, count, KERNEL_OF_CALLERS, rates, least_share, renames) <
                            distance(runs, count, KERNEL_LEFT_OUT, rates, least_share, renames)
                        ? KERNEL_OF_CALLERS
                        : KERNEL_LEFT_OUT;
    if (r->kernel == KERNEL_COMPARED)
        return;
    for (int side = 0; side < 2; side++) {
        double kernel = sides[side].kernel / fmax(1, sides[side].samples);
        double part = r->kernel == KERNEL_ALONE ? 1 - kernel : kernel;

        if (part > r->part) {
            r->part = part;
            r->with = (enum stats_side)side;
        }
    }
    set_apart(runs, count, r->kernel, rates);
}
