#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "batch/assemble.h"
#include "batch/change_graphs.h"
#include "batch/inputs.h"
#include "batch/reuse.h"
#include "batch/stage.h"
#include "cli/config.h"
#include "cli/confine.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/report_parts.h"
#include "cli/resource_files.h"
#include "cli/settings.h"
#include "cli/sink.h"
#include "cli/slurm.h"
#include "cli/watch.h"
#include "cli/comparison_inputs.h"
#include "report/digest.h"
#include "report/html.h"

/* The resources of one report, opened in this order and released in reverse. */
struct reporting {
    struct options options; /* with the settings file's values */
    struct plan plan;       /* of the report as a whole */
    struct config config;
    struct inputs inputs;
    struct templates templates;
    struct fonts *fonts;
    struct resources resources;
    struct names names;
    struct stage stage;
    struct reuse reuse;
    struct report_parts parts; /* of which the run makes one, or puts together all */
    struct batch batch;
    struct report report;
    struct compare_settings compare;
    struct comparison_inputs compared; /* used if there is a baseline */
    char today[16];
    struct console *console;
    struct outcome *outcome;
};

static bool read_templates(struct reporting *r)
{
    struct diag diag;
    bool ok;

    diag_init(&diag, slice_str(NULL));
    ok = templates_init(&r->templates, r->options.templates, &diag);
    console_show(r->console, &diag);
    diag_release(&diag);
    return ok;
}

/* Prints the messages about the inputs, and counts failures. */
static void show_jobs(struct reporting *r)
{
    for (size_t i = 0; i < r->inputs.items.count; i++) {
        const struct job *job = &r->batch.jobs[i];

        console_show(r->console, &job->diag);
        console_show(r->console, &job->commentary);
        console_show(r->console, &job->meta);
        r->outcome->failed += job->commentary.counts[DIAG_ERROR] > 0;
        r->outcome->failed += job->meta.counts[DIAG_ERROR] > 0;
        r->outcome->failed += job->diag.counts[DIAG_ERROR] > 0;
    }
}

/* Templates that the user has written may know nothing of pages; a single file is one page. */
static enum report_pages pages_of(const struct reporting *r)
{
    bool one =
        r->options.single_file || r->templates.replaced || site_of(r->options.site)->one_page;

    return r->options.pages == REPORT_PAGES_AUTO && one ? REPORT_PAGES_ONE : r->options.pages;
}

static void fill_report(struct reporting *r)
{
    struct diag introduction;
    char date[16];
    struct assembly bind = {
        .title = r->options.plan.look.picture.title,
        .subtitle = r->options.plan.look.picture.subtitle,
        .date = settings_date(&r->options, date),
        .site = r->options.site,
        .place = slice_str(r->stage.place),
        .pages = pages_of(r),
        .comparison = r->compared.compared ? &r->compared.comparison : NULL,
        .dark_images = r->options.dark_images,
        .list_below = r->options.list_below,
    };

    diag_init(&introduction, slice_str(r->inputs.introduction));
    assemble_report(&r->report, &bind, &r->batch, &introduction);
    console_show(r->console, &introduction);
    r->outcome->failed += introduction.counts[DIAG_ERROR] > 0;
    diag_release(&introduction);
    show_jobs(r);
}

static bool report_stage_failure(struct reporting *r, struct diag *diag)
{
    return diag_error(diag, "%s: %s", options_output(&r->options), buf_string(&r->stage.failure));
}

/* Writes the page, which contains everything, as a single file. */
static bool write_page(struct reporting *r, struct diag *diag)
{
    struct buf html = {0};
    bool ok;

    ok = report_write_html(&r->report, &r->templates, &html, NULL, diag) &&
         sink_write(r->console, options_output(&r->options), buf_slice(&html)) != SINK_FAILED;
    buf_release(&html);
    return ok;
}

