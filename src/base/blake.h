/*
 * BLAKE2b (RFC 7693) with 32 bytes: recognises bytes that were seen before.
 * Nobody can make two files that have one digest, so it may decide for hostile input too.
 */
#ifndef BASE_BLAKE_H
#define BASE_BLAKE_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum { BLAKE_SIZE = 32, BLAKE_BLOCK = 128 };

struct blake {
    uint64_t state[8];
    uint64_t count; /* bytes in finished blocks */
    unsigned char block[BLAKE_BLOCK];
    size_t filled;
};

void blake_init(struct blake *b);
void blake_add(struct blake *b, struct slice bytes);
/* Adds the length of a text and the text, so that two texts cannot be taken for two others. */
void blake_add_text(struct blake *b, struct slice text);
void blake_end(struct blake *b, unsigned char out[BLAKE_SIZE]);

#endif
