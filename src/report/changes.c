#include "report/changes.h"

#include <math.h>

#include "base/name_list.h"
#include "base/num.h"
#include "base/percent.h"
#include "profile/event.h"
#include "report/display.h"
#include "report/sparkline.h"
#include "report/verdicts.h"

/* The most bytes of a name in an address. */
enum { ADDRESS_MOST = DISPLAY_NAME };

/* Half the width of the box that shows an interval. */
static const double half = 100;

struct filling {
    struct report_comparison *out;
    const struct comparison *from;
    struct arena *memory;
    struct buf text;
    double most; /* the largest end of an interval, in parts of 1 */
};

static struct slice take(struct filling *f)
{
    struct slice text = display_text(f->memory, buf_slice(&f->text), 4 * DISPLAY_NAME);

    buf_clear(&f->text);
    return text;
}

static struct slice show(struct filling *f, struct slice text)
{
    return display_text(f->memory, text, DISPLAY_NAME);
}

static struct slice address(struct filling *f, struct slice name)
{
    return name.len > ADDRESS_MOST ? SLICE("") : arena_copy(f->memory, name);
}

static struct slice percent(struct filling *f, double part)
{
    percent_write(&f->text, part, PERCENT_TABLE);
    return take(f);
}

static struct slice points(struct filling *f, double part)
{
    percent_write_points(&f->text, part, PERCENT_TABLE);
    return take(f);
}

static struct slice interval(struct filling *f, const struct compared_service *s,
                             const struct finding *finding)
{
    if (s->exact)
        return SLICE("");
    percent_write_points(&f->text, finding->low, PERCENT_TABLE);
    buf_add_str(&f->text, " to ");
    percent_write_points(&f->text, finding->high, PERCENT_TABLE);
    return take(f);
}

static struct slice since(struct filling *f, const struct finding *finding)
{
    if (finding->since.len)
        verdicts_since(&f->text, finding, buf_add_slice);
    return show(f, take(f));
}

static struct slice both(struct filling *f, uint64_t base, uint64_t new)
{
    num_write_grouped(&f->text, base, 0);
    buf_add_str(&f->text, " and ");
    num_write_grouped(&f->text, new, 0);
    return take(f);
}

static struct slice runs(struct filling *f, const struct compared_service *s)
{
    return both(f, s->sides[STATS_BASE].runs, s->sides[STATS_NEW].runs);
}

static struct slice samples(struct filling *f, const struct compared_service *s)
{
    uint64_t base = s->sides[STATS_BASE].samples, new = s->sides[STATS_NEW].samples;

    return base && new ? both(f, base, new) : SLICE("");
}

/* ---- cards ----------------------------------------------------------------------------------- */

/* Whether a finding has a card: a change of cost that no other finding explains. */
static bool has_card(const struct finding *finding)
{
    return verdicts_shows(finding) &&
           (finding->verdict == VERDICT_WORSE || finding->verdict == VERDICT_NEW ||
            finding->verdict == VERDICT_BETTER || finding->verdict == VERDICT_GONE);
}

/* Cards are in the order of their ranks. */
enum { RANK_COUNTS, RANK_BETTER, RANK_ACCEPTED, RANKS };

static int rank_of(const struct finding *finding)
{
    if (finding->accepted.len)
        return RANK_ACCEPTED;
    return finding_counts(finding) ? RANK_COUNTS : RANK_BETTER;
}

static double x_of(const struct filling *f, double part)
{
    return f->most > 0 ? half + half * part / f->most : half;
}

/* The interval as a bar, and the change as a line across it. */
static void add_bar(struct filling *f, struct report_change *card)
{
    const struct finding *finding = card->finding;
    double low = x_of(f, finding->low), high = x_of(f, finding->high);
    double at = x_of(f, finding->change);

    buf_printf(&f->text, "M%.1f 3H%.1fV9H%.1fZ", low, high, low);
    card->bar = take(f);
    buf_printf(&f->text, "M%.1f 0V12", at);
    card->mark = take(f);
}

/* The functions that changed because this one did. */
static struct slice through(struct filling *f, const struct compared_service *s,
                            const struct finding *cause)
{
    enum { NAMED = 4 };
    struct name_list names = {.out = &f->text, .most = NAMED};

    vec_each (const struct finding, other, &s->findings)
        if (other->through.len && slice_equal(other->through, cause->function))
            name_list_add(&names, other->function);
    name_list_end(&names);
    return take(f);
}

