#include "compare/findings.h"

#include <math.h>
#include <stdlib.h>

#include "base/glob.h"
#include "compare/callers.h"
#include "compare/renames.h"

/* The part of a change that one function must have to be its cause. */
static const double most_of = 0.8;

enum { EXPLAINED_MOST = 500 }; /* functions with findings whose causes are looked for */

/*
 * What is inlined is compiled together with what is around it, and costs more or less then. A net
 * change that may be up to this part of the cost of what was inlined is no finding.
 */
static const double most_net = 0.5;

/* What changed of one function, in the measure of the trial. */
struct cause {
    uint32_t function;
    bool inlined;     /* it changed because other functions are inlined in it on one side */
    bool finds[2];    /* by scope */
    double change[2]; /* by scope */
    uint32_t
        through; /* place in the list: the function that explains the total; or FUNCTION_NONE */
};

struct causes {
    const struct trial *trial;
    struct cause *items;
    size_t count;
    struct nesting nesting;
};

static size_t change_of(const struct trial *t, uint32_t function, enum compare_scope scope)
{
    uint32_t row = t->functions.items.items[function].row;

    return scope == COMPARE_SELF ? row : row + t->functions.row_count;
}

/* Sums the samples of a side. */
static double sum_side(const struct trial *t, size_t change, enum stats_side side)
{
    return functions_sum_side(&t->functions, trial_counts(t, change), side);
}

static double plain_change(const struct trial *t, size_t change)
{
    return trial_share(t, sum_side(t, change, STATS_NEW), STATS_NEW) -
           trial_share(t, sum_side(t, change, STATS_BASE), STATS_BASE);
}

static bool same_sign(double a, double b)
{
    return a > 0 ? b > 0 : a < 0 && b < 0;
}

/* Whether `part` is most of `whole`. */
static bool explains(double part, double whole)
{
    return same_sign(part, whole) && fabs(part) >= most_of * fabs(whole);
}

/* The cost of functions that are inlined in this one on one side. */
static double inlined_cost(const struct trial *t, uint32_t function)
{
    double cost = 0;

    vec_each (const struct function, f, &t->functions.items)
        if (f->inlined && f->inlined_into == function)
            cost += trial_share(t, f->samples, f->apart);
    return cost;
}

/* Whether a change may be only that of what was inlined. */
static bool is_inlining(const struct trial *t, const struct cause *cause)
{
    const struct stats_change *self = &t->changes[change_of(t, cause->function, COMPARE_SELF)];
    double cost = inlined_cost(t, cause->function);
    double least = self->change > 0 ? self->low : -self->high;

    if (!(cost > 0) || least > most_net * cost)
        return false;
    return !cause->finds[COMPARE_TOTAL] ||
           explains(cause->change[COMPARE_SELF], cause->change[COMPARE_TOTAL]);
}

/* ---- causes ---------------------------------------------------------------------------------- */

static void causes_init(struct causes *c, const struct trial *t,
                        const struct compare_settings *settings)
{
    const struct functions *f = &t->functions;
    uint32_t *list = xcalloc(f->row_count + 1, sizeof(*list));

    *c = (struct causes){.trial = t, .items = xcalloc(f->row_count + 1, sizeof(*c->items))};
    for (size_t row = 0; row < f->row_count; row++) {
        struct cause cause = {.function = f->rows[row], .through = FUNCTION_NONE};

        for (int scope = 0; scope < 2; scope++) {
            size_t change = change_of(t, cause.function, (enum compare_scope)scope);

            cause.finds[scope] = trial_finds(t, change, settings);
            cause.change[scope] = plain_change(t, change);
        }
        if (!cause.finds[COMPARE_SELF] && !cause.finds[COMPARE_TOTAL])
            continue;
        cause.inlined = is_inlining(t, &cause);
        list[c->count] = cause.function;
        c->items[c->count++] = cause;
    }
    callers_nesting_init(&c->nesting, f, list,
                         c->count < EXPLAINED_MOST ? c->count : EXPLAINED_MOST);
    free(list);
}

static void causes_release(struct causes *c)
{
    callers_nesting_release(&c->nesting);
    free(c->items);
}

