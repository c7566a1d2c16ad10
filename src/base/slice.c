#include "base/slice.h"

#include "base/ascii.h"

int slice_compare(struct slice a, struct slice b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

/* Returns the number that `s` begins with, without zeros before it, and cuts it from `s`. */
static struct slice cut_number(struct slice *s)
{
    struct slice digits;
    size_t zeros = 0, end;

    while (zeros < s->len && s->ptr[zeros] == '0')
        zeros++;
    for (end = zeros; end < s->len && ascii_is_digit(s->ptr[end]);)
        end++;
    digits = slice_make(s->ptr + zeros, end - zeros);
    *s = slice_skip(*s, end);
    return digits;
}

int slice_compare_numbered(struct slice a, struct slice b)
{
    struct slice x = a, y = b;

    while (x.len && y.len) {
        if (ascii_is_digit(*x.ptr) && ascii_is_digit(*y.ptr)) {
            struct slice m = cut_number(&x), n = cut_number(&y);
            int order = m.len != n.len ? (m.len > n.len) - (m.len < n.len) : slice_compare(m, n);

            if (order)
                return order;
        } else if (*x.ptr == *y.ptr) {
            x = slice_skip(x, 1);
            y = slice_skip(y, 1);
        } else {
            return slice_compare(x, y);
        }
    }
    return x.len || y.len ? slice_compare(x, y) : slice_compare(a, b);
}

bool slice_any(struct slice s, bool (*is)(struct slice s, struct slice word),
               const char *const *words)
{
    for (; *words; words++)
        if (is(s, slice_str(*words)))
            return true;
    return false;
}

size_t slice_row_index(struct slice s, bool (*is)(struct slice s, struct slice word),
                       const void *rows, size_t row_size)
{
    const char *word, *row = rows;

    for (size_t i = 0;; i++, row += row_size) {
        memcpy(&word, row, sizeof(word));
        if (!word || is(s, slice_str(word)))
            return i;
    }
}

/*
 * In parts from the end: the sanitizers check all bytes that memrchr() is given, even if it finds
 * the last one, so that splitting a long line would take quadratic time under them.
 */
size_t slice_find_last(struct slice s, char byte)
{
    enum { PART = 1024 };

    for (size_t end = s.len, start; end; end = start) {
        const char *hit;

        start = end > PART ? end - PART : 0;
        hit = memrchr(s.ptr + start, byte, end - start);
        if (hit)
            return (size_t)(hit - s.ptr);
    }
    return s.len;
}

/*
 * Finds the needle in `s`: looks for byte `pivot` of the needle with memchr(), and compares the
 * other bytes at each hit. That is faster than memmem() as long as the byte is rare. Returns the
 * offset of the needle, or the length of `s` if the needle is not found. Gives up after more than
 * `misses` hits without a match: `reached` is then the offset to continue at, otherwise the length
 * of `s`.
 */
static size_t search_pivot(struct slice s, struct slice needle, size_t pivot, size_t misses,
                           size_t *reached)
{
    size_t after = needle.len - pivot - 1;

    *reached = s.len;
    for (size_t at = pivot; at + after < s.len; at++) {
        const char *hit = memchr(s.ptr + at, needle.ptr[pivot], s.len - after - at);

        if (!hit)
            return s.len;
        at = (size_t)(hit - s.ptr);
        if (memcmp(hit - pivot, needle.ptr, needle.len) == 0)
            return at - pivot;
        if (!misses--) {
            *reached = at - pivot + 1;
            return s.len;
        }
    }
    return s.len;
}

/* Returns the offset of the needle's first byte that is no blank: lines have many blanks. */
static size_t first_word(struct slice needle)
{
    size_t pivot = 0;

    while (pivot + 1 < needle.len && slice_is_blank(needle.ptr[pivot]))
        pivot++;
    return pivot;
}

/* Returns the offset of the byte of the needle that is rarest in profiles. */
static size_t rarest(struct slice needle)
{
    static const char common[] = " 0eftainsr1c2lod_pmu3bh64587g9k;:.xvy+()[]/\t-w";
    size_t best = 0, rank = 0;

    for (size_t i = 0; i < needle.len; i++) {
        const char *found = memchr(common, needle.ptr[i], sizeof(common) - 1);
        size_t own = found ? (size_t)(found - common) : sizeof(common);

        if (own > rank) {
            best = i;
            rank = own;
        }
    }
    return best;
}

size_t slice_search(struct slice s, struct slice needle)
{
    enum { SHORT = 256, MISSES = 64 };
    const char *hit;
    size_t at, reached;

    if (!needle.len)
        return 0;
    if (s.len <= SHORT)
        return search_pivot(s, needle, first_word(needle), SHORT, &reached);
    at = search_pivot(s, needle, rarest(needle), MISSES + s.len / 128, &reached);
    if (at < s.len || reached == s.len)
        return at;
    hit = memmem(s.ptr + reached, s.len - reached, needle.ptr, needle.len);
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
    const char *p = rest->ptr, *end = rest->len ? p + rest->len : p, *start;

    while (p < end && slice_is_blank(*p))
        p++;
    start = p;
    while (p < end && !slice_is_blank(*p))
        p++;
    *word = slice_make(start, (size_t)(p - start));
    *rest = slice_make(p, (size_t)(end - p));
    return p > start;
}
