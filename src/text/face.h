/*
 * Outlines: FreeType.
 *
 * A face_library opens faces; the library and its faces may be used by one
 * thread at a time. FreeType's own types appear only by name: text/glyph.c
 * alone looks into them.
 */
#ifndef TEXT_FACE_H
#define TEXT_FACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct FT_LibraryRec_;
struct FT_Outline_;
struct face_library;
struct face;

struct face_library *face_library_new(void);
/* All faces must have been freed. */
void face_library_free(struct face_library *l);
struct FT_LibraryRec_ *face_library_handle(struct face_library *l);

/*
 * A face from the bytes of its file, which must outlive it; `index` as
 * shape_font_new() has it. NULL where FreeType cannot read it.
 */
struct face *face_new(struct face_library *l, struct slice bytes, unsigned index);
void face_free(struct face *f);

/*
 * The outline of a glyph at `size` (26.6 pixels per em), in 26.6 pixels from
 * its origin, y upwards. Hinting is FreeType's light mode: heights move to
 * whole rows, widths and advances stay as they are. The outline is the face's
 * own, may be changed, and lasts until the next call; NULL where the glyph has none.
 */
struct FT_Outline_ *face_outline(struct face *f, uint32_t glyph, int32_t size);

#endif
