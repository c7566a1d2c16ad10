#include "report/verdicts.h"

#include <math.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/percent.h"
#include "compare/budgets.h"

static void add_count(struct buf *out, size_t count, const char *word)
{
    if (count)
        buf_printf(out, ", %zu %s", count, word);
}

/* Completes "of " or "of changes of ". */
static void add_power(struct buf *out, double smallest)
{
    percent_write(out, smallest, PERCENT_CAPTION);
    buf_add_str(out, " points or more, four in five would have shown in a typical function");
}

static void add_number(struct buf *out, size_t some, size_t all)
{
    if (some < all)
        buf_printf(out, "%zu of ", some);
    buf_printf(out, "%zu service%s", all, all == 1 ? "" : "s");
}

/* The headline of services that are all unchanged or undecided. */
static void add_quiet(struct buf *out, const struct comparison *c, bool powers)
{
    size_t undecided = comparison_count(c, VERDICT_UNDECIDED), all = c->services.count;
    double smallest = 0;

    if (undecided == all) {
        add_number(out, all, all);
        buf_add_str(out, " undecided");
        return;
    }
    buf_add_str(out, "No change found");
    if (all > 1) {
        buf_add_str(out, " in ");
        add_number(out, all - undecided, all);
    }
    add_count(out, undecided, "undecided");
    vec_each (const struct compared_service, s, &c->services)
        if (s->verdict == VERDICT_UNCHANGED && !s->exact)
            smallest = fmax(smallest, s->smallest);
    if (powers && smallest > 0) {
        buf_add_str(out, "; of ");
        add_power(out, smallest);
    }
}

static void write_headline(struct buf *out, const struct comparison *c, bool powers)
{
    size_t broken = 0, one_sided = 0, quiet;

    vec_each (const struct budget_result, b, &c->budgets)
        broken += budget_is_broken(b);
    vec_each (const struct compared_service, s, &c->services)
        one_sided += compared_is_one_sided(s);
    quiet = comparison_count(c, VERDICT_UNCHANGED) + comparison_count(c, VERDICT_UNDECIDED);
    if (quiet && quiet == c->services.count && !broken && !one_sided) {
        add_quiet(out, c, powers);
        return;
    }
    buf_printf(out, "%zu of %zu %s worse", comparison_count(c, VERDICT_WORSE), c->services.count,
               c->services.count == 1 ? "service" : "services");
    add_count(out, one_sided, "on one side only");
    add_count(out, comparison_count(c, VERDICT_BETTER), "better");
    add_count(out, comparison_count(c, VERDICT_ACCEPTED), "accepted");
    add_count(out, comparison_count(c, VERDICT_UNCHANGED), "unchanged");
    add_count(out, comparison_count(c, VERDICT_UNDECIDED) - one_sided, "undecided");
    add_count(out, broken, broken == 1 ? "budget broken" : "budgets broken");
}

void verdicts_headline(struct buf *out, const struct comparison *c)
{
    write_headline(out, c, true);
}

const struct finding *verdicts_decisive(const struct compared_service *s)
{
    vec_each (const struct finding, f, &s->findings) {
        bool better = f->verdict == VERDICT_BETTER || f->verdict == VERDICT_GONE;

        if (f->through.len)
            continue;
        if ((s->verdict == VERDICT_WORSE && finding_counts(f)) ||
            (s->verdict == VERDICT_BETTER && better) ||
            (s->verdict == VERDICT_ACCEPTED && f->accepted.len))
            return f;
    }
    return NULL;
}

void verdicts_order(const struct comparison *c, struct verdicts_list *out)
{
    static const enum verdict order[] = {VERDICT_WORSE, VERDICT_BETTER, VERDICT_ACCEPTED,
                                         VERDICT_UNDECIDED, VERDICT_UNCHANGED};

    vec_each (const struct compared_service, s, &c->services)
        if (compared_is_one_sided(s))
            *vec_add(out) = s;
    for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
        vec_each (const struct compared_service, s, &c->services)
            if (s->verdict == order[i] && !compared_is_one_sided(s))
                *vec_add(out) = s;
}

