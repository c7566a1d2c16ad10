#include "cli/weeks.h"

#include "base/file.h"
#include "base/release.h"
#include "batch/history.h"

/* Names a label after its directory: "2026-w07" of "profiles/2026-w07/". */
static struct slice label_name(const struct strings *paths)
{
    struct slice path = slice_str(paths->items[0]);

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return file_name_of(path);
}

static const struct plan *plan_of(const void *config, const char *shown)
{
    return config_plan(config, shown);
}

/* Reads a label and adds it. Returns false after reporting why there is none. */
static bool add_label(struct weeks *w, const struct strings *paths, struct slice name,
                      enum stats_side side, const struct weeks_request *request,
                      const struct command_job *job, struct diag *diag)
{
    const struct label_options options = {
        .plan = request->plan,
        .plan_of = request->config ? plan_of : NULL,
        .context = request->config,
        .rules = request->config ? &request->config->services : NULL,
        .threads = options_threads(request->options),
    };
    struct label *l = vec_add(&w->labels);
    bool ok = true;

    if (side == STATS_NEW && request->read) {
        *l = (struct label){.services = *request->read};
        *request->read = (struct services){0};
    } else {
        ok = label_read(l, paths->items, paths->count, &options, diag);
    }
    *vec_add(&w->sides) = (struct compare_label){name, l->services.items, l->services.count, side};
    if (side == STATS_NEW && request->new_is_known)
        return ok;
    for (size_t i = 0; l->diags && i < l->inputs.items.count; i++)
        console_show(job->console, &l->diags[i]);
    job->outcome->failed += (unsigned)l->failed;
    return ok;
}

/* Adds the label of a history that is the base, after those before it. */
static bool add_history(struct weeks *w, const char *directory, struct slice name,
                        const struct weeks_request *request, const struct command_job *job,
                        struct diag *diag)
{
    const struct history_label *base = NULL;
    struct history history;
    bool ok = history_read(&history, directory, diag);

    if (ok && !history.labels.count)
        ok = diag_error(diag, "%s: the history has no labels", directory);
    else if (ok)
        base = name.len ? history_find(&history, name)
                        : &history.labels.items[history.labels.count - 1];
    if (ok && !base)
        ok = diag_error(diag, "%s: no label '%.*s' in this history", directory, SLICE_ARG(name));
    for (const struct history_label *l = history.labels.items; ok && l <= base; l++) {
        struct strings paths = {0};

        *vec_add(&paths) = arena_strdup(&w->memory, slice_str(l->path));
        ok = add_label(w, &paths, arena_copy(&w->memory, l->name),
                       l == base ? STATS_BASE : STATS_HISTORY, request, job, diag);
        vec_release(&paths);
    }
    history_release(&history);
    return ok;
}

static bool add_base(struct weeks *w, const struct weeks_request *request,
                     const struct command_job *job, struct diag *diag)
{
    const char *directory;
    struct slice label;

    if (request->base->count == 1 &&
        history_split(request->base->items[0], &w->memory, &directory, &label))
        return add_history(w, directory, label, request, job, diag);
    return add_label(w, request->base, label_name(request->base), STATS_BASE, request, job, diag);
}

bool weeks_init(struct weeks *w, const struct weeks_request *request, const struct command_job *job)
{
    const struct compare_settings *settings = &request->settings;
    struct diag diag;

    *w = (struct weeks){0};
    diag_init(&diag, SLICE("flamepress"));
    w->compared =
        add_base(w, request, job, &diag) &&
        add_label(w, request->new, label_name(request->new), STATS_NEW, request, job, &diag);
    if (w->compared) {
        size_t count = w->labels.count;

        w->base = &w->labels.items[count - 2].services;
        w->new = &w->labels.items[count - 1].services;
        comparison_init(&w->comparison, w->sides.items, count, settings);
        comparison_confirm(&w->comparison, w->sides.items, count, settings);
    }
    console_show(job->console, &diag);
    diag_release(&diag);
    return w->compared;
}

void weeks_release(struct weeks *w)
{
    if (w->compared)
        comparison_release(&w->comparison);
    vec_each (struct label, l, &w->labels) {
        label_release(l);
    }
    release_all(w, vec, labels, sides);
    arena_release(&w->memory);
}

void weeks_judge(const struct comparison *c, const struct options *o, struct outcome *outcome)
{
    vec_each (const struct compared_service, s, &c->services) {
        vec_each (const struct finding, f, &s->findings)
            outcome->worse |= finding_counts(f) && (!o->confirm || f->confirmed);
        outcome->undecided |= o->strict && s->verdict == VERDICT_UNDECIDED;
    }
    vec_each (const struct budget_result, b, &c->budgets)
        outcome->worse |= budget_is_broken(b);
}
