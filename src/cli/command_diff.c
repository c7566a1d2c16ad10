/*
 * Runs `flamepress diff`.
 *
 * --format or the ending of each output decides what is written: a picture, drawn
 * as by `flamepress graph`; two-column folded stacks, as difffolded.pl writes them
 * (the default); or the table of changes. Of directories, the digest of a comparison
 * is written, or, if the output is a directory, the report.
 */
#include <string.h>

#include "base/file.h"
#include "batch/inputs.h"
#include "cli/command.h"
#include "cli/confine.h"
#include "cli/labels.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "cli/target.h"
#include "cli/comparison_inputs.h"
#include "draw/fit.h"
#include "options/make.h"
#include "options/table.h"
#include "output/folded.h"
#include "profile/pair.h"
#include "report/change_table.h"
#include "report/digest.h"

/* A differential graph as text. */
struct text_format {
    enum options_format format;
    const char *ending;
    bool of_changes; /* requires a change, so it does not exist for two counters */
    void (*write)(const struct change_table *t, struct buf *out); /* NULL for folded stacks */
};

struct text_target {
    const char *path; /* NULL for standard output */
    const struct text_format *format;
};

struct outputs {
    struct targets targets;
    VEC(struct text_target) texts;
};

static bool collect(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

static const struct text_format text_formats[] = {
    {FORMAT_FOLDED, ".folded", false, NULL},
    {FORMAT_TEXT, ".txt", true, change_table_write_text},
    {FORMAT_CSV, ".csv", true, change_table_write_csv},
    {FORMAT_JSON, ".json", true, change_table_write_json},
};

enum { TEXT_FORMATS = sizeof(text_formats) / sizeof(text_formats[0]) };

/* Returns the text format of an output, or NULL if it is a picture. */
static const struct text_format *find_text(const struct options *o, const char *path)
{
    if (!o->format && !path)
        return &text_formats[0];
    for (size_t i = 0; i < TEXT_FORMATS; i++)
        if (o->format ? o->format == text_formats[i].format
                      : slice_ends(slice_str(path), slice_str(text_formats[i].ending)))
            return &text_formats[i];
    return NULL;
}

static bool add_output(const struct options *o, const char *path, struct outputs *outputs,
                       struct diag *diag)
{
    const struct text_format *format;

    if (file_is_standard(path))
        path = NULL;
    format = find_text(o, path);
    if (!format)
        return target_add(o, path, &outputs->targets, diag);
    *vec_add(&outputs->texts) = (struct text_target){path, format};
    return true;
}

static bool choose_outputs(const struct options *o, struct outputs *outputs, struct arena *memory,
                           struct diag *diag)
{
    if (!o->outputs.count && !add_output(o, NULL, outputs, diag))
        return false;
    vec_each (const char *, path, &o->outputs)
        if (!add_output(o, *path, outputs, diag))
            return false;
    return targets_complete(o, &outputs->targets, memory, diag);
}

/*
 * If only texts are written, returns false after reporting an option that affects only pictures.
 * Options in `of_both`, which also affect tables, are exempt.
 */
static bool check_text(const struct options *o, const struct outputs *outputs, struct diag *diag)
{
    static const char *const of_both[] = {"normalize", "negate", "delta",
                                          "countname", "factor", "format"};
    const unsigned drawing = COMMAND_GRAPH | COMMAND_DIFF;

    for (const struct option_row *row = options_table;
         row->name && !outputs->targets.pictures.count; row++) {
        bool exempt = !options_given(o, row) || (row->commands & drawing) != drawing ||
                      row->commands & (COMMAND_FOLD | COMMAND_FORMATS);

        for (size_t i = 0; i < sizeof(of_both) / sizeof(of_both[0]) && !exempt; i++)
            exempt = strcmp(row->name, of_both[i]) == 0;
        if (!exempt)
            return diag_error(diag,
                              "option --%s: only pictures use it, and no output is a picture (-o "
                              "diff.svg)",
                              row->name);
    }
    return true;
}

static bool check_paths(const struct options *o, struct diag *diag)
{
    if (o->news.count && !o->paths.count)
        return diag_error(diag, "name the base before --with");
    if (!o->news.count && o->paths.count > 2)
        return diag_error(diag,
                          "diff compares two files, not %zu; for several on a side: BASE... --with "
                          "NEW...",
                          o->paths.count);
    return true;
}

/* Reads two files, or one with two columns or two counters. */
static bool load(const struct command_job *job, struct library_graph *g)
{
    return job->options->news.count || job->options->paths.count == 2 ? load_two(job, g)
                                                                      : load_graph(job, g);
}

/* Returns false after reporting an option that the graph cannot have. */
static bool fits(const struct command_job *job, const struct profile *p, uint32_t series)
{
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE("flamepress"));
    ok = fit_check(&job->plan->look, &job->plan->recipe, job->options->color_map != NULL, p, series,
                   &diag);
    console_show(job->console, &diag);
    diag_release(&diag);
    return ok;
}

