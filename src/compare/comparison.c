#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "compare/budgets.h"
#include "compare/costs.h"
#include "compare/findings.h"
#include "compare/recorded.h"
#include "compare/since.h"
#include "compare/sources.h"
#include "compare/trial.h"
#include "compare/warnings.h"
#include "profile/event.h"

/* The share of the function whose smallest visible change is reported for a service. */
static const double typical_share = 0.05;

/* Degrees of freedom that blocks by host must leave to the noise. */
enum { LEAST_FREEDOM = 2 };

struct compare_settings compare_settings_default(void)
{
    return (struct compare_settings){.stats = stats_settings_default(), .min_runs = 3};
}

/* ---- services of all labels ------------------------------------------------------------------ */

/* One service of the comparison, and its runs in all labels. */
struct gathered {
    const struct service *first; /* of the newest label that has it */
    VEC(struct sided_run) runs;
    VEC(struct compare_run) compared;      /* by run */
    VEC(uint32_t) labels;                  /* by run */
    const struct function_table **history; /* by label; NULL: none */
    bool units_differ;
    struct trial trial;
    bool tried;
};

struct gathering VEC_OF(struct gathered);

static struct gathered *find_gathered(struct gathering *all, struct slice name, struct slice event)
{
    vec_each (struct gathered, g, all)
        if (slice_equal(g->first->name, name) &&
            slice_equal(event_base(g->first->event), event_base(event)))
            return g;
    return NULL;
}

static struct gathered *gather(struct gathering *all, const struct service *s)
{
    struct gathered *found = find_gathered(all, s->name, s->event);

    if (found)
        return found;
    *vec_add(all) = (struct gathered){.first = s};
    return &all->items[all->count - 1];
}

/* Units are alike if weights differ by a power of ten at most: shares are the same. */
static bool units_fit(const struct unit *a, const struct unit *b)
{
    return unit_is_same(a, b) || (a->kind == UNIT_SECONDS && b->kind == UNIT_SECONDS);
}

/* Returns the requests that a run served; 0 if unknown. */
static double requests_of(const struct run *run)
{
    uint64_t count;

    return num_parse_u64(service_fact(run, SLICE(RUN_REQUESTS)), &count) ? (double)count : 0;
}

static void gather_label(struct gathering *all, const struct compare_label *label, uint32_t number)
{
    for (size_t i = 0; i < label->count; i++) {
        const struct service *s = &label->services[i];
        struct gathered *g = gather(all, s);

        g->units_differ |= !units_fit(&g->first->unit, &s->unit) || g->first->exact != s->exact;
        vec_each (const struct run, run, &s->runs) {
            *vec_add(&g->runs) = (struct sided_run){run, label->side};
            *vec_add(&g->labels) = number;
            *vec_add(&g->compared) = (struct compare_run){
                .profile = &s->profile,
                .series = run->series,
                .event = s->event,
                .samples =
                    s->exact ? (double)s->profile.series.items[run->series].total : run->effective,
                .run = {.side = label->side},
                .seconds = (double)run->duration_ns / 1e9,
                .requests = requests_of(run),
                .exponent = s->unit.exponent,
            };
        }
    }
}

