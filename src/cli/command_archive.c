/*
 * Runs `flamepress archive`: adds the runs of a label to a history.
 */
#include "cli/command.h"

#include <stdlib.h>

#include "base/date.h"
#include "base/file.h"
#include "batch/history.h"
#include "cli/confine.h"
#include "cli/interrupt.h"
#include "cli/labels.h"
#include "cli/pruning.h"
#include "cli/settings.h"
#include "cli/sink.h"

/* One label on its way into a history. */
struct archiving {
    const struct command_job *job;
    struct options options; /* with the settings file's values */
    struct plan plan;
    struct config config;
    struct inputs inputs; /* for the settings beside them */
    struct history history;
    struct history_label label;
    struct label content;
    bool content_read; /* `content` must be released */
    struct stage stage;
    struct pruning pruning;
    struct arena memory;
    const char *index; /* path of index.json */
    char date[16];
};

/*
 * Returns the last part of the path of the profiles: "w47" of "weeks/w47/". "." and ".." have the
 * name of the directory that they are.
 */
static struct slice directory_name(struct arena *memory, const char *path)
{
    struct slice name = slice_str(path);
    char *resolved;

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    name = file_name_of(name);
    if (!slice_equal(name, SLICE(".")) && !slice_equal(name, SLICE("..")))
        return name;
    resolved = realpath(path, NULL);
    if (resolved)
        name = arena_copy(memory, file_name_of(slice_str(resolved)));
    free(resolved);
    return name;
}

/* Decides the label's name, and whether it may be written. */
static bool choose_label(struct archiving *a, struct diag *diag)
{
    const struct options *o = &a->options;
    struct history_label *label = &a->label;

    label->date = settings_date(o, a->date);
    label->commit = o->commit;
    label->note = o->note;
    label->name = o->label.len  ? o->label
                  : o->date.len ? o->date
                                : directory_name(&a->memory, o->paths.items[0]);
    if ((o->label.ptr && !o->label.len) || (o->date.ptr && !o->date.len))
        return diag_error(diag, "option --%s is empty; is a variable of the shell unset?",
                          o->label.ptr && !o->label.len ? "label" : "date");
    if (o->date.len && !date_day(o->date).len)
        return diag_error(diag,
                          "option --date: '%.*s' does not order labels, expected a day such as "
                          "2026-11-21; --label is the name of the label",
                          SLICE_ARG(o->date));
    if (slice_equal(label->name, SLICE("-")))
        return diag_error(diag, "name the label of standard input with --label");
    if (!history_name_is_valid(label->name))
        return diag_error(diag,
                          "option --label: '%.*s' is no name of a directory; use letters, digits, "
                          "'.', '-' and '_'",
                          SLICE_ARG(label->name));
    label->path = arena_printf(&a->memory, "%s/%.*s", o->to, SLICE_ARG(label->name));
    a->index = arena_printf(&a->memory, "%s/index.json", o->to);
    return true;
}

static bool check_usage(struct archiving *a, struct diag *diag)
{
    const struct options *o = &a->options;

    if (!o->paths.count && !o->keep)
        return diag_error(diag, "name a directory of profiles or a report (see --help)");
    if (!o->to)
        return diag_error(diag, "name the directory of the history with --to");
    return !o->paths.count || choose_label(a, diag);
}

/* Reads the settings. Returns false after reporting wrong usage. */
static bool open_archive(struct archiving *a, struct diag *diag)
{
    if (!check_usage(a, diag) || !settings_list_inputs(&a->inputs, &a->options, a->job->console))
        return false;
    if (a->options.config)
        a->inputs.settings = a->options.config;
    return settings_read(&a->config, &a->options, a->inputs.settings, a->job->console) &&
           settings_match_inputs(&a->config, &a->options, &a->inputs, a->inputs.settings,
                                 a->job->console);
}

static bool check_history(struct archiving *a, struct diag *diag)
{
    const struct options *o = &a->options;
    struct buf why = {0};
    bool ok;

    ok = file_make_directory(o->to, &why) || diag_error(diag, "%s: %s", o->to, why.ptr);
    buf_release(&why);
    if (!ok ||
        !labels_read(&a->history, o->to, o->force ? a->label.name : SLICE(""), false, o, diag))
        return false;
    history_warn(&a->history, diag);
    if (!history_find(&a->history, a->label.name) || o->force)
        return true;
    return diag_error(diag, "%s: the label exists; --force replaces it", a->label.path);
}

static void abandon(void *context)
{
    struct archiving *a = context;

    stage_abandon(&a->stage);
    broker_end(&a->job->console->broker);
}

static const struct plan *plan_of(const void *config, const char *shown)
{
    return config_plan(config, shown);
}

