#include "cli/comparison_inputs.h"

#include "base/file.h"
#include "base/glob.h"
#include "base/name_list.h"
#include "base/num.h"
#include "base/release.h"
#include "batch/history.h"
#include "input/core/recording.h"
#include "profile/event.h"

/* Names a label after its directory: "2026-w07" of "profiles/2026-w07/". */
static struct slice label_name(const char *directory)
{
    struct slice path = slice_str(directory);

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return file_name_of(path);
}

/* Names a side after its paths: "w1, w2 and 3 more". */
static struct slice side_name(const struct strings *paths, struct arena *memory)
{
    struct buf text = {0};
    struct name_list names = {.out = &text, .most = 2};
    struct slice name;

    vec_each (const char *const, path, paths)
        name_list_add(&names, label_name(*path));
    name_list_end(&names);
    name = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    return name;
}

static const struct plan *plan_of(const void *config, const char *shown)
{
    return config_plan(config, shown);
}

static struct label_options reading_of(const struct comparison_request *request)
{
    return (struct label_options){
        .plan = request->plan,
        .plan_of = request->config ? plan_of : NULL,
        .context = request->config,
        .rules = request->config ? &request->config->services : NULL,
        .excluded = request->options->excluded.items,
        .excluded_count = request->options->excluded.count,
        .threads = options_threads(request->options),
    };
}

/* Reads the stacks of a label. Returns false after reporting why there are none. */
static bool read_stacks(struct label *l, const struct strings *paths,
                        const struct comparison_request *request, struct diag *diag)
{
    const struct label_options options = reading_of(request);

    return label_read(l, paths->items, paths->count, &options, diag);
}

static void show_inputs(const struct label *l, const struct command_job *job)
{
    for (size_t i = 0; l->diags && i < l->inputs.items.count; i++) {
        console_show(job->console, &l->diags[i]);
        console_show(job->console, &l->metas[i]);
    }
    job->outcome->failed += (unsigned)l->failed;
}

/* Adds a label without content. */
static struct label *add_empty(struct comparison_inputs *w, struct slice name, enum stats_side side)
{
    struct label *l = vec_add(&w->labels);

    *l = (struct label){0};
    *vec_add(&w->tables) = NULL;
    *vec_add(&w->sides) = (struct compare_label){.name = name, .side = side};
    return l;
}

/* Adds a label whose content is `read`, which is moved. */
static void add_read(struct comparison_inputs *w, struct label *read, struct slice name,
                     enum stats_side side)
{
    struct label *l = add_empty(w, name, side);
    struct compare_label *shown = &w->sides.items[w->sides.count - 1];

    *l = *read;
    *read = (struct label){0};
    shown->services = l->services.items;
    shown->count = l->services.count;
}

/* Reads a label and adds it. Returns false after reporting why there is none. */
static bool add_label(struct comparison_inputs *w, const struct strings *paths, struct slice name,
                      enum stats_side side, const struct comparison_request *request,
                      const struct command_job *job, struct diag *diag)
{
    struct label l = {0};
    bool ok = read_stacks(&l, paths, request, diag);

    show_inputs(&l, job);
    add_read(w, &l, name, side);
    return ok;
}

/* Reads the runs that are compared with the base, unless they are read already. */
static bool read_new(struct label *l, const struct comparison_request *request, struct diag *diag)
{
    if (!request->read)
        return read_stacks(l, request->new, request, diag);
    *l = (struct label){.services = *request->read};
    *request->read = (struct services){0};
    return true;
}

/* ---- a history ------------------------------------------------------------------------------- */

/* Returns true if the options filter stacks. Tables of functions are not filtered. */
static bool is_filtered(const struct options *o)
{
    const struct recipe *r = &o->plan.recipe;
    size_t filters = o->processes.count + o->thread_names.count + o->states.count + o->tags.count;

    for (size_t i = 0; i < FILTER_ROLES; i++)
        filters += o->filters[i].count;
    return filters || r->filter.group || r->filter.collapse_recursion || r->drop_idle ||
           r->from.given || r->to.given;
}

/* The labels of a history, and which of them are read how. */
struct history_use {
    struct history history;
    size_t first, last; /* labels of the base; those before it are its history */
    size_t end;         /* those between `last` and `end` are after the base */
};

