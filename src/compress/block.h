/*
 * Writes blocks of a deflate stream (RFC 1951), each with its own Huffman codes.
 *
 * A block is a list of tokens: a literal byte, or a match, which repeats earlier
 * bytes. Tokens are collected first; their frequencies determine the codes.
 */
#ifndef COMPRESS_BLOCK_H
#define COMPRESS_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
    BLOCK_TOKENS = 1 << 13, /* tokens in a block */
    BLOCK_MIN_MATCH = 3,    /* bytes */
    BLOCK_MAX_MATCH = 258,
    BLOCK_MAX_DISTANCE = 1 << 15,
};

/* A stream of bits, the lowest bit of each byte first. */
struct bits {
    uint8_t *to;
    uint64_t word;  /* bits that are not yet stored */
    unsigned count; /* of them, less than 8 between calls */
};

struct block {
    struct buf *out;
    struct bits bits;
    uint32_t *tokens; /* BLOCK_TOKENS */
    uint32_t *end;    /* after the last token */
};

/* A token: a literal's byte, or BLOCK_MATCH + length - 3, and a match's distance - 1 above that. */
enum { BLOCK_MATCH = 1 << 8, BLOCK_DISTANCE_SHIFT = 9 };

/* Begins a stream of blocks, appended to `out`, which must not change until block_close(). */
void block_open(struct block *b, struct buf *out);

/*
 * Ends the block at the boundary of a byte, so that another piece of the stream can follow: writes
 * an empty stored block after the tokens (RFC 1951, section 3.2.4). Frees the block's memory.
 */
void block_pause(struct block *b);

/* Writes the last block, and zero bits up to the end of a byte. Frees the block's memory. */
void block_close(struct block *b);

/*
 * Removes the complete bytes from the start of `out` and returns them. They are valid until a token
 * is added. Requires that `out` was empty before block_open().
 */
struct slice block_take(struct block *b);

/* Writes the tokens as a block that is not the last one. */
void block_write(struct block *b);

static inline uint32_t block_match(size_t length, size_t distance)
{
    return (uint32_t)((distance - 1) << BLOCK_DISTANCE_SHIFT | BLOCK_MATCH |
                      (length - BLOCK_MIN_MATCH));
}

/* Adds a token; a full block is written. */
static inline void block_add(struct block *b, uint32_t token)
{
    *b->end++ = token;
    if (__builtin_expect(b->end == b->tokens + BLOCK_TOKENS, 0))
        block_write(b);
}

#endif
