#include "report/inert.h"

#include <strings.h>

#include "base/ascii.h"

static bool is_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

static bool is_any(char c)
{
    (void)c;
    return true;
}

/* A word is live if it contains a mark that is followed by a character that `next` accepts. */
static const struct {
    const char *mark;
    bool (*next)(char c);
} marks[] = {
    {"@", is_word},
    {"#", ascii_is_digit},
    {"!", ascii_is_digit},
    {"$", ascii_is_digit},
    {"&", ascii_is_digit},
    {"~", ascii_is_letter},
    {"~\"", is_any},
    {"%", is_word},
    {"%\"", is_any},
    {"://", is_any},
    {"www.", is_any},
    {"[[", is_any},
    {"*iteration:", is_any},
    {"[vulnerability:", is_any},
    {"[feature_flag:", is_any},
    {"[cadence:", is_any},
    {"[work_item:", is_any},
    {"[epic:", is_any},
    {"[issue:", is_any},
    {"[wiki_page:", is_any},
};

static bool has_mark(struct slice word, size_t at)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        size_t len = strlen(marks[i].mark);

        if (at + len < word.len && strncasecmp(word.ptr + at, marks[i].mark, len) == 0 &&
            marks[i].next(word.ptr[at + len]))
            return true;
    }
    return false;
}

/* True if `part`, which is before '-' and a digit, names a tracker of issues: "GH", "ABC". */
static bool is_tracker(struct slice part)
{
    if (part.len == 2 && strncasecmp(part.ptr, "GH", 2) == 0)
        return true;
    for (size_t i = 0; i < part.len; i++)
        if (!ascii_is_capital(part.ptr[i]) && (i == 0 || ascii_is_letter(part.ptr[i])))
            return false;
    return part.len > 1;
}

static bool is_live(struct slice word)
{
    size_t first = 0; /* of the letters and digits before `at` */

    for (size_t at = 0; at < word.len; at++) {
        char c = word.ptr[at];
        struct slice part = slice_make(word.ptr + first, at - first);

        if (has_mark(word, at))
            return true;
        if (is_word(c))
            continue;
        if (c == '-' && at + 1 < word.len && ascii_is_digit(word.ptr[at + 1]) && is_tracker(part))
            return true;
        first = at + 1;
    }
    return false;
}

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '|';
}

bool inert_find(struct slice text, size_t from, size_t *first, size_t *end)
{
    while (from < text.len) {
        size_t at = from;

        while (at < text.len && !is_between(text.ptr[at]))
            at++;
        if (is_live(slice_make(text.ptr + from, at - from))) {
            *first = from;
            *end = memchr(",;.", text.ptr[at - 1], 3) ? at - 1 : at;
            return true;
        }
        from = at + 1;
    }
    return false;
}

bool inert_is_address(struct slice word)
{
    if (!slice_starts(word, SLICE("http://")) && !slice_starts(word, SLICE("https://")))
        return false;
    for (size_t i = 0; i < word.len; i++)
        if ((!is_word(word.ptr[i]) && !memchr("-./:?#=%+,", word.ptr[i], 10)) ||
            (word.ptr[i] == '#' && i + 1 < word.len && ascii_is_digit(word.ptr[i + 1])))
            return false;
    return true;
}