/*
 * Finds the labels that `name` means: one, or "last-N". The label with the name of the new runs, at
 * `own`, and those after it are meant only by their names.
 */
static bool find_base(struct history_use *u, const char *directory, struct slice name, size_t own,
                      struct diag *diag)
{
    const struct history_label *base = name.len ? history_find(&u->history, name) : NULL;
    uint64_t last = 1;

    if (!u->history.labels.count)
        return diag_error(diag, "%s: the history has no labels", directory);
    if (base) {
        u->first = u->last = (size_t)(base - u->history.labels.items);
        u->end = own > u->last ? own : u->history.labels.count;
        return true;
    }
    if (name.len && (!slice_starts(name, SLICE("last-")) ||
                     !num_parse_u64(slice_skip(name, 5), &last) || !last))
        return diag_error(diag, "%s: no label '%.*s' in this history, whose newest is '%.*s'",
                          directory, SLICE_ARG(name),
                          SLICE_ARG(u->history.labels.items[u->history.labels.count - 1].name));
    if (!own)
        return diag_error(diag, "%s: the history has no label before '%.*s'", directory,
                          SLICE_ARG(u->history.labels.items[0].name));
    if (last > own)
        return diag_error(diag, "%s: the history has %zu label%s%s, not %.*s", directory, own,
                          own == 1 ? "" : "s",
                          own < u->history.labels.count ? " before that of these runs" : "",
                          SLICE_ARG(slice_skip(name, 5)));
    u->first = own - (size_t)last;
    u->last = own - 1;
    u->end = own;
    return true;
}

/*
 * Reads the tables of a label. They are made of its stacks if it has none, or if the options leave
 * stacks out.
 */
static bool read_tables(struct function_tables *t, struct comparison_inputs *w,
                        const struct history_label *label, const struct comparison_request *request,
                        const struct command_job *job, struct diag *diag)
{
    struct strings paths = {0};
    struct label stacks = {0};
    bool stored, ok;

    stored = (!is_filtered(request->options) || !label->has_stacks) &&
             history_read_tables(label, request->plan->reading.limits.max_size, t, diag);
    if (stored)
        compare_tables_rename(t, &request->plan->recipe.renames);
    if (stored || diag->counts[DIAG_ERROR])
        return stored;
    *vec_add(&paths) = arena_strdup(&w->memory, slice_str(label->path));
    ok = read_stacks(&stacks, &paths, request, diag);
    vec_each (const struct service, s, &stacks.services)
        compare_tables_add(t, s);
    show_inputs(&stacks, job);
    label_release(&stacks);
    vec_release(&paths);
    return ok;
}

static bool add_tables(struct comparison_inputs *w, const struct history_label *label,
                       const struct comparison_request *request, const struct command_job *job,
                       struct diag *diag)
{
    struct function_tables *t = xcalloc(1, sizeof(*t));

    add_empty(w, arena_copy(&w->memory, label->name), STATS_HISTORY);
    w->tables.items[w->tables.count - 1] = t;
    w->sides.items[w->sides.count - 1].tables = t;
    return read_tables(t, w, label, request, job, diag);
}

/* Adds the stacks of a label: to those of the base, or to confirm findings. */
static bool add_stacks(struct comparison_inputs *w, const struct history_label *label,
                       enum stats_side side, const struct comparison_request *request,
                       const struct command_job *job, struct diag *diag)
{
    struct strings paths = {0};
    bool ok;

    if (!label->has_stacks)
        return diag_error(diag,
                          "%s: this label has no stacks any more (archive --keep); choose a newer "
                          "one as the base",
                          label->path);
    *vec_add(&paths) = arena_strdup(&w->memory, slice_str(label->path));
    ok = add_label(w, &paths, arena_copy(&w->memory, label->name), side, request, job, diag);
    vec_release(&paths);
    return ok;
}

/* Loads the label whose findings confirm today's. Returns false if it has no stacks. */
static bool remember(struct comparison_inputs *w, const struct history_use *u, size_t label)
{
    const struct history_label *l = &u->history.labels.items[label];

    if (!l->has_stacks)
        return false;
    w->earlier = arena_strdup(&w->memory, slice_str(l->path));
    w->earlier_label = label;
    return true;
}

/*
 * Finds the label that confirms findings: the newest label if it is after the base, else the newest
 * one with stacks before the base.
 */
