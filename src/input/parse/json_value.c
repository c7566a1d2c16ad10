/* Members of a JSON value, and numbers parsed from their text without a double in between. */
#include "input/parse/json.h"

#include <string.h>

#include "base/ascii.h"

/* ---- arrays of numbers ----------------------------------------------------------------------- */

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && *p <= ' ' && slice_is_blank(*p))
        p++;
    return p;
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && ascii_is_digit(*p))
        p++;
    return p;
}

/* Returns the end of the number at `p`, or NULL if there is none or it may continue after `end`. */
static const char *skip_number(const char *p, const char *end)
{
    const char *start;

    if (p < end && *p == '-')
        p++;
    start = p;
    p = skip_digits(p, end);
    if (p == start || (*start == '0' && p > start + 1))
        return NULL;
    if (p < end && *p == '.') {
        start = ++p;
        p = skip_digits(p, end);
        if (p == start)
            return NULL;
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        start = p;
        p = skip_digits(p, end);
        if (p == start)
            return NULL;
    }
    return p;
}

static const char *skip_element(const char *p, const char *end)
{
    static const struct slice null = {"null", 4};

    if (p < end && *p == 'n')
        return slice_starts(slice_make(p, (size_t)(end - p)), null) ? p + null.len : NULL;
    return skip_number(p, end);
}

bool json_numbers_take_any(struct slice *rest, struct slice *number)
{
    const char *end = rest->ptr + rest->len, *start = skip_blanks(rest->ptr, end);
    const char *p = skip_element(start, end), *behind = p ? skip_blanks(p, end) : end;

    if (behind == end || p == start || (*behind != ',' && *behind != ']'))
        return false;
    *number = slice_make(start, (size_t)(p - start));
    behind += *behind == ',';
    *rest = slice_make(behind, (size_t)(end - behind));
    return true;
}

bool json_numbers_cut(struct slice rest)
{
    const char *end = rest.ptr + rest.len, *p = skip_blanks(rest.ptr, end);

    while (p < end && (ascii_is_digit(*p) || memchr("+-.eEnul", *p, 8)))
        p++;
    return skip_blanks(p, end) == end;
}

/* ---- walking ------------------------------------------------------------------------------- */

/*
 * The current element of an array that is kept as text is the value after it and is filled
 * anew each time.
 */
const struct json_value *json_number_at(const struct json_value *array, size_t start)
{
    struct json_value *element = (struct json_value *)(uintptr_t)(array + 1);
    struct slice rest = slice_skip(array->text, start), number;

    if (!json_numbers_next(&rest, &number))
        return NULL;
    element->type = json_numbers_type(number);
    element->text = number;
    return element;
}

static const struct json_value *get(const struct json_value *v, struct slice key)
{
    const struct json_value *found = NULL;

    if (!v || v->type != JSON_OBJECT)
        return NULL;
    json_each(member, v)
    {
        if (json_key_is(member, key))
            found = member;
    }
    return found;
}

const struct json_value *json_get(const struct json_value *v, const char *key)
{
    return get(v, slice_str(key));
}

const struct json_value *json_at(const struct json_value *v, const char *path)
{
    struct slice rest = slice_str(path), key;

    while (slice_cut(&rest, '.', &key))
        v = get(v, key);
    return v;
}

struct slice json_text(const struct json_value *v)
{
    return v && v->type == JSON_STRING ? v->text : SLICE("");
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* "12" or "12.345", which is what nearly all of them look like. */
static bool parse_plain(struct slice text, struct decimal *number)
{
    enum { MOST_DIGITS = 18 };
    const char *p = text.ptr, *end = text.ptr + text.len, *point = NULL;
    uint64_t value = 0;

    if (!text.len || text.len > MOST_DIGITS || !ascii_is_digit(*p) || !ascii_is_digit(end[-1]))
        return false;
    for (; p < end; p++) {
        if (ascii_is_digit(*p))
            value = value * 10 + (uint64_t)(*p - '0');
        else if (*p == '.' && !point)
            point = p;
        else
            return false;
    }
    *number = (struct decimal){.value = value};
    if (!point)
        return true;
    number->decimals = (unsigned)(end - point - 1);
    for (; number->decimals && number->value % 10 == 0; number->decimals--)
        number->value /= 10;
    return number->decimals <= NUM_MAX_DECIMALS;
}

/* Fast path for "12". */
static bool parse_digits(struct slice text, uint64_t *value)
{
    enum { MOST_DIGITS = 18 };
    uint64_t n = 0;

    if (!text.len || text.len > MOST_DIGITS)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.ptr[i]))
            return false;
        n = n * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    *value = n;
    return true;
}

static bool parse(struct slice text, struct decimal *number, bool *negative)
{
    *negative = false;
    return parse_plain(text, number) || num_parse_number(text, number, negative);
}

/* The text of a number, or of a string that may hold one. */
static struct slice number_text(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) ? v->text : SLICE("");
}

bool json_decimal(const struct json_value *v, struct decimal *number, bool *negative)
{
    struct slice text = number_text(v);
    struct decimal d = {0};
    bool below = false;

    if (!parse_digits(text, &d.value) && !parse(text, &d, &below))
        return false;
    if ((below && !negative))
        return false;
    *number = d;
    if (negative)
        *negative = below;
    return true;
}

/* The magnitude of a whole number. */
static bool whole(const struct json_value *v, uint64_t *magnitude, bool *negative)
{
    struct decimal d;

    *negative = false;
    if (num_parse_u64(number_text(v), magnitude))
        return true;
    if (!parse(number_text(v), &d, negative) || d.decimals || d.rounded)
        return false;
    *magnitude = d.value;
    return true;
}

bool json_u64(const struct json_value *v, uint64_t *number)
{
    uint64_t magnitude;
    bool negative;

    if (!whole(v, &magnitude, &negative) || negative)
        return false;
    *number = magnitude;
    return true;
}

bool json_i64(const struct json_value *v, int64_t *number)
{
    uint64_t magnitude;
    bool negative;

    if (!whole(v, &magnitude, &negative) || magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *number = (int64_t)(negative ? 0 - magnitude : magnitude);
    return true;
}
