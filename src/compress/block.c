#include "compress/block.h"

#include <endian.h>
#include <string.h>

#include "base/die.h"
#include "compress/huffman.h"

/* The alphabets of RFC 1951, sections 3.2.5 and 3.2.7. */
enum {
    END_OF_BLOCK = 256,
    FIRST_LENGTH = 257, /* symbols of literals and lengths: bytes, the end, 29 ranges of lengths */
    LONGEST_LENGTH = 285,
    LITERALS = 286,
    DISTANCES = 30,
    MATCH_LENGTHS = BLOCK_MAX_MATCH - BLOCK_MIN_MATCH + 1,
    LENGTH_CODES = 19, /* symbols that describe the lengths of codes */
    LENGTH_LIMIT = 7,  /* bits of their codes */
    REPEAT = 16,       /* the previous length again, 3 to 6 times: 2 bits */
    ZEROS = 17,        /* 3 to 10 zeros: 3 bits */
    MORE_ZEROS = 18,   /* 11 to 138 zeros: 7 bits */
    STORED = 0,        /* a block of bytes without codes */
    DYNAMIC = 2,       /* a block with codes of its own */
    END_TOKEN = 2 * BLOCK_MATCH,
};

enum {
    TOKEN_BYTES = 6,     /* of a match: two codes of 15 bits, 5 and 13 extra bits */
    PORTION = 1 << 12,   /* tokens for which room is made at once */
    HEADER_TOKENS = 512, /* more than a header needs */
    SPARE = 16,          /* bytes for the end of a block, and for put(), which writes 8 at once */
};

/* A code with the extra bits above it. */
struct code {
    uint32_t bits;
    uint32_t count;
};

/* A symbol for a range of numbers, and the extra bits that tell which of them. */
struct range {
    unsigned symbol, count, extra;
};

/* What the header of a block says: the lengths of the codes, as runs. */
struct header {
    uint8_t lengths[LITERALS + DISTANCES];
    unsigned literals, distances; /* symbols up to the last one with a code */
    uint8_t runs[LITERALS + DISTANCES], extra[LITERALS + DISTANCES];
    unsigned count; /* of runs */
    uint8_t run_lengths[LENGTH_CODES];
    uint16_t run_codes[LENGTH_CODES];
};

/* Ranges double in width every `1 << step` symbols. Requires number >= 1 << step. */
static inline struct range range_of(uint32_t number, unsigned step)
{
    unsigned top = 31 - (unsigned)__builtin_clz(number), count = top - step;

    return (struct range){(count << step) + (number >> count), count, number & ((1U << count) - 1)};
}

static inline struct range distance_range(uint32_t token)
{
    uint32_t number = token >> BLOCK_DISTANCE_SHIFT;

    return number < 2 ? (struct range){number, 0, 0} : range_of(number, 1);
}

/* Returns the range of a match's length, given without BLOCK_MIN_MATCH. */
static struct range length_range(uint32_t number)
{
    struct range r = {number, 0, 0};

    if (number == MATCH_LENGTHS - 1)
        return (struct range){LONGEST_LENGTH, 0, 0};
    if (number >= 4)
        r = range_of(number, 2);
    r.symbol += FIRST_LENGTH;
    return r;
}

/* Adds at most 56 - 7 bits. reserve() must have made room. */
static inline void put(struct bits *b, uint64_t bits, unsigned count)
{
    uint64_t word;

    b->word |= bits << b->count;
    b->count += count;
    word = htole64(b->word);
    memcpy(b->to, &word, sizeof(word));
    b->to += b->count / 8;
    b->word >>= b->count & ~7U;
    b->count &= 7;
}

