#include "input/parse/native.h"

#include "base/ascii.h"
#include "base/num.h"

bool native_take_address(struct slice *text, uint64_t *address)
{
    struct slice rest = slice_trim_left(*text);
    size_t digits = 0;

    if (!slice_starts(rest, SLICE("0x")))
        return false;
    rest = slice_skip(rest, 2);
    while (digits < rest.len && ascii_is_hex(rest.ptr[digits]))
        digits++;
    if (!num_parse_hex(slice_take(rest, digits), address))
        return false;
    *text = slice_skip(rest, digits);
    return true;
}

/* Takes ":123" off the end. */
static bool cut_number(struct slice *text, uint64_t *number)
{
    size_t colon = slice_find_last(*text, ':');

    if (colon >= text->len || !num_parse_u64(slice_skip(*text, colon + 1), number))
        return false;
    *text = slice_take(*text, colon);
    return true;
}

void native_parse_source(struct slice text, struct slice *file, uint64_t *line)
{
    uint64_t last = 0, before;

    *line = 0;
    if (cut_number(&text, &last))
        *line = cut_number(&text, &before) ? before : last;
    *file = text;
}

bool native_take_number(struct slice *text, struct slice *digits)
{
    size_t n = 0;

    while (n < text->len && ascii_is_digit(text->ptr[n]))
        n++;
    *digits = slice_take(*text, n);
    *text = slice_skip(*text, n);
    return n > 0;
}
