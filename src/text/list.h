/*
 * The list of fonts, in the order of preference.
 *
 * The user's font and the embedded fonts are opened with the list; fonts of the
 * directory and of the system only when those lack a character. An open font
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
#include "text/shape.h"

struct list;

struct list_font {
    struct shape_font *shape;
    struct slice bytes; /* of the file */
    unsigned index;     /* in the file, as for shape_font_new() */
    uint32_t upem;      /* font units to the em */
    bool owned;         /* the list frees `bytes` */
    bool is_default;    /* the first of the embedded fonts */
};

/* Opens the list. Returns NULL after reporting an error in `d`, as fonts_new() does. */
struct list *list_new(const struct fonts_options *options, struct diag *d);
void list_free(struct list *l);

/* Returns the font with the number `font`, counted from 0. The list owns it. */
const struct list_font *list_get(const struct list *l, uint32_t font);

/*
 * Returns the number of the first font that has all `count` characters of a
 * cluster; else of the first font that has the cluster's base; else 0, with
 * `*missing` set.
 */
uint32_t list_choose(struct list *l, const uint32_t *cluster, size_t count, bool *missing);

#endif