static void add_percent(struct buf *out, double share)
{
    percent_write(out, share, PERCENT_TABLE);
    buf_add_str(out, " %");
}

static void add_points(struct buf *out, double change)
{
    percent_write_points(out, change, PERCENT_TABLE);
}

static const char *state_word(const struct finding *f)
{
    static const char *const words[] = {
        [VERDICT_WORSE] = "",
        [VERDICT_BETTER] = "",
        [VERDICT_NEW] = " is new",
        [VERDICT_GONE] = " is gone",
        [VERDICT_MOVED] = " moved",
        [VERDICT_RENAMED] = " is renamed",
        [VERDICT_UNDECIDED] = "",
        [VERDICT_UNCHANGED] = "",
        [VERDICT_ACCEPTED] = "",
        [VERDICT_INLINED] = " is now inlined in ",
        [VERDICT_OUTLINED] = " is no longer inlined in ",
    };

    return words[f->verdict];
}

void verdicts_weight(struct buf *out, const struct compared_service *s, const struct finding *f)
{
    const struct unit_scale scale = {s->unit, s->decimals, 1};
    bool more = f->new_weight >= f->base_weight;

    buf_add_char(out, more ? '+' : '-');
    unit_write_plain(out, &scale,
                     more ? f->new_weight - f->base_weight : f->base_weight - f->new_weight);
}

void verdicts_since(struct buf *out, const struct finding *f, verdicts_add_fn *add)
{
    add(out, f->since);
    if (!slice_equal(f->since_earliest, f->since_latest)) {
        buf_add_str(out, " (");
        add(out, f->since_earliest);
        buf_add_str(out, " to ");
        add(out, f->since_latest);
        buf_add_char(out, ')');
    }
    if (f->undoes.len) {
        buf_add_str(out, "; came with ");
        add(out, f->undoes);
        buf_add_str(out, ", went with ");
        add(out, f->since);
    }
}

void verdicts_finding_with(struct buf *out, const struct compared_service *s,
                           const struct finding *f, verdicts_add_fn *add)
{
    add(out, f->function);
    if (f->scope == COMPARE_SELF && !finding_is_inlined(f))
        buf_add_str(out, " (self)");
    buf_add_str(out, state_word(f));
    if (finding_is_inlined(f)) {
        add(out, f->through);
        buf_add_str(out, "; together");
    }
    if (f->renamed_from.len) {
        buf_add_str(out, f->verdict == VERDICT_RENAMED ? ": it was " : ", which was ");
        add(out, f->renamed_from);
    }
    if (f->verdict == VERDICT_RENAMED)
        return;
    buf_add_str(out, ": ");
    if (s->exact) {
        struct buf weight = {0};

        verdicts_weight(&weight, s, f);
        add(out, buf_slice(&weight));
        buf_release(&weight);
        buf_add_str(out, " (");
        add_points(out, f->change);
        buf_add_str(out, " % of the base)");
    } else {
        add_points(out, f->change);
        buf_add_str(out, " points (");
        add_points(out, f->low);
        buf_add_str(out, " to ");
        add_points(out, f->high);
        buf_add_char(out, ')');
    }
    if (f->since.len) {
        buf_add_str(out, ", since ");
        verdicts_since(out, f, add);
    }
    if (f->confirmed)
        buf_add_str(out, ", confirmed");
    if (f->accepted.len) {
        buf_add_str(out, ", accepted: ");
        add(out, f->accepted);
    }
}

void verdicts_finding(struct buf *out, const struct compared_service *s, const struct finding *f)
{
    verdicts_finding_with(out, s, f, buf_add_slice);
}

void verdicts_service(struct buf *out, const struct compared_service *s)
{
    size_t shown = 0;

    if (s->verdict == VERDICT_UNDECIDED) {
        buf_add_slice(out, s->reason);
        return;
    }
    if (s->verdict == VERDICT_UNCHANGED) {
        vec_each (const struct finding, f, &s->findings)
            shown += verdicts_shows(f) && f->verdict != VERDICT_RENAMED && !finding_is_inlined(f);
        buf_add_str(out, shown ? "no other change found" : "no change found");
        buf_add_str(out, s->exact ? " in exact counts" : "; of ");
    } else {
        buf_add_str(out, s->exact ? "exact counts" : "of other changes of ");
    }
    if (!s->exact)
        add_power(out, s->smallest);
}

