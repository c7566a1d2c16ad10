/*
 * The fonts in the order in which they are asked for a character.
 *
 * The first ones are opened with the list: the user's, then those embedded.
 * The fonts of the directory and of the system follow when a character is
 * missing in these. A font once opened keeps its number and stays as it is, so
 * reading takes no lock. Which font a character gets depends on the character
 * alone, never on what was asked before or by which thread.
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
    unsigned index;     /* in the file, as shape_font_new() has it */
    uint32_t upem;      /* font units to the em */
    bool owned;         /* the list frees `bytes` */
    bool is_default;    /* the first of the fonts embedded */
};

/* As fonts_new() has it. */
struct list *list_new(const struct fonts_options *options, struct diag *d);
void list_free(struct list *l);

/* The font of that number, 0 being the first one. */
const struct list_font *list_get(const struct list *l, uint32_t font);

/*
 * The number of the first font that has all `count` characters of a cluster;
 * else of the first that has its base; else 0 with `*missing` set.
 */
uint32_t list_choose(struct list *l, const uint32_t *cluster, size_t count, bool *missing);

#endif
