#include "input/formats/folded/folded_names.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/hash.h"

enum { WORD = 8, FIRST_SLOTS = 256 };

void folded_names_init(struct folded_names *n)
{
    *n = (struct folded_names){.mask = FIRST_SLOTS - 1, .key = hash_key()};
    n->slots = xcalloc(FIRST_SLOTS, sizeof(*n->slots));
    arena_init(&n->rests);
}

void folded_names_release(struct folded_names *n)
{
    free(n->slots);
    arena_release(&n->rests);
    vec_release(&n->items);
}

/* ---- a frame ------------------------------------------------------------------------------- */

/* A bit for each of FOLDED_START bytes that is a ';'. */
static uint32_t separators(const char *p)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(';');
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted)) << 16;
#else
    uint32_t bits = 0;

    for (unsigned i = 0; i < FOLDED_START; i++)
        bits |= (uint32_t)(p[i] == ';') << i;
    return bits;
#endif
}

/* The bytes up to the next ';', or all that are left. */
static size_t frame_length(const char *text, size_t left)
{
    uint32_t bits = separators(text);
    size_t len = 0;

    while (!bits && left - len > FOLDED_START) {
        len += FOLDED_START;
        bits = separators(text + len);
    }
    len = bits ? len + (size_t)__builtin_ctz(bits) : left;
    return len < left ? len : left;
}

static uint64_t load(const char *p)
{
    return hash_load((const unsigned char *)p, WORD);
}

/* Fills in the name that is the first `len` bytes of a text, and returns its hash. */
static uint64_t look_at(const char *text, size_t len, uint64_t key, struct folded_name *name)
{
    /* Read from its middle less n, it keeps n bytes of a start. */
    static const unsigned char keep[2 * FOLDED_START] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    };
    const unsigned char *mask = keep + FOLDED_START - (len < FOLDED_START ? len : FOLDED_START);
    uint64_t *start = name->start;
    uint64_t hash;

    for (size_t i = 0; i < FOLDED_START / WORD; i++)
        start[i] = load(text + i * WORD) & hash_load(mask + i * WORD, WORD);
    name->rest = text + FOLDED_START;
    name->len = len;
    hash = hash_keyed(key, hash_keyed(key, start[0], start[1]) + len,
                      hash_keyed(key, start[2], start[3]));
    if (len <= FOLDED_START)
        return hash;
    return hash_keyed(key, hash, hash_keyed_bytes(key, name->rest, len - FOLDED_START));
}

static bool same_name(const struct folded_name *a, const struct folded_name *b)
{
    uint64_t differ = a->len ^ b->len;

    for (size_t i = 0; i < FOLDED_START / WORD; i++)
        differ |= a->start[i] ^ b->start[i];
    return !differ &&
           (a->len <= FOLDED_START || memcmp(a->rest, b->rest, a->len - FOLDED_START) == 0);
}

/* ---- the table ----------------------------------------------------------------------------- */

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

static uint32_t add(struct folded_names *n, struct folded_name name, uint64_t hash)
{
    size_t rest = name.len > FOLDED_START ? name.len - FOLDED_START : 0;

    if (n->items.count >= n->mask / 2)
        grow_slots(n);
    name.rest = arena_copy(&n->rests, slice_make(name.rest, rest)).ptr;
    *vec_add(&n->items) = name;
    put(n, (hash & 0xffffffff00000000u) | n->items.count);
    return (uint32_t)n->items.count - 1;
}

uint32_t folded_names_next(struct folded_names *n, const char **at, const char *end)
{
    size_t len = frame_length(*at, (size_t)(end - *at));
    struct folded_name name;
    uint64_t hash = look_at(*at, len, n->key, &name), slot;

    *at += len;
    for (size_t i = place(n, hash); (slot = n->slots[i]); i = (i + 1) & n->mask) {
        uint32_t number = (uint32_t)slot - 1;

        if ((slot ^ hash) >> 32 == 0 && same_name(&n->items.items[number], &name))
            return number;
    }
    return add(n, name, hash);
}
