#include "input/formats/script/marshal.h"

#include <math.h>

#include "base/num.h"

enum {
    REMEMBERED = 0x80, /* in a type byte: the file may refer to this value */
    DEEPEST = 6,       /* values in values */
    NULL_VALUE = '0',
};

static const struct marshal_value none = {.type = MARSHAL_NONE};

void marshal_init(struct marshal *m, struct slice content)
{
    *m = (struct marshal){.bytes = bytes_make_little(content)};
}

void marshal_release(struct marshal *m)
{
    release_all(m, vec, items, pairs, objects, words);
}

static struct marshal_value fail(struct marshal *m)
{
    m->failed = true;
    return none;
}

static struct marshal_value number(double value)
{
    return (struct marshal_value){.type = MARSHAL_NUMBER, .number = value};
}

/* An integer of 15-bit digits, whose count has the sign. */
static struct marshal_value read_long(struct marshal *m)
{
    enum { DIGIT_BITS = 15 };
    int32_t count = (int32_t)bytes_u32(&m->bytes);
    uint64_t digits = count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
    double value = 0, unit = 1;

    if (digits > m->bytes.rest.len / 2)
        return fail(m);
    for (uint64_t i = 0; i < digits; i++, unit *= 1 << DIGIT_BITS)
        value += bytes_u16(&m->bytes) * unit;
    return number(count < 0 ? -value : value);
}

static struct marshal_value read_double(struct marshal *m)
{
    uint64_t bits = bytes_u64(&m->bytes);
    double value;

    memcpy(&value, &bits, sizeof(value));
    return isfinite(value) ? number(value) : fail(m);
}

/* A float written as text, as Python 2's first versions did. */
static struct marshal_value read_printed(struct marshal *m)
{
    struct slice text = bytes_take(&m->bytes, bytes_u8(&m->bytes));
    bool negative = slice_starts(text, SLICE("-"));
    double value;

    if (!num_parse_double(slice_skip(text, negative), &value) || !isfinite(value))
        return fail(m);
    return number(negative ? -value : value);
}

static struct marshal_value read_text(struct marshal *m, int type)
{
    uint32_t len = type == 'z' || type == 'Z' ? bytes_u8(&m->bytes) : bytes_u32(&m->bytes);
    struct slice text = bytes_take(&m->bytes, len);
    struct marshal_value v = {.type = MARSHAL_TEXT, .count = (uint32_t)text.len, .text = text.ptr};

    if (type == 't')
        *vec_add(&m->words) = v;
    return v;
}

static struct marshal_value read_word(struct marshal *m)
{
    uint32_t index = bytes_u32(&m->bytes);

    return index < m->words.count ? m->words.items[index] : fail(m);
}

static struct marshal_value read_reference(struct marshal *m)
{
    uint32_t index = bytes_u32(&m->bytes);

    return index < m->objects.count ? m->objects.items[index] : fail(m);
}

static struct marshal_value read_simple(struct marshal *m, int type)
{
    switch (type) {
    case 'N':
        return none;
    case 'T':
    case 'F':
        return number(type == 'T');
    case 'i':
        return number((int32_t)bytes_u32(&m->bytes));
    case 'I':
        return number((double)(int64_t)bytes_u64(&m->bytes));
    case 'l':
        return read_long(m);
    case 'g':
        return read_double(m);
    case 'f':
        return read_printed(m);
    case 's':
    case 't':
    case 'u':
    case 'a':
    case 'A':
    case 'z':
    case 'Z':
        return read_text(m, type);
    case 'r':
        return read_reference(m);
    case 'R':
        return read_word(m);
    default:
        return fail(m);
    }
}

/*
 * Returns whether the next value is an integer, a binary float or a reference. Most values are, so
 * they are read without the checks of the other types.
 */
static bool is_frequent(const struct marshal *m)
{
    enum { LONGEST = 9 };
    char type = m->bytes.rest.len < LONGEST ? '\0' : m->bytes.rest.ptr[0];

    return type == 'i' || type == 'g' || type == 'r';
}