/* Counts how often each symbol occurs. Lengths of matches are counted singly first. */
static void count_symbols(const struct block *b, uint32_t *literals, uint32_t *distances)
{
    uint32_t counts[2][2 * BLOCK_MATCH] = {{0}};

    for (const uint32_t *t = b->tokens; t < b->end; t++) {
        counts[(t - b->tokens) & 1][*t & (2 * BLOCK_MATCH - 1)]++;
        if (*t & BLOCK_MATCH)
            distances[distance_range(*t).symbol]++;
    }
    for (unsigned i = 0; i < BLOCK_MATCH; i++)
        literals[i] = counts[0][i] + counts[1][i];
    for (unsigned i = 0; i < MATCH_LENGTHS; i++)
        literals[length_range(i).symbol] += counts[0][BLOCK_MATCH + i] + counts[1][BLOCK_MATCH + i];
    literals[END_OF_BLOCK] = 1;
}

/* Returns how many of `lengths` from `at` on are equal, at most `most`. */
static unsigned equal_lengths(const uint8_t *lengths, unsigned at, unsigned count, unsigned most)
{
    unsigned n = 1;

    while (at + n < count && n < most && lengths[at + n] == lengths[at])
        n++;
    return n;
}

static void add_run(struct header *h, uint8_t symbol, unsigned extra)
{
    h->runs[h->count] = symbol;
    h->extra[h->count++] = (uint8_t)extra;
}

/* Divides the lengths of both codes, of which there are `count`, into runs. */
static void find_runs(struct header *h, unsigned count)
{
    const uint8_t *lengths = h->lengths;

    for (unsigned i = 0, n; i < count; i += n) {
        n = equal_lengths(lengths, i, count, lengths[i] ? 6 : 138);
        if (!lengths[i] && n >= 11) {
            add_run(h, MORE_ZEROS, n - 11);
        } else if (!lengths[i] && n >= 3) {
            add_run(h, ZEROS, n - 3);
        } else if (n >= 3 && i && lengths[i - 1] == lengths[i]) {
            add_run(h, REPEAT, n - 3);
        } else {
            add_run(h, lengths[i], 0);
            n = 1;
        }
    }
}

static unsigned used_symbols(const uint8_t *lengths, unsigned count)
{
    while (!lengths[count - 1])
        count--;
    return count;
}

/* Completes the header, whose lengths of literals are set. */
static void make_header(struct header *h, const uint8_t *distances)
{
    uint32_t frequencies[LENGTH_CODES] = {0};

    h->literals = used_symbols(h->lengths, LITERALS);
    h->distances = used_symbols(distances, DISTANCES);
    memcpy(h->lengths + h->literals, distances, h->distances);
    h->count = 0;
    find_runs(h, h->literals + h->distances);
    for (unsigned i = 0; i < h->count; i++)
        frequencies[h->runs[i]]++;
    huffman_lengths(frequencies, LENGTH_CODES, LENGTH_LIMIT, h->run_lengths);
    huffman_codes(h->run_lengths, LENGTH_CODES, h->run_codes);
}

static void put_header(struct bits *bits, const struct header *h)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const uint8_t extra[LENGTH_CODES] = {[REPEAT] = 2, [ZEROS] = 3, [MORE_ZEROS] = 7};
    unsigned count = LENGTH_CODES;

    while (!h->run_lengths[order[count - 1]])
        count--;
    put(bits, h->literals - FIRST_LENGTH, 5);
    put(bits, h->distances - 1, 5);
    put(bits, count - 4, 4);
    for (unsigned i = 0; i < count; i++)
        put(bits, h->run_lengths[order[i]], 3);
    for (unsigned i = 0; i < h->count; i++) {
        put(bits, h->run_codes[h->runs[i]], h->run_lengths[h->runs[i]]);
        put(bits, h->extra[i], extra[h->runs[i]]);
    }
}

/* Puts the codes of literals and of the lengths of matches in the order of tokens. */
static void make_codes(struct code *codes, const uint8_t *lengths)
{
    uint16_t words[LITERALS];

    huffman_codes(lengths, LITERALS, words);
    codes[END_TOKEN] = (struct code){words[END_OF_BLOCK], lengths[END_OF_BLOCK]};
    for (unsigned i = 0; i < BLOCK_MATCH; i++)
        codes[i] = (struct code){words[i], lengths[i]};
    for (unsigned i = 0; i < MATCH_LENGTHS; i++) {
        struct range r = length_range(i);

        codes[BLOCK_MATCH + i] = (struct code){words[r.symbol] | r.extra << lengths[r.symbol],
                                               lengths[r.symbol] + r.count};
    }
}

