#include "cli/weeks.h"

#include "base/file.h"

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

static bool read_label(struct weeks *w, struct label *l, const struct strings *paths,
                       const struct weeks_request *request, const struct command_job *job,
                       struct diag *diag)
{
    const struct label_options options = {
        .plan = request->plan,
        .plan_of = request->config ? plan_of : NULL,
        .context = request->config,
        .rules = request->config ? &request->config->services : NULL,
        .threads = options_threads(request->options),
    };
    bool ok;

    if (l == &w->new && request->read) {
        *l = (struct label){.services = *request->read};
        *request->read = (struct services){0};
        return true;
    }
    ok = label_read(l, paths->items, paths->count, &options, diag);
    if (l == &w->new && request->new_is_known)
        return ok;
    for (size_t i = 0; l->diags && i < l->inputs.items.count; i++)
        console_show(job->console, &l->diags[i]);
    job->outcome->failed += (unsigned)l->failed;
    return ok;
}

bool weeks_init(struct weeks *w, const struct weeks_request *request, const struct command_job *job)
{
    struct diag diag;

    *w = (struct weeks){0};
    diag_init(&diag, SLICE("flamepress"));
    w->base_read = true;
    if (read_label(w, &w->base, request->base, request, job, &diag)) {
        w->new_read = true;
        w->compared = read_label(w, &w->new, request->new, request, job, &diag);
    }
    if (w->compared) {
        const struct compare_label labels[] = {
            {label_name(request->base), w->base.services.items, w->base.services.count, STATS_BASE},
            {label_name(request->new), w->new.services.items, w->new.services.count, STATS_NEW},
        };

        comparison_init(&w->comparison, labels, 2, &request->settings);
    }
    console_show(job->console, &diag);
    diag_release(&diag);
    return w->compared;
}

void weeks_release(struct weeks *w)
{
    if (w->compared)
        comparison_release(&w->comparison);
    if (w->new_read)
        label_release(&w->new);
    if (w->base_read)
        label_release(&w->base);
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
