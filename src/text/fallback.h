/*
 * Fonts of the system: fontconfig.
 *
 * Starting fontconfig takes longer than drawing most pictures, so nobody makes
 * a fallback before a font is needed that the program does not have. The
 * answers depend on the fonts installed and on fontconfig's settings, never on
 * the locale. Used by one thread at a time.
 */
#ifndef TEXT_FALLBACK_H
#define TEXT_FALLBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct fallback;

/* Where a font is. */
struct fallback_place {
    const char *path; /* owned by the fallback */
    unsigned index;   /* as shape_font_new() has it */
};

struct fallback *fallback_new(void);
void fallback_free(struct fallback *f);

/*
 * The font at `rank` in the order in which the system prefers fonts with
 * outlines for plain sans-serif text, with `has` telling whether it claims to
 * have the character. False behind the last one.
 */
bool fallback_get(struct fallback *f, size_t rank, uint32_t c, bool *has,
                  struct fallback_place *place);

/*
 * Finds a font by its family, with fontconfig's properties behind it where
 * wanted ("Noto Sans:bold"); generic families (sans-serif, serif, monospace)
 * stand for what the system has for them. False where there is none.
 */
bool fallback_find(struct fallback *f, const char *family, struct fallback_place *place);

/* Calls `take` with the name of each family installed, in no particular order. */
typedef void fallback_name_fn(void *context, const char *family);
void fallback_families(struct fallback *f, fallback_name_fn *take, void *context);

#endif