static void put_tokens(struct bits *to, const uint32_t *token, const uint32_t *end,
                       const struct code *literals, const uint8_t *lengths, const uint16_t *words)
{
    struct bits bits = *to;

    for (; token < end; token++) {
        struct code code = literals[*token & (2 * BLOCK_MATCH - 1)];
        uint64_t word = code.bits;
        unsigned count = code.count;

        if (*token & BLOCK_MATCH) {
            struct range r = distance_range(*token);

            word |= (uint64_t)(words[r.symbol] | r.extra << lengths[r.symbol]) << count;
            count += lengths[r.symbol] + r.count;
        }
        put(&bits, word, count);
    }
    *to = bits;
}

/* Makes room for `count` tokens, or for a header. */
static void reserve(struct block *b, size_t count)
{
    size_t len = (size_t)((char *)b->bits.to - b->out->ptr);

    b->out->len = b->out->ptr ? len : 0;
    b->bits.to = (uint8_t *)buf_reserve(b->out, count * TOKEN_BYTES + SPARE);
}

static void write_tokens(struct block *b, bool last)
{
    uint32_t literals[LITERALS] = {0}, distances[DISTANCES] = {0};
    uint8_t lengths[DISTANCES];
    uint16_t words[DISTANCES];
    struct code codes[END_TOKEN + 1];
    struct header header;

    count_symbols(b, literals, distances);
    huffman_lengths(literals, LITERALS, HUFFMAN_MAX_LENGTH, header.lengths);
    huffman_lengths(distances, DISTANCES, HUFFMAN_MAX_LENGTH, lengths);
    huffman_codes(lengths, DISTANCES, words);
    make_codes(codes, header.lengths);
    make_header(&header, lengths);
    reserve(b, HEADER_TOKENS);
    put(&b->bits, last, 1);
    put(&b->bits, DYNAMIC, 2);
    put_header(&b->bits, &header);
    for (const uint32_t *t = b->tokens, *stop; t < b->end; t = stop) {
        stop = b->end - t > PORTION ? t + PORTION : b->end;
        reserve(b, PORTION);
        put_tokens(&b->bits, t, stop, codes, lengths, words);
    }
    put(&b->bits, codes[END_TOKEN].bits, codes[END_TOKEN].count);
    b->end = b->tokens;
}

void block_open(struct block *b, struct buf *out)
{
    *b = (struct block){.out = out};
    b->tokens = xreallocarray(NULL, BLOCK_TOKENS, sizeof(*b->tokens));
    b->end = b->tokens;
    b->bits.to = (uint8_t *)buf_reserve(out, SPARE);
}

void block_write(struct block *b)
{
    write_tokens(b, false);
}

struct slice block_take(struct block *b)
{
    char *first = b->out->ptr;
    size_t len = (size_t)((char *)b->bits.to - first);

    b->bits.to = (uint8_t *)first;
    return slice_make(first, len);
}

/* Fills the byte with zero bits, and frees the memory. */
static void end(struct block *b)
{
    put(&b->bits, 0, (8 - b->bits.count) & 7);
    b->out->len = (size_t)((char *)b->bits.to - b->out->ptr);
    b->out->ptr[b->out->len] = '\0';
    xfree(b->tokens);
    b->tokens = b->end = NULL;
}

void block_pause(struct block *b)
{
    static const char empty[] = {0, 0, '\xff', '\xff'}; /* its length, and that inverted */

    write_tokens(b, false);
    reserve(b, 0);
    put(&b->bits, STORED << 1, 3);
    end(b);
    buf_add(b->out, empty, sizeof(empty));
}

void block_close(struct block *b)
{
    write_tokens(b, true);
    end(b);
}
