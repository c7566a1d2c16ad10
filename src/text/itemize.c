#include "text/itemize.h"

#include <fribidi.h>

#include "base/die.h"
#include "text/unicode.h"

/* Finds the script of each character. Neighbours decide for characters without a script. */
static void find_scripts(const uint32_t *chars, size_t count, uint32_t *scripts)
{
    uint32_t current = UNICODE_COMMON;
    size_t undecided = 0; /* characters at the beginning without a script */

    for (size_t i = 0; i < count; i++) {
        uint32_t script = unicode_script(chars[i]);

        if (script != UNICODE_COMMON && script != UNICODE_INHERITED) {
            for (; undecided < i && current == UNICODE_COMMON; undecided++)
                scripts[undecided] = script;
            current = script;
        }
        scripts[i] = current;
    }
}

/* Finds the embedding levels of UAX #9; all are 0 if the text has no right-to-left characters. */
static void find_levels(const uint32_t *chars, size_t count, FriBidiLevel *levels)
{
    bool rtl = false;

    for (size_t i = 0; i < count && !rtl; i++)
        rtl = unicode_is_rtl(chars[i]);
    memset(levels, 0, count * sizeof(*levels));
    if (!rtl)
        return;
    FriBidiCharType *types = xcalloc(count, sizeof(*types));
    FriBidiBracketType *brackets = xcalloc(count, sizeof(*brackets));
    FriBidiParType base = FRIBIDI_PAR_ON;

    fribidi_get_bidi_types(chars, (FriBidiStrIndex)count, types);
    fribidi_get_bracket_types(chars, (FriBidiStrIndex)count, types, brackets);
    if (!fribidi_get_par_embedding_levels_ex(types, brackets, (FriBidiStrIndex)count, &base,
                                             levels))
        die("out of memory for the direction of %zu characters", count);
    free(brackets);
    free(types);
}

static bool continues(const struct item *last, const struct item *next)
{
    return last->script == next->script && last->level == next->level && last->font == next->font &&
           last->missing == next->missing;
}

static void reverse(struct item *items, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct item swap = items[i];

        items[i] = items[count - 1 - i];
        items[count - 1 - i] = swap;
    }
}

/* Applies rule L2 of UAX #9 to whole items, from the highest level to the lowest odd one. */
static void reorder(struct item *items, size_t count)
{
    uint8_t highest = 0;

    for (size_t i = 0; i < count; i++) {
        if (items[i].level > highest)
            highest = items[i].level;
    }
    for (uint8_t level = highest; level > 0; level--) {
        for (size_t i = 0; i < count; i++) {
            size_t first = i;

            while (i < count && items[i].level >= level)
                i++;
            reverse(items + first, i - first);
        }
    }
}

void itemize(struct list *fonts, const uint32_t *chars, size_t count, struct items *out)
{
    uint32_t *scripts = xcalloc(count, sizeof(*scripts));
    FriBidiLevel *levels = xcalloc(count, sizeof(*levels));
    size_t first = out->count;

    BUG_ON(count > INT32_MAX);
    find_scripts(chars, count, scripts);
    find_levels(chars, count, levels);
    for (size_t i = 0; i < count;) {
        size_t size = unicode_cluster(chars + i, count - i);
        struct item next = {
            .start = (uint32_t)i,
            .count = (uint32_t)size,
            .script = scripts[i],
            .level = (uint8_t)levels[i],
        };

        next.font = list_choose(fonts, chars + i, size, &next.missing);
        if (out->count > first && continues(&out->items[out->count - 1], &next))
            out->items[out->count - 1].count += next.count;
        else
            *vec_add(out) = next;
        i += size;
    }
    if (out->count > first)
        reorder(out->items + first, out->count - first);
    free(levels);
    free(scripts);
}
