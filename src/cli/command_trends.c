/*
 * Runs `flamepress trends`: writes the shares of all labels of a history as a site.
 */
#include "cli/command.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/pool.h"
#include "base/version.h"
#include "cli/confine.h"
#include "cli/interrupt.h"
#include "cli/labels.h"
#include "options/make.h"
#include "report/names.h"
#include "report/list_page.h"
#include "report/trend_pages.h"

/* One site on its way. */
struct trending {
    const struct command_job *job;
    const struct options *options;
    const char *directory;
    struct history history;
    struct function_tables *tables; /* by label */
    struct diag *diags;             /* by label */
    VEC(struct slice) left_out;     /* names of labels that could not be read */
    struct trends trends;
    struct trend_report report;
    struct names pages;
    struct stage stage;
    bool computed;
};

static bool check_usage(const struct options *o, struct diag *diag)
{
    if (o->paths.count != 1)
        return diag_error(diag, "name one history (see --help)");
    if (!options_output(o))
        return diag_error(diag, "name the directory of the pages with -o OUT");
    return true;
}

/* Leaves out a label that is damaged, which was reported as an error. */
static void leave_out(struct trending *t, struct slice name, struct diag *diag)
{
    diag_warn(diag, "the label '%.*s' is left out", SLICE_ARG(name));
    t->job->outcome->failed++;
    *vec_add(&t->left_out) = name;
}

static bool open_trends(struct trending *t, struct diag *diag)
{
    if (file_kind(t->directory) != FILE_DIRECTORY)
        return diag_error(diag, "%s: no such history", t->directory);
    if (file_is_inside(t->directory, options_output(t->options)))
        return diag_error(diag, "%s: pages there would delete the history; name another directory",
                          options_output(t->options));
    if (!labels_read(&t->history, t->directory, SLICE(""), true, t->options, diag))
        return false;
    history_warn(&t->history, diag);
    vec_each (const struct slice, name, &t->history.damaged)
        leave_out(t, *name, diag);
    vec_each (const struct slice, path, &t->history.unlisted)
        *vec_add(&t->left_out) = file_name_of(*path);
    return t->history.labels.count ||
           diag_error(diag, "%s: the history has no labels", t->directory);
}

/* Reports what is wrong with the files of a label. */
static void report_files(const struct label *label, struct diag *diag)
{
    for (size_t i = 0; label->diags && i < label->inputs.items.count; i++)
        vec_each (const struct diag_message, m, &label->diags[i].messages)
            if (m->level == DIAG_ERROR)
                diag_error(diag, "%s: %.*s", label->inputs.items.items[i].path, SLICE_ARG(m->text));
}

/* Makes the tables of a label that has stacks only. Reports an error if they cannot be read. */
static void make_tables(const struct trending *t, const char *path, struct function_tables *out,
                        struct diag *diag)
{
    const struct label_options how = {.plan = t->job->plan, .threads = 1};
    struct label label;

    label_read(&label, &path, 1, &how, diag);
    report_files(&label, diag);
    vec_each (const struct service, s, &label.services)
        compare_tables_add(out, s);
    label_release(&label);
}

static void read_label(void *context, size_t index, unsigned worker)
{
    struct trending *t = context;
    const struct history_label *label = &t->history.labels.items[index];
    struct diag *diag = &t->diags[index];

    (void)worker;
    if (history_read_tables(label, t->job->plan->reading.limits.max_size, &t->tables[index], diag))
        compare_tables_rename(&t->tables[index], &t->job->plan->recipe.renames);
    else if (!diag->counts[DIAG_ERROR])
        make_tables(t, label->path, &t->tables[index], diag);
}

/* Leaves out the labels that could not be read. */
static void keep_sound(struct trending *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->history.labels.count; i++) {
        if (t->diags[i].counts[DIAG_ERROR]) {
            leave_out(t, t->history.labels.items[i].name, &t->diags[i]);
            compare_tables_release(&t->tables[i]);
        } else {
            t->tables[kept] = t->tables[i];
            t->history.labels.items[kept++] = t->history.labels.items[i];
        }
        console_show(t->job->console, &t->diags[i]);
        diag_release(&t->diags[i]);
    }
    t->history.labels.count = kept;
}

/* Reads all labels. Returns false if no label is left. */
static bool read_labels(struct trending *t)
{
    size_t count = t->history.labels.count;

    t->tables = xcalloc(count, sizeof(*t->tables));
    t->diags = xcalloc(count, sizeof(*t->diags));
    for (size_t i = 0; i < count; i++)
        diag_init(&t->diags[i], SLICE("flamepress"));
    pool_run(options_threads(t->options), count, read_label, t);
    keep_sound(t);
    return t->history.labels.count > 0;
}