static void add_names(const struct look *look, const struct strings *paths, struct buf *out)
{
    vec_each (const char *, path, paths)
        buf_printf(out, "%s%.*s", out->len ? " " : "",
                   SLICE_ARG(look_source(look, slice_str(*path))));
}

/* Names what the picture is of: all files, the base first. */
static void add_sources(const struct command_job *job, struct buf *out)
{
    const struct strings *paths = &job->options->paths, *news = &job->options->news;

    if (!job->plan->look.whole_path && paths->count && paths->count + news->count == 2) {
        struct slice base = slice_str(paths->items[0]);
        struct slice new = slice_str(news->count ? news->items[0] : paths->items[1]);

        file_names_apart(&base, &new);
        buf_printf(out, "%.*s %.*s", SLICE_ARG(base), SLICE_ARG(new));
        return;
    }
    add_names(&job->plan->look, paths, out);
    add_names(&job->plan->look, news, out);
}

static void write_outputs(const struct command_job *job, const struct library_graph *g,
                          const struct outputs *outputs)
{
    const struct profile *p = &g->profile;
    uint32_t series = library_graph_series(g);
    const struct plan *plan = job->plan;
    const struct change_table table = {p, series, recipe_scale(&plan->recipe, p, series),
                                       plan->look.delta_of_total, plan->rows};
    struct buf source = {0};

    if (outputs->texts.count && !fits(job, p, series)) {
        job->outcome->usage = true;
        return;
    }
    add_sources(job, &source);
    vec_each (struct text_target, target, &outputs->texts) {
        struct buf text = {0};

        if (target->format->of_changes && pair_kind(p, series) != PAIR_CHANGE) {
            console_error(job->console,
                          "two counters have no table of changes; diff two profiles of "
                          "one counter (--event)");
            job->outcome->failed++;
            continue;
        }
        if (target->format->write)
            target->format->write(&table, &text);
        else
            folded_write(p, series, g->headless ? NULL : &table.scale.unit, collect, &text);
        if (sink_write(job->console, target->path, buf_slice(&text)) != SINK_FAILED)
            job->outcome->written = true;
        else
            job->outcome->failed++;
        buf_release(&text);
    }
    if (outputs->targets.pictures.count)
        target_draw(job, g, buf_slice(&source), &outputs->targets);
    buf_release(&source);
}

static void confine_to(const struct options *o, const struct outputs *outputs,
                       struct console *console)
{
    struct strings written = {0};
    struct arena memory = {0};

    target_list(o, &outputs->targets, &memory, &written);
    vec_each (const struct text_target, target, &outputs->texts)
        if (target->path)
            *vec_add(&written) = target->path;
    confine(o, &written, console);
    vec_release(&written);
    arena_release(&memory);
}

