/*
 * A look: how a graph is drawn (texts, sizes, order, colours and files).
 *
 * A look contains plain values, which its maker has checked. struct recipe (prepare/recipe.h)
 * chooses the data: events, filters and times. A look is copied by assignment; its slices and
 * pointers are borrowed.
 */
#ifndef DRAW_LOOK_H
#define DRAW_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/num.h"
#include "base/slice.h"
#include "layout/background.h"
#include "layout/change.h"
#include "layout/layout.h"
#include "layout/palette.h"
#include "output/picture.h"
#include "text/label.h"

struct look {
    struct picture_look picture; /* an empty title: the graph is named after its kind */
    bool has_origin;             /* without a subtitle, says what was recorded, where and when */

    /* size */
    uint32_t max_depth;  /* rows */
    uint32_t max_height; /* of the picture, in CSS pixels; 0: any */
    double min_width;    /* frames that are narrower get no box; in CSS pixels */
    bool min_is_percent; /* min_width is in per cent of the total instead */
    bool has_total;      /* `total`, not the graph's own weight, fills the width */
    struct decimal total;

    /* shape */
    enum layout_sort sort;
    bool flamechart; /* ordered by time; `sort` is ignored */

    /* colors */
    const struct palette *palette; /* NULL: the palette of the kind of graph */
    enum palette_spread spread;
    unsigned seed;       /* for PALETTE_AT_RANDOM */
    bool has_background; /* use `background`, not that of the palette */
    struct background background;

    /* differential graphs */
    enum change_width width_by;
    bool delta_of_total; /* colors show the change of the total, not of the self weight */
    bool hatch;
    bool triple; /* draw base, new and difference below each other */

    /* files */
    unsigned pixel_ratios; /* of PNGs: bit n set for ratio n; 0: the caller's default */
    bool dark_beside;      /* in a report, also draw a dark PNG for each light one */
    bool whole_path;       /* pictures name their input with its path */
};

/* Returns what a picture calls its input: the name, so that one file gives one picture. */
static inline struct slice look_source(const struct look *look, struct slice path)
{
    return look->whole_path ? path : file_name_of(path);
}

enum { LOOK_TICKET_RATIO = 2 }; /* the pixel ratio of a picture for a ticket */

/*
 * Sets what --preset=ticket sets: a picture that ticket systems show unscaled, that is sharp on all
 * screens and explains itself.
 */
void look_for_ticket(struct look *look);

/* The look that options have by default. */
extern const struct look look_defaults;

#endif
