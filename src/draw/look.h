/*
 * How a graph is drawn: its texts, sizes, order, colors and files.
 *
 * A look holds plain values: whoever makes one has checked them. It says nothing of the data
 * (which events, filters and times: that is struct recipe). A look is copied by assignment;
 * its slices and pointers are borrowed.
 */
#ifndef DRAW_LOOK_H
#define DRAW_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num.h"
#include "base/slice.h"
#include "layout/background.h"
#include "layout/change.h"
#include "layout/layout.h"
#include "layout/palette.h"
#include "output/picture.h"
#include "text/label.h"

struct look {
    /* text */
    struct slice title;     /* empty: named after the kind of graph */
    struct slice subtitle;  /* empty for none */
    struct slice name_type; /* before the name in the details line */
    enum label_mode label;  /* which part of a long name is kept */
    double font_size;       /* CSS pixels */

    /* size */
    uint32_t width, frame_height; /* CSS pixels */
    uint32_t max_depth;           /* rows */
    double min_width;             /* narrower frames get no box: CSS pixels, */
    bool min_is_percent;          /* or per cent of the total */
    bool has_total;               /* `total` fills the width, not the graph's own weight */
    struct decimal total;

    /* shape */
    enum layout_sort sort;
    bool inverted;   /* the root at the top */
    bool flamechart; /* in the order of time, which `sort` does not change */

    /* colors */
    const struct palette *palette; /* NULL for the one of the kind of graph */
    enum palette_spread spread;
    uint64_t seed;       /* of PALETTE_AT_RANDOM */
    bool has_background; /* else the palette's own */
    struct background background;
    bool dark; /* the PNG's background */

    /* differential graphs */
    enum change_width width_by;
    bool delta_of_total; /* colors show the change of the total, not of the self weight */
    bool hatch;
    bool triple; /* base, new and difference under each other */

    /* files */
    unsigned pixel_ratios; /* of PNGs: bit n set for ratio n; 0 for the caller's default */
    enum svg_script svg_script;
    bool svg_system_font; /* no fonts in the SVG */
    size_t svg_max_size;  /* bytes; 0 for the default */
    bool dark_beside;     /* in a report, a dark PNG beside each light one */
};

/* What the options of the command line are if none is given. */
extern const struct look look_defaults;

#endif
