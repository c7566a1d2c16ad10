#include "text/face.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "base/die.h"

struct face_library {
    FT_Library ft;
};

struct face {
    FT_Face ft;
    int32_t size; /* current size of the face, 26.6; 0 if none is set yet */
};

struct face_library *face_library_new(void)
{
    struct face_library *l = xcalloc(1, sizeof(*l));

    if (FT_Init_FreeType(&l->ft))
        die("FreeType does not start");
    return l;
}

void face_library_free(struct face_library *l)
{
    if (!l)
        return;
    FT_Done_FreeType(l->ft);
    free(l);
}

FT_Library face_library_handle(struct face_library *l)
{
    return l->ft;
}

struct face *face_new(struct face_library *l, struct slice bytes, unsigned index)
{
    FT_Face ft;

    if (FT_New_Memory_Face(l->ft, (const FT_Byte *)bytes.ptr, (FT_Long)bytes.len, (FT_Long)index,
                           &ft))
        return NULL;
    struct face *f = xcalloc(1, sizeof(*f));

    f->ft = ft;
    return f;
}

void face_free(struct face *f)
{
    if (!f)
        return;
    FT_Done_Face(f->ft);
    free(f);
}

FT_Outline *face_outline(struct face *f, uint32_t glyph, int32_t size)
{
    FT_Int32 flags = FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT;

    if (f->size != size) {
        if (FT_Set_Char_Size(f->ft, size, size, 72, 72))
            return NULL;
        f->size = size;
    }
    if (FT_Load_Glyph(f->ft, glyph, flags) || f->ft->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return NULL;
    return &f->ft->glyph->outline;
}