/* Adds the runs of a label of the history, if noise is read from them. */
static void gather_tables(struct gathering *all, const struct function_tables *tables,
                          uint32_t number, size_t labels, bool noise)
{
    vec_each (const struct function_table, t, &tables->items) {
        struct gathered *g = find_gathered(all, t->service, t->event);

        if (!g || !units_fit(&g->first->unit, &t->unit) || g->first->exact != t->exact)
            continue;
        if (!g->history)
            g->history = xcalloc(labels, sizeof(*g->history));
        g->history[number] = t;
        for (size_t i = 0; noise && i < t->runs.count; i++) {
            const struct run *run = &t->runs.items[i];

            *vec_add(&g->runs) = (struct sided_run){run, STATS_HISTORY};
            *vec_add(&g->labels) = number;
            *vec_add(&g->compared) = (struct compare_run){
                .table = t,
                .series = (uint32_t)i,
                .event = t->event,
                .samples = t->exact ? (double)t->weights.items[i] : run->effective,
                .run = {.side = STATS_HISTORY},
                .seconds = (double)run->duration_ns / 1e9,
                .requests = requests_of(run),
                .exponent = t->unit.exponent,
            };
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct gathered *x = a, *y = b;
    int names = slice_compare(x->first->name, y->first->name);

    return names ? names : slice_compare(x->first->event, y->first->event);
}

/* ---- blocks and exposure --------------------------------------------------------------------- */

static struct slice host_of(const struct gathered *g, size_t run)
{
    return service_fact(g->runs.items[run].run, SLICE(RUN_HOST));
}

/*
 * Gives each host a block if hosts have runs on both sides. Returns the number of blocks; 0 if all
 * runs of base and new must be one block because too little would be left to estimate noise from.
 */
static uint32_t block_hosts(struct gathered *g)
{
    uint32_t blocks = 0, runs = 0, both = 0;

    for (size_t i = 0; i < g->runs.count; i++) {
        struct slice host = host_of(g, i);
        bool seen = false, paired = false;

        if (g->runs.items[i].side == STATS_HISTORY)
            continue;
        if (!host.len)
            return 0;
        runs++;
        for (size_t j = 0; j < i && !seen; j++)
            if (g->runs.items[j].side != STATS_HISTORY && slice_equal(host, host_of(g, j))) {
                g->compared.items[i].run.block = g->compared.items[j].run.block;
                seen = true;
            }
        for (size_t j = 0; j < g->runs.count; j++)
            paired |= g->runs.items[i].side == STATS_BASE && g->runs.items[j].side == STATS_NEW &&
                      slice_equal(host, host_of(g, j));
        if (!seen)
            g->compared.items[i].run.block = blocks++;
        both += !seen && paired;
    }
    return both && runs >= blocks + 1 + LEAST_FREEDOM ? blocks : 0;
}

static size_t set_blocks(struct gathered *g)
{
    uint32_t blocks = block_hosts(g), last = UINT32_MAX;

    if (!blocks) {
        blocks = 1;
        for (size_t i = 0; i < g->runs.count; i++)
            g->compared.items[i].run.block = 0;
    }
    for (size_t i = 0; i < g->runs.count; i++) {
        if (g->runs.items[i].side != STATS_HISTORY)
            continue;
        blocks += g->labels.items[i] != last;
        last = g->labels.items[i];
        g->compared.items[i].run.block = blocks - 1;
    }
    return blocks;
}

/* Requests, or seconds; 0 if unknown. */
static double exposure_of(const struct compare_run *run, bool requests)
{
    return requests ? run->requests : run->seconds;
}

static bool all_have_exposure(const struct gathered *g, bool requests)
{
    for (size_t i = 0; i < g->runs.count; i++)
        if (!(exposure_of(&g->compared.items[i], requests) > 0))
            return false;
    return true;
}

/*
 * Sets the samples by which counts are divided: those of the run, or, for rates, what it was
 * exposed to, in a unit in which the base has as many as samples. Weights then have one scale in
 * all runs. Returns false if rates are not known.
 */
static bool set_samples(struct gathered *g, enum compare_measure measure)
{
    bool requests = all_have_exposure(g, true);
    double samples = 0, exposure = 0, weight = 0;

    for (size_t i = 0; i < g->runs.count; i++)
        g->compared.items[i].run.samples = g->compared.items[i].samples;
    if (measure != COMPARE_RATE)
        return true;
    if (!requests && !all_have_exposure(g, false))
        return false;
    for (size_t i = 0; i < g->runs.count; i++) {
        const struct compare_run *r = &g->compared.items[i];

        if (r->run.side != STATS_BASE)
            continue;
        samples += r->samples;
        exposure += exposure_of(r, requests);
        weight += (double)compare_run_weight(r);
    }
    for (size_t i = 0; i < g->runs.count && exposure > 0 && weight > 0; i++) {
        struct compare_run *r = &g->compared.items[i];

        r->run.samples = exposure_of(r, requests) * (samples / exposure);
        r->samples = (double)compare_run_weight(r) * (samples / weight);
    }
    return true;
}

/* ---- one service ----------------------------------------------------------------------------- */

static void describe(struct compared_service *s, const struct gathered *g, struct arena *memory)
{
    const struct service *of = g->first;
    bool unknown[2] = {false, false};

    *s = (struct compared_service){
        .name = arena_copy(memory, of->name),
        .event = arena_copy(memory, of->event),
        .owner = arena_copy(memory, of->owner),
        .unit = of->unit,
        .decimals = of->profile.decimals,
        .exact = of->exact,
        .smallest = 1,
    };
    s->unit.noun = arena_copy(memory, of->unit.noun);
    for (size_t i = 0; i < g->runs.count; i++) {
        const struct compare_run *r = &g->compared.items[i];
        struct compared_side *side;

        if (r->run.side == STATS_HISTORY)
            continue;
        side = &s->sides[r->run.side];
        side->runs++;
        side->samples += g->runs.items[i].run->samples;
        side->weight += compare_run_weight(r);
        unknown[r->run.side] |= !g->runs.items[i].run->samples;
    }
    for (int side = 0; side < 2; side++)
        if (unknown[side])
            s->sides[side].samples = 0;
}

/* Returns why a service cannot be compared, or an empty slice. */
static struct slice why_not(const struct compared_service *s, const struct gathered *g)
{
    if (!s->sides[STATS_BASE].runs)
        return SLICE("only the new runs have it");
    if (!s->sides[STATS_NEW].runs)
        return SLICE("only the base has it");
    if (g->units_differ)
        return SLICE("base and new runs have different units");
    for (size_t i = 0; i < g->runs.count; i++)
        if (!(g->compared.items[i].samples > 0))
            return SLICE("the number of samples is not known");
    return SLICE("");
}

static bool has_enough_runs(const struct compared_service *s, const struct gathered *g,
                            const struct compare_settings *settings)
{
    uint32_t label = UINT32_MAX, labels = 0, runs = 0;

    for (size_t i = 0; i < g->runs.count; i++) {
        if (g->runs.items[i].side != STATS_HISTORY)
            continue;
        runs = g->labels.items[i] == label ? runs + 1 : 1;
        label = g->labels.items[i];
        labels += runs == 2;
    }
    return labels >= 4 || (s->sides[STATS_BASE].runs >= settings->min_runs &&
                           s->sides[STATS_NEW].runs >= settings->min_runs);
}

static void try_service(struct compared_service *s, struct gathered *g,
                        const struct compare_settings *settings)
{
    struct compare_settings own = *settings;
    struct compare_run *runs = g->compared.items;
    size_t blocks = set_blocks(g);

    if (!set_samples(g, settings->measure)) {
        own.measure = COMPARE_SHARE;
        *vec_add(&s->warnings) =
            SLICE("shares are compared: not all runs say how long they were or how many requests "
                  "they served");
    }
    g->compared.items = NULL; /* the trial has the runs now */
    trial_init(&g->trial, runs, g->runs.count, blocks, s->exact, &own);
    g->tried = true;
    g->trial.discovery.threshold = -1;
    s->tested = s->exact || (g->trial.noise.known && has_enough_runs(s, g, settings));
    s->measure = g->trial.measure;
    s->rho = g->trial.noise.rho;
}

/* Checks the budgets of a service that is not compared. */
static void check_alone(struct comparison *c, struct compared_service *s, const struct gathered *g)
{
    struct functions f;

    functions_init(&f, g->compared.items, g->runs.count, KERNEL_COMPARED, 1, &c->settings.renames);
    budgets_add(c, s, &f);
    functions_release(&f);
}

#define NO_TESTS "no function has enough samples to be tested"

static bool has_tests(const struct trial *t)
{
    for (size_t k = 0; k < 2 * t->functions.row_count; k++)
        if (t->changes[k].tested)
            return true;
    return false;
}

/* Says why no finding was possible, if no test was. */
static void explain_untested(struct compared_service *s, const struct compare_settings *settings,
                             struct arena *memory)
{
    size_t base = s->sides[STATS_BASE].runs, new = s->sides[STATS_NEW].runs;

    if (s->tested)
        return;
    if (base == 1 && new == 1)
        s->reason = SLICE("one run a side: the noise between runs is not known");
    else if (base < settings->min_runs || new < settings->min_runs)
        s->reason = slice_str(arena_printf(memory,
                                           "%zu and %zu runs: %u a side are needed to know the "
                                           "noise between runs",
                                           base, new, settings->min_runs));
    else
        s->reason = SLICE(NO_TESTS);
}

/* ---- findings over all services of an event -------------------------------------------------- */

static size_t change_count(const struct gathered *g)
{
    return g->tried && !g->trial.exact ? 2 * g->trial.functions.row_count : 0;
}

static bool same_event(const struct gathered *a, const struct gathered *b)
{
    return slice_equal(event_base(a->first->event), event_base(b->first->event));
}

/* Limits the false findings of all services that have the event of service `first`. */
static void discover(struct comparison *c, struct gathering *all, size_t first)
{
    size_t most = 1, count = 0;
    double *p, *q;
    struct stats_discovery found;

    for (size_t i = first; i < all->count; i++)
        most += change_count(&all->items[i]);
    p = xcalloc(most, sizeof(*p));
    q = xcalloc(most, sizeof(*q));
    for (size_t i = first; i < all->count; i++)
        for (size_t k = 0; k < change_count(&all->items[i]); k++)
            if (c->services.items[i].tested && same_event(&all->items[i], &all->items[first]) &&
                all->items[i].trial.changes[k].tested)
                p[count++] = all->items[i].trial.changes[k].p;
    stats_discovery_of(&found, p, count, c->settings.stats.rate, q);
    count = 0;
    for (size_t i = first; i < all->count; i++) {
        struct trial *t = &all->items[i].trial;

        if (!c->services.items[i].tested || !same_event(&all->items[i], &all->items[first]))
            continue;
        t->discovery = found;
        for (size_t k = 0; k < change_count(&all->items[i]); k++)
            if (t->changes[k].tested)
                t->q[k] = q[count++];
    }
    free(p);
    free(q);
}

static void discover_all(struct comparison *c, struct gathering *all)
{
    for (size_t i = 0; i < all->count; i++) {
        bool done = false;

        for (size_t j = 0; j < i && !done; j++)
            done = same_event(&all->items[i], &all->items[j]);
        if (!done)
            discover(c, all, i);
    }
}

/* Sets the label since which each finding of a service exists. */
static void date_findings(struct comparison *c, struct compared_service *s,
                          const struct gathered *g, const struct compare_label *labels,
                          size_t count)
{
    struct since_history h = {
        .trial = &g->trial, .labels = g->labels.items, .count = count, .noise = g->trial.noise.rho};
    struct slice *names = xcalloc(count + 1, sizeof(*names));
    const struct function_table **none = xcalloc(count + 1, sizeof(*none));

    for (size_t i = 0; i < count; i++)
        names[i] = labels[i].name;
    h.names = names;
    h.tables = g->history ? g->history : none;
    since_add(s, &h, &c->memory);
    free(none);
    free(names);
}

/* Notes which functions have several names that are compared as one. */
static void note_normalized(struct compared_service *s, const struct functions *f,
                            struct arena *memory)
{
    vec_each (const struct function, function, &f->items) {
        if (!function->other.len || function->row == FUNCTION_NONE)
            continue;
        if (!s->normalized++) {
            s->normalized_names[0] = arena_copy(memory, function->name);
            s->normalized_names[1] = arena_copy(memory, function->other);
        }
    }
}

/* Limits the false dates among those of all findings. */
static void limit_dates(struct comparison *c)
{
    struct stats_discovery found;
    size_t count = 0;
    double *p;

    vec_each (const struct compared_service, s, &c->services)
        count += s->findings.count;
    p = xcalloc(count + 1, sizeof(*p));
    count = 0;
    vec_each (const struct compared_service, s, &c->services)
        vec_each (const struct finding, f, &s->findings)
            p[count++] = f->since_p;
    stats_discovery_of(&found, p, count, c->settings.stats.rate, NULL);
    vec_each (struct compared_service, s, &c->services)
        vec_each (struct finding, f, &s->findings)
            if (f->since_p > found.threshold)
                f->since = f->since_earliest = f->since_latest = f->undoes = SLICE("");
    free(p);
}

/* Returns the commit of the newest runs; empty if it is unknown or if they differ. */
static struct slice commit_of(const struct gathered *g)
{
    struct slice commit = {0};

    for (size_t i = 0; i < g->runs.count; i++) {
        struct slice own;

        if (g->runs.items[i].side != STATS_NEW)
            continue;
        own = service_fact(g->runs.items[i].run, SLICE(RUN_COMMIT));
        if (commit.len && !slice_equal(own, commit))
            return SLICE("");
        commit = own;
    }
    return commit;
}

static void conclude(struct comparison *c, struct compared_service *s, struct gathered *g)
{
    const struct compare_settings *settings = &c->settings;
    const struct trial *t = &g->trial;
    bool kernels_differ;

    recorded_add(s, g->runs.items, t, &c->memory);
    kernels_differ =
        warnings_add(s, g->runs.items, g->runs.count, t->functions.unknown, &c->memory);
    budgets_add(c, s, &t->functions);
    note_normalized(s, &t->functions, &c->memory);
    explain_untested(s, settings, &c->memory);
    if (s->tested && !s->exact)
        s->smallest = stats_change_smallest(&t->design, &t->noise, NULL, typical_share,
                                            t->discovery.next, &settings->stats);
    if (s->tested && !s->exact && s->smallest >= 1)
        s->reason =
            SLICE("no change of up to 25 points could be seen in these runs: more runs are needed");
    else if (s->tested && !s->exact && !has_tests(t))
        s->reason = SLICE(NO_TESTS);
    else if (s->tested)
        findings_add(s, t, settings, kernels_differ, &c->memory);
    s->verdict = comparison_verdict(s);
    sources_add(s, g->first->link, commit_of(g), settings->codeowners, &c->memory);
}

/* ---- the comparison -------------------------------------------------------------------------- */

/* Names a side by its labels: "w1", or "w1 to w4". */
static struct slice side_name(const struct compare_label *labels, size_t count,
                              enum stats_side side, struct arena *memory)
{
    struct slice first = {0}, last = {0};

    for (size_t i = 0; i < count; i++)
        if (labels[i].side == side) {
            first = first.len ? first : labels[i].name;
            last = labels[i].name;
        }
    if (slice_equal(first, last))
        return arena_copy(memory, first);
    return slice_str(arena_printf(memory, "%.*s to %.*s", SLICE_ARG(first), SLICE_ARG(last)));
}

static void release_gathering(struct gathering *all)
{
    vec_each (struct gathered, g, all) {
        if (g->tried)
            trial_release(&g->trial);
        release_all(g, vec, runs, compared, labels);
        free(g->history);
    }
    vec_release(all);
}

/* Gathers the runs of all labels, the newest first; `made` gets tables of history without any. */
static void gather_all(struct gathering *all, const struct compare_label *labels, size_t count,
                       struct function_tables *made)
{
    size_t before = 0;

    for (size_t i = count; i-- > 0;)
        if (labels[i].side != STATS_HISTORY)
            gather_label(all, &labels[i], (uint32_t)i);
    for (size_t i = count; i-- > 0;) {
        if (labels[i].side != STATS_HISTORY)
            continue;
        for (size_t k = 0; !labels[i].tables && k < labels[i].count; k++)
            compare_tables_add(&made[i], &labels[i].services[k]);
        gather_tables(all, labels[i].tables ? labels[i].tables : &made[i], (uint32_t)i, count,
                      before++ < COMPARE_NOISE_LABELS);
    }
    if (all->count)
        qsort(all->items, all->count, sizeof(*all->items), by_name);
}

static void compare_all(struct comparison *c, struct gathering *all)
{
    vec_each (struct gathered, g, all) {
        struct compared_service *s = vec_add(&c->services);

        describe(s, g, &c->memory);
        s->reason = why_not(s, g);
        if (!s->reason.len)
            costs_add(s, g->compared.items, g->compared.count);
        if (!s->reason.len)
            try_service(s, g, &c->settings);
        else if (s->sides[STATS_NEW].runs)
            check_alone(c, s, g);
    }
    discover_all(c, all);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].tried)
            conclude(c, &c->services.items[i], &all->items[i]);
}

