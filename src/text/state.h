/*
 * Private definition of struct fonts; include it only within text/.
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
    const struct plain *known; /* of the first font; NULL if it is not the default font */
    struct line_cache *lines;
    struct glyph_cache *glyphs;
    struct buf family;          /* of the first font */
    pthread_mutex_t lock;       /* guards the members below */
    struct fonts_chars missing; /* ascending */
    bool foreign;               /* another run needed more than the embedded fonts */
    struct buf plain;           /* the plain portion (text/font_subset.h), once it is needed */
};

/* Records that `c` was drawn as a box, because no font has it. */
void fonts_add_missing(struct fonts *f, uint32_t c);

#endif
