/*
 * What a `struct fonts` is made of; for the files of this room only.
 */
#ifndef TEXT_STATE_H
#define TEXT_STATE_H

#include <pthread.h>

#include "base/buf.h"
#include "text/fonts.h"
#include "text/glyph.h"
#include "text/line.h"
#include "text/list.h"
#include "text/pairs.h"

struct fonts {
    struct list *list;
    struct pairs *pairs; /* for the first font; NULL where that is not the default one */
    struct line_cache *lines;
    struct glyph_cache *glyphs;
    struct buf family;          /* of the first font */
    pthread_mutex_t lock;       /* over what follows */
    struct fonts_chars missing; /* ascending */
    struct buf plain;           /* the portion that most texts need, once it was asked for */
};

/* Remembers that `c` was drawn as a box. */
void fonts_add_missing(struct fonts *f, uint32_t c);

#endif
