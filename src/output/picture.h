/*
 * The picture of one graph: everything that PNG and SVG show alike.
 *
 * A picture contains the layout's boxes with their pixels, colours and fitted
 * labels, and the lines of text around them. All decisions about looks are made
 * here, so the writers of PNG and SVG agree.
 *
 * Lengths are CSS pixels (pixel ratio 1) and y grows downwards. Boxes whose left
 * and right edge fall on the same pixel are left out; the others are ordered by
 * depth, then from left to right. A picture borrows the layout, the fonts and
 * the texts of its options, which must outlive it.
 */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "layout/diverge.h"
#include "layout/geometry.h"
#include "layout/heat.h"
#include "layout/layout.h"
#include "layout/palette.h"
#include "output/notes.h"
#include "output/theme.h"
#include "profile/unit.h"
#include "text/fonts.h"
#include "text/label.h"
#include "tree/share.h"

/* Where an SVG's script and style are: in the file, in files beside it (svg_sides), or nowhere. */
enum svg_script { SVG_SCRIPT_INLINE, SVG_SCRIPT_EXTERNAL, SVG_SCRIPT_NONE };

/* Whether a PNG contains its profile (output/embed.h). */
enum embed_mode { EMBED_AUTO, EMBED_ALWAYS, EMBED_NEVER };

/* How a picture looks. */
struct picture_look {
    struct slice title;     /* empty for "Flame Graph", or "Icicle Graph" where inverted */
    struct slice subtitle;  /* empty for none */
    struct slice name_type; /* before the name in the details line; empty for "Function:" */
    enum label_mode label;  /* which part of a long name is kept */
    bool label_percent;     /* labels end with the box's share, if it fits */
    double font_size;       /* CSS pixels */
    uint32_t width;         /* CSS pixels */
    uint32_t frame_height;  /* of a row, its gap included, in CSS pixels */
    bool inverted;          /* the root at the top */
    enum theme_page theme;  /* of a PNG; an SVG follows the reader's setting */
    enum embed_mode embed;  /* of the profile in PNGs */
    enum svg_script svg_script;
    bool svg_system_font;    /* the SVG embeds no fonts */
    uint64_t svg_max_size;   /* bytes of the SVG; 0 for the default */
    struct slice source_url; /* of source lines, with {file} and {line}; or empty */
};

struct picture_options {
    struct picture_look look;
    struct slice view, part;             /* how frames are merged, which part is shown; or empty */
    struct slice count_name;             /* replaces the unit's noun; or empty */
    double factor;                       /* weights are shown times the factor; 0 counts as 1 */
    struct palette_use colors;           /* a palette of NULL is the first one */
    struct diverge_look diverge;         /* of differential graphs */
    const struct heat *heat;             /* a heat map instead of boxes; or NULL */
    const struct background *background; /* NULL for that of the palette */
    const struct color_map *color_map;   /* fixed colours by name; may be NULL */
    const struct attributes *attributes; /* of functions, for SVG; may be NULL */
    const bool *marked;                  /* by symbol id: changes that are findings; or NULL */
    struct unit unit;                    /* of the layout's weights, as in struct series */
    uint64_t samples, base_samples;      /* number of samples; 0 if not known */
    struct slice records;                /* what these samples are called: "samples", "waits" */
    struct slice kind;                   /* the name of the kind of graph; or empty */
    struct slice source;                 /* the input, for the PNG's metadata */
    bool digest;                         /* the PNG has the digest of the tree that it shows */
    struct slice software;               /* program and version, for the PNG's metadata */
    const struct picture_note *notes;    /* functions that are pointed out */
    size_t note_count;
    const struct share *searches; /* named searches; the SVG lists them for the reader to repeat */
    size_t search_count;
    unsigned threads; /* that may write this one picture; 0 counts as 1 */
};

/* flamegraph.pl's defaults: 1200 wide, rows of 16, font size 12, palette hot, factor 1. */
extern const struct picture_options picture_defaults;

enum { PICTURE_LEAST_FONT = 6 }; /* pixels; smaller fonts are not used for labels in boxes */

/* A piece of fitted text. */
struct picture_text {
    size_t at; /* its offset in the picture's `text` */
    uint32_t len;
    int32_t width; /* 26.6 */
};

enum picture_role {
    PICTURE_TITLE,
    PICTURE_SUBTITLE,
    PICTURE_FACTS,  /* output/facts.h */
    PICTURE_LEGEND, /* the text after a swatch */
    PICTURE_NOTE,   /* output/notes.h */
    PICTURE_ROLES,
};

