#include "text/shape.h"

#include <limits.h>
#include <strings.h>

#include <hb-ot.h>
#include <hb.h>

#include "base/die.h"
#include "text/unicode.h"

struct shape_font {
    hb_font_t *hb;
    unsigned upem;
    unsigned glyph_count;
};

static bool has_table(hb_face_t *face, hb_tag_t tag)
{
    hb_blob_t *blob = hb_face_reference_table(face, tag);
    bool found = hb_blob_get_length(blob) > 0;

    hb_blob_destroy(blob);
    return found;
}

static bool is_usable(hb_face_t *face)
{
    return hb_face_get_glyph_count(face) > 0 && has_table(face, HB_TAG('c', 'm', 'a', 'p')) &&
           (has_table(face, HB_TAG('g', 'l', 'y', 'f')) ||
            has_table(face, HB_TAG('C', 'F', 'F', ' ')) ||
            has_table(face, HB_TAG('C', 'F', 'F', '2')));
}

struct shape_font *shape_font_new(struct slice bytes, unsigned index)
{
    if (bytes.len == 0 || bytes.len > UINT_MAX)
        return NULL;
    hb_blob_t *blob =
        hb_blob_create(bytes.ptr, (unsigned)bytes.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, index & 0xffff);
    struct shape_font *f = NULL;

    if (is_usable(face)) {
        f = xcalloc(1, sizeof(*f));
        f->upem = hb_face_get_upem(face);
        f->glyph_count = hb_face_get_glyph_count(face);
        f->hb = hb_font_create(face);
        if (index >> 16)
            hb_font_set_var_named_instance(f->hb, (index >> 16) - 1);
        hb_font_make_immutable(f->hb);
    }
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return f;
}

void shape_font_free(struct shape_font *f)
{
    if (!f)
        return;
    hb_font_destroy(f->hb);
    free(f);
}

uint32_t shape_font_upem(const struct shape_font *f)
{
    return f->upem;
}

uint32_t shape_font_glyph_count(const struct shape_font *f)
{
    return f->glyph_count;
}

/* Returns a metric; HarfBuzz estimates it if the font lacks it. */
static int32_t metric(const struct shape_font *f, hb_ot_metrics_tag_t tag)
{
    hb_position_t position;

    hb_ot_metrics_get_position_with_fallback(f->hb, tag, &position);
    return position;
}

struct shape_metrics shape_font_metrics(const struct shape_font *f)
{
    hb_font_extents_t extents;

    hb_font_get_extents_for_direction(f->hb, HB_DIRECTION_LTR, &extents);
    return (struct shape_metrics){
        .ascent = extents.ascender,
        .descent = -extents.descender,
        .cap_height = metric(f, HB_OT_METRICS_TAG_CAP_HEIGHT),
        .x_height = metric(f, HB_OT_METRICS_TAG_X_HEIGHT),
    };
}

/* Reads one of the font's names in English. Returns its length. */
static size_t read_name(const struct shape_font *f, hb_ot_name_id_t id, char *name, unsigned size)
{
    hb_ot_name_get_utf8(hb_font_get_face(f->hb), id, hb_language_from_string("en", -1), &size,
                        name);
    return size;
}

void shape_font_family(const struct shape_font *f, struct buf *out)
{
    char name[256];

    if (read_name(f, HB_OT_NAME_ID_FONT_FAMILY, name, sizeof(name)) > 0)
        buf_add_str(out, name);
}

bool shape_font_is_family(const struct shape_font *f, const char *family)
{
    static const hb_ot_name_id_t ids[] = {HB_OT_NAME_ID_FONT_FAMILY,
                                          HB_OT_NAME_ID_TYPOGRAPHIC_FAMILY};

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        char name[256];

        if (read_name(f, ids[i], name, sizeof(name)) > 0 && strcasecmp(name, family) == 0)
            return true;
    }
    return false;
}

uint32_t shape_font_glyph(const struct shape_font *f, uint32_t c)
{
    hb_codepoint_t glyph;

    return hb_font_get_nominal_glyph(f->hb, c, &glyph) ? glyph : 0;
}

static const hb_feature_t plain[] = {
    {HB_TAG('l', 'i', 'g', 'a'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
    {HB_TAG('c', 'l', 'i', 'g'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
    {HB_TAG('c', 'a', 'l', 't'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
};

void shape(const struct shape_font *f, const struct shape_run *run, struct shape_glyphs *out)
{
    hb_buffer_t *buffer = hb_buffer_create();
    bool is_plain = run->script == UNICODE_LATIN || run->script == UNICODE_COMMON;
    unsigned count;

    BUG_ON(run->char_count > INT_MAX);
    hb_buffer_add_utf32(buffer, run->chars, (int)run->char_count, (unsigned)run->start,
                        (int)run->count);
    hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(run->script));
    hb_buffer_set_direction(buffer, run->rtl ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_shape(f->hb, buffer, plain, is_plain ? sizeof(plain) / sizeof(plain[0]) : 0);

    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *position = hb_buffer_get_glyph_positions(buffer, &count);

    vec_reserve(out, out->count + count);
    for (unsigned i = 0; i < count; i++) {
        *vec_add(out) = (struct shape_glyph){
            .glyph = info[i].codepoint,
            .cluster = info[i].cluster,
            .x_advance = position[i].x_advance,
            .x_offset = position[i].x_offset,
            .y_offset = position[i].y_offset,
        };
    }
    hb_buffer_destroy(buffer);
}