/* The change of the samples in which the callee is below the caller. */
static double change_below(const struct causes *c, size_t caller, size_t callee)
{
    const struct nesting *n = &c->nesting;
    size_t at = caller * n->count + callee;

    return trial_share(c->trial, n->below[STATS_NEW][at], STATS_NEW) -
           trial_share(c->trial, n->below[STATS_BASE][at], STATS_BASE);
}

/* Whether the callee explains the change of the caller's total, and not the other way round. */
static bool is_through(const struct causes *c, size_t caller, size_t callee, double *part)
{
    double whole = c->items[caller].change[COMPARE_TOTAL];
    double back = change_below(c, callee, caller);

    *part = fabs(change_below(c, caller, callee));
    if (!explains(change_below(c, caller, callee), whole))
        return false;
    return !explains(back, c->items[callee].change[COMPARE_TOTAL]) || callee < caller;
}

static void find_through(struct causes *c, size_t caller)
{
    double most = 0, part;

    if (!c->items[caller].finds[COMPARE_TOTAL] ||
        explains(c->items[caller].change[COMPARE_SELF], c->items[caller].change[COMPARE_TOTAL]))
        return;
    for (size_t callee = 0; callee < c->nesting.count; callee++)
        if (callee != caller && is_through(c, caller, callee, &part) && part > most) {
            most = part;
            c->items[caller].through = (uint32_t)callee;
        }
}

/* Follows the explanations of a function to the last. */
static uint32_t last_cause(const struct causes *c, uint32_t at)
{
    for (size_t hops = 0; hops < c->count && c->items[at].through != FUNCTION_NONE; hops++)
        at = c->items[at].through;
    return at;
}

/* ---- findings -------------------------------------------------------------------------------- */

static enum verdict verdict_of(const struct trial *t, uint32_t function, size_t change)
{
    size_t total = change_of(t, function, COMPARE_TOTAL);

    if (!(sum_side(t, total, STATS_BASE) > 0))
        return VERDICT_NEW;
    if (!(sum_side(t, total, STATS_NEW) > 0))
        return VERDICT_GONE;
    return t->changes[change].change > 0 ? VERDICT_WORSE : VERDICT_BETTER;
}

/* The average weight of a run on one side. */
static uint64_t average_weight(const struct trial *t, size_t change, enum stats_side side)
{
    const double *counts = trial_counts(t, change);
    double sum = 0, runs = 0;

    for (size_t run = 0; run < t->run_count; run++) {
        double scale = compare_run_scale(&t->runs[run]);

        if (t->runs[run].run.side != side)
            continue;
        sum += scale > 0 ? counts[run] / scale : 0;
        runs++;
    }
    return runs > 0 ? (uint64_t)(sum / runs + 0.5) : 0;
}

/* The findings of a service while they are made. */
struct listing {
    struct compared_service *service;
    const struct trial *trial;
    struct arena *memory;    /* for texts */
    VEC(uint32_t) functions; /* of each finding */
};

static struct finding *add_finding(struct listing *l, uint32_t function, enum compare_scope scope)
{
    const struct trial *t = l->trial;
    const struct function *f = &t->functions.items.items[function];
    size_t at = change_of(t, function, scope);
    const struct stats_change *change = &t->changes[at];
    struct finding *out = vec_add(&l->service->findings);

    *vec_add(&l->functions) = function;
    *out = (struct finding){
        .function = arena_copy(l->memory, f->name),
        .module = arena_copy(l->memory, f->module),
        .file = arena_copy(l->memory, f->file),
        .line = f->line,
        .key = arena_copy(l->memory, f->key),
        .renamed_from = arena_copy(l->memory, f->renamed_from),
        .scope = scope,
        .verdict = verdict_of(t, function, at),
        .base = change->base,
        .new = change->new,
        .change = change->change,
        .low = change->low,
        .high = change->high,
        .p = t->exact ? 0 : change->p,
        .q = t->q[at],
        .base_weight = average_weight(t, at, STATS_BASE),
        .new_weight = average_weight(t, at, STATS_NEW),
    };
    return out;
}

