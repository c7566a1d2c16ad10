/*
 * Makes the picture of a tree.
 */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "draw/look.h"
#include "layout/color_map.h"
#include "layout/heat.h"
#include "layout/layout.h"
#include "output/attributes.h"
#include "output/picture.h"
#include "prepare/recipe.h"
#include "text/fonts.h"
#include "tree/tree.h"

/* The parameters of a drawing, besides the tree. All pointers must outlive the drawing. */
struct draw_request {
    const struct look *look;
    const struct recipe *recipe;
    struct fonts *fonts;
    struct slice source;                 /* name of the input, for the file's metadata */
    const struct color_map *color_map;   /* may be NULL */
    const struct attributes *attributes; /* may be NULL */
    const struct share *searches;        /* what searches found, to be repeated by a click */
    size_t search_count;
    bool own_shares; /* percentages are of the graph's own weight, even if `total` is set */
};

struct drawing {
    struct arena memory;
    struct tree part; /* the tree that is drawn, if it is not the given one */
    struct layout layout;
    struct heat heat; /* of a heat map */
    struct picture picture;
    struct tree *side;     /* with --triple: tree of one side of the difference, else NULL */
    struct drawing *above; /* with --triple: the next drawing above this one, else NULL */
};

/*
 * Lays out a tree, whose stacks begin at the root, and fits its labels. Returns false after
 * reporting why there is nothing to draw. Release the drawing in either case.
 */
bool draw_init(struct drawing *d, const struct draw_request *request, const struct tree *t,
               struct diag *diag);
void draw_release(struct drawing *d);

/* Returns the picture to write; with --triple the topmost of three, which `below` links. */
const struct picture *draw_picture(const struct drawing *d);

/*
 * Fills `t` with the callers and callees of `function` in `whole`. Returns false after reporting
 * that there is no such function, or that `whole` shows a change.
 */
bool draw_around(struct tree *t, struct slice function, const struct tree *whole,
                 struct diag *diag);

/* Warns of characters that no font has and that were drawn as boxes. */
void draw_warn_missing(struct fonts *fonts, struct diag *diag);

#endif
