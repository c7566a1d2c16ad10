#include "cli/target.h"

#include <string.h>

#include "base/file.h"
#include "base/release.h"
#include "cli/picture_texts.h"
#include "cli/resource_files.h"
#include "cli/sink.h"
#include "draw/draw.h"
#include "output/embed.h"
#include "output/svg.h"

/* Returns the writer for --format or the path's ending, or NULL after reporting an error. */
static const struct writer *choose_writer(const struct options *o, const char *path,
                                          struct diag *diag)
{
    const struct writer *writer;

    if (o->format || !path)
        return writer_find(o->format == FORMAT_PNG ? SLICE("png") : SLICE("svg"));
    writer = writer_for_path(slice_str(path));
    if (!writer)
        diag_error(diag,
                   "option --output: '%s' ends neither in .png nor in .svg; say which with "
                   "--format",
                   path);
    return writer;
}

/* Returns false after reporting that standard output cannot take the format. */
static bool check_stdout(const struct options *o, const struct writer *writer, struct diag *diag)
{
    if (!writer->by_ratio)
        return true;
    if (o->plan.look.pixel_ratios & (o->plan.look.pixel_ratios - 1))
        return diag_error(diag, "several pixel ratios need a file: name it with -o");
    if (sink_is_terminal(NULL))
        return diag_error(diag, "a %s cannot be written to a terminal; name a file with -o",
                          writer->name);
    return true;
}

bool target_add(const struct options *o, const char *path, struct targets *targets,
                struct diag *diag)
{
    struct target target = {file_is_standard(path) ? NULL : path, NULL};

    if (picture_texts_takes(path)) {
        *vec_add(&targets->snippets) = path;
        return true;
    }
    target.writer = choose_writer(o, target.path, diag);
    if (!target.writer || (!target.path && !check_stdout(o, target.writer, diag)))
        return false;
    *vec_add(&targets->pictures) = target;
    return true;
}

void targets_release(struct targets *targets)
{
    release_all(targets, vec, pictures, snippets);
}

/* Returns the path of the first picture that a file of this ending has, or NULL. */
static const char *find_path(const struct targets *targets, struct slice ending)
{
    vec_each (const struct target, target, &targets->pictures)
        if (target->path && slice_equal(slice_str(target->writer->ending), ending))
            return target->path;
    return NULL;
}

/* Adds the picture of the snippet "slow.md": "slow.png", or "slow.svg" with --format=svg. */
static bool add_picture(const struct options *o, struct targets *targets, struct arena *memory,
                        struct diag *diag)
{
    struct slice snippet = slice_str(targets->snippets.items[0]);
    const char *ending = o->format == FORMAT_SVG ? "svg" : "png";
    const char *path =
        arena_printf(memory, "%.*s.%s", (int)(snippet.len - strlen(".md")), snippet.ptr, ending);

    targets->shown = path;
    return target_add(o, path, targets, diag);
}

bool targets_complete(const struct options *o, struct targets *targets, struct arena *memory,
                      struct diag *diag)
{
    if (o->link && !targets->snippets.count)
        return diag_error(diag, "option --link: there is no snippet with a link; add -o NAME.md");
    if (file_is_standard(o->alt))
        vec_each (const struct target, target, &targets->pictures)
            if (!target->path)
                return diag_error(diag, "option --alt: standard output has the picture; name a "
                                        "file for one of them");
    if (!targets->snippets.count)
        return true;
    targets->shown = find_path(targets, SLICE(".png"));
    if (!targets->shown)
        targets->shown = find_path(targets, SLICE(".svg"));
    return targets->shown || add_picture(o, targets, memory, diag);
}

/*
 * With --verbose: "a.png: 30267 bytes, of which the profile in it takes 5223", and what of modules
 * and source lines is not in it.
 */
static void say_embedded(struct console *console, const char *path, struct slice bytes)
{
    size_t chunk = console->verbose ? embed_size(bytes) : 0;
    struct slice lost = chunk ? embed_lost(bytes) : slice_make(NULL, 0);

    if (chunk)
        console_say(console, "%s: %zu bytes, of which the profile in it takes %zu (--embed=never)",
                    path ? path : "<stdout>", bytes.len, chunk);
    if (lost.len)
        console_say(console, "%s: %.*s", path ? path : "<stdout>", SLICE_ARG(lost));
}

static bool write_ratio(struct console *console, const struct picture *p,
                        const struct writer *writer, unsigned ratio, const char *path)
{
    struct buf bytes = {0}, why = {0};
    bool ok;

    ok = writer->write(p, ratio, &bytes, &why);
    if (!ok)
        console_error(console, "cannot draw: %s", buf_string(&why));
    else
        ok = sink_write(console, path, buf_slice(&bytes)) != SINK_FAILED;
    if (ok && strcmp(writer->name, "png") == 0)
        say_embedded(console, path, buf_slice(&bytes));
    buf_release(&bytes);
    buf_release(&why);
    return ok;
}

/* Returns the ratios to write, bit n for ratio n; pictures without pixels have one. */
static unsigned target_ratios(const struct options *o, const struct target *target)
{
    unsigned ratios = o->plan.look.pixel_ratios;

    return target->writer->by_ratio && ratios ? ratios : 1u << 1;
}