static void name_pages(struct trending *t)
{
    size_t count = t->trends.services.count;
    struct slice *paths = xcalloc(count + 1, sizeof(*paths));
    struct arena memory = {0};

    for (size_t i = 0; i < count; i++) {
        const struct trend_service *s = &t->trends.services.items[i];

        paths[i] = slice_str(arena_printf(&memory, "%.*s%s%.*s", SLICE_ARG(s->name),
                                          s->event.len ? "." : "", SLICE_ARG(s->event)));
    }
    names_init(&t->pages, paths, count);
    arena_release(&memory);
    free(paths);
}

static int by_name(const void *a, const void *b)
{
    return slice_compare_numbered(*(const struct slice *)a, *(const struct slice *)b);
}

static void compute(struct trending *t)
{
    size_t count = t->history.labels.count;
    struct compare_settings settings = compare_settings_default();
    struct slice title = t->options->plan.look.picture.title;
    struct trend_label *labels = arena_alloc(&t->history.memory, (count + 1) * sizeof(*labels));

    options_make_comparison(&settings, t->options);
    trends_init(&t->trends, t->tables, count, &settings.stats);
    t->computed = true;
    name_pages(t);
    for (size_t i = 0; i < count; i++) {
        const struct history_label *from = &t->history.labels.items[i];

        labels[i] = (struct trend_label){from->name, from->date, from->commit, from->note};
    }
    if (t->left_out.count)
        qsort(t->left_out.items, t->left_out.count, sizeof(*t->left_out.items), by_name);
    t->report = (struct trend_report){
        .trends = &t->trends,
        .labels = labels,
        .left_out = t->left_out.items,
        .left_out_count = t->left_out.count,
        .pages = t->pages.stems.items,
        .title = title.len ? title : SLICE("Trends"),
        .version = SLICE(FLAMEPRESS_VERSION),
    };
}

static bool write_page(struct trending *t, const char *path, struct buf *text)
{
    bool ok = stage_write(&t->stage, path, buf_slice(text));

    buf_clear(text);
    return ok;
}

static bool write_pages(struct trending *t)
{
    static const struct {
        const char *path;
        void (*write)(const struct trend_report *r, struct buf *out);
    } files[] = {{"index.html", report_trend_index},
                 {"feed.xml", report_trend_feed},
                 {"trends.json", report_trend_json}};
    struct buf text = {0};
    bool ok;

    list_page_style(&text);
    ok = write_page(t, "trends.css", &text);
    for (size_t i = 0; ok && i < t->trends.services.count; i++) {
        struct buf path = {0};

        buf_printf(&path, "services/%.*s.html", SLICE_ARG(t->report.pages[i]));
        report_trend_service(&t->report, i, &text);
        ok = write_page(t, buf_string(&path), &text);
        buf_release(&path);
    }
    for (size_t i = 0; ok && i < sizeof(files) / sizeof(*files); i++) {
        files[i].write(&t->report, &text);
        ok = write_page(t, files[i].path, &text);
    }
    buf_release(&text);
    return ok && stage_commit(&t->stage);
}

static void abandon(void *context)
{
    struct trending *t = context;

    stage_abandon(&t->stage);
    broker_end(&t->job->console->broker);
}

static void write_site(struct trending *t, struct diag *diag)
{
    const struct options *o = t->options;
    const struct inputs none = {0};
    struct interrupt interrupt;
    bool read = true, ok;

    ok = stage_open(&t->stage, options_output(o), o->force, !o->no_fsync) &&
         stage_add_directory(&t->stage, "services");
    if (ok) {
        confine_report(o, &none, &t->stage, t->job->console);
        interrupt_begin(&interrupt, abandon, t);
        read = read_labels(t);
        if (read)
            compute(t);
        ok = read && write_pages(t);
        interrupt_end(&interrupt);
    }
    t->job->outcome->written = ok;
    if (ok)
        console_say(t->job->console, "%s/index.html: %zu service%s in %zu label%s",
                    options_output(o), t->trends.services.count,
                    t->trends.services.count == 1 ? "" : "s", t->trends.labels,
                    t->trends.labels == 1 ? "" : "s");
    else if (read)
        diag_error(diag, "%s: %s", options_output(o), buf_string(&t->stage.failure));
    stage_close(&t->stage);
}

static void release(struct trending *t)
{
    if (t->computed) {
        names_release(&t->pages);
        trends_release(&t->trends);
    }
    for (size_t i = 0; t->tables && i < t->history.labels.count; i++)
        compare_tables_release(&t->tables[i]);
    free(t->tables);
    free(t->diags);
    vec_release(&t->left_out);
    history_release(&t->history);
}

void command_trends(const struct command_job *job)
{
    struct trending t = {.job = job, .options = job->options};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    if (!check_usage(job->options, &diag)) {
        job->outcome->usage = true;
    } else {
        t.directory = job->options->paths.items[0];
        if (open_trends(&t, &diag))
            write_site(&t, &diag);
    }
    console_show(job->console, &diag);
    release(&t);
    diag_release(&diag);
}
