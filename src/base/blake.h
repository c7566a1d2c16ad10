/*
 * Recognises bytes that were seen before, by a digest of 32 bytes. Nobody can make two files that
 * have one digest, so it may decide for hostile input too.
 *
 * It is BLAKE2b (RFC 7693) as a tree (the BLAKE2 paper, section 2.10): every stripe of 1,024 bytes
 * gives a block to each of eight leaves, so that vector instructions work for several of them. The
 * root digests the leaves' digests, of 32 bytes each. The digest does not depend on the machine.
 */
#ifndef BASE_BLAKE_H
#define BASE_BLAKE_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    BLAKE_SIZE = 32,
    BLAKE_BLOCK = 128,
    BLAKE_LEAVES = 8,
    BLAKE_STRIPE = BLAKE_BLOCK * BLAKE_LEAVES
};

struct blake {
    uint64_t state[8][BLAKE_LEAVES];
    uint64_t count; /* bytes of each leaf in finished blocks */
    unsigned char waiting[2 * BLAKE_STRIPE];
    size_t filled; /* bytes of `waiting` */
};

void blake_init(struct blake *b);
void blake_add(struct blake *b, struct slice bytes);
/* Adds the length of a text and the text, so that two texts cannot be taken for two others. */
void blake_add_text(struct blake *b, struct slice text);
void blake_end(struct blake *b, unsigned char out[BLAKE_SIZE]);

#endif
