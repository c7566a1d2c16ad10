#include "base/blake.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/processor.h"

enum { DIGESTS = BLAKE_LEAVES * BLAKE_SIZE }; /* bytes that the root digests, in whole blocks */

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

/* One word of each leaf. */
typedef uint64_t words __attribute__((vector_size(8 * BLAKE_LEAVES)));

static inline void rotate(words *x, unsigned bits)
{
    *x = *x >> bits | *x << (64 - bits);
}

static inline void mix(words *v, unsigned a, unsigned b, unsigned c, unsigned d, const words *x,
                       const words *y)
{
    v[a] += v[b] + *x;
    v[d] ^= v[a];
    rotate(&v[d], 32);
    v[c] += v[d];
    v[b] ^= v[c];
    rotate(&v[b], 24);
    v[a] += v[b] + *y;
    v[d] ^= v[a];
    rotate(&v[d], 16);
    v[c] += v[d];
    v[b] ^= v[c];
    rotate(&v[b], 63);
}

/* What a step of compression takes: a block of each leaf. All bits of a word say yes. */
struct step {
    const unsigned char *blocks;      /* one after another */
    uint64_t count[BLAKE_LEAVES];     /* bytes of the leaf, with this block */
    uint64_t last[BLAKE_LEAVES];      /* is it the leaf's last block? */
    uint64_t used[BLAKE_LEAVES];      /* has the leaf a block? */
    uint64_t right_end[BLAKE_LEAVES]; /* is it the last block of the last leaf? */
};

static inline void load_lanes(words *out, const uint64_t lanes[BLAKE_LEAVES])
{
    memcpy(out, lanes, sizeof(*out));
}

/* Unrolled as a whole, so that no round looks its order up. */
static inline __attribute__((always_inline)) void compress_with(uint64_t state[8][BLAKE_LEAVES],
                                                                const struct step *step)
{
    words v[16], m[16], count, last, right_end, used;

    load_lanes(&count, step->count);
    load_lanes(&last, step->last);
    load_lanes(&right_end, step->right_end);
    load_lanes(&used, step->used);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *word = step->blocks + 8 * i;

        m[i] = (words){
            hash_load(word, 8),
            hash_load(word + BLAKE_BLOCK, 8),
            hash_load(word + 2 * BLAKE_BLOCK, 8),
            hash_load(word + 3 * BLAKE_BLOCK, 8),
            hash_load(word + 4 * BLAKE_BLOCK, 8),
            hash_load(word + 5 * BLAKE_BLOCK, 8),
            hash_load(word + 6 * BLAKE_BLOCK, 8),
            hash_load(word + 7 * BLAKE_BLOCK, 8),
        };
    }
    for (unsigned i = 0; i < 8; i++) {
        load_lanes(&v[i], state[i]);
        v[i + 8] = (words){0} + start[i];
    }
    v[12] ^= count;
    v[14] ^= last;
    v[15] ^= right_end;
#pragma GCC unroll 12
    for (unsigned round = 0; round < 12; round++) {
        const unsigned char *s = order[round % 10];

#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, i + 4, i + 8, i + 12, &m[s[2 * i]], &m[s[2 * i + 1]]);
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, &m[s[2 * i + 8]],
                &m[s[2 * i + 9]]);
    }
    for (unsigned i = 0; i < 8; i++) {
        words mixed = (v[i] ^ v[i + 8]) & used;

        for (unsigned leaf = 0; leaf < BLAKE_LEAVES; leaf++)
            state[i][leaf] ^= mixed[leaf];
    }
}

#ifdef __x86_64__
/* Rotates with one instruction, and has a register for each word of all leaves. */
__attribute__((target("avx2,avx512vl"))) static void compress_by_avx512(
    uint64_t state[8][BLAKE_LEAVES], const struct step *step)
{
    compress_with(state, step);
}

__attribute__((target("avx2"))) static void compress_by_avx2(uint64_t state[8][BLAKE_LEAVES],
                                                             const struct step *step)
{
    compress_with(state, step);
}
#endif

static void compress(uint64_t state[8][BLAKE_LEAVES], const struct step *step)
{
#ifdef __x86_64__
    if (processor_has_avx512()) {
        compress_by_avx512(state, step);
        return;
    }
    if (processor_has_avx2()) {
        compress_by_avx2(state, step);
        return;
    }
#endif
    compress_with(state, step);
}

/* The parameters of a node: its digest is as long as the digest of all. */
static void begin_node(uint64_t state[8][BLAKE_LEAVES], unsigned leaf, uint64_t offset,
                       uint64_t depth)
{
    for (unsigned i = 0; i < 8; i++)
        state[i][leaf] = start[i];
    state[0][leaf] ^= BLAKE_SIZE | BLAKE_LEAVES << 16 | 2 << 24;
    state[1][leaf] ^= offset;
    state[2][leaf] ^= depth | BLAKE_SIZE << 8;
}

