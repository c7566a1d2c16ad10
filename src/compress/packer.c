#include "compress/packer.h"

#include <endian.h>
#include <string.h>

#include "base/die.h"
#include "compress/adler.h"

enum {
    SPAN = 1 << 16,    /* bytes of the window; the part in use stays in the cache */
    SLACK = 16,        /* bytes after the window that may be read */
    HASH_BITS = 13,    /* its table stays in the first-level cache */
    WORD = 8,          /* bytes that are looked up at once */
    PICTURE_MATCH = 8, /* least length of a match: shorter ones save nothing over the literals */
    TEXT_MATCH = 4,
    MIN_RUN = 4,
    HEADER = 0x7801, /* zlib's: deflate, a window of 32 KB, the fastest level */
    INSERTED = 16,   /* positions at the start of a match that are entered in the table */
};

static inline uint64_t load(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof(word));
    return le64toh(word);
}

static inline uint32_t *slot(const struct packer *p, uint64_t word)
{
    return &p->last[(word << p->ignored) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS)];
}

/* Returns how many bytes from `a` and from `b` on are equal, at most `most`. */
static inline size_t equal_bytes(const uint8_t *a, const uint8_t *b, size_t most)
{
    for (size_t n = 0; n < most; n += 8) {
        uint64_t differing = load(a + n) ^ load(b + n);

        if (differing) {
            n += (size_t)__builtin_ctzll(differing) / 8;
            return n < most ? n : most;
        }
    }
    return most;
}

/* Adds matches that repeat the previous byte `count` times. A short rest is added as literals. */
static void add_run(struct packer *p, uint8_t byte, size_t count)
{
    for (; count >= BLOCK_MAX_MATCH; count -= BLOCK_MAX_MATCH)
        block_add(&p->block, block_match(BLOCK_MAX_MATCH, 1));
    if (count >= BLOCK_MIN_MATCH)
        block_add(&p->block, block_match(count, 1));
    else
        for (; count; count--)
            block_add(&p->block, byte);
}

/*
 * Looks for an earlier occurrence of the bytes at `at`, of which `word` are the first eight, and
 * remembers this one. Returns its length, or 0.
 */
static inline size_t find_match(struct packer *p, const uint8_t *at, uint64_t word, size_t most,
                                size_t *distance)
{
    uint32_t *last = slot(p, word), here = (uint32_t)(p->base + (size_t)(at - p->bytes));

    *distance = (uint32_t)(here - *last);
    *last = here;
    if (*distance - 1 >= BLOCK_MAX_DISTANCE || *distance > (size_t)(at - p->bytes) ||
        (load(at - *distance) ^ word) << p->ignored)
        return 0;
    return equal_bytes(at - *distance, at, most);
}

/* Enters the positions from `at` to `end` in the table. */
static inline void insert(struct packer *p, const uint8_t *at, const uint8_t *end)
{
    for (; at < end; at++)
        *slot(p, load(at)) = (uint32_t)(p->base + (size_t)(at - p->bytes));
}

/* Compresses the bytes from `at` to `end`. */
static void compress(struct packer *p, const uint8_t *at, const uint8_t *end)
{
    size_t length, distance;

    while (end - at >= WORD) {
        size_t most = (size_t)(end - at);
        uint64_t word = load(at);

        if (at > p->bytes && (uint32_t)word == at[-1] * UINT32_C(0x01010101)) {
            length = equal_bytes(at - 1, at, most);
            add_run(p, *at, length);
            at += length;
            continue;
        }
        most = most < BLOCK_MAX_MATCH ? most : BLOCK_MAX_MATCH;
        length = find_match(p, at, word, most, &distance);
        if (!length) {
            block_add(&p->block, *at++);
            continue;
        }
        block_add(&p->block, block_match(length, distance));
        insert(p, at + 1, at + (length < INSERTED ? length : INSERTED));
        at += length;
    }
    while (at < end)
        block_add(&p->block, *at++);
}

/* Begins a stream whose matches have at least `shortest` bytes. */
static void open_window(struct packer *p, struct buf *out, size_t most, unsigned shortest)
{
    *p = (struct packer){.size = BLOCK_MAX_DISTANCE + (most < SPAN ? SPAN : most),
                         .ignored = 8 * (WORD - shortest),
                         .adler = ADLER_START};
    p->bytes = xmalloc(p->size + SLACK);
    p->last = xcalloc((size_t)1 << HASH_BITS, sizeof(*p->last));
    block_open(&p->block, out);
}

void packer_open(struct packer *p, struct buf *out, size_t most)
{
    buf_add_char(out, (char)(HEADER >> 8));
    buf_add_char(out, (char)(HEADER & 255));
    open_window(p, out, most, PICTURE_MATCH);
}

void packer_open_raw(struct packer *p, struct buf *out, size_t most)
{
    open_window(p, out, most, TEXT_MATCH);
    p->raw = true;
}

uint8_t *packer_room(struct packer *p, size_t count)
{
    BUG_ON(count > p->size - BLOCK_MAX_DISTANCE);
    if (count > p->size - p->at) {
        size_t gone = p->at - BLOCK_MAX_DISTANCE;

        memmove(p->bytes, p->bytes + gone, BLOCK_MAX_DISTANCE);
        p->base += gone;
        p->at = BLOCK_MAX_DISTANCE;
    }
    return p->bytes + p->at;
}

void packer_add(struct packer *p, size_t count)
{
    uint8_t *at = p->bytes + p->at;

    memset(at + count, 0, SLACK);
    if (!p->raw)
        p->adler = adler_add(p->adler, at, count);
    compress(p, at, at + count);
    p->at += count;
}

void packer_add_run(struct packer *p, uint8_t byte, size_t count)
{
    uint8_t *at = packer_room(p, count);

    if (!count)
        return;
    memset(at, byte, count);
    p->adler = adler_add_run(p->adler, byte, count);
    p->at += count;
    if (at == p->bytes || at[-1] != byte) {
        block_add(&p->block, byte);
        count--;
    }
    add_run(p, byte, count);
}

struct slice packer_take(struct packer *p)
{
    return block_take(&p->block);
}

void packer_close(struct packer *p)
{
    struct buf *out = p->block.out;

    block_close(&p->block);
    for (int shift = 24; shift >= 0 && !p->raw; shift -= 8)
        buf_add_char(out, (char)(p->adler >> shift & 255));
    xfree(p->bytes);
    xfree(p->last);
}
