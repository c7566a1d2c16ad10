#include "compress/adler.h"

#include <string.h>

#include "base/die.h"
#include "base/processor.h"

/*
 * The low half of the checksum is the sum of the bytes, the high half the sum of all its values,
 * both modulo ADLER_PRIME.
 */
enum { ADLER_PRIME = 65521 };

/*
 * Bytes are added in LANES lanes. A group is as many rounds as the sums of 16 bits hold:
 * 255 * 21 * 22 / 2 = 58905. A batch is as many groups as those of 32 bits do: the largest is of
 * `before`, 255 * 21 * 1000 * 999 / 2 = 2.7e9.
 */
enum { LANES = 16, ROUNDS = 21, GROUP = LANES * ROUNDS, BATCH = 1000 };

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));
typedef uint16_t sums16 __attribute__((vector_size(2 * LANES)));
typedef uint32_t sums32 __attribute__((vector_size(4 * LANES)));

/*
 * Adds `count` groups, at most BATCH. The byte in lane `i` of round `r` counts
 * GROUP - (LANES * r + i) times in the high half, and GROUP times more for each group after its
 * own. `totals` counts it once for each of the rounds r to ROUNDS - 1; so LANES times that, minus
 * `i`, is its count within the group.
 */
static inline __attribute__((always_inline)) void add_groups(const uint8_t *bytes, size_t count,
                                                             uint32_t *low, uint32_t *high)
{
    const sums32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    sums32 lows = {0}, before = {0}, highs = {0};
    uint64_t all = 0, weighted = (uint64_t)*low * count * GROUP;

    for (size_t g = 0; g < count; g++) {
        sums16 sums = {0}, totals = {0};
        sums32 wide;

        for (int r = 0; r < ROUNDS; r++) {
            bytes16 round;

            memcpy(&round, bytes + g * GROUP + (size_t)r * LANES, sizeof(round));
            sums += __builtin_convertvector(round, sums16);
            totals += sums;
        }
        wide = __builtin_convertvector(sums, sums32);
        before += lows;
        lows += wide;
        highs += __builtin_convertvector(totals, sums32) * LANES - wide * lane;
    }
    for (unsigned i = 0; i < LANES; i++) {
        all += lows[i];
        weighted += (uint64_t)GROUP * before[i] + highs[i];
    }
    *low = (uint32_t)((*low + all) % ADLER_PRIME);
    *high = (uint32_t)((*high + weighted) % ADLER_PRIME);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void add_groups_by_avx2(const uint8_t *bytes, size_t count,
                                                               uint32_t *low, uint32_t *high)
{
    add_groups(bytes, count, low, high);
}
#endif

static void add_batch(const uint8_t *bytes, size_t count, uint32_t *low, uint32_t *high)
{
#ifdef __x86_64__
    if (processor_has_avx2()) {
        add_groups_by_avx2(bytes, count, low, high);
        return;
    }
#endif
    add_groups(bytes, count, low, high);
}

uint32_t adler_add(uint32_t adler, const uint8_t *bytes, size_t count)
{
    uint32_t low = adler & 0xffff, high = adler >> 16;

    while (count >= GROUP) {
        size_t groups = count / GROUP < BATCH ? count / GROUP : BATCH;

        add_batch(bytes, groups, &low, &high);
        bytes += groups * GROUP;
        count -= groups * GROUP;
    }
    for (; count; count--) {
        low += *bytes++;
        high += low;
    }
    return high % ADLER_PRIME << 16 | low % ADLER_PRIME;
}

uint32_t adler_add_run(uint32_t adler, uint8_t byte, size_t count)
{
    uint64_t low = adler & 0xffff, high = adler >> 16, n = count % ADLER_PRIME;
    /* count * (count + 1) / 2, halved before the remainders are taken. */
    uint64_t even = count % 2 ? count / 2 + 1 : count / 2, odd = count % 2 ? count : count + 1;
    uint64_t pairs = even % ADLER_PRIME * (odd % ADLER_PRIME) % ADLER_PRIME;

    high = (high + n * low + byte * pairs) % ADLER_PRIME;
    low = (low + n * byte) % ADLER_PRIME;
    return (uint32_t)(high << 16 | low);
}
