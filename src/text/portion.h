/*
 * What of the fonts some texts need, to travel with them.
 *
 * Texts are added; each character is counted to the font that draws it. Of
 * every font that is needed there is a portion: a font file of its own. The
 * first one is of the first font, and always has the characters that any text
 * of ours may have: ASCII and a few signs.
 */
#ifndef TEXT_PORTION_H
#define TEXT_PORTION_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "text/fonts.h"

struct portion;

struct portions {
    struct fonts *fonts;
    VEC(struct portion *) items; /* in the order of the first character that needs each */
    size_t plain;                /* characters that the first one always has */
    uint8_t *known;              /* characters that are in a portion by themselves: a bit each */
};

void portions_init(struct portions *p, struct fonts *f);
void portions_release(struct portions *p);

/* Adds a text, valid UTF-8. What a label shows as U+FFFD is counted as that. */
void portions_add(struct portions *p, struct slice text);

/* Appends a font file in the form that it travels in. */
typedef void portions_form_fn(struct slice file, struct buf *out);

/*
 * Appends the portion at `index` in a form, which must be the same one for all
 * portions of a `struct fonts`; where `plain`, of the first one only the
 * characters that it always has. False, with nothing appended, where the font
 * cannot be divided or may not be embedded.
 */
bool portions_write(const struct portions *p, size_t index, bool plain, portions_form_fn *form,
                    struct buf *out);

#endif
