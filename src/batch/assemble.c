#include "batch/assemble.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/version.h"
#include "batch/graph_pack.h"
#include "report/commentary.h"
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

    vec_each (struct report_graph, graph, &job->graphs) {
        if (!report->paged)
            graph_pack_complete(graph);
        else if (graph->packed.bytes.len)
            graph_pack_shorten(graph);
        report_add_graph(report, graph);
    }
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

void assemble_report(struct report *report, const struct assembly *assembly, struct batch *batch,
                     struct diag *introduction)
{
    const struct inputs *inputs = batch->inputs;
    size_t graphs = 0;

    report_init(report, assembly->title, SLICE(FLAMEPRESS_VERSION), assembly->date);
    report_set_site(report, assembly->site, assembly->dark_images);
    report_set_place(report, assembly->place);
    set_introduction(report, inputs->introduction, introduction);
    if (assembly->subtitle.ptr)
        report_set_subtitle(report, assembly->subtitle);
    if (assembly->comparison)
        report_set_comparison(report, assembly->comparison);
    vec_each (struct search *const, s, &batch->plan->recipe.searches)
        report_add_search(report, (*s)->name, (*s)->pattern, (*s)->ignore_case);
    for (size_t i = 0; i < inputs->items.count; i++)
        graphs += batch->jobs[i].graphs.count;
    report_expect_graphs(report, graphs);
    report->paged = assembly->pages == REPORT_PAGES_EACH ||
                    (assembly->pages == REPORT_PAGES_AUTO && graphs > REPORT_PAGES_ABOVE);
    for (size_t i = 0; i < inputs->items.count; i++)
        collect_job(report, &inputs->items.items[i], &batch->jobs[i]);
    report_fold_small_graphs(report, assembly->list_below);
    set_missing_glyphs(report, batch->fonts);
    report_add_findings(report);
    report_add_front_matter(report);
}

const char *assemble_index(const struct report *report)
{
    return report->site == REPORT_PAGE ? "index.html" : markdown_index(report).ptr;
}

/* Writes report.md. Returns false after an error in a template, as write_html() does. */
static bool write_markdown(const struct report *report, const struct templates *templates,
                           struct stage *stage, struct diag *diag)
{
    struct buf text = {0};
    bool ok = report_write_markdown(report, templates, &text, diag);

    if (ok)
        stage_write(stage, markdown_index(report).ptr, buf_slice(&text));
    buf_release(&text);
    return ok;
}

static bool write_html(const struct report *report, const struct templates *templates,
                       struct stage *stage, struct diag *diag)
{
    struct stage_file file = {.stage = stage, .path = "index.html"};
    const struct flush flush = {stage_file_take, &file};
    struct buf text = {0};
    bool ok = report_write_html(report, templates, &text, &flush, diag);

    stage_file_end(&file, buf_slice(&text));
    buf_release(&text);
    return ok;
}

/* Writes one file of a graph's page, which `ending` names, to the stage. */
static bool write_graph_file(const struct graph_page *page, const char *ending, struct stage *stage,
                             struct buf *text)
{
    struct buf path = {0};
    bool ok;

    pages_path(page->report, page->graph->name, ending, &path);
    ok = stage_write(stage, buf_string(&path), buf_slice(text));
    buf_release(&path);
    buf_clear(text);
    return ok;
}

/* Makes the directory that a site generator expects of a page. */
static bool add_page_directory(const struct graph_page *page, struct stage *stage)
{
    struct buf path = {0};
    bool ok = true;

    buf_printf(&path, PAGES_DIRECTORY "/%.*s", SLICE_ARG(page->graph->name));
    if (pages_have_directories(page->report))
        ok = stage_add_directory(stage, buf_string(&path));
    buf_release(&path);
    return ok;
}

/*
 * Writes the page of a graph, and its data, in which links of the commentary stay relative to the
 * report. Returns false after an error in a template; the stage may fail.
 */
static bool write_graph_page(const struct graph_page *page, const struct templates *templates,
                             struct stage *stage, struct diag *diag)
{
    struct report_graph graph = *page->graph;
    const struct graph_page below = {page->report, page->index, &graph};
    struct buf text = {0}, commentary = {0}, front = {0};
    bool ok;