static void say_written(const struct reporting *r, size_t drawn)
{
    const char *place = options_output(&r->options);
    const char *page = assemble_index(&r->report);
    struct buf taken = {0};
    size_t count = 0;

    for (size_t i = 0; i < r->inputs.items.count; i++)
        count += r->batch.jobs[i].drawn && r->batch.jobs[i].taken;
    if (count)
        buf_printf(&taken, ", %zu unchanged", count);

    if (place)
        console_say(r->console, "%s%s%s: %zu graph%s of %zu profile%s%s", place,
                    r->options.single_file ? "" : "/", r->options.single_file ? "" : page,
                    r->report.graphs.count, r->report.graphs.count == 1 ? "" : "s", drawn,
                    drawn == 1 ? "" : "s", buf_string(&taken));
    buf_release(&taken);
}

/* Prints the verdict on standard output, unless the report is there. */
static void print_verdict(struct reporting *r)
{
    const char *place = options_output(&r->options);
    struct buf text = {0};

    if (!r->compared.compared || !place || file_is_standard(place) || r->console->quiet)
        return;
    digest_write_brief(&r->compared.comparison, &text);
    r->outcome->failed += sink_write(r->console, NULL, buf_slice(&text)) == SINK_FAILED;
    buf_release(&text);
}

/* Saves the colours of all graphs, in the order of the inputs. */
static bool save_colors(struct reporting *r)
{
    struct color_map added = {0};
    bool ok;

    for (size_t i = 0; i < r->inputs.items.count; i++)
        color_map_merge(&added, &r->batch.jobs[i].colors);
    ok = resource_files_save(&r->resources, &added, r->console);
    color_map_release(&added);
    r->outcome->failed += !ok;
    return ok;
}

static void show_progress(void *console, const char *name, uint64_t bytes)
{
    console_progress(console, name, bytes);
}

/* Assigns a plan to each input. */
static const struct plan **choose_plans(const struct reporting *r)
{
    size_t count = r->inputs.items.count;
    const struct plan **plans = xreallocarray(NULL, count, sizeof(*plans));

    for (size_t i = 0; i < count; i++)
        plans[i] = config_plan(&r->config, r->inputs.items.items[i].shown);
    return plans;
}

/* Compares the inputs with the baseline. Returns false after reporting that this is impossible. */
static bool compare(struct reporting *r)
{
    const struct command_job job = {.console = r->console, .outcome = r->outcome};
    struct services read = {0};
    struct strings base = {0};
    const struct comparison_request request = {
        .options = &r->options,
        .config = &r->config,
        .plan = &r->plan,
        .base = &base,
        .new = &r->options.paths,
        .new_is_known = true,
        .read = batch_take_services(&r->batch, &read) ? &read : NULL,
        .settings = r->compare,
    };
    bool ok;

    if (!r->options.baseline)
        return true;
    *vec_add(&base) = r->options.baseline;
    ok = comparison_inputs_init(&r->compared, &request, &job);
    vec_release(&base);
    gather_release(&read);
    if (ok && r->options.fail_on == FAIL_ON_WORSE)
        comparison_inputs_judge(&r->compared.comparison, &r->options, r->outcome);
    return ok;
}

/* Draws the findings. */
static void draw_changes(struct reporting *r, struct diag *diag)
{
    const struct change_graphs graphs = {
        .base = r->compared.base,
        .new = r->compared.new,
        .plan = &r->plan,
        .resources = &r->resources,
        .fonts = r->fonts,
        .stage = r->batch.stage,
        .threads = r->batch.threads,
        .all_changes = r->options.all_changes,
    };

    if (r->compared.compared)
        r->outcome->failed += !change_graphs_draw(&graphs, &r->report, diag);
}

/* True if nothing but the inputs, the options and the program decides how graphs look. */
static bool can_reuse(const struct reporting *r)
{
    const struct options *o = &r->options;

    return !o->single_file && !o->common_scale && !o->baseline && !o->random && !o->color_map &&
           !o->name_attributes && !o->fonts.font && !o->fonts.directory &&
           r->plan.recipe.merge == MERGE_OFF;
}

/* Opens the earlier report, to take over what has not changed. */
static void open_reuse(struct reporting *r)
{
    struct buf options = {0};
    const char *said = r->options.said;

    buf_printf(&options, "%s\n", said ? said : "");
    buf_add_slice(&options, r->config.text);
    reuse_open(&r->reuse,
               r->options.fresh || r->options.stitch || !can_reuse(r) ? NULL : r->stage.place,
               buf_slice(&options));
    r->reuse.all = r->options.part != NULL;
    r->reuse.keeps = can_reuse(r);
    r->batch.reuse = &r->reuse;
    buf_release(&options);
}