void comparison_init(struct comparison *c, const struct compare_label *labels, size_t count,
                     const struct compare_settings *settings)
{
    struct function_tables *made = xcalloc(count + 1, sizeof(*made));
    struct gathering all = {0};

    *c = (struct comparison){.settings = *settings, .has_history = count > 2};
    c->base = side_name(labels, count, STATS_BASE, &c->memory);
    c->new = side_name(labels, count, STATS_NEW, &c->memory);
    gather_all(&all, labels, count, made);
    compare_all(c, &all);
    for (size_t i = 0; c->has_history && i < all.count; i++)
        if (all.items[i].tried)
            date_findings(c, &c->services.items[i], &all.items[i], labels, count);
    if (c->has_history)
        limit_dates(c);
    comparison_set_titles(c);
    release_gathering(&all);
    for (size_t i = 0; i < count; i++)
        compare_tables_release(&made[i]);
    free(made);
}

/* Whether two findings are of one function and in one direction. */
static bool same_finding(const struct finding *a, const struct finding *b)
{
    return slice_equal(a->key, b->key) && a->scope == b->scope &&
           (a->change > 0) == (b->change > 0);
}

/* Marks the findings that an earlier comparison has, too. */
static void confirm(struct comparison *c, const struct comparison *earlier)
{
    vec_each (struct compared_service, s, &c->services)
        vec_each (const struct compared_service, before, &earlier->services) {
            if (!slice_equal(s->name, before->name) || !slice_equal(s->event, before->event))
                continue;
            vec_each (struct finding, f, &s->findings)
                vec_each (const struct finding, same, &before->findings)
                    f->confirmed |= same_finding(f, same);
        }
}

