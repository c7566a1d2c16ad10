/*
 * Runs `flamepress check`: compares weeks, writes no pictures, and decides the exit status.
 */
#include "cli/checking.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "cli/confine.h"
#include "cli/sink.h"
#include "report/digest.h"
#include "report/verdicts_ci.h"
#include "report/verdicts_json.h"

/* GitHub shows 1 MB of a summary. */
enum { SUMMARY_MAX_SIZE = 1 << 20 };

static void write_sarif(const struct comparison *c, struct buf *out)
{
    report_write_sarif(c, SLICE(FLAMEPRESS_VERSION), out);
}

/* The summary of a step of GitHub Actions. */
struct summary {
    const char *path; /* NULL if the step has no summary */
    struct buf text;  /* what the file contains already */
};

/* Finds the file of the summary before the sandbox hides it. */
static void find_summary(struct summary *s, const struct options *o)
{
    struct buf why = {0};

    s->path = o->github ? getenv("GITHUB_STEP_SUMMARY") : NULL;
    if (s->path && !*s->path)
        s->path = NULL;
    if (s->path && file_kind(s->path) == FILE_REGULAR &&
        !file_read(s->path, SUMMARY_MAX_SIZE, &s->text, &why))
        s->path = NULL;
    buf_release(&why);
}

/* Adds the digest to the summary of the step. */
static bool write_summary(struct summary *s, const struct comparison *comparison,
                          struct console *console)
{
    if (!s->path)
        return true;
    digest_write_markdown(comparison, SLICE(""), &s->text);
    return sink_write(console, s->path, buf_slice(&s->text)) != SINK_FAILED;
}

/* A result that an option asks for. */
struct result {
    const char *option, *path; /* `path` is NULL without the option; "-" is standard output */
    void (*write)(const struct comparison *c, struct buf *out);
};

enum { RESULTS = 3 };

static void list_results(const struct options *o, struct result results[RESULTS])
{
    results[0] = (struct result){"json", o->json, verdicts_json_write};
    results[1] = (struct result){"junit", o->junit, report_write_junit};
    results[2] = (struct result){"sarif", o->sarif, write_sarif};
}

/* Returns false after reporting that two results have one place. */
static bool check_places(const struct options *o, struct diag *diag)
{
    struct result all[RESULTS];

    list_results(o, all);
    for (size_t i = 0; i < RESULTS; i++) {
        if (o->github && file_is_standard(all[i].path))
            return diag_error(diag,
                              "option --%s: standard output has the annotations of --github; name "
                              "a file",
                              all[i].option);
        for (size_t j = i + 1; j < RESULTS; j++)
            if (all[i].path && all[j].path && strcmp(all[i].path, all[j].path) == 0)
                return diag_error(diag, "options --%s and --%s both write to '%s'; name two files",
                                  all[i].option, all[j].option, all[i].path);
    }
    return true;
}

/*
 * Writes what the options ask for. Standard output has the text unless it has a result. Returns
 * whether all of it is written.
 */
static bool write_outputs(const struct options *o, const struct comparison *c,
                          struct console *console)
{
    struct result all[RESULTS];
    bool ok = true, has_text = true;
    struct buf text = {0};

    list_results(o, all);
    for (size_t i = 0; i < RESULTS; i++) {
        const char *path = file_is_standard(all[i].path) ? NULL : all[i].path;

        if (!all[i].path)
            continue;
        has_text &= path != NULL;
        buf_clear(&text);
        all[i].write(c, &text);
        ok = sink_write(console, path, buf_slice(&text)) != SINK_FAILED && ok;
    }
    buf_clear(&text);
    digest_write_text(c, SLICE(""), &text);
    if (o->github)
        report_write_github(c, &text);
    ok = (!has_text || sink_write(console, NULL, buf_slice(&text)) != SINK_FAILED) && ok;
    buf_release(&text);
    return ok;
}

static void confine_check(const struct options *o, const char *summary, struct console *console)
{
    const char *const paths[] = {o->json, o->junit, o->sarif, summary};
    struct strings written = {0};

    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
        if (paths[i])
            *vec_add(&written) = paths[i];
    confine(o, &written, console);
    vec_release(&written);
}

static void compare(struct checking *c, struct summary *summary, const struct command_job *job)
{
    const struct comparison_request request = checking_request(c);
    struct comparison_inputs compared;

    if (comparison_inputs_init(&compared, &request, job)) {
        job->outcome->written = write_outputs(&c->options, &compared.comparison, job->console) &&
                                write_summary(summary, &compared.comparison, job->console);
        comparison_inputs_judge(&compared.comparison, &c->options, job->outcome);
    }
    comparison_inputs_release(&compared);
}

static void check(struct checking *c, const struct command_job *job, struct diag *diag)
{
    struct summary summary = {0};

    find_summary(&summary, &c->options);
    confine_check(&c->options, summary.path, job->console);
    if (checking_plan(c, job, diag))
        compare(c, &summary, job);
    else
        job->outcome->usage = true;
    buf_release(&summary.text);
}

void command_check(const struct command_job *job)
{
    struct checking c;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    checking_init(&c, job->options);
    if (check_places(job->options, &diag) && checking_open(&c, job, &diag))
        check(&c, job, &diag);
    else
        job->outcome->usage = true;
    console_show(job->console, &diag);
    checking_release(&c);
    diag_release(&diag);
}