/* Returns the number of inputs of which a graph was drawn. */
static size_t count_drawn(const struct reporting *r)
{
    size_t drawn = 0;

    for (size_t i = 0; i < r->inputs.items.count; i++)
        drawn += r->batch.jobs[i].drawn;
    return drawn;
}

/* Writes a part. Inputs that failed are recorded there, and count when parts are stitched. */
static void write_part(struct reporting *r, struct diag *diag)
{
    size_t drawn = count_drawn(r);
    unsigned failed = r->outcome->failed;

    show_jobs(r);
    r->outcome->failed = failed;
    r->outcome->written = stage_commit(&r->stage) || report_stage_failure(r, diag);
    if (r->outcome->written)
        console_say(r->console, "%s: part %u of %u, %zu profile%s", options_output(&r->options),
                    r->parts.part.id.number, r->parts.part.id.count, drawn, drawn == 1 ? "" : "s");
}

static void report_nothing(const struct reporting *r, struct diag *diag)
{
    if (r->outcome->failed)
        diag_error(diag, "nothing could be drawn");
    else
        batch_report_nothing(&r->batch, diag);
}

/* Makes the report of the jobs and writes it. */
static void write_report(struct reporting *r, struct diag *diag)
{
    size_t drawn = count_drawn(r);
    bool compared = compare(r);

    fill_report(r);
    if (r->options.stitch)
        r->outcome->failed += stitch_report_troubles(&r->parts.stitch, diag);
    draw_changes(r, diag);
    if (!compared)
        r->outcome->failed++;
    else if (r->batch.stage && stage_failed(&r->stage))
        report_stage_failure(r, diag);
    else if (!r->report.graphs.count)
        report_nothing(r, diag);
    else
        r->outcome->written =
            r->options.single_file
                ? write_page(r, diag)
                : assemble_write(&r->report, &r->templates, &r->stage, r->batch.threads, diag);
    if (r->outcome->written && save_colors(r)) {
        say_written(r, drawn);
        print_verdict(r);
    }
    report_release(&r->report);
    comparison_inputs_release(&r->compared);
}

static void draw_and_assemble(struct reporting *r, struct diag *diag)
{
    const struct plan **plans = choose_plans(r);

    r->batch = (struct batch){
        .inputs = &r->inputs,
        .plans = plans,
        .merged = config_plan(&r->config, "merged"),
        .plan = &r->plan,
        .each_run = r->options.each_run,
        .keep = r->options.baseline != NULL && !r->options.each_run,
        .rules = &r->config.services,
        .common_scale = r->options.common_scale,
        .threads = options_threads(&r->options),
        .names = &r->names,
        .resources = &r->resources,
        .part = r->options.part ? &r->parts.part : NULL,
        .stitch = r->options.stitch ? &r->parts.stitch : NULL,
        .fonts = r->fonts,
        .stage = r->options.single_file ? NULL : &r->stage,
        .progress = show_progress,
        .progress_context = r->console,
    };
    r->console->count = (unsigned)r->inputs.items.count;
    if (can_reuse(r) || r->options.part || r->options.stitch)
        open_reuse(r);
    batch_run(&r->batch);
    console_progress_end(r->console);
    if (r->options.part)
        write_part(r, diag);
    else if (r->options.stitch && r->parts.stitch.refused)
        diag_error(diag,
                   "the profiles are not those that the parts were made of: files or settings "
                   "have changed, or have moved (name their directory)");
    else
        write_report(r, diag);
    batch_release(&r->batch);
    reuse_release(&r->reuse);
    free(plans);
}

static bool check_usage(struct reporting *r, struct diag *diag)
{
    if (!r->options.paths.count)
        return diag_error(diag, "name a directory of profiles, or profiles (see --help)");
    if (r->options.single_file && r->options.outputs.count)
        return true;
    if (!options_output(&r->options))
        return diag_error(diag, "name the report's directory with -o OUT");
    return true;
}

