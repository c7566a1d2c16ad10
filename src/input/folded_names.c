#include "input/folded_names.h"

#include <stdlib.h>

#include "base/hash.h"

enum { WORD = 8, FIRST_SLOTS = 256 };

#define REPEAT(byte) (0x0101010101010101u * (uint64_t)(byte))

void folded_names_init(struct folded_names *n)
{
    *n = (struct folded_names){.mask = FIRST_SLOTS - 1};
    n->slots = xcalloc(FIRST_SLOTS, sizeof(*n->slots));
    arena_init(&n->texts);
}

void folded_names_release(struct folded_names *n)
{
    free(n->slots);
    arena_release(&n->texts);
    vec_release(&n->items);
}

/* The low `bytes` bytes of a word. */
static uint64_t low_bytes(uint64_t word, size_t bytes)
{
    return bytes < WORD ? word & (((uint64_t)1 << (8 * bytes)) - 1) : word;
}

/*
 * The end of the frame at `p`: the next ';', or `end`. Hashes it on the way,
 * eight bytes at a time; a byte of `x` is zero where the text has a ';', and
 * the lowest bit of `hit` marks the first such byte.
 */
static const char *scan_frame(const char *p, const char *end, uint64_t *hash)
{
    uint64_t h = 0;

    for (;; p += WORD) {
        uint64_t word = hash_load((const unsigned char *)p, WORD);
        uint64_t x = word ^ REPEAT(';');
        uint64_t hit = (x - REPEAT(1)) & ~x & REPEAT(0x80);
        size_t left = (size_t)(end - p);
        size_t n;

        if (left < WORD)
            hit |= (uint64_t)0x80 << (8 * left);
        if (!hit) {
            h = hash_mix(h, word);
            continue;
        }
        n = (size_t)__builtin_ctzll(hit) / 8;
        *hash = hash_mix(h ^ n, low_bytes(word, n));
        return p + n;
    }
}

static bool same_text(const struct folded_name *name, const char *text, size_t len)
{
    const unsigned char *a = (const unsigned char *)name->text;
    const unsigned char *b = (const unsigned char *)text;

    if (name->len != len)
        return false;
    for (; len > WORD; a += WORD, b += WORD, len -= WORD)
        if (hash_load(a, WORD) != hash_load(b, WORD))
            return false;
    return hash_load(a, WORD) == low_bytes(hash_load(b, WORD), len);
}

static size_t place(const struct folded_names *n, uint64_t hash)
{
    return (size_t)(hash >> 32) & n->mask;
}

static void put(struct folded_names *n, uint64_t slot)
{
    size_t at = place(n, slot);

    while (n->slots[at])
        at = (at + 1) & n->mask;
    n->slots[at] = slot;
}

static void grow_slots(struct folded_names *n)
{
    uint64_t *old = n->slots;
    size_t count = n->mask + 1;

    n->slots = xcalloc(2 * count, sizeof(*n->slots));
    n->mask = 2 * count - 1;
    for (size_t i = 0; i < count; i++)
        if (old[i])
            put(n, old[i]);
    free(old);
}

static uint32_t add(struct folded_names *n, const char *text, size_t len, uint64_t hash)
{
    char *copy = arena_calloc(&n->texts, len / WORD + 1, WORD);

    if (n->items.count >= n->mask / 2)
        grow_slots(n);
    if (len)
        memcpy(copy, text, len);
    *vec_add(&n->items) = (struct folded_name){copy, len};
    put(n, (hash & 0xffffffff00000000u) | n->items.count);
    return (uint32_t)n->items.count - 1;
}

uint32_t folded_names_next(struct folded_names *n, const char **at, const char *end)
{
    const char *text = *at;
    uint64_t hash, slot;
    size_t len;

    *at = scan_frame(text, end, &hash);
    len = (size_t)(*at - text);
    for (size_t i = place(n, hash); (slot = n->slots[i]); i = (i + 1) & n->mask) {
        uint32_t number = (uint32_t)slot - 1;

        if ((slot ^ hash) >> 32 == 0 && same_text(&n->items.items[number], text, len))
            return number;
    }
    return add(n, text, len, hash);
}