/*
 * Keeps the base labels of `before`, whose last label is new. If there are none, makes the newest
 * label with services the base. Returns false if there is no such label.
 */
static bool choose_base(struct compare_label *before, size_t count)
{
    size_t bases = 0;

    for (size_t i = 0; i + 1 < count; i++)
        bases += before[i].side == STATS_BASE;
    for (size_t i = count - 1; !bases && i-- > 0;)
        if (before[i].services) {
            before[i].side = STATS_BASE;
            bases++;
        }
    return bases > 0;
}

void comparison_confirm(struct comparison *c, const struct compare_label *labels, size_t count,
                        const struct compare_settings *settings)
{
    struct compare_label *before = xcalloc(count + 1, sizeof(*before));
    struct comparison earlier;
    size_t n = 0, findings = 0;

    vec_each (const struct compared_service, s, &c->services)
        findings += s->findings.count;
    for (size_t i = 0; i < count; i++)
        if (labels[i].side != STATS_NEW)
            before[n++] = labels[i];
    if (n >= 2 && findings && choose_base(before, n)) {
        before[n - 1].side = STATS_NEW;
        comparison_init(&earlier, before, n, settings);
        confirm(c, &earlier);
        comparison_release(&earlier);
    }
    free(before);
}

void comparison_release(struct comparison *c)
{
    vec_each (struct compared_service, s, &c->services) {
        vec_each (struct finding, f, &s->findings)
            vec_release(&f->levels);
        release_all(s, vec, warnings, findings, levels);
    }
    release_all(c, vec, services, budgets);
    arena_release(&c->memory);
}

