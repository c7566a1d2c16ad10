/*
 * The files that pictures are drawn by: colors of names (--cp) and attributes
 * of names (--nameattr).
 */
#ifndef DRAW_RESOURCES_H
#define DRAW_RESOURCES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "layout/color_map.h"
#include "output/attributes.h"
#include "output/picture.h"

struct resources {
    const char *colors_path; /* NULL if colors are not remembered */
    struct color_map colors; /* as the file has them; empty if there is no file yet */
    struct attributes attributes;
    struct diag about_colors, about_attributes; /* messages about the two files */
};

/*
 * Reads the two files; either path may be NULL, and the file of colors may be absent. Returns
 * false if a file cannot be used; the diags say why. Release it in either case.
 */
bool resources_init(struct resources *r, const char *colors, const char *attributes);
void resources_release(struct resources *r);

/* Adds the colors that a picture has and the file has not to `added`. */
void resources_collect(const struct resources *r, const struct picture *p, struct color_map *added);

/*
 * Takes `added` over. Returns true if the file is to be written because it lacks some of the
 * colors; `text` then has its new content.
 */
bool resources_update(struct resources *r, const struct color_map *added, struct buf *text);

#endif
