#include "options/make.h"

#include "base/num.h"
#include "options/conflicts.h"

enum { NS_DECIMALS = 9 };

static void copy_names(struct names_wanted *to, const struct strings *from)
{
    vec_each (const char *const, name, from)
        *vec_add(to) = slice_str(*name);
}

static unsigned how_to_search(const struct options *o)
{
    return (o->ignore_case ? SEARCH_IGNORE_CASE : 0) | (o->literal ? SEARCH_TEXT : 0);
}

/* Values that are added to a recipe, and what is wrong with them. */
struct adding {
    struct diag_place place;
    struct diag *diag;
    struct buf why; /* of the last value, if it could not be added */
    bool failed;
};

/* Reports a value that could not be added. */
static void report_value(struct adding *a, bool added, const char *option, const char *value)
{
    if (added)
        return;
    diag_add(a->diag, DIAG_ERROR, a->place, "option %s: %s in '%s'", option, buf_string(&a->why),
             value);
    buf_clear(&a->why);
    a->failed = true;
}

static void add_filters(struct recipe *r, const struct options *o, struct adding *a)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        vec_each (const char *const, pattern, &o->filters[role])
            report_value(a,
                         filter_add(&r->filter, (enum filter_role)role, slice_str(*pattern),
                                    how_to_search(o), &a->why),
                         filter_options[role], *pattern);
}

static void add_searches(struct recipe *r, const struct options *o, struct adding *a)
{
    vec_each (const struct search, s, &o->searches) {
        if (search_list_add(&r->searches, s->name, s->pattern, how_to_search(o), &a->why))
            continue;
        diag_add(a->diag, DIAG_ERROR, a->place, "search '%.*s': %s in %.*s", SLICE_ARG(s->name),
                 buf_string(&a->why), SLICE_ARG(s->pattern));
        buf_clear(&a->why);
        a->failed = true;
    }
}

/* Compiles all patterns. Returns false after reporting those that do not compile. */
static bool add_patterns(struct recipe *r, const struct options *o, struct diag_place place,
                         struct diag *diag)
{
    struct adding a = {place, diag, {0}, false};

    add_filters(r, o, &a);
    add_searches(r, o, &a);
    vec_each (const char *const, rule, &o->renames)
        report_value(&a, rename_list_parse(&r->renames, slice_str(*rule), o->ignore_case, &a.why),
                     "--rename", *rule);
    vec_each (const char *const, mark, &o->marks)
        report_value(&a, mark_list_parse(&r->marks, slice_str(*mark), how_to_search(o), &a.why),
                     "--mark", *mark);
    buf_release(&a.why);
    return !a.failed;
}

static bool check_period(const struct recipe *r, struct diag_place place, struct diag *diag)
{
    struct buf from = {0}, to = {0};

    if (!r->from.given || !r->to.given || r->from.ns <= r->to.ns)
        return true;
    num_write_decimal(&from, r->from.ns, NS_DECIMALS);
    num_write_decimal(&to, r->to.ns, NS_DECIMALS);
    diag_add(diag, DIAG_ERROR, place, "--from %s is after --to %s", buf_string(&from),
             buf_string(&to));
    buf_release(&from);
    buf_release(&to);
    return false;
}

static bool complete_recipe(struct recipe *r, const struct options *o, const struct look *look,
                            struct diag_place place, struct diag *diag)
{
    bool ok;

    r->one_graph = !(o->command & (COMMAND_REPORT | COMMAND_CHECK | COMMAND_DIGEST));
    r->needs_pair = o->command == COMMAND_DIFF && o->paths.count + o->news.count < 2;
    r->only_stacks = o->command & COMMANDS_OF_STACKS;
    r->as_counted = o->command & COMMAND_FOLD;
    copy_names(&r->events, &o->events);
    copy_names(&r->processes, &o->processes);
    copy_names(&r->threads, &o->thread_names);
    copy_names(&r->states, &o->states);
    copy_names(&r->tags, &o->tags);
    r->timed = look->flamechart || r->from.given || r->to.given || recipe_is_of(r, KIND_HEATMAP);
    ok = add_patterns(r, o, place, diag);
    return check_period(r, place, diag) && ok;
}

/* Readers classify frames for everything but stacks as text, where the classes would be seen. */
static void complete_reading(struct input_options *input, const struct options *o,
                             const struct recipe *recipe)
{
    bool classes = !(o->command & COMMANDS_OF_STACKS);

    input->processes = o->processes.items;
    input->process_count = o->processes.count;
    input->threads = o->thread_names.items;
    input->thread_count = o->thread_names.count;
    input->states = o->states.items;
    input->state_count = o->states.count;
    input->tags = o->tags.items;
    input->tag_count = o->tags.count;
    input->chains = recipe_is_of(recipe, KIND_CHAIN);
    input->wakeups = recipe_is_of(recipe, KIND_WAKEUP);
    input->split_process = o->split == SPLIT_PROCESS;
    input->split_thread = o->split == SPLIT_THREAD;
    input->split_cpu = o->split == SPLIT_CPU;
    input->split_cgroup = o->split == SPLIT_CGROUP;
    input->join_states = classes && !o->annotate_all && !input->jit;
    input->kernel |= classes || o->annotate_all;
    input->jit |= classes || o->annotate_all;
    input->inlined |= classes;
    input->mark_idle = recipe->drop_idle;
    input->keeps_lines = input->srcline || o->command & COMMAND_FOLD;
    input->timed = recipe->timed;
}

static void complete_look(struct look *look, const struct options *o)
{
    look->spread = o->random         ? PALETTE_AT_RANDOM
                   : o->by_name_hash ? PALETTE_BY_ALPHABET
                                     : PALETTE_BY_HASH;
    /* Most site generators drop HTML that could choose between two PNGs: pages show the SVG. */
    look->dark_beside = o->dark_images && site_of(o->site)->html_dark;
}

bool options_make_plan(struct plan *plan, const struct options *o, struct diag_place place,
                       struct diag *diag)
{
    bool ok;

    *plan = o->plan;
    ok = conflicts_check(o, place, diag);
    ok = complete_recipe(&plan->recipe, o, &plan->look, place, diag) && ok;
    complete_reading(&plan->reading, o, &plan->recipe);
    plan->recipe.max_memory = plan->reading.limits.max_memory;
    complete_look(&plan->look, o);
    return ok;
}

void options_make_comparison(struct compare_settings *settings, const struct options *o)
{
    settings->measure = o->compare.measure;
    settings->stats.min_change = o->compare.min_change / 100;
    settings->stats.min_share = o->compare.min_share / 100;
    settings->stats.rate = o->compare.fdr / 100;
    settings->stats.min_count = o->compare.min_samples;
    settings->min_runs = o->compare.min_runs;
}