static void diff_files(const struct command_job *job)
{
    const struct options *o = job->options;
    struct outputs outputs = {0};
    struct arena memory = {0};
    struct library_graph graph;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    job->outcome->usage = !check_paths(o, &diag) || !choose_outputs(o, &outputs, &memory, &diag) ||
                          !check_text(o, &outputs, &diag);
    console_show(job->console, &diag);
    diag_release(&diag);
    if (!job->outcome->usage) {
        confine_to(o, &outputs, job->console);
        library_graph_init(&graph);
        if (load(job, &graph))
            write_outputs(job, &graph, &outputs);
        library_graph_release(&graph);
    }
    targets_release(&outputs.targets);
    vec_release(&outputs.texts);
    arena_release(&memory);
}

/* ---- directories -------------------------------------------------------------------------- */

static bool has_directory(const struct strings *paths)
{
    vec_each (const char *, path, paths)
        if (file_kind(*path) == FILE_DIRECTORY)
            return true;
    return false;
}

/* Compares the labels of two sides and writes the digest. */
static void compare_weeks(const struct command_job *job, const struct strings *base,
                          const struct strings *new, struct diag *diag)
{
    struct comparison_request request = {
        .base = base, .new = new, .settings = compare_settings_default()};
    const struct strings nothing = {0};
    struct options options;
    struct plan plan = {0};
    struct comparison_inputs compared = {0};
    struct buf text = {0};

    options_copy(&options, job->options);
    options.command = COMMAND_CHECK; /* every event is a graph of its own */
    request.options = &options;
    request.plan = &plan;
    options_make_comparison(&request.settings, &options);
    job->outcome->usage = !options_make_plan(&plan, &options, DIAG_AT_FILE, diag);
    if (!job->outcome->usage) {
        if (base->count == 1)
            options.baseline = base->items[0]; /* a history, which may be read then */
        confine(&options, &nothing, job->console);
        if (comparison_inputs_init(&compared, &request, job)) {
            digest_write_text(&compared.comparison, SLICE(""), &text);
            job->outcome->written = sink_write(job->console, NULL, buf_slice(&text)) != SINK_FAILED;
        }
        comparison_inputs_release(&compared);
        buf_release(&text);
    }
    plan_release(&plan);
    options_release(&options);
}

/* Sets the two sides: paths before and after --with, or of two paths the first and the second. */
static bool find_sides(const struct options *o, struct strings *base, struct strings *new,
                       struct diag *diag)
{
    *base = o->paths;
    *new = o->news;
    if (!new->count && base->count == 2) {
        *new = (struct strings){base->items + 1, 1, 1};
        base->count = 1;
    }
    return (base->count && new->count) ||
           diag_error(diag, "diff needs a base and a new side: BASE NEW");
}

/* Appends the profiles of a side, in place of its directories; those also to `found`. */
static bool list_side(struct options *o, const struct strings *side, struct strings *out,
                      struct strings *found, struct diag *diag)
{
    const struct inputs_options how = {.follow = o->follow};
    struct inputs in;
    bool ok = inputs_init(&in, (const char *const *)side->items, side->count, &how, diag);

    if (ok && !in.items.count)
        ok = diag_error(diag, "'%s': no profiles in it", side->items[0]);
    vec_each (const struct input_file, file, &in.items) {
        if (!file->named && slice_ends(slice_str(file->path), SLICE("@change.svg")))
            continue; /* of a report that compares: its graphs are the profiles */
        *vec_add(out) = arena_strdup(&o->memory, slice_str(file->path));
        if (!file->named)
            *vec_add(found) = out->items[out->count - 1];
    }
    inputs_release(&in);
    return ok;
}

/* Draws the sum of the profiles of each side. */
static void draw_directories(const struct command_job *job, const struct strings *base,
                             const struct strings *new, struct diag *diag)
{
    struct command_job own = *job;
    struct options options;
    struct strings paths = {0}, news = {0}, found = {0};

    options_copy(&options, job->options);
    job->outcome->usage = !list_side(&options, base, &paths, &found, diag) ||
                          !list_side(&options, new, &news, &found, diag);
    if (!job->outcome->usage) {
        vec_release(&options.paths);
        vec_release(&options.news);
        options.paths = paths;
        options.news = news;
        own.options = &options;
        own.found = &found;
        diff_files(&own);
    } else {
        vec_release(&paths);
        vec_release(&news);
    }
    vec_release(&found);
    options_release(&options);
}