/* Adds the findings of one function: its total, and its self weight unless the total says it. */
static void add_cause(struct listing *l, const struct causes *c, size_t i)
{
    const struct cause *cause = &c->items[i];
    bool total = cause->finds[COMPARE_TOTAL], through = cause->through != FUNCTION_NONE;
    bool differs = !same_sign(cause->change[COMPARE_SELF], cause->change[COMPARE_TOTAL]);

    if (total) {
        struct finding *f = add_finding(l, cause->function, COMPARE_TOTAL);
        uint32_t last = c->items[last_cause(c, (uint32_t)i)].function;

        if (through)
            f->through = arena_copy(l->memory, l->trial->functions.items.items[last].name);
    }
    if (cause->finds[COMPARE_SELF] && (!total || through || differs))
        add_finding(l, cause->function, COMPARE_SELF);
}

/* Adds functions that are renamed and otherwise unchanged. */
static void add_renamed(struct listing *l, const struct compare_settings *settings)
{
    const struct trial *t = l->trial;

    for (size_t row = 0; row < t->functions.row_count; row++) {
        uint32_t function = t->functions.rows[row];
        const struct function *f = &t->functions.items.items[function];
        size_t total = row + t->functions.row_count;

        if (!f->renamed_from.len || !(sum_side(t, total, STATS_BASE) > 0) ||
            !(sum_side(t, total, STATS_NEW) > 0) || trial_finds(t, row, settings) ||
            trial_finds(t, total, settings))
            continue;
        add_finding(l, function, COMPARE_TOTAL)->verdict = VERDICT_RENAMED;
    }
}

/* Adds functions that one side has as parts of others, with the net change of both. */
static void add_inlined(struct listing *l)
{
    const struct functions *f = &l->trial->functions;

    vec_each (const struct function, function, &f->items) {
        struct finding *out;
        size_t self;

        if (!function->inlined)
            continue;
        self = change_of(l->trial, function->inlined_into, COMPARE_SELF);
        out = add_finding(l, function->inlined_into,
                          l->trial->changes[self].tested ? COMPARE_SELF : COMPARE_TOTAL);
        out->renamed_from = SLICE("");
        out->verdict = function->apart == STATS_BASE ? VERDICT_INLINED : VERDICT_OUTLINED;
        out->through = out->function;
        out->function = arena_copy(l->memory, function->name);
        out->key = arena_copy(l->memory, function->key);
    }
}

/* ---- shares of the total --------------------------------------------------------------------- */

/* True if the function itself changed: neither only its callees nor only its name. */
static bool is_own_change(const struct finding *f)
{
    return !f->through.len && f->verdict != VERDICT_RENAMED;
}

/* Whether a share changed as it does if only the total grew, `growth` times. */
static bool follows(double growth, double base, double low, double high, double tolerance)
{
    double change = base / growth - base;

    return low - tolerance <= change && change <= high + tolerance;
}

/* The functions whose self shares follow a growth. */
struct followers {
    size_t count;
    double base, new; /* their shares, added up */
};

static struct followers find_followers(const struct trial *t, double growth, double tolerance)
{
    struct followers out = {0};

    for (size_t row = 0; row < t->functions.row_count; row++) {
        const struct stats_change *c = &t->changes[row];

        if (!c->tested || !follows(growth, c->base, c->low, c->high, tolerance))
            continue;
        out.count++;
        out.base += c->base;
        out.new += c->new;
    }
    return out;
}

/*
 * Finds how many times the base's total the new one is, if most functions cost what they did: the
 * growth that the self shares of most functions follow, the largest of several. Returns 1 if as
 * many functions kept their shares, or if no two functions agree.
 */
static double find_growth(const struct trial *t, double tolerance)
{
    struct followers most = find_followers(t, 1, tolerance);
    double found = 1;

    most.count = most.count > 1 ? most.count : 1;
    for (size_t row = 0; row < t->functions.row_count; row++) {
        const struct stats_change *c = &t->changes[row];
        struct followers f;

        if (!c->tested || !(c->base > 0) || !(c->new > 0))
            continue;
        f = find_followers(t, c->base / c->new, tolerance);
        if (f.count < most.count ||
            (f.count == most.count && (found == 1 || f.base / f.new <= found)))
            continue;
        most = f;
        found = f.base / f.new;
    }
    return found;
}

