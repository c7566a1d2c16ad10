/*
 * Runs `flamepress digest`: writes in a few lines what is worse or better, in several formats. What
 * changed is read from an earlier report, or comes from comparing runs with a baseline, or the
 * newest label of a history with the one before it. A mail contains pictures: those of the report,
 * or new ones.
 */
#include "cli/checking.h"

#include <string.h>

#include "base/file.h"
#include "base/release.h"
#include "base/version.h"
#include "batch/change_graphs.h"
#include "batch/report_file.h"
#include "cli/confine.h"
#include "cli/labels.h"
#include "cli/sink.h"
#include "output/deflate.h"
#include "report/digest.h"
#include "report/verdicts.h"

/* The largest picture of a report that is put into a mail. */
enum { PICTURE_MAX_SIZE = 8 << 20 };

static bool wants_mail(const struct options *o)
{
    return o->format == FORMAT_DIGEST_MAIL;
}

static bool write_digest(const struct options *o, const struct comparison *c,
                         const struct digest_pictures *pictures, struct console *console)
{
    typedef void digest_fn(const struct comparison *c, struct slice link, struct buf *out);
    static digest_fn *const digests[] = {digest_write_text, digest_write_markdown,
                                         digest_write_html};
    const struct slice link = slice_str(o->link);
    struct buf text = {0};
    bool ok;

    if (wants_mail(o))
        digest_write_mail(c, link, pictures, &text);
    else
        digests[o->format >= FORMAT_DIGEST ? o->format - FORMAT_DIGEST : 0](c, link, &text);
    ok = sink_write(console, options_output(o), buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return ok;
}

static void confine_digest(const struct options *o, struct console *console)
{
    struct strings written = {0};

    if (options_output(o))
        *vec_add(&written) = options_output(o);
    confine(o, &written, console);
    vec_release(&written);
}

static struct slice describe(const struct compared_service *s, const struct finding *f,
                             struct arena *memory)
{
    struct buf text = {0};
    struct slice about;

    verdicts_picture(&text, s, f);
    about = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    return about;
}

/* ---- of a report ----------------------------------------------------------------------------- */

/* Describes the finding whose picture a file is; names it if the comparison does not have it. */
static struct slice describe_file(struct report_file_content *report,
                                  const struct report_picture_file *file)
{
    vec_each (const struct compared_service, s, &report->comparison.services)
        vec_each (const struct finding, f, &s->findings)
            if (slice_equal(s->name, file->service) && slice_equal(f->function, file->function) &&
                slice_equal(compare_scope_word(f->scope), file->scope))
                return describe(s, f, &report->memory);
    return slice_str(arena_printf(&report->memory, "%.*s: %.*s", SLICE_ARG(file->service),
                                  SLICE_ARG(file->function)));
}

/* Loads the first pictures. A picture that cannot be read is left out with a warning. */
static void load_pictures(struct report_file_content *report, const char *directory,
                          struct digest_pictures *pictures, struct diag *diag)
{
    vec_each (const struct report_picture_file, file, &report->pictures) {
        struct buf bytes = {0}, text = {0}, why = {0};

        if (pictures->count == DIGEST_PICTURES)
            return;
        if (file_read(file->path, PICTURE_MAX_SIZE, &bytes, &why)) {
            deflate_base64(&text, buf_slice(&bytes));
            *vec_add(pictures) = (struct digest_picture){
                describe_file(report, file),
                arena_copy(&report->memory, buf_slice(&text)),
            };
        } else {
            diag_warn(diag, "no picture %s: %s", file->path + strlen(directory) + 1,
                      buf_string(&why));
        }
        buf_release(&why);
        buf_release(&text);
        buf_release(&bytes);
    }
}

static void digest_report(const struct command_job *job)
{
    const struct options *o = job->options;
    const char *directory = o->paths.items[0];
    const struct input_options limits = o->plan.reading;
    struct digest_pictures pictures = {0};
    struct report_file_content report;
    struct diag diag;

    diag_init(&diag, slice_str(directory));
    confine_digest(o, job->console);
    if (report_file_read(&report, directory, &limits.limits, &diag)) {
        if (wants_mail(o))
            load_pictures(&report, directory, &pictures, &diag);
        job->outcome->written = write_digest(o, &report.comparison, &pictures, job->console);
    }
    console_show(job->console, &diag);
    vec_release(&pictures);
    report_file_release(&report);
    diag_release(&diag);
}

/* ---- of a history ---------------------------------------------------------------------------- */

/* Finds the label that `name` means, and checks that it has stacks. */
static const struct history_label *find_label(const struct history *h, const char *directory,
                                              struct slice name, struct diag *diag)
{
    const struct history_label *label = NULL;

    if (!h->labels.count)
        diag_error(diag, "%s: the history has no labels", directory);
    else if (!name.len)
        label = &h->labels.items[h->labels.count - 1];
    else if (!(label = history_find(h, name)))
        diag_error(diag, "%s: no label '%.*s' in this history, whose newest is '%.*s'", directory,
                   SLICE_ARG(name), SLICE_ARG(h->labels.items[h->labels.count - 1].name));
    if (label && !label->has_stacks) {
        diag_error(diag, "%s: this label has no stacks any more (archive --keep)", label->path);
        return NULL;
    }
    return label;
}

/*
 * Replaces a history among the options by one of its labels, which is compared with the label
 * before it unless there is a baseline. Returns false after reporting an error.
 */
static bool choose_labels(struct options *o, struct diag *diag)
{
    const struct history_label *label;
    struct history history = {0};
    const char *directory;
    struct slice name;
    bool ok;

    if (o->paths.count != 1 || !history_split(o->paths.items[0], &o->memory, &directory, &name))
        return true;
    ok = labels_read(&history, directory, SLICE(""), false, o, diag) &&
         (label = find_label(&history, directory, name, diag)) != NULL;
    if (ok) {
        o->paths.items[0] = arena_strdup(&o->memory, slice_str(label->path));
        if (!o->baseline && label == history.labels.items)
            ok =
                diag_error(diag, "%s: no label is before '%.*s'; name earlier runs with --baseline",
                           directory, SLICE_ARG(label->name));
        else if (!o->baseline)
            o->baseline = arena_printf(&o->memory, "%s:%.*s", directory, SLICE_ARG(label[-1].name));
    }
    history_release(&history);
    return ok;
}

/* ---- of runs --------------------------------------------------------------------------------- */

/* Draws the findings that have cards, in memory. */
static bool draw_pictures(struct comparison_inputs *w, const struct checking *c,
                          struct fonts *fonts, struct report *report,
                          struct digest_pictures *pictures, struct diag *diag)
{
    static const char start[] = "data:image/png;base64,";
    struct resources resources = {0};
    const struct change_graphs graphs = {
        .base = w->base,
        .new = w->new,
        .plan = &c->plan,
        .resources = &resources,
        .fonts = fonts,
        .threads = options_threads(&c->options),
        .most = DIGEST_PICTURES,
    };
    bool ok;

    report_set_comparison(report, &w->comparison);
    ok = change_graphs_draw(&graphs, report, diag);
    vec_each (const struct report_change, card, &report->comparison.cards) {
        if (!slice_starts(card->crop.inside, slice_str(start)))
            continue;
        *vec_add(pictures) = (struct digest_picture){
            describe(card->of, card->finding, &report->memory),
            slice_skip(card->crop.inside, strlen(start)),
        };
    }
    return ok;
}

static void digest_runs(struct checking *c, const struct command_job *job, struct diag *diag)
{
    const struct comparison_request request = checking_request(c);
    struct digest_pictures pictures = {0};
    struct fonts *fonts = NULL;
    struct report report;
    struct comparison_inputs compared;
    bool ok = true;

    if (wants_mail(&c->options) && !(fonts = fonts_new(&c->options.fonts, diag)))
        return;
    report_init(&report, SLICE(""), SLICE(FLAMEPRESS_VERSION), SLICE(""));
    if (comparison_inputs_init(&compared, &request, job)) {
        if (fonts)
            ok = draw_pictures(&compared, c, fonts, &report, &pictures, diag);
        job->outcome->failed += !ok;
        job->outcome->written =
            write_digest(&c->options, &compared.comparison, &pictures, job->console);
    }
    vec_release(&pictures);
    report_release(&report);
    comparison_inputs_release(&compared);
    fonts_free(fonts);
}

static void digest_compared(const struct command_job *job)
{
    struct checking c;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    checking_init(&c, job->options);
    if (choose_labels(&c.options, &diag)) {
        bool ok = checking_open(&c, job, &diag);

        if (ok)
            confine_digest(&c.options, job->console);
        ok = ok && checking_plan(&c, job, &diag);
        if (ok)
            digest_runs(&c, job, &diag);
        else
            job->outcome->usage = true;
    }
    console_show(job->console, &diag);
    checking_release(&c);
    diag_release(&diag);
}

void command_digest(const struct command_job *job)
{
    const struct options *o = job->options;

    if (o->paths.count == 1 && !o->baseline && report_file_exists(o->paths.items[0]))
        digest_report(job);
    else
        digest_compared(job);
}