void blake_init(struct blake *b)
{
    memset(b, 0, sizeof(*b));
    for (unsigned leaf = 0; leaf < BLAKE_LEAVES; leaf++)
        begin_node(b->state, leaf, leaf, 0);
}

/* Compresses a block of each leaf, none of which is the last. */
static void add_stripe(struct blake *b, const unsigned char *bytes)
{
    struct step step = {.blocks = bytes};

    b->count += BLAKE_BLOCK;
    for (unsigned leaf = 0; leaf < BLAKE_LEAVES; leaf++) {
        step.count[leaf] = b->count;
        step.used[leaf] = ~UINT64_C(0);
    }
    compress(b->state, &step);
}

/* A stripe waits until each leaf has a byte after it: blake_end() finishes the last blocks. */
void blake_add(struct blake *b, struct slice bytes)
{
    enum { ENOUGH = 2 * BLAKE_STRIPE - BLAKE_BLOCK + 1 };

    while (bytes.len > 0) {
        size_t room = sizeof(b->waiting) - b->filled;
        size_t taken = bytes.len < room ? bytes.len : room;

        if (b->filled == 0 && bytes.len >= ENOUGH) {
            add_stripe(b, (const unsigned char *)bytes.ptr);
            bytes = slice_skip(bytes, BLAKE_STRIPE);
            continue;
        }
        memcpy(b->waiting + b->filled, bytes.ptr, taken);
        b->filled += taken;
        bytes = slice_skip(bytes, taken);
        if (b->filled >= ENOUGH) {
            add_stripe(b, b->waiting);
            b->filled -= BLAKE_STRIPE;
            memmove(b->waiting, b->waiting + BLAKE_STRIPE, b->filled);
        }
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

/* The bytes of a leaf's block in a stripe that ends after `filled` bytes; 0 if it has none. */
static size_t block_length(size_t filled, size_t at)
{
    size_t rest = filled > at ? filled - at : 0;

    return rest < BLAKE_BLOCK ? rest : BLAKE_BLOCK;
}

/* Compresses the waiting blocks of a stripe. A leaf without any byte has one empty block. */
static void end_stripe(struct blake *b, unsigned stripe)
{
    struct step step = {.blocks = b->waiting + stripe * BLAKE_STRIPE};

    for (unsigned leaf = 0; leaf < BLAKE_LEAVES; leaf++) {
        size_t at = stripe * BLAKE_STRIPE + leaf * BLAKE_BLOCK;
        size_t length = block_length(b->filled, at);
        bool is_last = stripe == 1 || block_length(b->filled, at + BLAKE_STRIPE) == 0;

        step.count[leaf] = b->count + stripe * BLAKE_BLOCK + length;
        step.used[leaf] = stripe == 0 || length ? ~UINT64_C(0) : 0;
        step.last[leaf] = is_last ? ~UINT64_C(0) : 0;
        step.right_end[leaf] = is_last && leaf == BLAKE_LEAVES - 1 ? ~UINT64_C(0) : 0;
    }
    compress(b->state, &step);
}

/* Digests the digests of the leaves. Only the first lane is used. */
static void compress_root(uint64_t root[8][BLAKE_LEAVES], const unsigned char *digests)
{
    begin_node(root, 0, 0, 1);
    for (unsigned end = BLAKE_BLOCK; end <= DIGESTS; end += BLAKE_BLOCK) {
        uint64_t last = end == DIGESTS ? ~UINT64_C(0) : 0;

        compress(root, &(struct step){
                           digests + end - BLAKE_BLOCK, {end}, {last}, {~UINT64_C(0)}, {last}});
    }
}

void blake_end(struct blake *b, unsigned char out[BLAKE_SIZE])
{
    unsigned char digests[DIGESTS + BLAKE_STRIPE] = {0};
    uint64_t root[8][BLAKE_LEAVES] = {{0}};

    memset(b->waiting + b->filled, 0, sizeof(b->waiting) - b->filled);
    end_stripe(b, 0);
    end_stripe(b, 1);
    for (unsigned i = 0; i < DIGESTS; i++)
        digests[i] = (unsigned char)(b->state[i % BLAKE_SIZE / 8][i / BLAKE_SIZE] >> i % 8 * 8);
    compress_root(root, digests);
    for (unsigned i = 0; i < BLAKE_SIZE; i++)
        out[i] = (unsigned char)(root[i / 8][0] >> i % 8 * 8);
}