static struct slice ticket(struct filling *f, const struct compared_service *s,
                           const struct finding *finding)
{
    buf_printf(&f->text, "%.*s: ", SLICE_ARG(s->title));
    verdicts_finding(&f->text, s, finding);
    buf_printf(&f->text, "; %.*s against %.*s, ", SLICE_ARG(f->from->new),
               SLICE_ARG(f->from->base));
    verdicts_runs(&f->text, s);
    return take(f);
}

static struct slice about(struct filling *f, const struct compared_service *s,
                          const struct finding *finding)
{
    verdicts_picture(&f->text, s, finding);
    return take(f);
}

static struct slice weight(struct filling *f, const struct compared_service *s,
                           const struct finding *finding)
{
    if (s->exact)
        verdicts_weight(&f->text, s, finding);
    return take(f);
}

/* Whether the label before had the finding, too. */
static struct slice age(struct filling *f, const struct finding *finding)
{
    if (!f->from->has_history)
        return SLICE("");
    if (finding->confirmed)
        return SLICE("confirmed");
    buf_printf(&f->text, "new in %.*s", SLICE_ARG(f->from->new));
    return take(f);
}

/* "src/tax.c:12" */
static struct slice source(struct filling *f, const struct finding *finding)
{
    buf_add_slice(&f->text, show(f, finding->file));
    if (finding->line)
        buf_printf(&f->text, ":%u", finding->line);
    return take(f);
}

static void add_card(struct filling *f, const struct compared_service *s,
                     const struct finding *finding)
{
    struct report_comparison *out = f->out;
    struct report_change *card;

    if (out->cards.count == CHANGES_CARDS) {
        out->more++;
        return;
    }
    card = vec_add(&out->cards);
    *card = (struct report_change){
        .id = slice_str(arena_printf(f->memory, "finding-%zu", out->cards.count)),
        .service = show(f, s->title),
        .name = show(f, s->name),
        .owner = show(f, finding->owner.len ? finding->owner : s->owner),
        .verdict = compare_verdict_word(finding->verdict),
        .function = show(f, finding->function),
        .module = show(f, finding->module),
        .source = source(f, finding),
        .link = show(f, finding->link),
        .scope = compare_scope_word(finding->scope),
        .function_address = address(f, finding->function),
        .base = percent(f, finding->base),
        .new = percent(f, finding->new),
        .points = points(f, finding->change),
        .interval = interval(f, s, finding),
        .weight = weight(f, s, finding),
        .since = since(f, finding),
        .renamed_from = show(f, finding->renamed_from),
        .accepted = show(f, finding->accepted),
        .through = through(f, s, finding),
        .runs = runs(f, s),
        .samples = samples(f, s),
        .ticket = ticket(f, s, finding),
        .about = about(f, s, finding),
        .age = age(f, finding),
        .of = s,
        .finding = finding,
    };
    add_bar(f, card);
}

static void measure_most(struct filling *f)
{
    vec_each (const struct compared_service, s, &f->from->services)
        vec_each (const struct finding, finding, &s->findings)
            if (has_card(finding))
                f->most = fmax(f->most, fmax(fabs(finding->low), fabs(finding->high)));
}

static void add_cards(struct filling *f)
{
    measure_most(f);
    for (int rank = 0; rank < RANKS; rank++)
        vec_each (const struct compared_service, s, &f->from->services)
            vec_each (const struct finding, finding, &s->findings)
                if (has_card(finding) && rank_of(finding) == rank)
                    add_card(f, s, finding);
    if (f->out->more)
        f->out->more_text = slice_str(
            arena_printf(f->memory, "%zu more findings are in report.json", f->out->more));
}

/* ---- services -------------------------------------------------------------------------------- */

/* The first card of a service, which says why its verdict is what it is; or NULL. */
static const struct report_change *find_card(const struct filling *f,
                                             const struct compared_service *s)
{
    vec_each (const struct report_change, card, &f->out->cards)
        if (card->of == s && (!card->accepted.len || s->verdict == VERDICT_ACCEPTED))
            return card;
    return NULL;
}

/* The line of the function on the card, or of the heaviest one. */
static void add_levels(struct filling *f, struct report_verdict *row,
                       const struct compared_service *s, const struct report_change *card)
{
    const struct compare_levels *levels = card ? &card->finding->levels : &s->levels;

    sparkline_write(&f->text, levels->items, levels->count, 100, 20);
    row->levels = arena_copy(f->memory, buf_slice(&f->text));
    buf_clear(&f->text);
    if (!row->levels.len)
        return;
    buf_printf(&f->text, "%.*s, %.*s: ", SLICE_ARG(card ? card->function : s->heaviest),
               SLICE_ARG(compare_scope_word(card ? card->finding->scope : COMPARE_SELF)));
    sparkline_describe(&f->text, levels->items, levels->count);
    row->levels_about = take(f);
    f->out->has_levels = true;
}

