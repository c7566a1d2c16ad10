#include "input/parse/json_numbers.h"

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

bool json_numbers_take(struct slice *rest, struct slice *number)
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