static struct marshal_value read_frequent(struct marshal *m)
{
    unsigned type = bytes_u8(&m->bytes);

    if (type == 'g')
        return read_double(m);
    return type == 'r' ? read_reference(m) : number((int32_t)bytes_u32(&m->bytes));
}

static struct marshal_value read_value(struct marshal *m, unsigned depth);

static struct marshal_value read_tuple(struct marshal *m, int type, unsigned depth)
{
    uint64_t count = type == ')' ? bytes_u8(&m->bytes) : bytes_u32(&m->bytes);
    struct marshal_value v = {.type = MARSHAL_TUPLE, .first = (uint32_t)m->items.count};

    if (count > m->bytes.rest.len)
        return fail(m);
    v.count = (uint32_t)count;
    vec_reserve(&m->items, m->items.count + count);
    for (uint64_t i = 0; i < count; i++)
        m->items.items[m->items.count++] = none;
    for (uint32_t i = 0; i < v.count && !m->failed; i++) {
        struct marshal_value item = is_frequent(m) ? read_frequent(m) : read_value(m, depth + 1);

        m->items.items[v.first + i] = item;
    }
    return v;
}

/* Takes the next pair of a dictionary. Returns false at its end. */
static bool read_pair(struct marshal *m, unsigned depth, struct marshal_pair *pair)
{
    if (m->bytes.rest.len && (m->bytes.rest.ptr[0] & ~REMEMBERED) == NULL_VALUE) {
        bytes_u8(&m->bytes);
        return false;
    }
    pair->key = read_value(m, depth + 1);
    pair->value = read_value(m, depth + 1);
    return !m->failed;
}

/* Pairs are in a row, because no value of an inner dictionary is a dictionary. */
static struct marshal_value read_dict(struct marshal *m, unsigned depth)
{
    struct marshal_value v = {.type = MARSHAL_DICT, .first = (uint32_t)m->pairs.count};
    struct marshal_pair pair;

    while (read_pair(m, depth, &pair)) {
        if (m->pairs.count != v.first + v.count)
            return fail(m);
        *vec_add(&m->pairs) = pair;
        v.count++;
    }
    return v;
}

static struct marshal_value read_value(struct marshal *m, unsigned depth)
{
    unsigned byte = bytes_u8(&m->bytes);
    int type = (int)(byte & ~(unsigned)REMEMBERED);
    size_t object = m->objects.count;
    struct marshal_value v;

    if (m->bytes.failed || depth > DEEPEST)
        return fail(m);
    if (byte & REMEMBERED)
        *vec_add(&m->objects) = none;
    if (type == '(' || type == ')')
        v = read_tuple(m, type, depth);
    else if (type == '{')
        v = read_dict(m, depth);
    else
        v = read_simple(m, type);
    if (m->bytes.failed)
        return fail(m);
    if (byte & REMEMBERED)
        m->objects.items[object] = v;
    if (byte & REMEMBERED && v.type == MARSHAL_DICT)
        m->pairs_kept = m->pairs.count;
    return v;
}

bool marshal_begin(struct marshal *m)
{
    unsigned byte = bytes_u8(&m->bytes);

    if (byte & REMEMBERED)
        *vec_add(&m->objects) = none;
    return !m->bytes.failed && (byte & ~(unsigned)REMEMBERED) == '{';
}

bool marshal_next(struct marshal *m, struct marshal_value *key, struct marshal_value *value)
{
    struct marshal_pair pair;

    m->pairs.count = m->pairs_kept;
    if (m->failed || !read_pair(m, 0, &pair))
        return false;
    *key = pair.key;
    *value = pair.value;
    return true;
}

struct marshal_value marshal_item(const struct marshal *m, const struct marshal_value *tuple,
                                  uint32_t index)
{
    if (tuple->type != MARSHAL_TUPLE || index >= tuple->count)
        return none;
    return m->items.items[tuple->first + index];
}