static void find_earlier(struct comparison_inputs *w, const struct history_use *u)
{
    size_t i = u->first;

    if (u->last + 1 < u->end)
        remember(w, u, u->end - 1);
    else if (u->first == u->last)
        while (i > 0 && !remember(w, u, i - 1))
            i--;
}

/* Reads the stacks of the label with which findings are confirmed. */
static bool read_earlier(struct comparison_inputs *w, const struct comparison_request *request,
                         const struct command_job *job, struct diag *diag)
{
    struct label *l = &w->labels.items[w->earlier_label];
    struct strings paths = {0};
    size_t findings = 0;
    bool ok;

    vec_each (const struct compared_service, s, &w->comparison.services)
        findings += s->findings.count;
    if (!w->earlier || !findings)
        return true;
    *vec_add(&paths) = w->earlier;
    ok = read_stacks(l, &paths, request, diag);
    w->sides.items[w->earlier_label].services = l->services.items;
    w->sides.items[w->earlier_label].count = l->services.count;
    show_inputs(l, job);
    vec_release(&paths);
    return ok;
}

/* Returns the index of the label with the name of the new runs; without one, that of the end. */
static size_t find_own(const struct history_use *u, struct slice new)
{
    const struct history_label *own = history_find(&u->history, new);

    return own ? (size_t)(own - u->history.labels.items) : u->history.labels.count;
}

/*
 * If the newest label has the new runs, as after `archive`, they must not count twice in the noise
 * or confirm themselves. As the base they leave nothing to find; other runs with the same counts
 * are possible only if the counts are exact.
 */
static bool leave_out_same(struct history_use *u, struct comparison_inputs *w,
                           const struct label *new, const struct comparison_request *request,
                           const struct command_job *job, struct diag *diag)
{
    const struct history_label *newest = &u->history.labels.items[u->end - 1];
    struct function_tables tables = {0};
    bool ok = read_tables(&tables, w, newest, request, job, diag);
    bool same = ok && compare_tables_hold(&tables, new->services.items, new->services.count);
    bool sampled = false;

    vec_each (const struct service, s, &new->services)
        sampled |= !s->exact;
    if (same && u->end - 1 > u->last)
        u->end--;
    else if (same && sampled)
        diag_warn(diag,
                  "the label '%.*s' has the runs that are compared with it, so nothing can "
                  "differ; name another label",
                  SLICE_ARG(newest->name));
    compare_tables_release(&tables);
    return ok;
}

/* Adds the labels of a history: those that are the base, and those before and after them. */
static bool add_history(struct comparison_inputs *w, const char *directory, struct slice name,
                        const struct label *new, const struct comparison_request *request,
                        const struct command_job *job, struct diag *diag)
{
    struct history_use u = {0};
    bool ok =
        history_read(&u.history, directory, SLICE(""), diag) &&
        find_base(&u, directory, name, find_own(&u, label_name(request->new->items[0])), diag) &&
        leave_out_same(&u, w, new, request, job, diag);

    history_warn(&u.history, diag);
    for (size_t i = 0; ok && i < u.first; i++)
        ok = add_tables(w, &u.history.labels.items[i], request, job, diag);
    if (ok)
        find_earlier(w, &u);
    for (size_t i = u.first; ok && i <= u.last; i++)
        ok = add_stacks(w, &u.history.labels.items[i], STATS_BASE, request, job, diag);
    for (size_t i = u.last + 1; ok && i < u.end; i++)
        ok = add_tables(w, &u.history.labels.items[i], request, job, diag);
    history_release(&u.history);
    return ok;
}

static bool add_base(struct comparison_inputs *w, const struct label *new,
                     const struct comparison_request *request, const struct command_job *job,
                     struct diag *diag)
{
    const char *directory;
    struct slice label;

    if (request->base->count == 1 &&
        history_split(request->base->items[0], &w->memory, &directory, &label))
        return add_history(w, directory, label, new, request, job, diag);
    return add_label(w, request->base, side_name(request->base, &w->memory), STATS_BASE, request,
                     job, diag);
}

/* ---- single files ---------------------------------------------------------------------------- */

static bool is_stdin(const struct strings *paths)
{
    return paths->count == 1 && file_is_standard(paths->items[0]);
}

static bool are_files(const struct strings *paths)
{
    bool files = paths->count > 0;

    vec_each (const char *const, path, paths)
        files &=
            file_kind(*path) != FILE_DIRECTORY || recording_is_directory(*path) || is_stdin(paths);
    return files;
}

