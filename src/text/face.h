/*
 * Loads the outlines of glyphs with FreeType.
 *
 * A face_library opens faces. Only one thread at a time may use a library and
 * its faces. FreeType's types are only declared here; text/glyph.c uses their
 * members.
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
/* Requires that all faces of the library are freed. */
void face_library_free(struct face_library *l);
struct FT_LibraryRec_ *face_library_handle(struct face_library *l);

/*
 * Opens a face from the bytes of its file, which must outlive the face. `index`
 * is as for shape_font_new(). Returns NULL if FreeType cannot read the font.
 */
struct face *face_new(struct face_library *l, struct slice bytes, unsigned index);
void face_free(struct face *f);

/*
 * Returns the outline of a glyph at `size` (26.6 pixels per em), in 26.6 pixels
 * from its origin, y upwards; NULL if the glyph has none. Hinting is FreeType's
 * light mode: heights snap to whole rows, widths and advances are unchanged. The
 * face owns the outline, which may be modified and is valid until the next call.
 */
struct FT_Outline_ *face_outline(struct face *f, uint32_t glyph, int32_t size);

#endif
