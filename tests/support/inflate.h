/*
 * Reads zlib's format (RFC 1950, RFC 1951), for unit tests and fuzz targets.
 *
 * Written from the specification alone, bit by bit, so that it shares no mistake
 * with zlib or with src/compress. It is strict: codes must be complete, and
 * nothing may follow the checksum.
 */
#ifndef SUPPORT_INFLATE_H
#define SUPPORT_INFLATE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the bytes. Returns NULL, or what is wrong with the stream. */
const char *inflate_plainly(struct slice stream, struct buf *out);

#endif
