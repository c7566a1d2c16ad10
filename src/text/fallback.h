/*
 * Finds fonts of the system with fontconfig.
 *
 * Starting fontconfig takes longer than drawing most pictures, so create a
 * fallback only if the embedded fonts lack a character. Results depend on the
 * installed fonts and on fontconfig's settings, never on the locale. Only one
 * thread at a time may use a fallback.
 */
#ifndef TEXT_FALLBACK_H
#define TEXT_FALLBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct fallback;

/* A font's file. */
struct fallback_place {
    const char *path; /* owned by the fallback */
    unsigned index;   /* as for shape_font_new() */
};

struct fallback *fallback_new(void);
void fallback_free(struct fallback *f);

/*
 * Stores the font at `rank` in the system's order of preference for sans-serif
 * fonts with outlines, and in `has` whether the font claims to have the
 * character `c`. Returns false if `rank` is after the last font.
 */
bool fallback_get(struct fallback *f, size_t rank, uint32_t c, bool *has,
                  struct fallback_place *place);

/*
 * Finds a font by its family, which may be followed by fontconfig properties
 * ("Noto Sans:bold"). Generic families (sans-serif, serif, monospace) give the
 * system's default for them. Returns false if there is no such font.
 */
bool fallback_find(struct fallback *f, const char *family, struct fallback_place *place);

/* Calls `take` with the name of each family installed, in no particular order. */
typedef void fallback_name_fn(void *context, const char *family);
void fallback_families(struct fallback *f, fallback_name_fn *take, void *context);

#endif
