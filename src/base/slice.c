#include "base/slice.h"

int slice_compare(struct slice a, struct slice b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

size_t slice_find_last(struct slice s, char byte)
{
    const char *hit = s.len ? memrchr(s.ptr, byte, s.len) : NULL;

    return hit ? (size_t)(hit - s.ptr) : s.len;
}

size_t slice_search(struct slice s, struct slice needle)
{
    const char *hit;

    if (!needle.len)
        return 0;
    hit = s.len ? memmem(s.ptr, s.len, needle.ptr, needle.len) : NULL;
    return hit ? (size_t)(hit - s.ptr) : s.len;
}

bool slice_cut(struct slice *rest, char byte, struct slice *head)
{
    size_t at;

    if (!rest->len)
        return false;
    at = slice_find(*rest, byte);
    *head = slice_take(*rest, at);
    *rest = slice_skip(*rest, at + 1);
    return true;
}

bool slice_line(struct slice *rest, struct slice *line)
{
    if (!slice_cut(rest, '\n', line))
        return false;
    if (line->len && line->ptr[line->len - 1] == '\r')
        line->len--;
    return true;
}

bool slice_word(struct slice *rest, struct slice *word)
{
    size_t n = 0;

    *rest = slice_trim_left(*rest);
    while (n < rest->len && !slice_is_blank(rest->ptr[n]))
        n++;
    *word = slice_take(*rest, n);
    *rest = slice_skip(*rest, n);
    return n > 0;
}
