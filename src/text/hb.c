/*
 * Opens HarfBuzz when a text needs it, and forwards its functions.
 *
 * Loading it with the libraries that it needs takes longer than drawing a small
 * profile, and plain texts (text/plain.h) do without. This file defines the
 * functions of HarfBuzz that the program uses: the first call opens the library,
 * and each goes on to the function of the same name there. The program ends if
 * the library is not installed.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <hb-ot.h>
#include <hb-subset.h>
#include <hb.h>

#include "base/die.h"

/* The names by which the loader knows the libraries; packaging/bundle looks for them. */
#define SHAPING_FILE "libharfbuzz.so.0"
#define SUBSETTING_FILE "libharfbuzz-subset.so.0"

/* The functions in use: result, name, parameters, and the parameters' names. */
#define SHAPING(CALL)                                                                              \
    CALL(hb_blob_t *, hb_blob_create,                                                              \
         (const char *data, unsigned length, hb_memory_mode_t mode, void *user_data,               \
          hb_destroy_func_t destroy),                                                              \
         (data, length, mode, user_data, destroy))                                                 \
    CALL(void, hb_blob_destroy, (hb_blob_t * blob), (blob))                                        \
    CALL(const char *, hb_blob_get_data, (hb_blob_t * blob, unsigned *length), (blob, length))     \
    CALL(unsigned, hb_blob_get_length, (hb_blob_t * blob), (blob))                                 \
    CALL(void, hb_buffer_add_utf32,                                                                \
         (hb_buffer_t * buffer, const uint32_t *text, int text_length, unsigned item_offset,       \
          int item_length),                                                                        \
         (buffer, text, text_length, item_offset, item_length))                                    \
    CALL(hb_buffer_t *, hb_buffer_create, (void), ())                                              \
    CALL(void, hb_buffer_destroy, (hb_buffer_t * buffer), (buffer))                                \
    CALL(hb_glyph_info_t *, hb_buffer_get_glyph_infos, (hb_buffer_t * buffer, unsigned *length),   \
         (buffer, length))                                                                         \
    CALL(hb_glyph_position_t *, hb_buffer_get_glyph_positions,                                     \
         (hb_buffer_t * buffer, unsigned *length), (buffer, length))                               \
    CALL(void, hb_buffer_set_direction, (hb_buffer_t * buffer, hb_direction_t direction),          \
         (buffer, direction))                                                                      \
    CALL(void, hb_buffer_set_script, (hb_buffer_t * buffer, hb_script_t script), (buffer, script)) \
    CALL(hb_face_t *, hb_face_create, (hb_blob_t * blob, unsigned index), (blob, index))           \
    CALL(void, hb_face_destroy, (hb_face_t * face), (face))                                        \
    CALL(unsigned, hb_face_get_glyph_count, (const hb_face_t *face), (face))                       \
    CALL(unsigned, hb_face_get_upem, (const hb_face_t *face), (face))                              \
    CALL(hb_blob_t *, hb_face_reference_blob, (hb_face_t * face), (face))                          \
    CALL(hb_blob_t *, hb_face_reference_table, (const hb_face_t *face, hb_tag_t tag), (face, tag)) \
    CALL(hb_font_t *, hb_font_create, (hb_face_t * face), (face))                                  \
    CALL(void, hb_font_destroy, (hb_font_t * font), (font))                                        \
    CALL(void, hb_font_get_extents_for_direction,                                                  \
         (hb_font_t * font, hb_direction_t direction, hb_font_extents_t * extents),                \
         (font, direction, extents))                                                               \
    CALL(hb_face_t *, hb_font_get_face, (hb_font_t * font), (font))                                \
    CALL(hb_bool_t, hb_font_get_nominal_glyph,                                                     \
         (hb_font_t * font, hb_codepoint_t unicode, hb_codepoint_t * glyph),                       \
         (font, unicode, glyph))                                                                   \
    CALL(void, hb_font_make_immutable, (hb_font_t * font), (font))                                 \
    CALL(void, hb_font_set_var_named_instance, (hb_font_t * font, unsigned instance_index),        \
         (font, instance_index))                                                                   \
    CALL(hb_language_t, hb_language_from_string, (const char *str, int len), (str, len))           \
    CALL(void, hb_ot_metrics_get_position_with_fallback,                                           \
         (hb_font_t * font, hb_ot_metrics_tag_t metrics_tag, hb_position_t * position),            \
         (font, metrics_tag, position))                                                            \
    CALL(unsigned, hb_ot_name_get_utf8,                                                            \
         (hb_face_t * face, hb_ot_name_id_t name_id, hb_language_t language, unsigned *text_size,  \
          char *text),                                                                             \
         (face, name_id, language, text_size, text))                                               \
    CALL(hb_script_t, hb_script_from_iso15924_tag, (hb_tag_t tag), (tag))                          \
    CALL(void, hb_set_add, (hb_set_t * set, hb_codepoint_t codepoint), (set, codepoint))           \
    CALL(void, hb_set_clear, (hb_set_t * set), (set))                                              \
    CALL(void, hb_set_del, (hb_set_t * set, hb_codepoint_t codepoint), (set, codepoint))           \
    CALL(void, hb_shape,                                                                           \
         (hb_font_t * font, hb_buffer_t * buffer, const hb_feature_t *features,                    \
          unsigned num_features),                                                                  \
         (font, buffer, features, num_features))                                                   \
    CALL(hb_bool_t, hb_unicode_compose,                                                            \
         (hb_unicode_funcs_t * ufuncs, hb_codepoint_t a, hb_codepoint_t b, hb_codepoint_t * ab),   \
         (ufuncs, a, b, ab))                                                                       \
    CALL(hb_bool_t, hb_unicode_decompose,                                                          \
         (hb_unicode_funcs_t * ufuncs, hb_codepoint_t ab, hb_codepoint_t * a, hb_codepoint_t * b), \
         (ufuncs, ab, a, b))                                                                       \
    CALL(hb_unicode_funcs_t *, hb_unicode_funcs_get_default, (void), ())                           \
    CALL(hb_unicode_general_category_t, hb_unicode_general_category,                               \
         (hb_unicode_funcs_t * ufuncs, hb_codepoint_t unicode), (ufuncs, unicode))                 \
    CALL(hb_script_t, hb_unicode_script, (hb_unicode_funcs_t * ufuncs, hb_codepoint_t unicode),    \
         (ufuncs, unicode))

