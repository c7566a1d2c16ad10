/*
 * Writes a picture as SVG: complete without scripts, interactive with them.
 *
 * The markup has every box and label of the picture (output/svg_boxes.h). The
 * data has every frame of the tree, drawn or not (output/svg_data.h); the script
 * uses it for zoom, search and the details line. If the file would grow too
 * large, the lightest frames are left out of the data, then the lightest boxes
 * of the markup, and the picture says how many. Script and style are
 * templates/flame*.js and templates/flame.css, the same bytes in every file.
 *
 * The background and the text around the boxes follow the reader's dark setting.
 */
#ifndef OUTPUT_SVG_H
#define OUTPUT_SVG_H

#include "base/buf.h"
#include "output/picture.h"

/* The least width, in pixels, of a box that has a title and can be focused. */
enum { SVG_POINTABLE = 2 };

/* The default limit, in bytes: about 700,000 frames, which a browser opens without delay. */
enum { SVG_MAX_SIZE = 1000 * 1000 };

/* A file beside SVGs whose script is external. */
struct svg_side {
    const char *name;
    const char *asset;
};
extern const struct svg_side svg_sides[];
extern const size_t svg_side_count;

struct slice svg_side_content(const struct svg_side *side);

/* Appends the document. It exceeds the options' limit only if nothing else can be left out. */
void svg_write(const struct picture *p, struct buf *out);

#endif