/* Points, or per cent of the base's total for exact counts. */
static void add_change(struct buf *out, const struct compared_service *s, const struct finding *f)
{
    add_points(out, f->change);
    buf_add_str(out, s->exact ? " % of the base" : " points");
}

/* Whether a budget is broken or a service missing, which is worse news than a better service. */
static bool is_broken(const struct comparison *c)
{
    vec_each (const struct budget_result, b, &c->budgets) {
        if (budget_is_broken(b))
            return true;
    }
    vec_each (const struct compared_service, s, &c->services) {
        if (compared_is_one_sided(s))
            return true;
    }
    return false;
}

void verdicts_subject(struct buf *out, const struct comparison *c, verdicts_add_fn *add)
{
    struct verdicts_list services = {0};
    const struct compared_service *first = NULL;

    verdicts_order(c, &services);
    for (size_t i = services.count; i-- > 0;)
        if (services.items[i]->verdict != VERDICT_ACCEPTED && verdicts_decisive(services.items[i]))
            first = services.items[i];
    vec_release(&services);
    add(out, c->new);
    buf_add_str(out, ": ");
    if (first && (first->verdict == VERDICT_WORSE || !is_broken(c))) {
        const struct finding *f = verdicts_decisive(first);
        size_t more = comparison_count(c, first->verdict) - 1;
        struct slice word = compare_verdict_word(first->verdict);

        add(out, first->title);
        buf_printf(out, " %.*s, ", SLICE_ARG(word));
        add(out, f->function);
        buf_add_char(out, ' ');
        add_change(out, first, f);
        if (more)
            buf_printf(out, "; %zu more %.*s", more, SLICE_ARG(word));
    } else {
        size_t start = out->len;

        write_headline(out, c, false);
        out->ptr[start] = ascii_lower(out->ptr[start]);
    }
}

void verdicts_picture(struct buf *out, const struct compared_service *s, const struct finding *f)
{
    buf_printf(out, "%.*s: %.*s, %.*s share ", SLICE_ARG(s->title), SLICE_ARG(f->function),
               SLICE_ARG(compare_scope_word(f->scope)));
    add_percent(out, f->base);
    buf_add_str(out, " before and ");
    add_percent(out, f->new);
    buf_add_str(out, " after, ");
    add_change(out, s, f);
}

/* Appends the amount of a weight that is no whole number. */
static void add_weight(struct buf *out, const struct compared_service *s, double weight)
{
    const double amount = fmin(fabs(weight), 1e18); /* that of a file may be anything */
    const unsigned finer = amount < 1e9 ? 4 : 0;
    const struct unit_scale scale = {s->unit, s->decimals + finer, 1};
    const double number = amount / pow(10, s->decimals);

    /* Time and bytes have smaller units, a count has none. */
    if (s->unit.kind == UNIT_COUNT && number < 10 && number != floor(number)) {
        buf_printf(out, "%.3g %.*s", number, SLICE_ARG(s->unit.noun));
        return;
    }
    unit_write_short(out, &scale, (uint64_t)llround(amount * pow(10, finer)));
}

bool verdicts_tells_cost(const struct compared_service *s)
{
    const struct compared_cost *cost = &s->cost;

    return cost->base > 0 && cost->new > 0 && cost->change != 0 &&
           (verdicts_decisive(s) || (cost->has_interval && (cost->low > 0 || cost->high < 0)));
}

