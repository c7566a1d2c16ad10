#include "output/svg.h"

#include <string.h>

#include "assets/asset.h"
#include "base/die.h"
#include "base/num.h"
#include "base/pool.h"
#include "output/svg_boxes.h"
#include "output/svg_data.h"
#include "output/svg_markup.h"
#include "output/xml.h"
#include "raster/fill.h"

static struct slice find_asset(const char *name)
{
    struct slice content;

    if (!asset_find(slice_str(name), &content))
        BUG("%s is not embedded", name);
    return content;
}

static void write_stop(const struct picture *p, struct buf *out, unsigned offset, unsigned end)
{
    buf_printf(out, "<stop offset=\"%u%%\"", offset);
    svg_markup_colors(p, out, "stop-color", p->background.light[end], p->background.dark[end]);
    buf_add_str(out, "/>");
}

/* The gradient is named after the background, so graphs in one page may share it. */
static void write_background(const struct picture *p, struct buf *out)
{
    const struct background *b = &p->background;

    if (background_is_flat(b, false) && background_is_flat(b, true)) {
        buf_add_str(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"");
        svg_markup_colors(p, out, "fill", b->light[BACKGROUND_TOP], b->dark[BACKGROUND_TOP]);
        buf_add_str(out, "/>\n");
        return;
    }
    buf_printf(out,
               "<linearGradient id=\"ground-%s-%lu\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" "
               "y1=\"0\" x2=\"0\" y2=\"%lu\">",
               b->name, (unsigned long)p->geometry.height, (unsigned long)p->geometry.height);
    write_stop(p, out, BACKGROUND_FROM, BACKGROUND_TOP);
    write_stop(p, out, BACKGROUND_TO, BACKGROUND_BOTTOM);
    buf_printf(out,
               "</linearGradient>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\" "
               "fill=\"url(#ground-%s-%lu)\"/>\n",
               b->name, (unsigned long)p->geometry.height);
}

static void write_style(const struct picture *p, struct buf *out)
{
    if (p->options.look.svg_script == SVG_SCRIPT_EXTERNAL)
        return;
    buf_add_str(out, "<style>");
    buf_add_slice(out, find_asset("graph/style"));
    buf_add_str(out, "</style>\n");
}

static void write_size(struct buf *out, uint64_t width, uint64_t height)
{
    svg_markup_number(out, "width", (int64_t)width);
    svg_markup_number(out, "height", (int64_t)height);
    buf_printf(out, " viewBox=\"0 0 %llu %llu\"", (unsigned long long)width,
               (unsigned long long)height);
}

static void write_prolog(const struct picture *p, struct buf *out)
{
    buf_add_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (p->options.look.svg_script == SVG_SCRIPT_EXTERNAL)
        buf_add_str(out, "<?xml-stylesheet href=\"flamepress.css\"?>\n");
}

/* Writes the name of the graph for screen readers. */
static void write_label(const struct picture *p, struct buf *out)
{
    struct slice title = p->options.look.title, view = p->options.view;
    struct buf label = {0};

    buf_printf(&label, "%.*s%s%.*s", SLICE_ARG(title), view.len ? ", " : "", SLICE_ARG(view));
    xml_write_attribute(out, "aria-label", buf_slice(&label));
    buf_release(&label);
}

/* Writes the fonts of labels: that of the picture, then fonts that are as narrow. */
static void write_fonts(const struct picture *p, struct buf *out)
{
    const struct slice narrow = SLICE("Roboto Condensed");
    struct slice family = fonts_family(p->fonts);

    buf_add_str(out, " font-family=\"'");
    xml_write_shown(out, family);
    if (!slice_equal(family, narrow))
        buf_printf(out, "','%.*s", SLICE_ARG(narrow));
    buf_add_str(out, "','DejaVu Sans Condensed','Arial Narrow',sans-serif\"");
}

/* Writes the start of a graph, at `y` in a column of graphs. */
static void write_head(const struct picture *p, struct buf *out, uint64_t y)
{
    buf_add_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flamepress");
    if (p->layout->tree->base)
        buf_add_str(out, " differential");
    if (p->theme.fixed)
        buf_add_str(out, " fixed");
    buf_add_str(out, "\" role=\"img\"");
    write_label(p, out);
    if (y)
        svg_markup_number(out, "y", (int64_t)y);
    write_size(out, p->geometry.width, p->geometry.height);
    write_fonts(p, out);
    buf_printf(out, " font-size=\"%g\"", p->options.look.font_size);
    if (p->theme.fixed)
        svg_markup_color(out, "fill", p->theme.muted);
    buf_add_str(out, ">\n<title>");
    xml_write_shown(out, p->options.look.title);
    buf_add_str(out, "</title>\n");
    if (p->description.len) {
        buf_add_str(out, "<desc>");
        xml_write_shown(out, picture_slice(p, p->description));
        buf_add_str(out, "</desc>\n");
    }
    write_style(p, out);
    write_background(p, out);
}