struct slice compare_verdict_word(enum verdict verdict)
{
    static const char *const words[] = {
        [VERDICT_UNDECIDED] = "undecided", [VERDICT_UNCHANGED] = "unchanged",
        [VERDICT_ACCEPTED] = "accepted",   [VERDICT_WORSE] = "worse",
        [VERDICT_BETTER] = "better",       [VERDICT_NEW] = "new",
        [VERDICT_GONE] = "gone",           [VERDICT_RENAMED] = "renamed",
        [VERDICT_MOVED] = "moved",         [VERDICT_INLINED] = "inlined",
        [VERDICT_OUTLINED] = "outlined",
    };

    return slice_str(words[verdict]);
}

struct slice compare_scope_word(enum compare_scope scope)
{
    return scope == COMPARE_SELF ? SLICE("self") : SLICE("total");
}

struct slice compare_measure_word(enum compare_measure measure)
{
    static const char *const words[] = {
        [COMPARE_REFERENCE] = "reference", [COMPARE_SHARE] = "share", [COMPARE_RATE] = "rate"};

    return slice_str(words[measure]);
}

/* Services are in the order of their names, then of their events. */
static bool has_namesake(const struct comparison *c, size_t i)
{
    const struct compared_service *s = &c->services.items[i];

    return (i > 0 && slice_equal(s[-1].name, s->name)) ||
           (i + 1 < c->services.count && slice_equal(s[1].name, s->name));
}

