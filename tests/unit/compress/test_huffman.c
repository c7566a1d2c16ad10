#include "compress/huffman.h"

#include <string.h>

#include "unit/support/test.h"

enum { COUNT = 6 };

Test(compress_huffman, known_lengths)
{
    static const struct {
        const char *name;
        uint32_t frequencies[COUNT];
        unsigned limit;
        uint8_t want[COUNT];
    } cases[] = {
        {"equal, four used", {1, 1, 0, 1, 0, 1}, 15, {2, 2, 0, 2, 0, 2}},
        {"doubling", {1, 2, 4, 8, 16, 32}, 15, {5, 5, 4, 3, 2, 1}},
        {"doubling, at most 3 bits", {1, 2, 4, 8, 16, 32}, 3, {3, 3, 3, 3, 2, 2}},
        {"doubling, at most 4 bits", {1, 2, 4, 8, 16, 32}, 4, {4, 4, 4, 4, 2, 1}},
        {"one symbol gets a sibling", {0, 0, 7, 0, 0, 0}, 15, {1, 0, 1, 0, 0, 0}},
        {"no symbol", {0}, 15, {1, 1, 0, 0, 0, 0}},
        {"the first symbol only", {9, 0, 0, 0, 0, 0}, 15, {1, 1, 0, 0, 0, 0}},
        {"large weights", {1u << 30, 1u << 30, 1, 1, 1, 1}, 15, {2, 1, 4, 4, 4, 4}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t lengths[COUNT];

        huffman_lengths(cases[i].frequencies, COUNT, cases[i].limit, lengths);
        cr_expect(memcmp(lengths, cases[i].want, COUNT) == 0, "%s: %u %u %u %u %u %u",
                  cases[i].name, lengths[0], lengths[1], lengths[2], lengths[3], lengths[4],
                  lengths[5]);
    }
}

/* Returns the bits of all symbols if each had the best length of at most `limit` bits. */
static uint64_t least_bits(const uint32_t *frequencies, unsigned count, unsigned limit)
{
    /* Package-merge: the cheapest coins of each level are paired and join the next level. */
    uint64_t row[2 * HUFFMAN_MAX_SYMBOLS], sorted[HUFFMAN_MAX_SYMBOLS], bits = 0;
    unsigned n = 0, have = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned at = n;

        if (!frequencies[i])
            continue;
        for (n++; at && sorted[at - 1] > frequencies[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = frequencies[i];
    }
    for (unsigned level = 0; level < limit; level++) {
        uint64_t next[2 * HUFFMAN_MAX_SYMBOLS];
        unsigned a = 0, b = 0, total = 0;

        while (a < n || b + 1 < have) {
            if (b + 1 >= have || (a < n && sorted[a] <= row[b] + row[b + 1])) {
                next[total++] = sorted[a++];
            } else {
                next[total++] = row[b] + row[b + 1];
                b += 2;
            }
        }
        memcpy(row, next, total * sizeof(*row));
        have = total;
    }
    for (unsigned i = 0; i < 2 * n - 2; i++)
        bits += row[i];
    return bits;
}

/*
 * Codes are complete and within the limit. At 15 bits they are hardly longer than the best ones; a
 * tight limit costs more.
 */
Test(compress_huffman, random_frequencies)
{
    uint64_t state = 88172645463325252;

    for (unsigned round = 0; round < 3000; round++) {
        unsigned count = 2 + round % (HUFFMAN_MAX_SYMBOLS - 1), limit = round % 3 ? 15 : 9;
        uint32_t frequencies[HUFFMAN_MAX_SYMBOLS], used = 0;
        uint8_t lengths[HUFFMAN_MAX_SYMBOLS];
        uint64_t bits = 0, kraft = 0, least;

        for (unsigned i = 0; i < count; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            frequencies[i] = state % 4 ? (uint32_t)(state >> 40 >> state % 24) : 0;
            used += frequencies[i] != 0;
        }
        huffman_lengths(frequencies, count, limit, lengths);
        for (unsigned i = 0; i < count; i++) {
            cr_assert(lengths[i] <= limit && (lengths[i] || !frequencies[i]));
            bits += (uint64_t)frequencies[i] * lengths[i];
            kraft += lengths[i] ? UINT64_C(1) << (15 - lengths[i]) : 0;
        }
        cr_assert_eq(kraft, 1 << 15, "round %u", round);
        least = used < 2 ? bits : least_bits(frequencies, count, limit);
        cr_assert(bits >= least && (limit < 15 || bits <= least + least / 50 + 4),
                  "round %u: %lu bits, least %lu", round, bits, least);
    }
}

/* The example of RFC 1951, section 3.2.2, with the first bit of each code lowest. */
Test(compress_huffman, codes_of_the_specification)
{
    static const uint8_t lengths[] = {3, 3, 3, 3, 3, 2, 4, 4};
    static const uint16_t want[] = {2, 6, 1, 5, 3, 0, 7, 15};
    uint16_t codes[8];

    huffman_codes(lengths, 8, codes);
    cr_expect(memcmp(codes, want, sizeof(want)) == 0);
}
