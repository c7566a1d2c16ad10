#include "layout/palette_name.h"

bool palette_name_has(struct slice text, const char *part)
{
    return slice_has(text, slice_str(part));
}

bool palette_name_begins(struct slice text, const char *words)
{
    struct slice rest = slice_str(words), word;

    while (slice_word(&rest, &word))
        if (slice_starts(text, word))
            return true;
    return false;
}

bool palette_name_ends(struct slice text, const char *words)
{
    struct slice rest = slice_str(words), word;

    while (slice_word(&rest, &word))
        if (slice_ends(text, word))
            return true;
    return false;
}
