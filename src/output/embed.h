/*
 * Puts the profile of a picture into its PNG, so that whoever gets the PNG can draw it again.
 *
 * The private chunk EMBED_CHUNK contains a line of words (output/graph_words.h), then a zlib stream
 * of the bytes of output/svg_tree.h and output/svg_origin.h. These contain the data of the picture
 * after all filters: the stacks and weights of its graph, including stacks that are too thin to
 * draw, the modules and source lines of their functions, and nothing else of the input. A picture
 * around a function has the stacks with that function only. The chunk is ancillary and safe to
 * copy, so programs that change the picture may keep it. A PNG without the chunk says why in its
 * text EMBED_TEXT, so that a reader can tell that the chunk was removed. If all does not fit,
 * source lines are left out first, then modules; the text EMBED_ORIGINS_TEXT says so.
 */
#ifndef OUTPUT_EMBED_H
#define OUTPUT_EMBED_H

#include <stdbool.h>

#include "base/buf.h"
#include "output/picture.h"

#define EMBED_CHUNK "flPr"
#define EMBED_TEXT "Profile"
#define EMBED_ORIGINS_TEXT "Modules"

enum { EMBED_MOST = 40 * 1000 }; /* bytes with EMBED_AUTO */

/*
 * Appends the content of the chunk for a picture, or for a column of pictures the bottom one.
 * Returns false if the PNG gets no chunk, with a clause in `why`; appends to `lost` which of
 * modules and source lines the chunk does not have.
 */
bool embed_write(const struct picture *p, struct buf *out, struct buf *why, struct buf *lost);

/* Returns how many bytes the chunk takes of a PNG that png_write() made; 0 if it has none. */
size_t embed_size(struct slice png);

/* Returns what `lost` of embed_write() says, or an empty slice. */
struct slice embed_lost(struct slice png);

#endif
