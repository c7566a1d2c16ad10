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
#include "tree/share.h"
#include "tree/tree.h"

/* Which graph to draw, and how. All pointers must outlive the drawing. */
struct draw_request {
    const struct profile *profile;
    uint32_t series;
    const struct look *look;
    const struct recipe *recipe;
    uint64_t memory_limit; /* bytes that it may take: prepare_memory_limit(), or a share of that */
    struct fonts *fonts;
    struct slice source;                 /* name of the input, for the file's metadata */
    const struct color_map *color_map;   /* NULL without --cp */
    const struct attributes *attributes; /* may be NULL */
    const bool *marked; /* by symbol id: its changes are findings, others are pale; NULL: none is */
    bool own_shares;    /* percentages are of the graph's own weight, even if `total` is set */
    unsigned threads;   /* that may work on the tree and the picture; 0 counts as 1 */
};

struct drawing {
    struct arena memory;
    struct tree tree; /* of the whole graph, merged from the root */
    struct shares shares;
    struct tree part;          /* the tree that is drawn, if it is not the whole */
    struct shares part_shares; /* of --zoom and --crop: shares in the part */
    struct layout layout;
    struct heat heat; /* of a heat map */
    struct picture picture;
    struct drawing *above; /* with --triple: the next drawing above this one, else NULL */
};

/* What a caller does with a drawing, which is released afterwards. */
struct draw_use {
    /* Called when the tree and the shares of the searches are known, and before anything depends on
     * the look, which it may change; or NULL. */
    void (*begin)(void *context, const struct drawing *d);
    /* Called with the complete drawing. Returns false after reporting an error. */
    bool (*end)(void *context, const struct drawing *d, struct diag *diag);
    void *context;
};

/*
 * Builds the call tree of a series and the shares of the searches in it, lays out the graph, fits
 * its labels and passes the drawing to `use`. Returns false after reporting an option that the
 * graph cannot have, or why there is nothing to draw, and if `use` fails.
 */
bool draw_graph(const struct draw_request *request, const struct draw_use *use, struct diag *diag);

/*
 * Returns the tree that the picture shows, if its stacks are not those of the whole tree: merged
 * from the leaves, around one function, or a part. Returns NULL for others, such as flame charts.
 */
const struct tree *draw_other_tree(const struct drawing *d);

/* Returns the picture to write; with --triple the topmost of three, which `below` links. */
const struct picture *draw_picture(const struct drawing *d);

/*
 * Fills `t` with the callers and callees of `function` in `whole`, which shows no change. Returns
 * false after reporting that there is no such function, or that the thread's budget is spent.
 */
bool draw_sandwich(struct tree *t, struct slice function, const struct tree *whole,
                   struct diag *diag);

/* Warns of characters that no font has and that were drawn as boxes. */
void draw_warn_missing(struct fonts *fonts, struct diag *diag);

#endif
