#include "cli/command.h"

#include <string.h>

#include "cli/draw.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "output/writer.h"

/* The writer that -o or --format asks for; SVG where neither says. NULL after telling. */
static const struct writer *choose_writer(const struct options *o, struct console *console)
{
    bool to_stdout = !o->output || strcmp(o->output, "-") == 0;
    const struct writer *writer;

    if (o->format)
        writer = writer_find(slice_str(o->format));
    else
        writer = to_stdout ? writer_find(SLICE("svg")) : writer_for_path(slice_str(o->output));
    if (writer)
        return writer;
    if (o->format)
        console_error(console, "option --format: graph writes png or svg, not %s", o->format);
    else
        console_error(console,
                      "option --output: '%s' ends neither in .png nor in .svg; say which "
                      "with --format",
                      o->output);
    return NULL;
}

/* "slow.png" at ratio 2 beside other ratios is "slow@2x.png". */
static void ratio_path(struct buf *out, const char *path, const struct writer *writer,
                       unsigned ratio)
{
    struct slice stem = slice_str(path);

    buf_clear(out);
    if (slice_ends(stem, slice_str(writer->ending)))
        stem.len -= strlen(writer->ending);
    buf_printf(out, "%.*s@%ux%s", SLICE_ARG(stem), ratio, writer->ending);
}

static bool write_ratio(struct console *console, const struct picture *p,
                        const struct writer *writer, unsigned ratio, const char *path)
{
    struct buf bytes, why;
    bool ok;

    buf_init(&bytes);
    buf_init(&why);
    ok = writer->write(p, ratio, &bytes, &why);
    if (!ok)
        console_error(console, "cannot draw: %s", why.ptr);
    else
        ok = sink_write(console, path, buf_slice(&bytes));
    buf_release(&bytes);
    buf_release(&why);
    return ok;
}

/* False, told, where several pictures would go to standard output. */
static bool one_place(const struct options *o, const struct writer *writer, struct diag *diag)
{
    bool several = writer->by_ratio && (o->pixel_ratios & (o->pixel_ratios - 1)) != 0;

    if (several && (!o->output || strcmp(o->output, "-") == 0))
        return diag_error(diag, "several pixel ratios need a file: name it with -o");
    return true;
}

static bool write_picture(const struct options *o, struct console *console, const struct picture *p,
                          const struct writer *writer)
{
    unsigned ratios = writer->by_ratio && o->pixel_ratios ? o->pixel_ratios : 1u << 1;
    bool single = (ratios & (ratios - 1)) == 0, ok = true;
    struct buf path;

    buf_init(&path);
    for (unsigned ratio = 1; ratios >> ratio; ratio++) {
        const char *name = o->output;

        if (!(ratios >> ratio & 1))
            continue;
        if (!single && ratio > 1) {
            ratio_path(&path, o->output, writer, ratio);
            name = path.ptr;
        }
        ok &= write_ratio(console, p, writer, ratio, name);
    }
    buf_release(&path);
    return ok;
}

static void draw_series(const struct options *o, struct console *console, const struct profile *p,
                        uint32_t series, const struct writer *writer, struct outcome *outcome)
{
    struct tree_options tree_options = {.reverse = o->reverse};
    struct drawing drawing;
    struct fonts *fonts;
    struct tree tree;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    fonts = draw_fonts(o, &diag);
    if (fonts) {
        const char *source = o->paths.count == 1 ? o->paths.items[0] : "";

        tree_init(&tree, p, series, &tree_options);
        draw_init(&drawing, o, &tree, series, fonts,
                  slice_str(strcmp(source, "-") == 0 ? "" : source), slice_str(NULL), &diag);
        outcome->written = write_picture(o, console, &drawing.picture, writer);
        draw_release(&drawing);
        tree_release(&tree);
        fonts_free(fonts);
    } else {
        outcome->usage = true;
    }
    console_show(console, &diag);
    diag_release(&diag);
}

void command_graph(const struct options *o, struct console *console, struct outcome *outcome)
{
    const struct writer *writer = choose_writer(o, console);
    struct profile profile;
    struct diag diag;
    uint32_t series;

    diag_init(&diag, SLICE("flamepress"));
    outcome->usage = !writer || !draw_check(o, &diag) || !one_place(o, writer, &diag);
    console_show(console, &diag);
    diag_release(&diag);
    if (outcome->usage)
        return;
    if (writer->by_ratio && sink_is_terminal(o->output)) {
        console_error(console, "a %s does not belong on a terminal; name a file with -o",
                      writer->name);
        outcome->usage = true;
        return;
    }
    profile_init(&profile);
    if (load_profiles(o, true, console, &profile, outcome) &&
        (series = load_series(o, console, &profile, outcome)) != SERIES_NONE)
        draw_series(o, console, &profile, series, writer, outcome);
    profile_release(&profile);
}
