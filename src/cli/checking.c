#include "cli/checking.h"

#include "base/file.h"
#include "cli/labels.h"
#include "cli/settings.h"

void checking_init(struct checking *c, const struct options *options)
{
    *c = (struct checking){.settings = compare_settings_default()};
    options_copy(&c->options, options);
}

static bool check_usage(const struct checking *c, struct diag *diag)
{
    const char *path = c->options.paths.count ? c->options.paths.items[0] : NULL;

    if (!path)
        return diag_error(diag, "name a directory of profiles, or profiles (see --help)");
    if (c->options.baseline)
        return true;
    if (c->options.command == COMMAND_DIGEST)
        return diag_error(diag,
                          file_kind(path) == FILE_ABSENT
                              ? "%s: no such file or directory"
                              : "%s: not a report or a history; name the earlier runs with "
                                "--baseline BASE",
                          path);
    return diag_error(diag, "name the earlier runs with --baseline BASE");
}

bool checking_open(struct checking *c, const struct command_job *job, struct diag *diag)
{
    const char *settings;

    vec_each (const char *, path, &c->options.paths)
        if (!labels_resolve(path, &c->options, diag))
            return false;
    if (!settings_list_inputs(&c->inputs, &c->options, job->console))
        return false;
    c->config.today = settings_today(c->today);
    settings = c->options.config ? c->options.config : c->inputs.settings;
    if (!settings_read(&c->config, &c->options, settings, job->console) || !check_usage(c, diag))
        return false;
    *vec_add(&c->base) = c->options.baseline;
    return settings_match_inputs(&c->config, &c->options, &c->inputs, settings, job->console);
}

bool checking_plan(struct checking *c, const struct command_job *job, struct diag *diag)
{
    const char *settings = c->options.config ? c->options.config : c->inputs.settings;

    return settings_plan(&c->config, &c->plan, &c->options, &c->inputs, settings, &c->settings,
                         job->console, diag);
}

void checking_release(struct checking *c)
{
    vec_release(&c->base);
    inputs_release(&c->inputs);
    config_release(&c->config);
    plan_release(&c->plan);
    options_release(&c->options);
}

struct comparison_request checking_request(const struct checking *c)
{
    return (struct comparison_request){
        .options = &c->options,
        .config = &c->config,
        .plan = &c->plan,
        .base = &c->base,
        .new = &c->options.paths,
        .settings = c->settings,
    };
}