/* A line of text outside the boxes. */
struct picture_line {
    enum picture_role role;
    int32_t x, baseline;
    struct picture_text text;
};

struct picture_box {
    struct rect rect;
    palette_color color, dark; /* on light and on dark background */
    uint32_t box;              /* index into the layout's boxes */
    struct picture_text label; /* empty if nothing fits */
};

#define NOTE_UNPLACED UINT32_MAX

/* A note and the line that leads from it to a box. */
struct picture_leader {
    int32_t x, top, bottom; /* of the line */
    int32_t left, right;    /* of the text */
    uint32_t row;           /* of notes, from the frames upwards */
    struct picture_text text;
    const struct box *box;
};

struct picture_swatch {
    struct rect rect;
    palette_color color, dark;
    int hatch;                 /* > 0: grown, < 0: shrunk, 0: no hatching */
    struct picture_text title; /* of a heat map's cell; or empty */
};

struct picture {
    const struct layout *layout;
    struct fonts *fonts;
    struct picture_options options; /* with the defaults filled in */
    struct unit_scale scale;        /* how weights are written */
    struct geometry geometry;
    struct background background;
    struct theme theme;
    uint8_t *classes;                /* by symbol id; NULL if the palette has a single class */
    palette_color *mapped;           /* by symbol id, PICTURE_UNMAPPED if not fixed; may be NULL */
    uint64_t *self;                  /* by node, if colours depend on self values; else NULL */
    int32_t baseline;                /* of a label, from the top of its box */
    struct buf text;                 /* holds all texts */
    struct picture_text description; /* subtitle and facts, if the lines omit some */
    VEC(struct picture_box) boxes;
    VEC(struct picture_line) lines;
    VEC(struct picture_swatch) swatches;
    VEC(struct picture_leader) leaders;
    VEC(struct rect) outlines;   /* of boxes that are pointed out */
    const struct picture *below; /* the next one of a column of pictures, or NULL */
};

enum {
    PICTURE_LABEL_PAD = 3, /* between the edge of a box and its label */
    PICTURE_CLASSES = 256, /* the most that a palette has; the last one is for separators */
};

void picture_init(struct picture *p, const struct layout *l, struct fonts *fonts,
                  const struct picture_options *options);
void picture_release(struct picture *p);

/* Returns the symbol of a box; SYMBOL_NONE for the root. */
uint32_t picture_symbol(const struct picture *p, const struct box *box);

/* Returns the name shown for a box: the symbol's; "all" for the root. */
struct slice picture_name(const struct picture *p, const struct box *box);

/* Appends "(272,959 samples, 78.34%)", or both weights of a graph that has two. */
void picture_write_share(const struct picture *p, const struct box *box, struct buf *out);

/* True if the stacks of the profile are estimates, which have no samples. */
bool picture_is_estimated(const struct picture *p);

/* Appends " in 1,234 samples" (or waits, ...), unless the number is 0 (not known) or the total. */
void picture_write_samples(const struct picture *p, uint64_t samples, uint64_t total,
                           struct buf *out);

/* Stores a text unchanged, without measuring it. */
struct picture_text picture_text_keep(struct picture *p, struct slice text);

/* Adds a text of a role, cut to `room` pixels. */
struct picture_text picture_text_add(struct picture *p, enum picture_role role, struct slice text,
                                     int32_t room);

/* Adds a line of text, cut to `room` pixels. Returns its width. */
int32_t picture_text_line(struct picture *p, enum picture_role role, int32_t x, int32_t baseline,
                          struct slice text, int32_t room);

/* Returns the font size of a line, in CSS pixels. */
double picture_text_size(const struct picture *p, enum picture_role role);

/*
 * True if boxes have labels: the font is large enough to read, and a row is high enough for it.
 */
bool picture_text_in_boxes(const struct picture *p);

/*
 * A column of pictures is written as one file. `below` links them from top to bottom; all have the
 * same width, background and theme.
 */
static inline uint64_t picture_stack_height(const struct picture *p)
{
    uint64_t height = 0;

    for (; p; p = p->below)
        height += p->geometry.height;
    return height;
}

/* Returns the bottom picture of a column. Its title is that of the file. */
static inline const struct picture *picture_stack_last(const struct picture *p)
{
    while (p->below)
        p = p->below;
    return p;
}

static inline struct slice picture_slice(const struct picture *p, struct picture_text t)
{
    return slice_make(buf_string(&p->text) + t.at, t.len);
}

#endif
