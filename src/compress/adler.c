#include "compress/adler.h"

#include <string.h>

#include "base/die.h"

/*
 * The low half of the checksum is the sum of the bytes, the high half the sum of all its values,
 * both modulo ADLER_PRIME.
 */
enum { ADLER_PRIME = 65521 };

/*
 * Bytes are added in LANES lanes. A group is as many rounds as the sums of 16 bits hold:
 * 255 * 21 * 22 / 2 = 58905.
 */
enum { LANES = 16, ROUNDS = 21, GROUP = LANES * ROUNDS };

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));
typedef uint16_t sums16 __attribute__((vector_size(2 * LANES)));

/*
 * Adds GROUP bytes. The byte in lane `i` of round `r` counts GROUP - (LANES * r + i) times in the
 * high half. `totals` counts it once for each of the rounds r to ROUNDS - 1; so LANES times that,
 * minus `i`, is its count.
 */
static void add_group(const uint8_t *bytes, uint32_t *low, uint32_t *high)
{
    sums16 sums = {0}, totals = {0};

    *high += *low * GROUP;
    for (int r = 0; r < ROUNDS; r++) {
        bytes16 round;

        memcpy(&round, bytes + r * LANES, sizeof(round));
        sums += __builtin_convertvector(round, sums16);
        totals += sums;
    }
    for (unsigned i = 0; i < LANES; i++) {
        *low += sums[i];
        *high += LANES * (uint32_t)totals[i] - i * sums[i];
    }
}

uint32_t adler_add(uint32_t adler, const uint8_t *bytes, size_t count)
{
    uint32_t low = adler & 0xffff, high = adler >> 16;

    for (; count >= GROUP; count -= GROUP, bytes += GROUP) {
        add_group(bytes, &low, &high);
        low %= ADLER_PRIME;
        high %= ADLER_PRIME;
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