/* Appends the index of the labels that are there now. Returns false after reporting an error. */
static bool make_index(const struct archiving *a, struct buf *out, struct diag *diag)
{
    struct history now = {0};
    bool ok = history_read(&now, a->options.to, SLICE(""), diag);

    if (ok)
        history_write_index(&now, out);
    history_release(&now);
    return ok;
}

/*
 * Writes the index. Another archive may add a label at the same time, and write its index before
 * this one: the index is written again until no label was added meanwhile.
 */
static bool write_index(const struct archiving *a, struct diag *diag)
{
    struct buf written = {0}, index = {0};
    bool ok = make_index(a, &index, diag);

    while (ok && !slice_equal(buf_slice(&index), buf_slice(&written))) {
        buf_clear(&written);
        buf_add_slice(&written, buf_slice(&index));
        buf_clear(&index);
        ok = sink_write(a->job->console, a->index, buf_slice(&written)) != SINK_FAILED &&
             make_index(a, &index, diag);
    }
    buf_release(&written);
    buf_release(&index);
    return ok;
}

/* Reads the runs and writes the label, then the index. */
static bool write_label(struct archiving *a, struct diag *diag)
{
    const struct command_job *job = a->job;
    const struct options *o = &a->options;
    const struct label_options how = {
        .plan = &a->plan,
        .plan_of = plan_of,
        .context = &a->config,
        .rules = &a->config.services,
        .excluded = o->excluded.items,
        .excluded_count = o->excluded.count,
        .threads = options_threads(o),
    };
    bool ok;

    a->content_read = true;
    ok = label_read(&a->content, o->paths.items, o->paths.count, &how, diag);
    for (size_t i = 0; a->content.diags && i < a->content.inputs.items.count; i++) {
        console_show(job->console, &a->content.diags[i]);
        console_show(job->console, &a->content.metas[i]);
    }
    job->outcome->failed += a->content.failed;
    if (!ok)
        return false;
    if (!history_stage(&a->stage, &a->label, &a->content.services) || !stage_commit(&a->stage))
        return diag_error(diag, "%s: %s", a->label.path, a->stage.failure.ptr);
    ok = write_index(a, diag);
    if (ok)
        console_say(job->console, "%s: %zu service%s", a->label.path, a->content.services.count,
                    a->content.services.count == 1 ? "" : "s");
    return ok;
}

static void write_staged(struct archiving *a, struct diag *diag)
{
    const struct options *o = &a->options;
    struct interrupt interrupt;

    history_set(&a->history, &a->label);
    if (!pruning_init(&a->pruning, &a->history, o->keep, a->label.name, a->job->console, diag))
        return;
    if (stage_open(&a->stage, a->label.path, o->force, !o->no_fsync)) {
        if (!o->no_sandbox)
            broker_add_path(&a->job->console->broker, a->index);
        confine_report(o, &a->inputs, &a->stage, a->job->console);
        interrupt_begin(&interrupt, abandon, a);
        if (settings_plan(&a->config, &a->plan, &a->options, &a->inputs, a->inputs.settings, NULL,
                          a->job->console, diag))
            a->job->outcome->written = write_label(a, diag);
        else
            a->job->outcome->usage = true;
        interrupt_end(&interrupt);
        if (a->job->outcome->written)
            a->job->outcome->failed += !pruning_run(&a->pruning, a->job, diag);
    } else {
        diag_error(diag, "%s: %s", a->label.path, a->stage.failure.ptr);
    }
    stage_close(&a->stage);
}

/* Removes stacks from a history to which nothing is added. */
static void prune_only(struct archiving *a, struct diag *diag)
{
    const struct options *o = &a->options;
    const struct strings none = {0};

    if (file_kind(o->to) != FILE_DIRECTORY) {
        diag_error(diag, "%s: no such history", o->to);
        return;
    }
    if (!labels_read(&a->history, o->to, SLICE(""), false, o, diag) ||
        !pruning_init(&a->pruning, &a->history, o->keep, SLICE(""), a->job->console, diag))
        return;
    confine(o, &none, a->job->console);
    a->job->outcome->written = true;
    a->job->outcome->failed += !pruning_run(&a->pruning, a->job, diag);
}

void command_archive(const struct command_job *job)
{
    struct archiving a = {.job = job};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    options_copy(&a.options, job->options);
    if (!a.options.paths.count && a.options.keep && a.options.to)
        prune_only(&a, &diag);
    else if (!open_archive(&a, &diag))
        job->outcome->usage = true;
    else if (check_history(&a, &diag))
        write_staged(&a, &diag);
    console_show(job->console, &diag);
    if (a.content_read)
        label_release(&a.content);
    pruning_release(&a.pruning);
    history_release(&a.history);
    inputs_release(&a.inputs);
    config_release(&a.config);
    plan_release(&a.plan);
    options_release(&a.options);
    arena_release(&a.memory);
    diag_release(&diag);
}
