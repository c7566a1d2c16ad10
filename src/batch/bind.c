#include "batch/bind.h"

#include "base/file.h"
#include "base/version.h"
#include "report/findings.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"

enum { INTRODUCTION_MAX_SIZE = 1 << 20 };

static void set_introduction(struct report *report, const char *path, struct diag *diag)
{
    struct buf text = {0}, why = {0};

    if (!path)
        return;
    if (file_read(path, INTRODUCTION_MAX_SIZE, &text, &why))
        report_set_introduction(report, buf_slice(&text), diag);
    else
        diag_error(diag, "%s", buf_string(&why));
    buf_release(&why);
    buf_release(&text);
}

/* Adds the result of one input to the report. */
static void collect_job(struct report *report, const struct input_file *input, struct job *job)
{
    struct slice shown = slice_str(input->shown);

    vec_each (struct report_graph, graph, &job->graphs)
        report_add_graph(report, graph);
    vec_release(&job->graphs);
    if (job->diag.counts[DIAG_ERROR])
        report_add_failure(report, shown, &job->diag);
    else if (!job->drawn)
        report_add_stranger(report, shown, diag_last_note(&job->diag));
}

static void set_missing_glyphs(struct report *report, struct fonts *fonts)
{
    struct fonts_chars missing = {0};

    fonts_missing(fonts, &missing);
    report_set_missing_glyphs(report, missing.items, missing.count);
    vec_release(&missing);
}

void bind_report(struct report *report, const struct bind *bind, struct batch *batch,
                 struct diag *introduction)
{
    const struct inputs *inputs = batch->inputs;
    size_t graphs = 0;

    report_init(report, bind->title, SLICE(FLAMEPRESS_VERSION), bind->date);
    report_set_site(report, bind->site, bind->dark_images);
    set_introduction(report, inputs->introduction, introduction);
    if (bind->subtitle.ptr)
        report_set_subtitle(report, bind->subtitle);
    if (bind->comparison)
        report_set_comparison(report, bind->comparison);
    vec_each (struct search *const, s, &batch->plan->recipe.searches)
        report_add_search(report, (*s)->name, (*s)->pattern, (*s)->ignore_case);
    for (size_t i = 0; i < inputs->items.count; i++)
        graphs += batch->jobs[i].graphs.count;
    report_expect_graphs(report, graphs);
    for (size_t i = 0; i < inputs->items.count; i++)
        collect_job(report, &inputs->items.items[i], &batch->jobs[i]);
    report_fold_small_graphs(report, bind->list_below);
    set_missing_glyphs(report, batch->fonts);
    report_add_findings(report);
}

static const char *markdown_name(const struct report *report)
{
    return report->site == REPORT_PAGE ? "report.md" : "index.md";
}

const char *bind_index(const struct report *report)
{
    return report->site == REPORT_PAGE ? "index.html" : markdown_name(report);
}

/* Writes report.md. Returns false after an error in a template, as write_html() does. */
static bool write_markdown(const struct report *report, const struct templates *templates,
                           struct stage *stage, struct diag *diag)
{
    struct buf text = {0};
    bool ok = report_write_markdown(report, templates, &text, diag);

    if (ok)
        stage_write(stage, markdown_name(report), buf_slice(&text));
    buf_release(&text);
    return ok;
}

static bool write_html(const struct report *report, const struct templates *templates,
                       struct stage *stage, struct diag *diag)
{
    struct stage_file file = {.stage = stage, .path = "index.html"};
    const struct drain drain = {stage_file_take, &file};
    struct buf text = {0};
    bool ok = report_write_html(report, templates, &text, &drain, diag);

    if (ok)
        stage_file_take(&file, buf_slice(&text));
    buf_release(&text);
    return ok;
}

static void write_json(const struct report *report, struct stage *stage)
{
    struct stage_file file = {.stage = stage, .path = "report.json"};
    const struct drain drain = {stage_file_take, &file};
    struct buf text = {0};

    report_write_json(report, &text, &drain);
    stage_file_take(&file, buf_slice(&text));
    buf_release(&text);
}

bool bind_write(const struct report *report, const struct templates *templates, struct stage *stage,
                struct diag *diag)
{
    /* A site generator makes the page, and an index.html in its input would disturb it. */
    bool page = report->site == REPORT_PAGE;

    if (!write_markdown(report, templates, stage, diag) ||
        (page && !write_html(report, templates, stage, diag)))
        return false;
    write_json(report, stage);
    return stage_commit(stage) ||
           diag_error(diag, "%s: %s", stage->shown, buf_string(&stage->failure));
}
