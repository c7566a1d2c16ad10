#include "support/inflate.h"

#include <string.h>

#include "base/die.h"

enum { MAX_SYMBOLS = 288, MAX_BITS = 15, MOST_OUTPUT = 1 << 30 };

struct input {
    struct slice bytes;
    size_t bit;        /* the next one */
    const char *wrong; /* the first fault, or NULL */
};

/*
 * A canonical code: the number of codes of each length, and the symbols in the order of their
 * codes.
 */
struct code {
    unsigned counts[MAX_BITS + 1];
    uint16_t symbols[MAX_SYMBOLS];
};

static unsigned take(struct input *in, unsigned count)
{
    unsigned value = 0;

    for (unsigned i = 0; i < count; i++, in->bit++) {
        if (in->bit / 8 >= in->bytes.len) {
            in->wrong = in->wrong ? in->wrong : "the stream ends too early";
            return 0;
        }
        value |= ((uint8_t)in->bytes.ptr[in->bit / 8] >> in->bit % 8 & 1u) << i;
    }
    return value;
}

static unsigned take_symbol(struct input *in, const struct code *code)
{
    unsigned word = 0, first = 0, at = 0;

    for (unsigned length = 1; length <= MAX_BITS && !in->wrong; length++) {
        word = word << 1 | take(in, 1);
        first <<= 1;
        if (word - first < code->counts[length])
            return code->symbols[at + word - first];
        at += code->counts[length];
        first += code->counts[length];
    }
    in->wrong = in->wrong ? in->wrong : "no such code";
    return 0;
}

static void make_code(struct input *in, struct code *code, const uint8_t *lengths, unsigned count)
{
    unsigned at = 0, left = 1;

    *code = (struct code){{0}, {0}};
    for (unsigned length = 1; length <= MAX_BITS; length++) {
        left <<= 1;
        for (unsigned i = 0; i < count; i++) {
            if (lengths[i] != length)
                continue;
            code->symbols[at++] = (uint16_t)i;
            code->counts[length]++;
        }
        if (code->counts[length] > left) {
            in->wrong = "a code has too many symbols";
            return;
        }
        left -= code->counts[length];
    }
    if (left)
        in->wrong = "a code is incomplete";
}

static void fixed_codes(struct input *in, struct code *literals, struct code *distances)
{
    uint8_t lengths[MAX_SYMBOLS];

    for (unsigned i = 0; i < MAX_SYMBOLS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(in, literals, lengths, MAX_SYMBOLS);
    memset(lengths, 5, 32);
    make_code(in, distances, lengths, 32);
}

static void dynamic_codes(struct input *in, struct code *literals, struct code *distances)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned literal_count = take(in, 5) + 257, distance_count = take(in, 5) + 1;
    unsigned order_count = take(in, 4) + 4, total = literal_count + distance_count, at = 0;
    uint8_t lengths[MAX_SYMBOLS + 32 + 138] = {0}, of_lengths[19] = {0};
    struct code code;

    for (unsigned i = 0; i < order_count; i++)
        of_lengths[order[i]] = (uint8_t)take(in, 3);
    make_code(in, &code, of_lengths, 19);
    while (at < total && !in->wrong) {
        unsigned symbol = take_symbol(in, &code), times = 1;

        if (symbol == 16 && !at)
            in->wrong = "nothing to repeat";
        else if (symbol == 16)
            times = 3 + take(in, 2);
        else if (symbol > 16)
            times = symbol == 17 ? 3 + take(in, 3) : 11 + take(in, 7);
        memset(lengths + at,
               symbol < 16          ? (int)symbol
               : symbol == 16 && at ? lengths[at - 1]
                                    : 0,
               times);
        at += times;
    }
    if (in->wrong)
        return;
    if (at > total || literal_count > 286 || distance_count > 30 || !lengths[256]) {
        in->wrong = "the header of a block is invalid";
        return;
    }
    make_code(in, literals, lengths, literal_count);
    if (!in->wrong)
        make_code(in, distances, lengths + literal_count, distance_count);
}

static void take_stored(struct input *in, struct buf *out)
{
    unsigned length, inverse;

    in->bit = (in->bit + 7) / 8 * 8;
    length = take(in, 16);
    inverse = take(in, 16);
    if (!in->wrong && length != (~inverse & 0xffff))
        in->wrong = "the length of a stored block is invalid";
    for (; length && !in->wrong; length--)
        buf_add_char(out, (char)take(in, 8));
}

static void take_match(struct input *in, struct buf *out, size_t start, unsigned symbol,
                       const struct code *distances)
{
    static const uint16_t lengths[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
    unsigned length, distance, extra;

    if (symbol > 28) {
        in->wrong = "no such length";
        return;
    }
    length = lengths[symbol] + (symbol < 8 || symbol == 28 ? 0 : take(in, symbol / 4 - 1));
    symbol = take_symbol(in, distances);
    extra = symbol < 2 ? 0 : symbol / 2 - 1;
    distance = symbol < 2 ? symbol + 1 : ((2 + symbol % 2) << extra) + 1 + take(in, extra);
    if (!in->wrong && (symbol > 29 || distance > out->len - start))
        in->wrong = "a match begins before the stream";
    for (; length && !in->wrong; length--)
        buf_add_char(out, out->ptr[out->len - distance]);
}

static void take_block(struct input *in, struct buf *out, size_t start, unsigned type)
{
    struct code literals, distances;

    if (type == 0) {
        take_stored(in, out);
        return;
    }
    if (type == 1)
        fixed_codes(in, &literals, &distances);
    else if (type == 2)
        dynamic_codes(in, &literals, &distances);
    else
        in->wrong = "no such block";
    while (!in->wrong) {
        unsigned symbol = take_symbol(in, &literals);

        if (in->wrong || symbol == 256)
            return;
        if (symbol < 256)
            buf_add_char(out, (char)symbol);
        else
            take_match(in, out, start, symbol - 257, &distances);
        if (out->len - start > MOST_OUTPUT)
            in->wrong = "the stream is too large";
    }
}

static void check_sum(struct input *in, struct slice bytes)
{
    uint32_t low = 1, high = 0, want = 0;

    for (size_t i = 0; i < bytes.len; i++) {
        low = (low + (uint8_t)bytes.ptr[i]) % 65521;
        high = (high + low) % 65521;
    }
    in->bit = (in->bit + 7) / 8 * 8;
    for (int i = 0; i < 4; i++)
        want = want << 8 | take(in, 8);
    if (!in->wrong && want != (high << 16 | low))
        in->wrong = "the checksum differs";
    if (!in->wrong && in->bit / 8 != in->bytes.len)
        in->wrong = "bytes follow the stream";
}

const char *inflate_plainly(struct slice stream, struct buf *out)
{
    struct input in = {.bytes = stream};
    size_t start = out->len;
    unsigned method = take(&in, 8), flags = take(&in, 8), last = 0;

    if (!in.wrong && (method != 0x78 || (method << 8 | flags) % 31 || flags & 32))
        return "the header is not zlib's";
    while (!last && !in.wrong) {
        last = take(&in, 1);
        take_block(&in, out, start, take(&in, 2));
    }
    if (!in.wrong)
        check_sum(&in, slice_skip(buf_slice(out), start));
    return in.wrong;
}
