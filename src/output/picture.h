/*
 * The picture of one graph: what both the PNG and the SVG show.
 *
 * A picture is the layout's boxes with their pixels, colours and fitted
 * labels, and the lines of text around them. Whatever is decided about looks is
 * decided here; the writers only write it down, so they cannot disagree.
 *
 * Lengths are CSS pixels (pixel ratio 1), y grows downwards. Boxes whose edges
 * fall on the same pixel are left out; the rest are ordered by depth, then
 * from left to right. A picture borrows the layout, the fonts and the texts of
 * its options, which must outlive it.
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
#include "output/picture_text.h"
#include "output/theme.h"
#include "profile/unit.h"
#include "text/fonts.h"
#include "text/label.h"

/* An SVG's script and style: in the file, beside it as output/svg.h says, or no script. */
enum svg_script { SVG_SCRIPT_INLINE, SVG_SCRIPT_EXTERNAL, SVG_SCRIPT_NONE };

/* A search that a click repeats. */
struct picture_search {
    struct slice name, pattern;
    bool ignore_case;
    uint64_t weight;             /* of all that matches, in the layout's units */
    const struct search *search; /* compiled, for the palette of searches */
};

struct picture_options {
    struct slice title;           /* empty for "Flame Graph", or "Icicle Graph" where inverted */
    struct slice subtitle;        /* empty for none */
    struct slice view, part;      /* how it is merged, and what it is of; or empty */
    struct slice name_type;       /* before the name in the details line; empty for "Function:" */
    struct slice count_name;      /* replaces the unit's noun; empty for the unit's own */
    uint32_t width, frame_height; /* of the picture; of a row, its gap included */
    double font_size, factor;     /* the factor multiplies the weights shown; 0 counts as 1 */
    bool inverted;                /* the root at the top */
    bool dark;                    /* dark ground; the SVG follows the reader's setting by itself */
    enum label_mode label;
    struct palette_use colors;           /* without a palette: the first */
    struct diverge_look diverge;         /* of differential graphs */
    const struct heat *heat;             /* a heat map instead of boxes; or NULL */
    const struct background *background; /* NULL for the palette's own */
    const struct color_map *color_map;   /* colours of names that are settled; may be NULL */
    const struct attributes *attributes; /* of functions, for the SVG; may be NULL */
    struct unit unit;                    /* of the layout's weights, as struct series has it */
    uint64_t samples;                    /* records behind the weights; 0 where not known */
    struct slice source, digest;         /* what it was made from, for the file's metadata */
    struct slice software;               /* program and version, for the same */
    const struct picture_search *searches;
    size_t search_count;
    enum svg_script svg_script;
    size_t svg_max_size;  /* bytes of the SVG; 0 for the default */
    bool svg_system_font; /* no fonts in the SVG */
};

/* flamegraph.pl's defaults: 1200 wide, rows of 16, font size 12, palette hot, factor 1. */
extern const struct picture_options picture_defaults;

struct picture_box {
    struct rect rect;
    palette_color color, dark; /* on light ground and on dark */
    uint32_t box;              /* index into the layout's boxes */
    struct picture_text label; /* empty where nothing fits */
};

struct picture_swatch {
    struct rect rect;
    palette_color color, dark;
    int hatch;                 /* above 0 for more, below for less, 0 for none */
    struct picture_text title; /* of a heat map's cell; may be empty */
};

struct picture {
    const struct layout *layout;
    struct fonts *fonts;
    struct picture_options options; /* with the defaults filled in */
    struct unit_scale scale;        /* how weights are shown */
    struct geometry geometry;
    struct background background;
    struct theme theme;
    uint8_t *classes;      /* of symbols, by id; NULL where the palette has but one */
    palette_color *mapped; /* of symbols, PICTURE_UNMAPPED where not settled; may be NULL */
    uint64_t *self;        /* own weights of nodes, where colours follow them; else NULL */
    int32_t baseline;      /* of a label, from the top of its box */
    struct buf text;       /* all texts */
    VEC(struct picture_box) boxes;
    VEC(struct picture_line) lines;
    VEC(struct picture_swatch) swatches;
    const struct picture *below; /* output/stack.h; NULL for none */
};

enum {
    PICTURE_LABEL_PAD = 3, /* between the edge of a box and its label */
    PICTURE_CLASSES = 256, /* of a palette at most; the last one is of separators */
};

void picture_init(struct picture *p, const struct layout *l, struct fonts *fonts,
                  const struct picture_options *options);
void picture_release(struct picture *p);

/* The symbol of a box, SYMBOL_NONE for all of the graph. */
uint32_t picture_symbol(const struct picture *p, const struct box *box);

/* The name that is shown for a box: the symbol's, "all" for the root. */
struct slice picture_name(const struct picture *p, const struct box *box);

/* Appends "(272,959 samples, 78.34%)", and the change of a differential graph. */
void picture_write_share(const struct picture *p, const struct box *box, struct buf *out);

static inline struct slice picture_slice(const struct picture *p, struct picture_text t)
{
    return slice_make(p->text.ptr + t.at, t.len);
}

#endif
