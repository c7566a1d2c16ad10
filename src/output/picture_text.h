/*
 * The texts of a picture: fitted once, so that PNG and SVG show the same.
 */
#ifndef OUTPUT_PICTURE_TEXT_H
#define OUTPUT_PICTURE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "text/label.h"

struct picture;

enum { PICTURE_LEAST_FONT = 6 }; /* pixels, of labels in boxes */

/* A piece of fitted text. */
struct picture_text {
    size_t at; /* its place in the picture's `text` */
    uint32_t len;
    int32_t width; /* 26.6 */
};

enum picture_role {
    PICTURE_TITLE,
    PICTURE_SUBTITLE,
    PICTURE_FACTS,  /* total, unit, and what cannot be seen */
    PICTURE_LEGEND, /* a word behind a swatch */
    PICTURE_ROLES,
};

/* A line of text outside the boxes. */
struct picture_line {
    enum picture_role role;
    int32_t x, baseline;
    struct picture_text text;
};

/* Fits a text into `room` (26.6) and keeps it. */
struct picture_text picture_text_fit(struct picture *p, struct label_style style, struct slice text,
                                     int64_t room, enum label_mode mode);

/*
 * Whether boxes have labels: not in rows lower than the font, which would cut its letters, and
 * not in a font so small that nobody reads it.
 */
bool picture_text_in_boxes(const struct picture *p);

/* Keeps a text as it is, without measuring it. */
struct picture_text picture_text_keep(struct picture *p, struct slice text);

/* Adds a line, cut at the end where it is longer than `room` pixels; returns its width. */
int32_t picture_text_line(struct picture *p, enum picture_role role, int32_t x, int32_t baseline,
                          struct slice text, int32_t room);

/* The font size of a line, in CSS pixels. */
double picture_text_size(const struct picture *p, enum picture_role role);

#endif
