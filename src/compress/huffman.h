/*
 * Huffman codes with a limited length, as deflate uses them (RFC 1951, section 3.2.2).
 *
 * A symbol that occurs often gets a short code. Codes are canonical: the lengths
 * alone determine them, so a stream contains only the lengths.
 */
#ifndef COMPRESS_HUFFMAN_H
#define COMPRESS_HUFFMAN_H

#include <stdint.h>

enum {
    HUFFMAN_MAX_SYMBOLS = 288,
    HUFFMAN_MAX_LENGTH = 15, /* bits of the longest code */
};

/*
 * Computes the length of each symbol's code, at most `limit` bits. A symbol with
 * frequency 0 gets length 0, no code. If fewer than two symbols occur, the first
 * ones get a code all the same, because some decoders refuse a code of one symbol.
 * Requires 2 <= count <= HUFFMAN_MAX_SYMBOLS, count <= 1 << limit, and a sum of
 * frequencies below 2^32.
 */
void huffman_lengths(const uint32_t *frequencies, unsigned count, unsigned limit, uint8_t *lengths);

/* Computes the codes of `lengths`, each with its first bit lowest, as deflate stores them. */
void huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes);

#endif
