#include "match/literal.h"

#include "base/ascii.h"

#include <string.h>

bool literal_is_plain(char c)
{
    return c && strchr(" !\"#%&',:;<=>@_`~-", c);
}

/* Returns whether a backslash at `at` precedes a character that needs none. */
static bool is_needless(struct slice pattern, size_t at)
{
    return pattern.ptr[at] == '\\' && at + 1 < pattern.len && literal_is_plain(pattern.ptr[at + 1]);
}

/* Returns whether "{N}", "{N,}" or "{N,M}" is at the start of `text`. */
static bool is_count(struct slice text)
{
    size_t at = 1;

    while (at < text.len && ascii_is_digit(text.ptr[at]))
        at++;
    if (text.ptr[0] != '{' || at == 1)
        return false;
    if (at < text.len && text.ptr[at] == ',')
        at++;
    while (at < text.len && ascii_is_digit(text.ptr[at]))
        at++;
    return at < text.len && text.ptr[at] == '}';
}

bool literal_is_meant(struct slice pattern)
{
    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i], next = i + 1 < pattern.len ? pattern.ptr[i + 1] : '\0';

        if (is_needless(pattern, i)) {
            i++;
            continue;
        }
        if (strchr("^$|\\", c) || (c == '(' && next == '?') || is_count(slice_skip(pattern, i)))
            return false;
        if (c == '.' && next && strchr("*+?", next))
            return false;
    }
    return true;
}

static void quote_character(struct buf *out, char c)
{
    if (c && strchr("^$\\.*+?()[]{}|/", c))
        buf_add_char(out, '\\');
    buf_add_char(out, c);
}

void literal_quote(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        quote_character(out, text.ptr[i]);
}

void literal_quote_text(struct buf *out, struct slice pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (!is_needless(pattern, i))
            quote_character(out, pattern.ptr[i]);
}