/* Returns the name that all services have, or an empty slice. */
static struct slice only_name(const struct services *services)
{
    vec_each (const struct service, s, services)
        if (!slice_equal(s->name, services->items[0].name))
            return SLICE("");
    return services->count ? services->items[0].name : SLICE("");
}

static void rename_services(struct services *services, struct slice name)
{
    vec_each (struct service, s, services)
        s->name = arena_copy(&s->profile.strings, name);
}

static bool units_fit(const struct unit *a, const struct unit *b)
{
    return unit_is_same(a, b) || (a->kind == UNIT_SECONDS && b->kind == UNIT_SECONDS);
}

static bool has_event(const struct services *services, struct slice event)
{
    vec_each (const struct service, s, services)
        if (slice_equal(event_base(s->event), event_base(event)))
            return true;
    return false;
}

/*
 * Gives the base the event of the new runs if just one event of each side is not on the other side
 * and counts in the same unit: tools have different names for one event.
 */
static void match_events(struct services *base, const struct services *new, struct diag *diag)
{
    struct service *before = NULL;
    const struct service *after = NULL;
    size_t pairs = 0;

    vec_each (struct service, b, base)
        vec_each (const struct service, n, new)
            if (!has_event(new, b->event) && !has_event(base, n->event) && b->exact == n->exact &&
                units_fit(&b->unit, &n->unit)) {
                before = b;
                after = n;
                pairs++;
            }
    if (pairs != 1)
        return;
    if (before->event.len && after->event.len)
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "%.*s of the base is compared with %.*s",
                 SLICE_ARG(before->event), SLICE_ARG(after->event));
    before->event = arena_copy(&before->profile.strings, after->event);
}

/*
 * Files that are named, not found in a directory, are compared whatever their names are, if those
 * of each side are runs of one service.
 */
static void match_files(struct label *base, struct label *new,
                        const struct comparison_request *request, struct diag *diag)
{
    struct slice names[2] = {only_name(&base->services), only_name(&new->services)};

    if (!names[0].len || !names[1].len || !are_files(request->base) || !are_files(request->new))
        return;
    if (is_stdin(request->new) && !request->new_is_known)
        rename_services(&new->services, names[0]);
    else
        rename_services(&base->services, names[1]);
    match_events(&base->services, &new->services, diag);
}

/* ---- several directories of a side ----------------------------------------------------------- */

/* Returns whether a service of the base has a name of the new side. */
static bool has_pair(const struct comparison_inputs *w, const struct services *new)
{
    vec_each (const struct compare_label, side, &w->sides)
        for (size_t i = 0; side->side == STATS_BASE && i < side->count; i++)
            vec_each (const struct service, n, new)
                if (slice_equal(side->services[i].name, n->name))
                    return true;
    return false;
}

/* Whether a side has several paths, of which one at least is a directory of profiles. */
static bool has_directories(const struct strings *paths)
{
    bool found = false;

    vec_each (const char *const, path, paths)
        found |= file_kind(*path) == FILE_DIRECTORY && !recording_is_directory(*path);
    return found && paths->count > 1;
}

/*
 * Reads a side again, if it has several directories, with services that are named by the paths
 * below each. Messages about its files have been shown.
 */
static void read_apart(struct label *l, const struct strings *paths,
                       const struct comparison_request *request)
{
    struct label_options options = reading_of(request);
    struct label again;
    struct diag shown;

    if (!has_directories(paths))
        return;
    options.apart = true;
    diag_init(&shown, SLICE(""));
    if (label_read(&again, paths->items, paths->count, &options, &shown)) {
        label_release(l);
        *l = again;
    } else {
        label_release(&again);
    }
    diag_release(&shown);
}

/*
 * Services are named by the paths below the directory that all files of a side have in common, as
 * in a report: "web-orders" of web/orders.1.perf and db/orders.1.perf. If nothing is on both sides
 * then, the directories of a side are several weeks, and "orders" is a service of each.
 */
static void match_directories(struct comparison_inputs *w, struct label *new,
                              const struct comparison_request *request)
{
    struct label *base = w->labels.items;

    if (request->new_is_known || has_pair(w, &new->services))
        return;
    read_apart(base, request->base, request);
    w->sides.items[0].services = base->services.items;
    w->sides.items[0].count = base->services.count;
    read_apart(new, request->new, request);
}