#define SUBSETTING(CALL)                                                                           \
    CALL(hb_subset_input_t *, hb_subset_input_create_or_fail, (void), ())                          \
    CALL(void, hb_subset_input_destroy, (hb_subset_input_t * input), (input))                      \
    CALL(hb_set_t *, hb_subset_input_set, (hb_subset_input_t * input, hb_subset_sets_t set_type),  \
         (input, set_type))                                                                        \
    CALL(void, hb_subset_input_set_flags, (hb_subset_input_t * input, unsigned value),             \
         (input, value))                                                                           \
    CALL(hb_set_t *, hb_subset_input_unicode_set, (hb_subset_input_t * input), (input))            \
    CALL(hb_face_t *, hb_subset_or_fail, (hb_face_t * source, const hb_subset_input_t *input),     \
         (source, input))

/* clang-format off */
#define NUMBER(result, name, parameters, names) NUMBER_OF_##name,
#define NAME(result, name, parameters, names) #name,
/* clang-format on */

enum { SHAPING(NUMBER) SHAPING_COUNT };
enum { SUBSETTING(NUMBER) SUBSETTING_COUNT };

static const char *const shaping_names[] = {SHAPING(NAME)};
static const char *const subsetting_names[] = {SUBSETTING(NAME)};
static void *shaping[SHAPING_COUNT], *subsetting[SUBSETTING_COUNT];
static pthread_once_t shaping_once = PTHREAD_ONCE_INIT, subsetting_once = PTHREAD_ONCE_INIT;

static void open_library(const char *file, const char *const *names, void **found, size_t count)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (!library)
        die("a library for text cannot be opened: %s", dlerror());
    for (size_t i = 0; i < count; i++) {
        found[i] = dlsym(library, names[i]);
        if (!found[i])
            die("%s is too old for this program: it has no %s()", file, names[i]);
    }
}

static void open_shaping(void)
{
    open_library(SHAPING_FILE, shaping_names, shaping, SHAPING_COUNT);
}

static void open_subsetting(void)
{
    open_library(SUBSETTING_FILE, subsetting_names, subsetting, SUBSETTING_COUNT);
}

/* Each function has the name and type of the library's, and calls it. */
#define DEFINE(room, result, name, parameters, names)                                              \
    result name parameters                                                                         \
    {                                                                                              \
        result(*call) parameters;                                                                  \
                                                                                                   \
        pthread_once(&room##_once, open_##room);                                                   \
        memcpy(&call, &room[NUMBER_OF_##name], sizeof(call));                                      \
        return call names;                                                                         \
    }
#define DEFINE_SHAPING(result, name, parameters, names)                                            \
    DEFINE(shaping, result, name, parameters, names)
#define DEFINE_SUBSETTING(result, name, parameters, names)                                         \
    DEFINE(subsetting, result, name, parameters, names)

SHAPING(DEFINE_SHAPING)
SUBSETTING(DEFINE_SUBSETTING)
