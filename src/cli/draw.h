/*
 * From a series to its picture, as the drawing options say: what graph and
 * report have in common.
 */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cli/options.h"
#include "cli/resources.h"
#include "cli/searches.h"
#include "layout/layout.h"
#include "output/picture.h"
#include "profile/profile.h"
#include "text/fonts.h"
#include "tree/tree.h"

struct drawing {
    struct arena memory;
    struct tree part; /* the tree that is drawn, where it is not the one it was given */
    struct layout layout;
    struct heat heat; /* of a heat map */
    struct picture picture;
    struct tree *side;     /* its tree, where it is one side of a difference, with --triple */
    struct drawing *above; /* the drawing over this one, with --triple; else NULL */
};

/* The fonts that the options ask for; NULL, told, where they cannot be had. */
struct fonts *draw_fonts(const struct options *o, struct diag *diag);

/* Warns of the characters that were drawn as boxes because no font has them. */
void draw_warn_missing(struct fonts *fonts, struct diag *diag);

/*
 * Lays out and fits one tree, which is root first, as --reverse and --around
 * ask. `source` names the input in the file's metadata, `title` stands over
 * the picture (both may be empty); `found` is what searches found, for the SVG
 * to repeat by a click. All of these must outlive the drawing; `diag` is told
 * of options that cannot be met. False where there is nothing to draw; the
 * drawing is to be released all the same.
 */
bool draw_init(struct drawing *d, const struct options *o, const struct tree *t,
               struct fonts *fonts, struct slice source, struct slice title,
               const struct searches_found *found, const struct resources *resources,
               struct diag *diag);

/* The tree that --around asks for; false, told, where there is none. */
bool draw_around(struct tree *t, const struct options *o, const struct tree *whole,
                 struct diag *diag);

/* Where the scripts of SVGs are to be. */
enum svg_script draw_svg_script(const struct options *o);

/* What is to be written: the picture, or with --triple the topmost of three. */
const struct picture *draw_picture(const struct drawing *d);

void draw_release(struct drawing *d);

#endif