/* The largest change that does not follow the growth, or NULL. */
static const struct finding *find_cause(const struct compared_service *s, double growth,
                                        double tolerance)
{
    const struct finding *cause = NULL;

    vec_each (const struct finding, f, &s->findings)
        if (is_own_change(f) && !follows(growth, f->base, f->low, f->high, tolerance) &&
            (!cause || fabs(f->change) > fabs(cause->change)))
            cause = f;
    return cause;
}

/*
 * Shares of the total add up to 1: if one function grows, all others shrink. Lists findings that
 * change for this reason alone, and what was listed through them, through the function that grew
 * or shrank most.
 */
static void find_shifted(struct compared_service *s, const struct trial *t, double tolerance)
{
    double growth = find_growth(t, tolerance);
    const struct finding *cause = find_cause(s, growth, tolerance);

    vec_each (struct finding, f, &s->findings) {
        if (!cause || !is_own_change(f) || !follows(growth, f->base, f->low, f->high, tolerance))
            continue;
        vec_each (struct finding, other, &s->findings)
            if (slice_equal(other->through, f->function))
                other->through = cause->function;
        f->through = cause->function;
    }
}

/* ---- moved ----------------------------------------------------------------------------------- */

static bool is_unchanged(const struct stats_change *c, const struct stats_settings *settings)
{
    return c->tested && c->low > -settings->min_change && c->high < settings->min_change;
}

/* A finding that may be a move: its function, and the main caller on the side with more samples. */
struct mover {
    struct finding *finding;
    const struct function *function;
    uint32_t caller;
    bool exactly;   /* the caller may have changed: only an equal function can replace this one */
    double made_up; /* sum of the changes of the findings that it may have moved to or from */
};

/*
 * Whether a new function costs what one that is gone did. Then it is enough that no change of the
 * caller is found: what counts as unchanged depends on noise, so on whether the base has a history.
 */
static bool replaces(const struct finding *new, const struct finding *gone)
{
    if (new->verdict != VERDICT_NEW || gone->verdict != VERDICT_GONE)
        return false;
    return explains(new->change, -gone->change) && explains(-gone->change, new->change);
}

/* Whether `up` rose and `down` fell below one caller. */
static bool may_have_moved(const struct mover *up, const struct mover *down)
{
    return up->finding->change > 0 && down->finding->change < 0 && up->caller == down->caller &&
           up->function != down->function && renames_same_place(up->function, down->function) &&
           (!up->exactly || replaces(up->finding, down->finding));
}

/* Returns the findings below callers that did not change, or whose change is not found. */
static size_t find_movers(const struct listing *l, const struct compare_settings *settings,
                          struct mover *movers)
{
    const struct trial *t = l->trial;
    const struct functions *f = &t->functions;
    uint32_t *callers[2];
    size_t count = 0;

    for (int side = 0; side < 2; side++) {
        callers[side] = xreallocarray(NULL, f->items.count, sizeof(*callers[side]));
        callers_main(f, (enum stats_side)side, most_of, callers[side]);
    }
    for (size_t i = 0; i < l->service->findings.count; i++) {
        struct finding *finding = &l->service->findings.items[i];
        uint32_t function = l->functions.items[i];
        uint32_t caller = callers[finding->change > 0 ? STATS_NEW : STATS_BASE][function];
        size_t total;
        bool unchanged;

        if (!is_own_change(finding) || caller == FUNCTION_NONE ||
            f->items.items[caller].row == FUNCTION_NONE)
            continue;
        total = change_of(t, caller, COMPARE_TOTAL);
        unchanged = is_unchanged(&t->changes[total], &settings->stats);
        if (unchanged || !trial_finds(t, total, settings))
            movers[count++] = (struct mover){.finding = finding,
                                             .function = &f->items.items[function],
                                             .caller = caller,
                                             .exactly = !unchanged};
    }
    for (int side = 0; side < 2; side++)
        free(callers[side]);
    return count;
}

