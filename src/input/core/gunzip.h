/*
 * Decompression of gzip files (RFC 1952) with zlib, which verifies the checksum
 * and the length of each member. libarchive does not.
 *
 * Concatenated members are one content. Zeros after the last member are
 * padding; anything else there is not decompressed and sets gunzip_has_rest().
 */
#ifndef INPUT_CORE_GUNZIP_H
#define INPUT_CORE_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/slice.h"

struct gunzip;

/*
 * Reads `first`, which is copied, and then `fd`, which stays the caller's, or is -1 if there is no
 * more. Never NULL.
 */
struct gunzip *gunzip_new(int fd, struct slice first);
void gunzip_free(struct gunzip *g);

/*
 * Writes up to `room` bytes of content to `to`. Returns their number, 0 at the
 * end, or -1 after an error, which gunzip_error() describes.
 */
ssize_t gunzip_read(struct gunzip *g, char *to, size_t room);
const char *gunzip_error(const struct gunzip *g);

/* Whether, at the end, data that is no gzip member followed the last member. */
bool gunzip_has_rest(const struct gunzip *g);

#endif