/* ---- both sides ------------------------------------------------------------------------------ */

/* Adds the runs of a service of one label to the services of all labels of the base. */
static void pool_service(struct comparison_inputs *w, struct service *s, struct slice label)
{
    struct service *to = NULL;

    vec_each (struct service, known, &w->pooled)
        if (slice_equal(known->name, s->name) &&
            service_takes(known, &s->profile, s->runs.items[0].series))
            to = known;
    if (!to) {
        to = vec_add(&w->pooled);
        service_init(to, s->name);
    }
    vec_each (const struct run, run, &s->runs)
        service_add_run(to,
                        slice_str(arena_printf(&w->memory, "%.*s/%.*s", SLICE_ARG(label),
                                               SLICE_ARG(run->name))),
                        &s->profile, run->series);
}

/* Sets the services of both sides, for pictures. The comparison is made. */
static void set_services(struct comparison_inputs *w)
{
    size_t bases = 0;

    vec_each (const struct compare_label, side, &w->sides)
        bases += side->side == STATS_BASE;
    for (size_t i = 0; i < w->labels.count; i++) {
        struct services *services = &w->labels.items[i].services;

        if (w->sides.items[i].side == STATS_NEW)
            w->new = services;
        else if (w->sides.items[i].side == STATS_BASE && bases == 1)
            w->base = services;
        else if (w->sides.items[i].side == STATS_BASE)
            vec_each (struct service, s, services)
                pool_service(w, s, w->sides.items[i].name);
    }
    w->base = bases == 1 ? w->base : &w->pooled;
}

/* Appends what a service counts: "samples of cycles". */
static void add_counted(struct buf *out, const struct compared_service *s)
{
    struct slice unit = unit_word(&s->unit);

    buf_add(out, unit.ptr, unit.len);
    if (s->event.len && !slice_equal(s->event, unit))
        buf_printf(out, " of %.*s", SLICE_ARG(s->event));
}

/* Reports that the runs of one service count different events. */
static void report_events(const struct compared_service *base, const struct compared_service *new,
                          enum diag_level level, struct diag *diag)
{
    struct buf text = {0};

    add_counted(&text, base);
    buf_add_str(&text, ", and the new runs have ");
    add_counted(&text, new);
    diag_add(diag, level, DIAG_AT_FILE, "nothing is compared: of '%.*s' the base has %s",
             SLICE_ARG(base->name), buf_string(&text));
    buf_release(&text);
}

/* Returns whether a service has the name, and whether any run has the function. */
static bool budget_applies(const struct comparison *c, const struct compare_budget *b,
                           bool *is_found)
{
    struct arena memory = {0};
    const char *pattern = arena_strdup(&memory, b->service);
    bool applies = false;

    vec_each (const struct budget_result, r, &c->budgets)
        if (r->kind == b->kind && slice_equal(r->name, b->name) &&
            glob_matches(pattern, arena_strdup(&memory, r->service))) {
            applies = true;
            *is_found |= r->base > 0 || r->new > 0;
        }
    arena_release(&memory);
    return applies;
}

/* Warns of budgets that limit nothing: a wrong name would never be noticed. */
static void warn_budgets(const struct comparison *c, struct diag *diag)
{
    vec_each (const struct compare_budget, b, &c->settings.budgets) {
        bool is_found = false;

        if (!budget_applies(c, b, &is_found))
            diag_warn(diag, "a budget limits nothing: no service is called '%.*s'",
                      SLICE_ARG(b->service));
        else if (!is_found && b->kind == BUDGET_FUNCTION)
            diag_warn(diag, "a budget limits nothing: no run has the function '%.*s'",
                      SLICE_ARG(b->name));
    }
}

/* Whether a comparison of nothing is a failure: nothing may depend on reports and digests. */
static bool is_gate(const struct options *o)
{
    return o->command == COMMAND_CHECK || o->fail_on == FAIL_ON_WORSE;
}