/* Marks a finding as moved if those that it may have moved to or from make up for most of it. */
static void find_moved(const struct listing *l, const struct compare_settings *settings)
{
    struct mover *movers = xcalloc(l->service->findings.count + 1, sizeof(*movers));
    size_t count = find_movers(l, settings, movers);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (may_have_moved(&movers[i], &movers[j])) {
                movers[i].made_up += movers[j].finding->change;
                movers[j].made_up += movers[i].finding->change;
            }
    for (size_t i = 0; i < count; i++)
        if (explains(-movers[i].made_up, movers[i].finding->change))
            movers[i].finding->verdict = VERDICT_MOVED;
    free(movers);
}

/* ---- the findings of a service --------------------------------------------------------------- */

static void accept(struct compared_service *s, const struct compare_settings *settings,
                   struct arena *memory)
{
    char *service = arena_strdup(memory, s->name);

    vec_each (struct finding, f, &s->findings)
        vec_each (const struct compare_acceptance, a, &settings->accepted)
            if (glob_matches(arena_strdup(memory, a->service), service) &&
                (slice_equal(a->function, f->function) || slice_equal(a->function, f->key) ||
                 slice_equal(a->function, f->through)))
                f->accepted = arena_copy(memory, a->reason);
}

/* Causes first, then the largest change; then by name and scope. */
static int by_importance(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int names;

    if (!x->through.len != !y->through.len)
        return x->through.len ? 1 : -1;
    if (fabs(x->change) != fabs(y->change))
        return fabs(x->change) > fabs(y->change) ? -1 : 1;
    names = slice_compare(x->key, y->key);
    return names ? names : (int)x->scope - (int)y->scope;
}

/*
 * A function that varies more than a typical one may have changed by much more than the smallest
 * visible change, and be no finding.
 */
static void warn_of_unsure(struct compared_service *s, const struct trial *t, struct arena *memory)
{
    const struct functions *f = &t->functions;
    double most = 2 * s->smallest;
    uint32_t function = FUNCTION_NONE;

    for (size_t i = 0; i < 2 * f->row_count; i++) {
        const struct stats_change *change = &t->changes[i];

        if (!change->tested || !(fabs(change->change) > fabs(most)))
            continue;
        most = change->change;
        function = f->rows[i % f->row_count];
    }
    if (function != FUNCTION_NONE)
        *vec_add(&s->warnings) = slice_str(arena_printf(
            memory,
            "%.*s varies more than a typical function: its change of %+.1f points cannot "
            "be told from noise in these runs",
            SLICE_ARG(f->items.items[function].name), most * 100));
}

void findings_add(struct compared_service *s, const struct trial *t,
                  const struct compare_settings *settings, bool kernels_differ,
                  struct arena *memory)
{
    bool of_total = t->measure == COMPARE_SHARE && !t->exact; /* the shares are */
    struct listing listing = {.service = s, .trial = t, .memory = memory};
    struct causes causes;

    causes_init(&causes, t, settings);
    for (size_t i = 0; i < causes.nesting.count; i++)
        find_through(&causes, i);
    for (size_t i = 0; i < causes.count; i++)
        if (!causes.items[i].inlined &&
            (!kernels_differ ||
             t->functions.items.items[causes.items[i].function].class != SYMBOL_KERNEL))
            add_cause(&listing, &causes, i);
    causes_release(&causes);
    add_renamed(&listing, settings);
    add_inlined(&listing);
    if (of_total)
        find_shifted(s, t, settings->stats.min_change);
    find_moved(&listing, settings);
    vec_release(&listing.functions);
    accept(s, settings, memory);
    if (s->findings.count)
        qsort(s->findings.items, s->findings.count, sizeof(*s->findings.items), by_importance);
    if (!s->findings.count && !t->exact && !kernels_differ)
        warn_of_unsure(s, t, memory);
    if (of_total && s->findings.count && settings->measure == COMPARE_REFERENCE)
        *vec_add(&s->warnings) =
            SLICE("shares of the total are compared, because too few functions could show what did "
                  "not change");
}