/* All graphs have the same hatchings, so graphs in one page may share the names. */
static void write_hatchings(const struct picture *p, struct buf *out)
{
    static const struct {
        const char *name, *path, *color;
    } hatchings[] = {
        {"more", "M-1 1L1 -1M-1 7L7 -1M5 7L7 5", "#000"},
        {"less", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1", "#000"},
        {"more-light", "M-1 1L1 -1M-1 7L7 -1M5 7L7 5", "#fff"},
        {"less-light", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1", "#fff"},
    };

    if (!p->options.diverge.hatch || !p->layout->tree->base)
        return;
    for (size_t i = 0; i < sizeof(hatchings) / sizeof(hatchings[0]); i++)
        buf_printf(out,
                   "<pattern id=\"flame-%s\" patternUnits=\"userSpaceOnUse\" width=\"%d\" "
                   "height=\"%d\"><path d=\"%s\" stroke=\"%s\" stroke-opacity=\".43\"/>"
                   "</pattern>\n",
                   hatchings[i].name, FILL_HATCH_STEP, FILL_HATCH_STEP, hatchings[i].path,
                   hatchings[i].color);
}

static void write_lines(const struct picture *p, struct buf *out)
{
    static const char *const classes[PICTURE_ROLES] = {
        [PICTURE_TITLE] = "title",
        [PICTURE_SUBTITLE] = "muted subtitle",
        [PICTURE_FACTS] = "muted facts",
        [PICTURE_LEGEND] = "muted legend",
    };
    struct theme theme;

    theme_init(&theme, THEME_LIGHT, &p->background); /* the style sheet has dark colours */
    vec_each (struct picture_line, line, &p->lines) {
        bool title = line->role == PICTURE_TITLE;

        if (line->role == PICTURE_NOTE)
            continue;
        buf_add_str(out, "<text");
        xml_write_attribute(out, "class", slice_str(classes[line->role]));
        svg_markup_number(out, "x", line->x);
        svg_markup_number(out, "y", line->baseline);
        if (title)
            buf_printf(out, " font-size=\"%g\"", picture_text_size(p, line->role));
        svg_markup_color(out, "fill", title ? theme.ink : theme.muted);
        svg_markup_text(p, out, line->text);
        buf_add_char(out, '\n');
    }
    vec_each (struct picture_swatch, swatch, &p->swatches) {
        buf_add_str(out, "<rect class=\"swatch\"");
        svg_markup_number(out, "x", swatch->rect.x);
        svg_markup_number(out, "y", swatch->rect.y);
        svg_markup_number(out, "width", swatch->rect.width);
        svg_markup_number(out, "height", swatch->rect.height);
        svg_markup_colors(p, out, "fill", swatch->color, swatch->dark);
        if (swatch->title.len) {
            buf_add_str(out, "><title>");
            xml_write(out, picture_slice(p, swatch->title));
            buf_add_str(out, "</title></rect>");
        } else {
            buf_add_str(out, "/>");
        }
        svg_markup_hatch(out, "swatch", swatch->rect, swatch->hatch, swatch->color);
        buf_add_char(out, '\n');
    }
}

/* Writes outlines, lines and notes. The script writes its own for other views than the first. */
static void write_notes(const struct picture *p, struct buf *out)
{
    struct theme theme;

    if (!p->options.note_count)
        return;
    theme_init(&theme, THEME_LIGHT, &p->background); /* the style sheet has dark colours */
    buf_add_str(out, "<g class=\"notes\" pointer-events=\"none\"");
    svg_markup_color(out, "stroke", theme.ink);
    svg_markup_color(out, "fill", theme.ink);
    buf_add_str(out, "><path fill=\"none\" stroke-width=\"2\" d=\"");
    vec_each (const struct rect, r, &p->outlines) {
        int width = r->width > 2 ? r->width - 2 : 0;

        buf_printf(out, "M%d %dh%dv%dh%dz", r->x + 1, r->y + 1, width, r->height - 2, -width);
    }
    buf_add_str(out, "\"/><path fill=\"none\" d=\"");
    vec_each (const struct picture_leader, n, &p->leaders)
        buf_printf(out, "M%d.5 %dV%d", n->x, n->top, n->bottom);
    buf_add_str(out, "\"/>");
    vec_each (const struct picture_line, line, &p->lines) {
        if (line->role != PICTURE_NOTE)
            continue;
        buf_add_str(out, "<text stroke=\"none\"");
        svg_markup_number(out, "x", line->x);
        svg_markup_number(out, "y", line->baseline);
        svg_markup_text(p, out, line->text);
    }
    buf_add_str(out, "</g>\n");
}

const struct svg_side svg_sides[] = {
    {"flamepress.js", "graph/program"},
    {"flamepress.css", "graph/style"},
};
const size_t svg_side_count = sizeof(svg_sides) / sizeof(svg_sides[0]);

struct slice svg_side_content(const struct svg_side *side)
{
    return find_asset(side->asset);
}

enum { SCRIPT_PARTS = 3 };

/* Finds the texts that the script's element consists of. They are long, so they are copied once. */
static void find_script(const struct picture *p, struct slice parts[SCRIPT_PARTS])
{
    const struct slice inside[SCRIPT_PARTS] = {SLICE("<script><![CDATA["),
                                               find_asset("graph/script"), SLICE("]]></script>\n")};
    const struct slice outside = SLICE("<script href=\"flamepress.js\"/>\n");

    for (size_t i = 0; i < SCRIPT_PARTS; i++)
        parts[i] =
            p->options.look.svg_script == SVG_SCRIPT_INLINE ? inside[i] : slice_make(NULL, 0);
    if (p->options.look.svg_script == SVG_SCRIPT_EXTERNAL)
        parts[0] = outside;
}

/* What was left out of a file. A text at the end of the line of facts says so. */
struct left_out {
    struct svg_data_left data;
    uint32_t boxes;
};

/* The largest size of that text's element, and guesses at that of a box and of all the rest. */
enum { LEFT_OUT_MOST = 300, BOX_BYTES = 60, FIXED_BYTES = 120000 };

static void add_count(struct buf *out, uint32_t count, const char *one, const char *more)
{
    num_write_grouped(out, count, 0);
    buf_add_str(out, count == 1 ? one : more);
}

static void describe_left_out(const struct picture *p, const struct left_out *left, struct buf *out)
{
    buf_add_str(out, "left out to limit the file's size: ");
    if (left->data.frames) {
        add_count(out, left->data.frames, " frame (", " frames (");
        num_write_percent(out, left->data.weight, p->layout->whole, PERCENT_CAPTION);
        buf_add_str(out, "%)");
    }
    if (left->data.frames && left->boxes)
        buf_add_str(out, ", ");
    if (left->boxes)
        add_count(out, left->boxes, " thin box", " thin boxes");
}

/* Writes what was left out, squeezed if most fonts would need more room. */
static void write_left_out(const struct picture *p, const struct left_out *left, struct buf *out)
{
    const struct geometry *g = &p->geometry;
    const struct picture_line *facts = NULL;
    struct theme theme;
    struct buf text = {0};
    int64_t room;

    vec_each (struct picture_line, line, &p->lines)
        if (line->role == PICTURE_FACTS)
            facts = line;
    if (!facts || (!left->data.frames && !left->boxes))
        return;
    theme_init(&theme, THEME_LIGHT, &p->background); /* the style sheet has dark colours */
    describe_left_out(p, left, &text);
    room = (int64_t)g->width - g->pad_x - facts->x - facts->text.width / 64 - g->pad_x;
    buf_add_str(out, "<text class=\"muted left-out\" text-anchor=\"end\"");
    svg_markup_number(out, "x", (int64_t)g->width - g->pad_x);
    svg_markup_number(out, "y", facts->baseline);
    svg_markup_color(out, "fill", theme.muted);
    if ((double)text.len * p->options.look.font_size / 2 > (double)room && room > 0) {
        svg_markup_number(out, "textLength", room);
        buf_add_str(out, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    buf_add_char(out, '>');
    buf_add_slice(out, buf_slice(&text));
    buf_add_str(out, "</text>\n");
    buf_release(&text);
}

/* The boxes and the data of a graph, begun by two threads. */
struct body {
    const struct picture *picture;
    size_t room;           /* most bytes of boxes and data together */
    struct buf *out;       /* of the thread that writes the boxes */
    struct svg_data *data; /* NULL without a script */
};

enum job { DATA, BOXES, JOBS };

/* A thread takes as long to start as the data of this many nodes take to open. */
enum { LEAST_SHARED = 10000 };

static void begin_body(void *context, size_t job, unsigned worker)
{
    struct body *b = context;
    size_t boxes = b->picture->boxes.count * BOX_BYTES, most = b->room / 5 * 3;

    (void)worker;
    if (job == BOXES)
        svg_boxes_write(b->picture, SIZE_MAX, b->out);
    else if (b->picture->options.look.svg_script != SVG_SCRIPT_NONE)
        b->data = svg_data_open(b->picture, b->room - (boxes < most ? boxes : most));
}

/* Replaces the boxes, which begin at `from`, by as many as fit into `room` bytes. */
static uint32_t write_fewer(const struct picture *p, size_t room, size_t from, size_t boxes,
                            struct buf *out)
{
    struct buf rest = {0};
    uint32_t left;

    buf_add_slice(&rest, slice_skip(buf_slice(out), from + boxes));
    buf_cut(out, from);
    left = svg_boxes_write(p, room, out);
    buf_add_slice(out, buf_slice(&rest));
    buf_release(&rest);
    return left;
}

/* Writes boxes and data. Boxes get at least three fifths of the room. */
static void write_body(const struct picture *p, size_t room, struct buf *out)
{
    struct body b = {.picture = p, .room = room, .out = out};
    struct left_out left = {0};
    bool shared = p->layout->tree->count >= LEAST_SHARED;
    size_t least = room / 5 * 3, from = out->len, boxes, data;

    pool_run(shared ? p->options.threads : 1, JOBS, begin_body, &b);
    boxes = out->len - from;
    buf_add_str(out, "</g>\n");
    data = out->len;
    if (b.data)
        left.data = svg_data_write(b.data, room - (boxes < least ? boxes : least), out);
    data = out->len - data;
    room -= data < room ? data : room;
    if (boxes > room)
        left.boxes = write_fewer(p, room, from, boxes, out);
    write_left_out(p, &left, out);
}

/* Writes a graph of at most `most` bytes, if leaving frames and boxes out can achieve that. */
static void write_graph(const struct picture *p, struct buf *out, uint64_t y, size_t most)
{
    static const char end[] = "</svg>\n";
    size_t start = out->len, used;
    struct slice script[SCRIPT_PARTS];
    struct buf notes = {0};

    buf_reserve(out, FIXED_BYTES + p->boxes.count * BOX_BYTES);
    write_head(p, out, y);
    write_hatchings(p, out);
    write_lines(p, out);
    buf_add_str(out, "<g class=\"stage\">\n");
    write_notes(p, &notes);
    find_script(p, script);
    used = out->len - start + notes.len + strlen("</g>\n") + LEFT_OUT_MOST + strlen(end);
    for (size_t i = 0; i < SCRIPT_PARTS; i++)
        used += script[i].len;
    write_body(p, most > used ? most - used : 0, out);
    buf_add_slice(out, buf_slice(&notes));
    for (size_t i = 0; i < SCRIPT_PARTS; i++)
        buf_add_slice(out, script[i]);
    buf_add_str(out, end);
    buf_release(&notes);
}

/* Returns the number of pictures in a column, from this one down. */
static size_t count_below(const struct picture *p)
{
    size_t count = 0;

    for (; p; p = p->below)
        count++;
    return count;
}

void svg_write(const struct picture *p, struct buf *out)
{
    static const char end[] = "</svg>\n";
    size_t most = p->options.look.svg_max_size ? p->options.look.svg_max_size : SVG_MAX_SIZE;
    size_t start = out->len, used;
    uint64_t y = 0;

    write_prolog(p, out);
    if (!p->below) {
        used = out->len - start;
        write_graph(p, out, 0, most > used ? most - used : 0);
        return;
    }
    buf_add_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flamepress-stack\"");
    write_size(out, p->geometry.width, picture_stack_height(p));
    buf_add_str(out, ">\n<title>");
    xml_write_shown(out, picture_stack_last(p)->options.look.title);
    buf_add_str(out, "</title>\n");
    for (; p; p = p->below) {
        used = out->len - start + strlen(end);
        write_graph(p, out, y, most > used ? (most - used) / count_below(p) : 0);
        y += p->geometry.height;
    }
    buf_add_str(out, end);
}
