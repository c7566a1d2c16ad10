/*
 * Runs `flamepress check` and `flamepress digest`: compares weeks and writes no pictures. check
 * decides the exit status, digest has several formats.
 */
#include "cli/command.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/version.h"
#include "batch/inputs.h"
#include "cli/confine.h"
#include "cli/settings.h"
#include "cli/sink.h"
#include "cli/weeks.h"
#include "options/make.h"
#include "report/digest.h"
#include "report/verdicts_ci.h"
#include "report/verdicts_json.h"

/* GitHub shows 1 MB of a summary. */
enum { SUMMARY_MAX_SIZE = 1 << 20 };

/* The resources of the command. */
struct checking {
    struct options options; /* with the settings file's values */
    struct plan plan;
    struct config config;
    struct inputs inputs; /* for the settings beside them */
    struct compare_settings settings;
    struct strings base;
    const char *summary;      /* the file for the summary of a step of GitHub Actions, or NULL */
    struct buf summary_start; /* what it contains already */
    char today[16];
};

static bool check_usage(const struct checking *c, struct diag *diag)
{
    if (!c->options.paths.count)
        return diag_error(diag, "name a directory of profiles, or profiles (see --help)");
    if (!c->options.baseline)
        return diag_error(diag, "name the earlier runs with --baseline BASE");
    return true;
}

/* Reads the settings and makes the plans. Returns false after reporting wrong usage. */
static bool open_check(struct checking *c, const struct command_job *job, struct diag *diag)
{
    const struct inputs_options reading = {.follow = c->options.follow};
    struct diag rules;
    const char *settings;
    bool ok;

    if (c->options.paths.count &&
        !inputs_init(&c->inputs, c->options.paths.items, c->options.paths.count, &reading, diag))
        return false;
    c->config.today = settings_today(c->today);
    settings = c->options.config ? c->options.config : c->inputs.settings;
    if (!settings_read(&c->config, &c->options, settings, job->console) || !check_usage(c, diag) ||
        !options_make_plan(&c->plan, &c->options, DIAG_AT_FILE, diag))
        return false;
    diag_init(&rules, slice_str(settings));
    options_make_comparison(&c->settings, &c->options);
    ok = config_finish(&c->config, &c->options, &rules) &&
         config_comparison(&c->config, &c->plan.recipe.searches, &c->settings, &rules);
    console_show(job->console, &rules);
    diag_release(&rules);
    *vec_add(&c->base) = c->options.baseline;
    return ok;
}

static void write_sarif(const struct comparison *c, struct buf *out)
{
    report_write_sarif(c, SLICE(FLAMEPRESS_VERSION), out);
}

typedef void digest_fn(const struct comparison *c, struct buf *out);

static digest_fn *find_digest(const struct options *o)
{
    static digest_fn *const digests[] = {digest_write_text, digest_write_markdown,
                                         digest_write_html, digest_write_mail};

    return digests[o->format >= FORMAT_DIGEST ? o->format - FORMAT_DIGEST : 0];
}

/* Finds the file of the summary before the sandbox hides it. */
static void find_summary(struct checking *c)
{
    struct buf why = {0};

    c->summary = c->options.github ? getenv("GITHUB_STEP_SUMMARY") : NULL;
    if (c->summary && !*c->summary)
        c->summary = NULL;
    if (c->summary && file_kind(c->summary) == FILE_REGULAR &&
        !file_read(c->summary, SUMMARY_MAX_SIZE, &c->summary_start, &why))
        c->summary = NULL;
    buf_release(&why);
}

/* Adds the digest to the summary of the step. */
static bool write_summary(struct checking *c, const struct comparison *comparison,
                          struct console *console)
{
    if (!c->summary)
        return true;
    digest_write_markdown(comparison, &c->summary_start);
    return sink_write(console, c->summary, buf_slice(&c->summary_start)) != SINK_FAILED;
}

/* Writes what the options ask for. Returns whether all of it is written. */
static bool write_outputs(const struct options *o, const struct comparison *c,
                          struct console *console)
{
    const struct {
        const char *path;
        void (*write)(const struct comparison *c, struct buf *out);
    } files[] = {
        {o->json, verdicts_json_write}, {o->junit, report_write_junit}, {o->sarif, write_sarif}};
    struct buf text = {0};
    bool ok = true;

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        if (!files[i].path)
            continue;
        buf_clear(&text);
        files[i].write(c, &text);
        ok = sink_write(console, files[i].path, buf_slice(&text)) != SINK_FAILED && ok;
    }
    buf_clear(&text);
    find_digest(o)(c, &text);
    if (o->github)
        report_write_github(c, &text);
    ok = sink_write(console, options_output(o), buf_slice(&text)) != SINK_FAILED && ok;
    buf_release(&text);
    return ok;
}

static void confine_check(const struct options *o, const char *summary, struct console *console)
{
    const char *const paths[] = {o->json, o->junit, o->sarif, summary, options_output(o)};
    struct strings written = {0};

    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
        if (paths[i])
            *vec_add(&written) = paths[i];
    confine(o, &written, console);
    vec_release(&written);
}

static void compare(struct checking *c, const struct command_job *job)
{
    const struct weeks_request request = {
        .options = &c->options,
        .config = &c->config,
        .plan = &c->plan,
        .base = &c->base,
        .new = &c->options.paths,
        .settings = c->settings,
    };
    struct weeks weeks;

    find_summary(c);
    confine_check(&c->options, c->summary, job->console);
    if (weeks_init(&weeks, &request, job)) {
        job->outcome->written = write_outputs(&c->options, &weeks.comparison, job->console) &&
                                write_summary(c, &weeks.comparison, job->console);
        if (job->options->command == COMMAND_CHECK)
            weeks_judge(&weeks.comparison, &c->options, job->outcome);
    }
    weeks_release(&weeks);
}

void command_check(const struct command_job *job)
{
    struct checking c = {.settings = compare_settings_default()};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    options_copy(&c.options, job->options);
    if (open_check(&c, job, &diag))
        compare(&c, job);
    else
        job->outcome->usage = true;
    console_show(job->console, &diag);
    buf_release(&c.summary_start);
    vec_release(&c.base);
    inputs_release(&c.inputs);
    config_release(&c.config);
    plan_release(&c.plan);
    options_release(&c.options);
    diag_release(&diag);
}

void command_digest(const struct command_job *job)
{
    command_check(job);
}