static int service_order(const void *key, const void *item)
{
    const struct budget_result *b = key;
    const struct compared_service *s = item;
    int names = slice_compare(b->service, s->name);

    return names ? names : slice_compare(b->event, s->event);
}

void comparison_set_titles(struct comparison *c)
{
    for (size_t i = 0; i < c->services.count; i++) {
        struct compared_service *s = &c->services.items[i];
        struct slice event = s->event.len ? s->event : unit_word(&s->unit);

        s->title = s->name;
        if (has_namesake(c, i))
            s->title = slice_str(
                arena_printf(&c->memory, "%.*s (%.*s)", SLICE_ARG(s->name), SLICE_ARG(event)));
    }
    vec_each (struct budget_result, b, &c->budgets) {
        const struct compared_service *s = c->services.count
                                               ? bsearch(b, c->services.items, c->services.count,
                                                         sizeof(*c->services.items), service_order)
                                               : NULL;

        b->title = s ? s->title : b->service;
    }
}

enum verdict comparison_verdict(const struct compared_service *s)
{
    bool better = false, accepted = false;

    if (s->reason.len || compared_is_one_sided(s))
        return VERDICT_UNDECIDED;
    vec_each (const struct finding, f, &s->findings) {
        if (finding_counts(f))
            return VERDICT_WORSE;
        if (f->through.len)
            continue;
        better |= f->verdict == VERDICT_BETTER || f->verdict == VERDICT_GONE;
        accepted |= f->verdict == VERDICT_WORSE || f->verdict == VERDICT_NEW;
    }
    if (better)
        return VERDICT_BETTER;
    return accepted ? VERDICT_ACCEPTED : VERDICT_UNCHANGED;
}

size_t comparison_count(const struct comparison *c, enum verdict verdict)
{
    size_t count = 0;

    vec_each (const struct compared_service, s, &c->services)
        count += s->verdict == verdict;
    return count;
}
