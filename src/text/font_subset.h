/*
 * Subsets of fonts with the characters of some texts, to embed in a file with the texts.
 *
 * Each character of the added texts belongs to the font that draws it. Every
 * font in use has one subset, a font file. The first subset is of the first
 * font and always contains the characters of our own texts: those of text/plain.h.
 */
#ifndef TEXT_FONT_SUBSET_H
#define TEXT_FONT_SUBSET_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "text/fonts.h"

struct font_subset;

enum { CHAR_SET_PART = 4096 };

/* A set of characters; zeroed it is empty. Its bits come in parts, when they are needed. */
struct char_set {
    uint8_t *parts[0x110000 / CHAR_SET_PART];
};

struct font_subsets {
    struct fonts *fonts;
    VEC(struct font_subset *) items; /* in the order of the first character that needs each */
    size_t plain;                    /* characters that the first subset always has */
    struct char_set known;           /* characters that were added on their own */
};

void font_subsets_init(struct font_subsets *p, struct fonts *f);
void font_subsets_release(struct font_subsets *p);

/* Adds a text of valid UTF-8. Characters that labels show as U+FFFD count as U+FFFD. */
void font_subsets_add(struct font_subsets *p, struct slice text);

/*
 * True if the subset at `index`, limited as by font_subsets_write(), is the one that
 * is made when the program is built: the plain characters of the embedded font.
 */
bool font_subsets_embedded(const struct font_subsets *p, size_t index, bool plain);

/* Appends a font file in the form in which it is embedded. */
typedef void font_subsets_form_fn(struct slice file, struct buf *out);

/*
 * Appends the subset at `index` in a form, which must be the same for all
 * subsets of a `struct fonts`. If `plain` is set, the first subset has only
 * the characters that it always has. Returns false, appending nothing, if the
 * font cannot be subset or may not be embedded.
 */
bool font_subsets_write(const struct font_subsets *p, size_t index, bool plain,
                        font_subsets_form_fn *form, struct buf *out);

#endif
