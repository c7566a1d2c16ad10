/*
 * Reports of the library.
 */
#include <stdlib.h>

#include "base/file.h"
#include "batch/assemble.h"
#include "flamepress.h"
#include "library/settings.h"

/* All that one report needs. */
struct reporting {
    const struct flamepress_settings *settings;
    struct inputs inputs;
    struct names names;
    struct templates templates;
    struct resources resources;
    const struct plan *plan;
    struct fonts *fonts;
    struct stage stage;
    struct diag diag;
};

static bool write_report(struct reporting *r, struct batch *batch)
{
    const struct assembly bind = {
        .title = r->plan->look.picture.title,
        .subtitle = r->plan->look.picture.subtitle,
        .date = r->settings->options.date,
        .site = REPORT_PAGE,
        .list_below = r->settings->options.list_below,
    };
    struct diag introduction;
    struct report report;
    bool ok;

    diag_init(&introduction, slice_str(r->inputs.introduction));
    assemble_report(&report, &bind, batch, &introduction);
    if (stage_failed(&r->stage))
        ok = diag_error(&r->diag, "%s: %s", r->stage.shown, buf_string(&r->stage.failure));
    else if (!report.graphs.count)
        ok = batch_report_nothing(batch, &r->diag);
    else
        ok = assemble_write(&report, &r->templates, &r->stage, batch->threads, &r->diag);
    report_release(&report);
    diag_release(&introduction);
    return ok;
}

static bool draw_and_assemble(struct reporting *r)
{
    size_t count = r->inputs.items.count;
    struct plan own = *r->plan; /* a title and a subtitle are the report's, not the graphs' */
    const struct plan **plans = xreallocarray(NULL, count, sizeof(*plans));
    struct batch batch = {
        .inputs = &r->inputs,
        .plans = plans,
        .merged = &own,
        .plan = r->plan,
        .threads = options_threads(&r->settings->options),
        .names = &r->names,
        .resources = &r->resources,
        .fonts = r->fonts,
        .stage = &r->stage,
    };
    bool ok;

    own.look.picture.title = own.look.picture.subtitle = SLICE("");
    for (size_t i = 0; i < count; i++)
        plans[i] = &own;
    inputs_name_graphs(&r->inputs, &r->names);
    batch_run(&batch);
    ok = write_report(r, &batch);
    batch_release(&batch);
    names_release(&r->names);
    free(plans);
    return ok;
}

bool flamepress_report(const char *directory, const char *out,
                       const struct flamepress_settings *settings, struct flamepress_error *error)
{
    struct flamepress_settings *defaults = library_defaults(&settings);
    const struct inputs_options reading = {.out = out};
    struct reporting r = {.settings = settings};
    bool ok;

    diag_init(&r.diag, SLICE(""));
    resources_init(&r.resources, NULL, NULL);
    r.plan = library_plan(settings, LIBRARY_REPORT, &r.diag);
    ok = r.plan != NULL;
    ok = inputs_init(&r.inputs, &directory, 1, &reading, &r.diag) && ok;
    ok = templates_init(&r.templates, NULL, &r.diag) && ok;
    if (ok && file_is_inside(directory, out))
        ok = diag_error(&r.diag, "%s: a report there would delete '%s'; name another directory",
                        out, directory);
    ok = ok && (r.fonts = library_fonts(settings, &r.diag));
    if (ok) {
        ok = stage_open(&r.stage, out, false, true) && stage_add_directory(&r.stage, "graphs")
                 ? draw_and_assemble(&r)
                 : diag_error(&r.diag, "%s: %s", out, buf_string(&r.stage.failure));
        stage_close(&r.stage);
    }
    if (!ok)
        library_fail(&r.diag, error);
    templates_release(&r.templates);
    inputs_release(&r.inputs);
    resources_release(&r.resources);
    diag_release(&r.diag);
    flamepress_settings_free(defaults);
    return ok;
}
