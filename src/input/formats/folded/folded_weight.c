#include "input/formats/folded/folded_weight.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct slice folded_weight_trim(struct slice line)
{
    while (line.len && is_blank(line.ptr[line.len - 1]))
        line.len--;
    return line;
}

/* Whether a word is [0-9]+(\.[0-9]*)?. */
static bool is_weight(struct slice word)
{
    size_t i = 0;

    while (i < word.len && word.ptr[i] >= '0' && word.ptr[i] <= '9')
        i++;
    if (i == 0 || i == word.len)
        return i > 0;
    if (word.ptr[i++] != '.')
        return false;
    while (i < word.len && word.ptr[i] >= '0' && word.ptr[i] <= '9')
        i++;
    return i == word.len;
}

struct slice folded_weight_word(struct slice line)
{
    size_t at = line.len;

    while (at > 0 && !is_blank(line.ptr[at - 1]))
        at--;
    return slice_skip(line, at);
}

enum folded_weight folded_weight_cut(struct slice *line, struct decimal *weight)
{
    enum { SAFE_DIGITS = 19 };
    struct slice word;
    uint64_t value = 0;
    uint64_t unit = 1;
    size_t at = line->len;

    while (at > 0 && line->len - at < SAFE_DIGITS && (unsigned)line->ptr[at - 1] - '0' < 10) {
        value += ((unsigned)line->ptr[--at] - '0') * unit;
        unit *= 10;
    }
    if (at > 0 && at < line->len && is_blank(line->ptr[at - 1])) {
        *weight = (struct decimal){value, 0, false};
    } else {
        word = folded_weight_word(*line);
        at = line->len - word.len;
        if (at == 0 || !is_weight(word))
            return FOLDED_WEIGHT_MISSING;
        if (!num_parse_decimal(word, weight))
            return FOLDED_WEIGHT_TOO_LARGE;
    }
    *line = slice_take(*line, at - 1);
    return FOLDED_WEIGHT_OK;
}

bool folded_weight_cut_base(struct slice *line, struct decimal *weight)
{
    struct slice rest = folded_weight_trim(*line);

    if (folded_weight_cut(&rest, weight) != FOLDED_WEIGHT_OK)
        return false;
    *line = rest;
    return true;
}

bool folded_weight_is_comment(struct slice line)
{
    return line.ptr[0] == '#' && slice_find(line, ';') == line.len;
}
