/*
 * Reads the file of colours (--cp) and the file of attributes of names (--nameattr), and adds
 * colours to the file of colours.
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
    struct color_map colors; /* the content of the file; empty if there is no file yet */
    struct attributes attributes;
    struct diag about_colors, about_attributes; /* messages about the two files */
};

/*
 * Reads the two files; either path may be NULL, and the file of colours may be absent. Returns
 * false if a file cannot be used; the diags say why. Release `r` in either case.
 */
bool resources_init(struct resources *r, const char *colors, const char *attributes);
void resources_release(struct resources *r);

/* Returns the colours of the file; NULL without a file. */
static inline const struct color_map *resources_colors(const struct resources *r)
{
    return r->colors_path ? &r->colors : NULL;
}

/* Adds to `added` the colours of a picture that the file does not contain. */
void resources_collect(const struct resources *r, const struct picture *p, struct color_map *added);

/*
 * Merges `added` into the colours. Returns true if the file lacks some of them; `text` is then the
 * new content to write.
 */
bool resources_update(struct resources *r, const struct color_map *added, struct buf *text);

#endif