    pages_add_front(page->report, true, &front);
    if (graph.commentary.len)
        commentary_write_below(&commentary, graph.commentary, buf_string(&front));
    graph.commentary = buf_slice(&commentary);
    ok = !add_page_directory(page, stage) ||
         report_write_graph_markdown(&below, templates, &text, diag);
    write_graph_file(page, ".md", stage, &text);
    if (ok && page->report->site == REPORT_PAGE) {
        ok = report_write_graph_html(&below, templates, &text, diag);
        write_graph_file(page, ".html", stage, &text);
    }
    report_write_graph_json(page, &text);
    write_graph_file(page, ".json", stage, &text);
    buf_release(&text);
    buf_release(&commentary);
    buf_release(&front);
    return ok;
}

static void write_json(const struct report *report, struct stage *stage)
{
    struct stage_file file = {.stage = stage, .path = "report.json"};
    const struct flush flush = {stage_file_take, &file};
    struct buf text = {0};

    report_write_json(report, &text, &flush);
    stage_file_end(&file, buf_slice(&text));
    buf_release(&text);
}

/* Writes the style and the script of all pages of graphs. */
static void write_sides(const struct templates *templates, struct stage *stage)
{
    const struct template *style = templates_find(templates, SLICE("page.css"));
    const struct template *script = templates_find(templates, SLICE("page.js"));

    stage_write(stage, PAGES_STYLE, style->source);
    stage_write(stage, PAGES_SCRIPT, script->source);
}

/* The pages of all graphs, which several threads write. */
struct page_jobs {
    const struct report *report;
    const struct templates *templates;
    struct stage *stage;
    struct pack_opener *opener;
    struct page_result {
        struct diag diag;
        bool failed;
    } * results; /* by graph */
};

static void run_page(void *context, size_t index, unsigned worker)
{
    const struct page_jobs *jobs = context;
    const struct report_graph *brief = &jobs->report->graphs.items[index];
    struct page_result *result = &jobs->results[index];
    struct report_graph full = {0};
    struct graph_page page = {jobs->report, index, brief};

    (void)worker;
    if (stage_failed(jobs->stage))
        return;
    if (graph_pack_open(jobs->opener, brief, &full))
        page.graph = &full;
    result->failed = !write_graph_page(&page, jobs->templates, jobs->stage, &result->diag);
    report_graph_release(&full);
}

static bool write_pages(const struct report *report, const struct templates *templates,
                        struct stage *stage, unsigned threads, struct diag *diag)
{
    size_t count = report->graphs.count;
    struct pack_opener opener;
    struct page_jobs jobs = {report, templates, stage, &opener, NULL};
    bool ok = true;

    if (!stage_add_directory(stage, PAGES_DIRECTORY))
        return true;
    if (report->site == REPORT_PAGE)
        write_sides(templates, stage);
    jobs.results = xcalloc(count, sizeof(*jobs.results));
    pack_opener_init(&opener);
    pool_run(threads, count, run_page, &jobs);
    pack_opener_release(&opener);
    for (size_t i = 0; i < count; i++) {
        struct page_result *result = &jobs.results[i];

        if (ok) /* the first page with errors says them for all */
            diag_append(diag, &result->diag, 0);
        ok = ok && !result->failed;
        diag_release(&result->diag);
    }
    free(jobs.results);
    return ok;
}

bool assemble_write(const struct report *report, const struct templates *templates,
                    struct stage *stage, unsigned threads, struct diag *diag)
{
    /* A site generator makes the page, and an index.html in its input would disturb it. */
    bool page = report->site == REPORT_PAGE;

    if (!write_markdown(report, templates, stage, diag) ||
        (page && !write_html(report, templates, stage, diag)) ||
        (report->paged && !write_pages(report, templates, stage, threads, diag)))
        return false;
    write_json(report, stage);
    return stage_commit(stage) ||
           diag_error(diag, "%s: %s", stage->shown, buf_string(&stage->failure));
}
