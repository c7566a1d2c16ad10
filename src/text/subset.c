#include "text/subset.h"

#include <limits.h>

#include <hb-subset.h>

#include "base/die.h"
#include "text/unicode.h"

enum {
    TYPE_AT = 8, /* offset of fsType, the embedding rights, in the table OS/2 */
    TYPE_MASK = 15,
    TYPE_RESTRICTED = 2,
};

static bool is_restricted(hb_face_t *face)
{
    hb_blob_t *table = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
    unsigned len;
    const char *bytes = hb_blob_get_data(table, &len);
    bool restricted = len > TYPE_AT + 1 && (bytes[TYPE_AT + 1] & TYPE_MASK) == TYPE_RESTRICTED;

    hb_blob_destroy(table);
    return restricted;
}

static bool has_latin(const struct fonts_chars *chars)
{
    vec_each (uint32_t, c, chars)
        if (unicode_script(*c) == UNICODE_LATIN)
            return true;
    return false;
}

/* Returns a request for the glyphs of `chars` and the tables needed to draw them. */
static hb_subset_input_t *new_input(const struct fonts_chars *chars)
{
    static const hb_tag_t optional[] = {
        HB_TAG('l', 'i', 'g', 'a'),
        HB_TAG('c', 'l', 'i', 'g'),
        HB_TAG('c', 'a', 'l', 't'),
    };
    static const hb_tag_t fractions[] = {
        HB_TAG('f', 'r', 'a', 'c'),
        HB_TAG('n', 'u', 'm', 'r'),
        HB_TAG('d', 'n', 'o', 'm'),
    };
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    bool latin = has_latin(chars);
    hb_set_t *features;

    if (!input)
        die("out of memory for a font");
    features = hb_subset_input_set(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
    for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++)
        hb_set_del(features, fractions[i]);
    for (size_t i = 0; latin && i < sizeof(optional) / sizeof(optional[0]); i++)
        hb_set_del(features, optional[i]);
    hb_set_clear(hb_subset_input_set(input, HB_SUBSET_SETS_NAME_ID));
    vec_each (uint32_t, c, chars)
        hb_set_add(hb_subset_input_unicode_set(input), *c);
    hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
    return input;
}

bool subset_write(struct slice bytes, unsigned index, const struct fonts_chars *chars,
                  struct buf *out)
{
    hb_blob_t *blob, *part;
    hb_face_t *face, *subset = NULL;
    hb_subset_input_t *input;
    unsigned len = 0;

    if (index >> 16 || bytes.len > UINT_MAX)
        return false;
    blob = hb_blob_create(bytes.ptr, (unsigned)bytes.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
    face = hb_face_create(blob, index);
    input = new_input(chars);
    if (!is_restricted(face))
        subset = hb_subset_or_fail(face, input);
    if (subset) {
        part = hb_face_reference_blob(subset);
        buf_add(out, hb_blob_get_data(part, &len), hb_blob_get_length(part));
        hb_blob_destroy(part);
    }
    hb_face_destroy(subset);
    hb_subset_input_destroy(input);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return len > 0;
}