/* Names the services that one side alone has, beside others that are compared. */
static void report_one_sided(const struct comparison *c, const struct options *o, struct diag *diag)
{
    static const char *const sides[] = {
        [STATS_BASE] = "the base has", [STATS_NEW] = "the new runs have"};

    for (int side = STATS_BASE; side <= STATS_NEW; side++) {
        struct buf text = {0};
        struct name_list names = {.out = &text, .most = 5};

        vec_each (const struct compared_service, s, &c->services)
            if (compared_is_one_sided(s) && s->sides[side].runs)
                name_list_add(&names, s->title);
        name_list_end(&names);
        if (names.count)
            diag_add(diag, o->strict ? DIAG_ERROR : DIAG_WARNING, DIAG_AT_FILE,
                     "only %s %s; %s not compared", sides[side], buf_string(&text),
                     names.count == 1 ? "it is" : "they are");
        buf_release(&text);
    }
}

/* Reports that no service has runs on both sides: often one service has two names. */
static void report_apart(const struct comparison_inputs *w, const struct options *o,
                         struct outcome *outcome, struct diag *diag)
{
    const enum diag_level level = is_gate(o) ? DIAG_ERROR : DIAG_WARNING;
    const struct compared_service *only[2] = {NULL, NULL}; /* by side */

    vec_each (const struct compared_service, s, &w->comparison.services) {
        if (!compared_is_one_sided(s)) {
            report_one_sided(&w->comparison, o, diag);
            return;
        }
        only[s->sides[STATS_BASE].runs ? STATS_BASE : STATS_NEW] = s;
    }
    outcome->apart = is_gate(o);
    if (!only[STATS_BASE] || !only[STATS_NEW])
        diag_add(diag, level, DIAG_AT_FILE, "nothing is compared: only %s has runs",
                 only[STATS_BASE] ? "the base" : "the new side");
    else if (slice_equal(only[STATS_BASE]->name, only[STATS_NEW]->name))
        report_events(only[STATS_BASE], only[STATS_NEW], level, diag);
    else
        diag_add(diag, level, DIAG_AT_FILE,
                 "nothing is compared: only the base has '%.*s', only the new runs have '%.*s'; "
                 "the files of a service have one name, or 'services' in flamepress.yml gives one",
                 SLICE_ARG(only[STATS_BASE]->name), SLICE_ARG(only[STATS_NEW]->name));
}

bool comparison_inputs_init(struct comparison_inputs *w, const struct comparison_request *request,
                            const struct command_job *job)
{
    const struct compare_settings *settings = &request->settings;
    struct label new = {0};
    struct diag diag;
    bool ok;

    *w = (struct comparison_inputs){0};
    diag_init(&diag, SLICE("flamepress"));
    ok = read_new(&new, request, &diag);
    if (!request->new_is_known)
        show_inputs(&new, job);
    ok = ok && add_base(w, &new, request, job, &diag);
    if (ok && w->labels.count == 1)
        match_files(w->labels.items, &new, request, &diag);
    if (ok)
        match_directories(w, &new, request);
    add_read(w, &new, side_name(request->new, &w->memory), STATS_NEW);
    if (ok) {
        comparison_init(&w->comparison, w->sides.items, w->sides.count, settings);
        w->compared = true;
        report_apart(w, request->options, job->outcome, &diag);
        warn_budgets(&w->comparison, &diag);
        ok = read_earlier(w, request, job, &diag);
        comparison_confirm(&w->comparison, w->sides.items, w->sides.count, settings);
        set_services(w);
    }
    console_show(job->console, &diag);
    diag_release(&diag);
    return ok;
}

void comparison_inputs_release(struct comparison_inputs *w)
{
    if (w->compared)
        comparison_release(&w->comparison);
    vec_each (struct label, l, &w->labels) {
        label_release(l);
    }
    vec_each (struct function_tables *, t, &w->tables) {
        if (*t)
            compare_tables_release(*t);
        free(*t);
    }
    gather_release(&w->pooled);
    release_all(w, vec, labels, sides, tables);
    arena_release(&w->memory);
}

void comparison_inputs_judge(const struct comparison *c, const struct options *o,
                             struct outcome *outcome)
{
    vec_each (const struct compared_service, s, &c->services) {
        vec_each (const struct finding, f, &s->findings)
            outcome->worse |= finding_counts(f) && (!o->confirm || f->confirmed);
        outcome->undecided |= o->strict && s->verdict == VERDICT_UNDECIDED;
        outcome->one_sided |= o->strict && compared_is_one_sided(s);
    }
    vec_each (const struct budget_result, b, &c->budgets)
        outcome->worse |= budget_is_broken(b);
}