/* If several ratios are asked for, "slow.png" at ratio 2 is "slow@2x.png". */
static const char *target_path(const struct options *o, const struct target *target, unsigned ratio,
                               struct arena *memory)
{
    unsigned ratios = target_ratios(o, target);
    struct slice stem = slice_str(target->path);

    if (ratio == 1 || !(ratios & (ratios - 1)))
        return target->path;
    if (slice_ends(stem, slice_str(target->writer->ending)))
        stem.len -= strlen(target->writer->ending);
    return arena_printf(memory, "%.*s@%ux%s", SLICE_ARG(stem), ratio, target->writer->ending);
}

static bool write_target(const struct options *o, struct console *console, const struct picture *p,
                         const struct target *target)
{
    unsigned ratios = target_ratios(o, target);
    struct arena memory = {0};
    bool ok = true;

    for (unsigned ratio = 1; ratios >> ratio; ratio++)
        if (ratios >> ratio & 1)
            ok &= write_ratio(console, p, target->writer, ratio,
                              target_path(o, target, ratio, &memory));
    arena_release(&memory);
    return ok;
}

/* True if the script and the style of the target are files beside it. */
static bool has_sides(const struct options *o, const struct target *target)
{
    return o->plan.look.picture.svg_script == SVG_SCRIPT_EXTERNAL &&
           strcmp(target->writer->name, "svg") == 0 && target->path;
}

static const char *side_path(const struct target *target, const struct svg_side *side,
                             struct arena *memory)
{
    struct slice path = slice_str(target->path);
    size_t slash = slice_find_last(path, '/');

    return arena_printf(memory, "%.*s%s",
                        SLICE_ARG(slice_take(path, slash < path.len ? slash + 1 : 0)), side->name);
}

void target_list(const struct options *o, const struct targets *targets, struct arena *memory,
                 struct strings *paths)
{
    vec_each (const struct target, target, &targets->pictures) {
        unsigned ratios = target_ratios(o, target);

        for (unsigned ratio = 1; target->path && ratios >> ratio; ratio++)
            if (ratios >> ratio & 1)
                *vec_add(paths) = target_path(o, target, ratio, memory);
        for (size_t i = 0; i < svg_side_count && has_sides(o, target); i++)
            *vec_add(paths) = side_path(target, &svg_sides[i], memory);
    }
    vec_each (const char *const, path, &targets->snippets)
        *vec_add(paths) = *path;
    if (o->alt && !file_is_standard(o->alt))
        *vec_add(paths) = o->alt;
}

/* Writes the script and the style of SVGs beside each SVG that is a file. */
static bool write_sides(const struct options *o, struct console *console,
                        const struct target *target)
{
    struct arena memory = {0};
    bool ok = true;

    for (size_t i = 0; i < svg_side_count && has_sides(o, target); i++)
        ok &= sink_write(console, side_path(target, &svg_sides[i], &memory),
                         svg_side_content(&svg_sides[i])) != SINK_FAILED;
    arena_release(&memory);
    return ok;
}

/* A drawing on its way into the targets. */
struct writing {
    const struct command_job *job;
    const struct targets *targets;
};

static bool write_targets(void *context, const struct picture *p, struct diag *diag)
{
    const struct writing *w = context;
    const struct command_job *job = w->job;

    (void)diag;
    vec_each (const struct target, target, &w->targets->pictures) {
        if (write_target(job->options, job->console, p, target) &&
            write_sides(job->options, job->console, target))
            job->outcome->written = true;
        else
            job->outcome->failed++;
    }
    return true;
}

static bool write_texts(const struct command_job *job, const struct targets *targets,
                        const struct report_graph *described)
{
    return !described || picture_texts_write(job, &targets->snippets, described, targets->shown,
                                             find_path(targets, SLICE(".svg")));
}

void target_draw(const struct command_job *job, const struct library_graph *g, struct slice source,
                 const struct targets *targets)
{
    struct resources resources;
    struct color_map added = {0};
    struct report_graph described = {0};
    struct library_drawing how = {.plan = job->plan,
                                  .source = source,
                                  .resources = &resources,
                                  .added = &added,
                                  .threads = options_threads(job->options)};
    struct buf name = {0};
    struct writing writing = {job, targets};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    if (targets->snippets.count || job->options->alt)
        how.described = &described;
    picture_texts_name(job->options, &name);
    how.name = buf_slice(&name);
    if (resource_files_read(&resources, job->options, job->console))
        how.fonts = fonts_new(&job->options->fonts, &diag);
    if (!how.fonts)
        job->outcome->usage = true;
    else if (library_graph_draw(g, &how, write_targets, &writing, &diag))
        job->outcome->failed += !resource_files_save(&resources, &added, job->console) +
                                !(write_texts(job, targets, how.described));
    else
        exit_count_failure(job->outcome, &diag);
    if (how.fonts)
        draw_warn_missing(how.fonts, &diag);
    fonts_free(how.fonts);
    resources_release(&resources);
    report_graph_release(&described);
    buf_release(&name);
    color_map_release(&added);
    console_show_all(job->console, &diag); /* --preset=ticket chooses what to leave out */
    diag_release(&diag);
}
