#include "base/suggest.h"

#include <string.h>

#include "base/slice.h"

enum { SUGGEST_LONGEST = 63 };

/* Returns the number of edits (insert, delete, replace, swap neighbours) from `a` to `b`. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t before[SUGGEST_LONGEST + 1], previous[SUGGEST_LONGEST + 1], row[SUGGEST_LONGEST + 1];
    size_t a_len = strlen(a), b_len = strlen(b);

    if (a_len > SUGGEST_LONGEST || b_len > SUGGEST_LONGEST)
        return SUGGEST_LONGEST;
    for (size_t j = 0; j <= b_len; j++)
        previous[j] = before[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t best = previous[j - 1] + (a[i - 1] != b[j - 1]);

            if (previous[j] + 1 < best)
                best = previous[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        memcpy(before, previous, sizeof(previous));
        memcpy(previous, row, sizeof(row));
    }
    return previous[b_len];
}

void suggest_init(struct suggest *s, const char *word)
{
    s->word = word;
    s->best[0] = '\0';
    s->distance = SUGGEST_LONGEST;
}

void suggest_offer(struct suggest *s, const char *candidate)
{
    size_t length = strlen(candidate), typed = strlen(s->word);
    size_t distance = edit_distance(s->word, candidate);
    size_t bound = length / 3 > 1 ? length / 3 : 1;

    if (length > SUGGEST_LONGEST)
        return;
    /* A prefix counts as one edit, however much is missing. */
    if (typed >= 2 && typed < length && memcmp(s->word, candidate, typed) == 0)
        distance = 1;
    if (distance > bound || distance >= s->distance)
        return;
    s->distance = distance;
    memcpy(s->best, candidate, length + 1);
}

void suggest_offer_list(struct suggest *s, const char *candidates)
{
    struct slice rest = slice_str(candidates), word;
    char copy[SUGGEST_LONGEST + 1];

    while (slice_word(&rest, &word)) {
        if (word.len > SUGGEST_LONGEST)
            continue;
        memcpy(copy, word.ptr, word.len);
        copy[word.len] = '\0';
        suggest_offer(s, copy);
    }
}

void suggest_write(const struct suggest *s, const char *prefix, struct buf *out)
{
    if (s->best[0])
        buf_printf(out, "; did you mean %s%s?", prefix, s->best);
}