void verdicts_cost(struct buf *out, const struct compared_service *s, verdicts_add_fn *add)
{
    const struct compared_cost *cost = &s->cost;
    const struct finding *f = verdicts_decisive(s);

    if (!(cost->base > 0) || !(cost->new > 0))
        return;
    buf_add_str(out, "cost: ");
    add_weight(out, s, cost->new);
    buf_printf(out, " a %.*s, was ", SLICE_ARG(budgets_basis(cost->basis)));
    add_weight(out, s, cost->base);
    buf_add_str(out, " (");
    add_points(out, cost->change);
    buf_add_str(out, " %");
    if (cost->has_interval) {
        buf_add_str(out, ", ");
        add_points(out, cost->low);
        buf_add_str(out, " to ");
        add_points(out, cost->high);
    }
    buf_add_char(out, ')');
    if (f) {
        double own = (double)f->new_weight / cost->exposure[STATS_NEW] -
                     (double)f->base_weight / cost->exposure[STATS_BASE];
        double all = cost->new - cost->base;
        bool is_part = own * all > 0 && fabs(own) <= fabs(all);

        buf_add_str(out, is_part ? "; of it " : "; alone ");
        add(out, f->function);
        buf_add_str(out, own < 0 ? " -" : " +");
        add_weight(out, s, own);
    }
}

static void add_sides(struct buf *out, uint64_t base, uint64_t new, const char *what)
{
    num_write_grouped(out, base, 0);
    buf_add_str(out, " and ");
    num_write_grouped(out, new, 0);
    buf_printf(out, " %s", what);
}

void verdicts_normalized(struct buf *out, const struct compared_service *s)
{
    if (s->normalized)
        buf_printf(out,
                   "%zu %s under several names, which differ in generated parts only and are "
                   "compared as one, such as %.*s and %.*s",
                   s->normalized, s->normalized == 1 ? "function runs" : "functions run",
                   SLICE_ARG(s->normalized_names[0]), SLICE_ARG(s->normalized_names[1]));
}

void verdicts_runs(struct buf *out, const struct compared_service *s)
{
    const struct compared_side *base = &s->sides[STATS_BASE], *new = &s->sides[STATS_NEW];

    add_sides(out, base->runs, new->runs, "runs");
    if (base->samples && new->samples) {
        buf_add_str(out, ", ");
        add_sides(out, base->samples, new->samples, "samples");
    }
}

static void add_total_budget(struct buf *out, const struct budget_result *b, verdicts_add_fn *add)
{
    struct slice basis = budgets_basis(b->kind);

    buf_add_str(out, "total of ");
    add(out, b->title);
    buf_printf(out, " for each %.*s", SLICE_ARG(basis));
    if (b->base > 0 && b->new > 0) {
        buf_add_str(out, " changed by ");
        add_points(out, b->new / b->base - 1);
        buf_add_str(out, " %; its growth may be ");
        add_percent(out, b->max_growth);
    } else {
        buf_add_str(out, " is not known");
    }
}

void verdicts_budget_with(struct buf *out, const struct budget_result *b, verdicts_add_fn *add)
{
    if (budgets_basis(b->kind).len) {
        add_total_budget(out, b, add);
        return;
    }
    buf_add_str(out, b->kind == BUDGET_SEARCH ? "search " : "function ");
    add(out, b->name);
    buf_add_str(out, " of ");
    add(out, b->title);
    buf_add_str(out, " has ");
    add_percent(out, b->new);
    if (b->growth_broken) {
        buf_add_str(out, ", ");
        add_points(out, b->new - b->base);
        buf_add_str(out, " points; its growth may be ");
        percent_write(out, b->max_growth, PERCENT_TABLE);
        buf_add_str(out, " points");
    }
    if (b->share_broken || (!b->growth_broken && b->max_share < 1)) {
        buf_add_str(out, "; its limit is ");
        add_percent(out, b->max_share);
    }
}

void verdicts_budget(struct buf *out, const struct budget_result *b)
{
    verdicts_budget_with(out, b, buf_add_slice);
}

bool verdicts_budgets_hold(const struct comparison *c)
{
    vec_each (const struct budget_result, b, &c->budgets) {
        bool known = !budgets_basis(b->kind).len || (b->base > 0 && b->new > 0);

        if (!known || budget_is_broken(b))
            return false;
    }
    return c->budgets.count > 0;
}

uint64_t verdicts_fingerprint(const struct compared_service *s, const struct finding *f)
{
    uint64_t hash = hash_bytes(s->name.ptr, s->name.len);

    hash = hash_mix(hash, hash_bytes(s->event.ptr, s->event.len));
    hash = hash_mix(hash, hash_bytes(f->key.ptr, f->key.len));
    return hash_mix(hash, (uint64_t)f->scope);
}
