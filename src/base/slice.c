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

/*
 * Searches a short text, for which memmem() takes longer to prepare than to search. It looks for
 * the needle's first byte that is no blank, because lines have many blanks.
 */
static size_t search_line(struct slice s, struct slice needle)
{
    size_t pivot = 0, after;

    while (pivot + 1 < needle.len && slice_is_blank(needle.ptr[pivot]))
        pivot++;
    after = needle.len - pivot - 1;
    for (size_t at = pivot; at + after < s.len; at++) {
        const char *hit = memchr(s.ptr + at, needle.ptr[pivot], s.len - after - at);

        if (!hit)
            return s.len;
        at = (size_t)(hit - s.ptr);
        if (memcmp(hit - pivot, needle.ptr, needle.len) == 0)
            return at - pivot;
    }
    return s.len;
}

size_t slice_search(struct slice s, struct slice needle)
{
    enum { SHORT = 256 };
    const char *hit;

    if (!needle.len)
        return 0;
    if (s.len <= SHORT)
        return search_line(s, needle);
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