static void add_service(struct filling *f, const struct compared_service *s)
{
    const struct report_change *card = find_card(f, s);
    struct report_verdict *row = vec_add(&f->out->services);

    *row = (struct report_verdict){
        .service = show(f, s->name),
        .event = show(f, s->event),
        .owner = show(f, s->owner),
        .verdict = compare_verdict_word(s->verdict),
        .runs = runs(f, s),
        .samples = samples(f, s),
        .reason = show(f, s->reason),
    };
    if (s->smallest < 1) {
        percent_write(&f->text, s->smallest, PERCENT_CAPTION);
        buf_add_str(&f->text, " points");
        row->smallest = take(f);
    } else if (s->tested) {
        row->smallest = s->exact ? SLICE("exact") : SLICE("above 25 points");
    }
    f->out->has_owners |= row->owner.len > 0;
    f->out->has_samples |= row->samples.len > 0;
    add_levels(f, row, s, card);
    if (!card)
        return;
    row->card = card->id;
    row->function = card->function;
    row->points = card->points;
    row->interval = card->interval;
    row->since = show(f, card->finding->since);
    f->out->has_since |= row->since.len > 0;
}

static void add_services(struct filling *f)
{
    struct verdicts_list services = {0};

    verdicts_order(f->from, &services);
    for (size_t i = 0; i < services.count; i++)
        add_service(f, services.items[i]);
    vec_release(&services);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void add_note(struct filling *f, const struct compared_service *s, struct slice text)
{
    *vec_add(&f->out->notes) = (struct report_note){show(f, s->title), text};
}

static void add_notes(struct filling *f)
{
    vec_each (const struct compared_service, s, &f->from->services) {
        verdicts_cost(&f->text, s, buf_add_slice);
        if (f->text.len)
            *vec_add(&f->out->costs) = (struct report_note){show(f, s->title), take(f)};
        if (s->reason.len)
            *vec_add(&f->out->not_compared) =
                (struct report_note){show(f, s->title), show(f, s->reason)};
        vec_each (const struct finding, finding, &s->findings) {
            if (!finding_is_noted(finding))
                continue;
            verdicts_finding(&f->text, s, finding);
            add_note(f, s, take(f));
        }
        verdicts_normalized(&f->text, s);
        if (f->text.len)
            add_note(f, s, take(f));
        vec_each (const struct slice, warning, &s->warnings)
            add_note(f, s, show(f, *warning));
    }
    vec_each (const struct budget_result, b, &f->from->budgets) {
        if (!budget_is_broken(b))
            continue;
        verdicts_budget(&f->text, b);
        *vec_add(&f->out->budgets) = (struct report_note){show(f, b->title), take(f)};
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

static struct slice measure_about(enum compare_measure measure)
{
    static const char *const about[] = {
        [COMPARE_REFERENCE] =
            ("Percentages are shares of the functions that did not change, so one "
             "function that grows does not make all others shrink."),
        [COMPARE_SHARE] = "Percentages are shares of the total.",
        [COMPARE_RATE] = "Percentages are weight per request or per second, relative to the base.",
    };

    return slice_str(about[measure]);
}

void report_changes_init(struct report_comparison *out, const struct comparison *c,
                         struct arena *memory)
{
    struct filling f = {.out = out, .from = c, .memory = memory};

    *out = (struct report_comparison){.data = c};
    vec_each (const struct compared_service, s, &c->services) {
        if (s->exact)
            out->exact_measure = SLICE("Percentages of exact counts are of the total of the base.");
        else if (!out->measure.len || s->measure == c->settings.measure)
            out->measure = measure_about(s->measure);
    }
    out->base = show(&f, c->base);
    out->new = show(&f, c->new);
    verdicts_headline(&f.text, c);
    out->headline = take(&f);
    add_cards(&f);
    add_services(&f);
    add_notes(&f);
    out->quiet = !out->cards.count && !out->budgets.count;
    out->budgets_hold = verdicts_budgets_hold(c);
    buf_release(&f.text);
}

void report_changes_link(struct report_comparison *r, const struct report_graph *g)
{
    vec_each (struct report_verdict, row, &r->services) {
        if (row->graph_name.len || !slice_equal(row->service, g->service) ||
            !slice_equal(event_base(row->event), event_base(g->event)))
            continue;
        row->graph_name = g->name;
        row->graph_anchor = g->anchor;
    }
}

void report_changes_release(struct report_comparison *r)
{
    release_all(r, vec, services, cards, budgets, costs, notes, not_compared);
}
