/*
 * Adler-32, the checksum of zlib's format (RFC 1950, section 8.2).
 *
 * Starts at ADLER_START. A run of one byte is added in constant time, because its
 * sums have closed forms.
 */
#ifndef COMPRESS_ADLER_H
#define COMPRESS_ADLER_H

#include <stddef.h>
#include <stdint.h>

enum { ADLER_START = 1 };

/* Return the checksum after `count` more bytes. */
uint32_t adler_add(uint32_t adler, const uint8_t *bytes, size_t count);
uint32_t adler_add_run(uint32_t adler, uint8_t byte, size_t count);

#endif
