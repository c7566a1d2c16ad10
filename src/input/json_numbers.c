#include "input/json_numbers.h"

#include <string.h>

#include "base/ascii.h"

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

/* The end of the number at `p`; NULL where there is none, or where it may go on behind `end`. */
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

bool json_numbers_begin(struct slice bytes)
{
    const char *end = bytes.ptr + bytes.len, *p = skip_blanks(bytes.ptr, end);

    return p == end || ascii_is_digit(*p) || *p == '-' || *p == 'n';
}

/* Whether the bytes may be the begin of a number or of "null" that is cut. */
static bool may_go_on(const char *p, const char *end)
{
    while (p < end && (ascii_is_digit(*p) || memchr("+-.eEnul", *p, 8)))
        p++;
    return p == end;
}

struct json_numbers json_numbers_find(struct slice bytes)
{
    struct json_numbers found = {0};
    const char *done = bytes.ptr, *end = bytes.ptr + bytes.len;

    while (found.count < UINT32_MAX) {
        const char *start = skip_blanks(done, end), *p = skip_element(start, end);

        p = p ? skip_blanks(p, end) : start;
        if (p == end || p == start || (*p != ',' && *p != ']')) {
            found.cut = p == end || may_go_on(start, end);
            break;
        }
        found.count++;
        done = p + (*p == ',');
        if (*p == ']')
            break;
    }
    found.len = (size_t)(done - bytes.ptr);
    return found;
}

bool json_numbers_next(struct slice *rest, struct slice *number)
{
    const char *p = rest->ptr, *end = rest->ptr + rest->len, *start;

    while (p < end && (*p == ',' || slice_is_blank(*p)))
        p++;
    for (start = p; p<end && * p> ' ' && *p != ',';)
        p++;
    *number = slice_make(start, (size_t)(p - start));
    *rest = slice_make(p, (size_t)(end - p));
    return number->len > 0;
}