/* Whether the output is a directory: it is one now, or its name has no ending. */
static bool is_report(const struct options *o)
{
    const char *path = options_output(o), *name = path ? strrchr(path, '/') : NULL;

    return path && !o->format &&
           (file_kind(path) == FILE_DIRECTORY || !strchr(name ? name + 1 : path, '.'));
}

/* Returns false after reporting an option that a report does not take. */
static bool fits_report(const struct options *o, const struct strings *base, struct diag *diag)
{
    for (const struct option_row *row = options_table; row->name; row++)
        if (options_given(o, row) && !(row->commands & COMMAND_REPORT) &&
            strcmp(row->name, "with") != 0)
            return diag_error(diag,
                              "option --%s: a report does not take it; -o X.svg draws one graph",
                              row->name);
    return base->count == 1 ||
           diag_error(diag, "a report compares with one directory or report, not %zu", base->count);
}

/* Writes the report of the new side with the base as its baseline. */
static void report_directories(const struct command_job *job, const struct strings *base,
                               const struct strings *new, struct diag *diag)
{
    struct command_job own = *job;
    struct options options;

    job->outcome->usage = !fits_report(job->options, base, diag);
    if (job->outcome->usage)
        return;
    options_copy(&options, job->options);
    options.command = COMMAND_REPORT;
    options.baseline = base->items[0];
    vec_release(&options.paths);
    vec_release(&options.news);
    options.news = (struct strings){0};
    options.paths = (struct strings){0};
    vec_each (const char *const, path, new)
        *vec_add(&options.paths) = *path;
    own.options = &options;
    command_report(&own);
    options_release(&options);
}

/*
 * Replaces labels of histories by their directories: all of the new side, and those of the base
 * unless it is compared as one, with the labels before it.
 */
static bool find_labels(struct options *o, struct diag *diag)
{
    bool drawn = o->outputs.count || o->format, ok = true;

    for (size_t i = 0; ok && i < o->paths.count; i++) {
        bool alone = o->news.count ? o->paths.count == 1 : i == 0;

        if (!alone || (drawn && !is_report(o)))
            ok = labels_resolve(&o->paths.items[i], o, diag);
    }
    for (size_t i = 0; ok && i < o->news.count; i++)
        ok = labels_resolve(&o->news.items[i], o, diag);
    return ok;
}

/* Warns of settings: they may group and filter profiles, as they do in reports and checks. */
static void warn_settings(const struct strings *paths, struct diag *diag)
{
    struct buf path = {0};

    vec_each (const char *const, directory, paths) {
        buf_clear(&path);
        buf_printf(&path, "%s/" INPUTS_SETTINGS, *directory);
        if (file_kind(buf_string(&path)) == FILE_REGULAR)
            diag_warn(
                diag,
                "%s: diff does not apply settings; use flamepress check NEW --baseline BASE, or "
                "write a report (-o OUT)",
                buf_string(&path));
    }
    buf_release(&path);
}

/* Compares directories if a side has one. Returns false if none has. */
static bool diff_directories(const struct command_job *job, struct diag *diag)
{
    const struct options *o = job->options;
    struct strings base, new;

    if (!has_directory(&o->paths) && !has_directory(&o->news))
        return false;
    if (!find_sides(o, &base, &new, diag)) {
        job->outcome->usage = true;
        return true;
    }
    if (!is_report(o)) {
        warn_settings(&base, diag);
        warn_settings(&new, diag);
    }
    if (is_report(o))
        report_directories(job, &base, &new, diag);
    else if (o->outputs.count || o->format)
        draw_directories(job, &base, &new, diag);
    else
        compare_weeks(job, &base, &new, diag);
    return true;
}

void command_diff(const struct command_job *job)
{
    struct command_job own = *job;
    struct options options;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    options_copy(&options, job->options);
    own.options = &options;
    if (find_labels(&options, &diag) && !diff_directories(&own, &diag))
        diff_files(&own);
    console_show(job->console, &diag);
    options_release(&options);
    diag_release(&diag);
}
