/*
 * Compresses a stream with gzip. The same bytes give the same result: the header has neither a
 * name nor a time.
 */
#ifndef CONVERT_GZIP_H
#define CONVERT_GZIP_H

#include <stdbool.h>

#include "base/slice.h"
#include "convert/stream.h"

struct gzip *gzip_new(void);
/* `gzip` may be NULL. */
void gzip_free(struct gzip *gzip);

/*
 * Compresses bytes and passes complete blocks to the sink; after the `last` bytes, everything.
 * Returns false if the sink did.
 */
bool gzip_write(struct gzip *gzip, struct slice bytes, bool last, convert_sink *sink,
                void *context);

#endif
