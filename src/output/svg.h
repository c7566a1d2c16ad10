/*
 * The SVG of a picture: complete as it stands, interactive where scripts run.
 *
 * Every box and label of the picture is there as markup, with a title on each
 * box that is wide enough to point at; thinner ones are joined to one path per
 * row and colour. Every frame of the tree, drawn or not, is in the file as data
 * for the script, which adds zoom, search and a details line. Where the file
 * would grow too large, the lightest frames are left out of the data, then the
 * thinnest boxes of the markup, and the picture says how many. Script and style
 * are templates/flame*.js and templates/flame.css, the same bytes in every file.
 *
 * The ground and the text around the boxes follow the reader's choice of light
 * or dark.
 */
#ifndef OUTPUT_SVG_H
#define OUTPUT_SVG_H

#include "base/buf.h"
#include "output/picture.h"

/* Boxes from this width on, in pixels, have a title and may be focused. */
enum { SVG_POINTABLE = 2 };

/* Bytes of a file unless options say otherwise: 700,000 frames, which a browser opens at once. */
enum { SVG_MAX_SIZE = 1000 * 1000 };

/* A file that stands beside the graphs whose script is external. */
struct svg_side {
    const char *name;
    const char *asset;
};
extern const struct svg_side svg_sides[];
extern const size_t svg_side_count;

struct slice svg_side_content(const struct svg_side *side);

/* Appends the document, larger than the options allow only where nothing else can be left out. */
void svg_write(const struct picture *p, struct buf *out);

#endif
