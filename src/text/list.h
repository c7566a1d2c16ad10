/*
 * The list of fonts, in the order of preference.
 *
 * The user's font is opened with the list, an embedded font when something is
 * shaped by it; fonts of the directory and of the system only when those lack a
 * character. An open font
 * keeps its number and never changes, so reading takes no lock. The font of a
 * character depends on the character alone, not on earlier calls or threads.
 */
#ifndef TEXT_LIST_H
#define TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "text/fonts.h"
#include "text/plain.h"
#include "text/shape.h"

struct list;

struct list_font {
    struct slice bytes;        /* of the file */
    unsigned index;            /* in the file, as for shape_font_new() */
    bool owned;                /* the list frees `bytes` */
    const struct plain *plain; /* of the first of the embedded fonts; NULL for others */
    _Atomic(struct shape_font *) opened;
};

/* Opens the list. Returns NULL after reporting an error in `d`, as fonts_new() does. */
struct list *list_new(const struct fonts_options *options, struct diag *d);
void list_free(struct list *l);

/* Returns the font with the number `font`, counted from 0. The list owns it. */
struct list_font *list_get(const struct list *l, uint32_t font);

/* True if only the embedded fonts are in the list. */
bool list_is_embedded(const struct list *l);

/* Returns the font for shaping. An embedded font is opened when it is first needed. */
const struct shape_font *list_shape(struct list_font *f);

/* As the functions of text/shape.h; reads the font only if its embedded data do not suffice. */
uint32_t list_upem(struct list_font *f);
uint32_t list_glyph_count(struct list_font *f);
struct shape_metrics list_metrics(struct list_font *f);
void list_family(struct list_font *f, struct buf *out);

/*
 * Returns the number of the first font that has all `count` characters of a
 * cluster; else of the first font that has the cluster's base; else 0, with
 * `*missing` set.
 */
uint32_t list_choose(struct list *l, const uint32_t *cluster, size_t count, bool *missing);

#endif
