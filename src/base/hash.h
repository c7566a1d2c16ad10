/*
 * Hashes of bytes and words.
 *
 * There are two kinds. hash_mix() and hash_bytes() are the same in every run
 * and on every machine, so results derived from them (a colour, a file name)
 * may be shown. They are easy to collide on purpose: a word equal to one of the
 * constants makes the product zero. Tables whose keys come from an input
 * therefore use hash_keyed() and hash_keyed_bytes() with a key that differs from
 * run to run; nothing that is written may depend on them.
 *
 * The multiply-and-fold step is the one published as wyhash/rapidhash: the
 * 128-bit product of two mixed words, its halves combined.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product =
        (unsigned __int128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Little-endian load of up to eight bytes, the same value on every machine. */
static inline uint64_t hash_load(const unsigned char *p, size_t n)
{
    uint64_t word = 0;

    memcpy(&word, p, n);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Returns a word that depends on each of one to seven bytes; avoids a memcpy() of variable size. */
static inline uint64_t hash_load_few(const unsigned char *p, size_t n)
{
    if (n >= 4)
        return hash_load(p, 4) | hash_load(p + n - 4, 4) << (n - 4) * 8;
    return (uint64_t)p[0] | (uint64_t)p[n / 2] << n / 2 * 8 | (uint64_t)p[n - 1] << (n - 1) * 8;
}

static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t h = len;

    for (; len >= 8; p += 8, len -= 8)
        h = hash_mix(h, hash_load(p, 8));
    if (len)
        h = hash_mix(h, hash_load_few(p, len));
    return hash_mix(h, 0x2545f4914f6cdd1du);
}

/* Returns the key for tables: constant during a run of the program, random in the next. */
uint64_t hash_key(void);

static inline uint64_t hash_keyed(uint64_t key, uint64_t a, uint64_t b)
{
    return hash_mix(a ^ key, b ^ (key << 32 | key >> 32));
}

static inline uint64_t hash_keyed_bytes(uint64_t key, const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t h = len;

    for (; len >= 8; p += 8, len -= 8)
        h = hash_keyed(key, h, hash_load(p, 8));
    return hash_keyed(key, h, len ? hash_load_few(p, len) : 0);
}

#endif
