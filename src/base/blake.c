#include "base/blake.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t start[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const unsigned char order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline uint64_t rotate(uint64_t x, unsigned bits)
{
    return x >> bits | x << (64 - bits);
}

static inline void mix(uint64_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x,
                       uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = rotate(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 63);
}

/* Unrolled as a whole, so that no round looks its order up. */
static void compress(struct blake *b, const unsigned char *block, bool last)
{
    uint64_t v[16], m[16];

    for (unsigned i = 0; i < 16; i++)
        m[i] = hash_load(block + 8 * i, 8);
    for (unsigned i = 0; i < 8; i++) {
        v[i] = b->state[i];
        v[i + 8] = start[i];
    }
    v[12] ^= b->count;
    v[14] ^= last ? ~UINT64_C(0) : 0;
#pragma GCC unroll 12
    for (unsigned round = 0; round < 12; round++) {
        const unsigned char *s = order[round % 10];

#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[s[2 * i + 8]],
                m[s[2 * i + 9]]);
    }
    for (unsigned i = 0; i < 8; i++)
        b->state[i] ^= v[i] ^ v[i + 8];
}

void blake_init(struct blake *b)
{
    memset(b, 0, sizeof(*b));
    memcpy(b->state, start, sizeof(start));
    b->state[0] ^= 0x01010000 | BLAKE_SIZE;
}

/* The last block is finished by blake_end() only, so a full one waits for more. */
void blake_add(struct blake *b, struct slice bytes)
{
    while (bytes.len > 0) {
        if (b->filled == 0 && bytes.len > BLAKE_BLOCK) {
            b->count += BLAKE_BLOCK;
            compress(b, (const unsigned char *)bytes.ptr, false);
            bytes = slice_skip(bytes, BLAKE_BLOCK);
            continue;
        }

        size_t room = BLAKE_BLOCK - b->filled;
        size_t taken = bytes.len < room ? bytes.len : room;

        if (room == 0) {
            b->count += BLAKE_BLOCK;
            compress(b, b->block, false);
            b->filled = 0;
            continue;
        }
        memcpy(b->block + b->filled, bytes.ptr, taken);
        b->filled += taken;
        bytes = slice_skip(bytes, taken);
    }
}

void blake_add_text(struct blake *b, struct slice text)
{
    uint64_t len = text.len;
    unsigned char word[8];

    for (unsigned i = 0; i < 8; i++)
        word[i] = (unsigned char)(len >> 8 * i);
    blake_add(b, slice_make((const char *)word, sizeof(word)));
    blake_add(b, text);
}

void blake_end(struct blake *b, unsigned char out[BLAKE_SIZE])
{
    memset(b->block + b->filled, 0, BLAKE_BLOCK - b->filled);
    b->count += b->filled;
    compress(b, b->block, true);
    for (unsigned i = 0; i < BLAKE_SIZE; i++)
        out[i] = (unsigned char)(b->state[i / 8] >> i % 8 * 8);
}