/* Reads the inputs and settings. Returns false after reporting an error. */
static bool open_run(struct reporting *r, struct diag *diag)
{
    const struct inputs_options reading = {options_output(&r->options), r->options.follow};

    if (!check_usage(r, diag))
        goto usage;
    if (!inputs_init(&r->inputs, r->options.paths.items, r->options.paths.count, &reading, diag))
        return false;
    if (r->options.config)
        r->inputs.settings = r->options.config;
    r->config.today = settings_today(r->today);
    if (settings_read(&r->config, &r->options, r->inputs.settings, r->console) &&
        settings_match_inputs(&r->config, &r->options, &r->inputs, r->inputs.settings, r->console))
        return true;

usage:
    r->outcome->usage = true;
    return false;
}

/*
 * Reads the files that options name, and makes the plans. Settings that are found beside profiles
 * name such files, too, so this is done in the sandbox.
 */
static bool read_named(struct reporting *r, struct diag *diag)
{
    bool ok = settings_plan(&r->config, &r->plan, &r->options, &r->inputs, r->inputs.settings,
                            &r->compare, r->console, diag) &&
              resource_files_read(&r->resources, &r->options, r->console) && read_templates(r) &&
              (r->fonts = fonts_new(&r->options.fonts, diag)) != NULL;

    r->outcome->usage |= !ok;
    return ok;
}

/* Refuses a place that contains inputs, since the report replaces everything there. */
static bool spares_inputs(const struct reporting *r, struct diag *diag)
{
    const char *place = options_output(&r->options);
    const char *settings[] = {r->options.templates, r->inputs.settings, r->options.stitch};

    if (!place)
        return true;
    vec_each (const char *, path, &r->options.paths)
        if (file_is_inside(*path, place))
            return diag_error(diag, "%s: a report there would delete '%s'; name another directory",
                              place, *path);
    vec_each (const struct input_file, input, &r->inputs.items)
        if (r->options.single_file && file_is_inside(input->path, place))
            return diag_error(diag, "%s: this is one of the profiles; name another file", place);
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
        if (settings[i] && file_is_inside(settings[i], place))
            return diag_error(diag, "%s: a report there would delete '%s'; name another directory",
                              place, settings[i]);
    return true;
}

static void abandon(void *context)
{
    struct reporting *r = context;

    stage_abandon(&r->stage);
    broker_end(&r->console->broker);
}

static void write_directory(struct reporting *r, struct diag *diag)
{
    struct interrupt interrupt;

    if (!stage_open(&r->stage, options_output(&r->options), r->options.force,
                    !r->options.no_fsync) ||
        !stage_add_directory(&r->stage, "graphs")) {
        report_stage_failure(r, diag);
        return;
    }
    confine_report(&r->options, &r->inputs, &r->stage, r->console);
    interrupt_begin(&interrupt, abandon, r);
    if (read_named(r, diag))
        draw_and_assemble(r, diag);
    interrupt_end(&interrupt);
}

/* Makes one report. */
static void report_once(const struct command_job *job)
{
    struct reporting r = {
        .console = job->console, .outcome = job->outcome, .compare = compare_settings_default()};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    options_copy(&r.options, job->options);
    if (!report_parts_init(&r.parts, &r.options, &diag)) {
        job->outcome->usage = true;
        goto release;
    }
    if (!open_run(&r, &diag) || !spares_inputs(&r, &diag))
        goto release;
    inputs_name_graphs(&r.inputs, &r.names);
    if (r.options.single_file) {
        confine_report(&r.options, &r.inputs, NULL, job->console);
        if (read_named(&r, &diag))
            draw_and_assemble(&r, &diag);
    } else {
        write_directory(&r, &diag);
    }
    names_release(&r.names);
    if (!r.options.single_file)
        stage_close(&r.stage);

release:
    console_show(job->console, &diag);
    fonts_free(r.fonts);
    resources_release(&r.resources);
    templates_release(&r.templates);
    inputs_release(&r.inputs);
    config_release(&r.config);
    plan_release(&r.plan);
    report_parts_release(&r.parts);
    options_release(&r.options);
    diag_release(&diag);
}

void command_report(const struct command_job *job)
{
    if (job->options->slurm)
        slurm_report(job);
    else if (job->options->watch)
        watch_report(job, report_once);
    else
        report_once(job);
}
