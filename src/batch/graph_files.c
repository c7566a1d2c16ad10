#include "batch/graph_files.h"

#include <string.h>

#include "output/deflate.h"
#include "output/writer.h"

/* One file of a graph to write. */
struct drawn {
    const struct picture *picture;
    const struct writer *writer;
    unsigned ratio;
    bool beside; /* the dark variant of a light picture */
};

/* Returns the slot of the report for a picture; a single file has one PNG per background. */
static enum report_picture picture_slot(const struct drawn *d, bool single)
{
    if (!d->writer->by_ratio)
        return REPORT_SVG;
    if (d->ratio == 1 || single)
        return d->beside ? REPORT_PNG_DARK : REPORT_PNG;
    return d->beside ? REPORT_PNG_DARK_2X : REPORT_PNG_2X;
}

static void add_to_report(const struct graph_files *f, const struct drawn *d,
                          struct report_file file)
{
    file.width = d->picture->geometry.width;
    file.height = (unsigned)picture_stack_height(d->picture);
    report_graph_set_picture(f->graph, picture_slot(d, !f->stage), &file);
}

/*
 * Embeds a picture in the page: the PNG as a data: URI, which needs no script; the SVG compressed
 * to about a fifth, which the page's script opens as a document only when it is needed.
 */
static void write_inside(const struct graph_files *f, const struct drawn *d, struct slice bytes)
{
    struct buf text = {0};

    if (d->writer->by_ratio) {
        buf_add_str(&text, "data:image/png;base64,");
        deflate_base64(&text, bytes);
    } else {
        deflate_write(&text, (struct deflate_parts){.text = bytes});
    }
    add_to_report(f, d, (struct report_file){.inside = buf_slice(&text)});
    buf_release(&text);
}

/* Writes a picture to the stage. Names of graphs contain no '@', so "NAME@2x.png" is unique. */
static bool write_beside(const struct graph_files *f, const struct drawn *d, struct slice bytes)
{
    struct buf path = {0};
    bool ok;

    buf_printf(&path, "graphs/%.*s", SLICE_ARG(f->name));
    if (d->beside)
        buf_add_str(&path, "@dark");
    if (d->ratio > 1)
        buf_printf(&path, "@%ux", d->ratio);
    buf_add_str(&path, d->writer->ending);
    ok = stage_write(f->stage, buf_string(&path), bytes);
    if (ok)
        add_to_report(f, d, (struct report_file){.path = buf_slice(&path)});
    buf_release(&path);
    return ok;
}

static bool write_file(const struct graph_files *f, const struct drawn *d)
{
    struct buf bytes = {0}, why = {0};
    bool ok;

    ok = d->writer->write(d->picture, d->ratio, &bytes, &why);
    if (!ok)
        diag_error(f->diag, "cannot draw the %s: %s", d->writer->name, buf_string(&why));
    else if (f->stage)
        ok = write_beside(f, d, buf_slice(&bytes));
    else
        write_inside(f, d, buf_slice(&bytes));
    buf_release(&bytes);
    buf_release(&why);
    return ok;
}

static bool is_wanted(const struct graph_files *f, const struct writer *writer)
{
    return f->which == GRAPH_FILES_ALL || (f->which == GRAPH_FILES_PNG) == writer->by_ratio;
}

/* Writes the files of one picture. A dark variant has only PNGs. */
static bool write_picture(const struct graph_files *f, const struct picture *p, bool beside)
{
    unsigned wanted = f->look->pixel_ratios ? f->look->pixel_ratios : 1u << 1 | 1u << 2;

    for (const struct writer *const *writer = writers; *writer; writer++) {
        struct drawn d = {.picture = p, .writer = *writer, .beside = beside};
        unsigned ratios = (*writer)->by_ratio ? wanted : 1u << 1;

        if ((beside && !(*writer)->by_ratio) || !is_wanted(f, *writer))
            continue;
        if (!f->stage) /* a single file contains only the sharpest PNG */
            ratios = 1u << (31 - __builtin_clz(ratios));
        for (d.ratio = 1; ratios >> d.ratio; d.ratio++)
            if (ratios >> d.ratio & 1 && !write_file(f, &d))
                return false;
    }
    return true;
}

/* Writes the picture, and those that `below` links, on a dark background. */
static bool write_dark(const struct graph_files *f, const struct picture *p)
{
    enum { MOST = 3 };
    struct picture dark[MOST];
    size_t count = 0;
    bool ok;

    do {
        struct picture_options options = p->options;

        options.look.theme = THEME_DARK;
        picture_init(&dark[count], p->layout, p->fonts, &options);
        if (count)
            dark[count - 1].below = &dark[count];
        count++;
        p = p->below;
    } while (p && count < MOST);
    ok = write_picture(f, &dark[0], true);
    while (count > 0)
        picture_release(&dark[--count]);
    return ok;
}

bool graph_files_write(const struct graph_files *f, const struct picture *p)
{
    if (!write_picture(f, p, false))
        return false;
    return !f->look->dark_beside || p->options.look.theme != THEME_LIGHT || write_dark(f, p);
}

static void add_path(struct buf *out, struct slice path)
{
    if (!path.len)
        return;
    buf_add_slice(out, path);
    buf_add_char(out, '\0');
}

/* Whether no earlier function has the same crop, as functions of one name have. */
static bool is_first_with_crop(const struct report_graph *g, const struct report_function *f)
{
    for (const struct report_function *other = g->by_self.items; other < f; other++)
        if (slice_equal(other->crop, f->crop))
            return false;
    return true;
}

void graph_files_list(const struct report_graph *g, struct buf *out)
{
    for (unsigned i = 0; i < REPORT_PICTURES; i++)
        add_path(out, g->pictures[i].path);
    vec_each (const struct report_export, e, &g->exports)
        add_path(out, e->path);
    vec_each (const struct report_function, f, &g->by_self)
        if (f->crop.len && is_first_with_crop(g, f))
            add_path(out, f->crop);
    add_path(out, g->runs_path);
}
