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

static bool read_label(struct label *l, const struct strings *paths,
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
    bool ok = label_read(l, paths->items, paths->count, &options, diag);

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
    if (read_label(&w->base, request->base, request, job, &diag)) {
        w->new_read = true;
        w->compared = read_label(&w->new, request->new, request, job, &diag);
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
