/*
 * Portions: subsets of fonts with the characters of some texts, to embed in a
 * file with the texts.
 *
 * Each character of the added texts belongs to the font that draws it. Every
 * font in use has one portion, a font file. The first portion is of the first
 * font and always contains the characters of our own texts: those of text/plain.h.
 */
#ifndef TEXT_PORTION_H
#define TEXT_PORTION_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "text/fonts.h"

struct portion;

enum { CHAR_SET_PART = 4096 };

/* A set of characters; zeroed it is empty. Its bits come in parts, when they are needed. */
struct char_set {
    uint8_t *parts[0x110000 / CHAR_SET_PART];
};

struct portions {
    struct fonts *fonts;
    VEC(struct portion *) items; /* in the order of the first character that needs each */
    size_t plain;                /* characters that the first portion always has */
    struct char_set known;       /* characters that were added on their own */
};

void portions_init(struct portions *p, struct fonts *f);
void portions_release(struct portions *p);

/* Adds a text of valid UTF-8. Characters that labels show as U+FFFD count as U+FFFD. */
void portions_add(struct portions *p, struct slice text);

/*
 * True if the portion at `index`, limited as by portions_write(), is the one that
 * is made when the program is built: the plain characters of the embedded font.
 */
bool portions_embedded(const struct portions *p, size_t index, bool plain);

/* Appends a font file in the form in which it is embedded. */
typedef void portions_form_fn(struct slice file, struct buf *out);

/*
 * Appends the portion at `index` in a form, which must be the same for all
 * portions of a `struct fonts`. If `plain` is set, the first portion has only
 * the characters that it always has. Returns false, appending nothing, if the
 * font cannot be subset or may not be embedded.
 */
bool portions_write(const struct portions *p, size_t index, bool plain, portions_form_fn *form,
                    struct buf *out);

#endif
