#include "text/itemize.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "unit/support/test.h"

/*
 * Items from left to right: characters, script, level, and the font's number (0 Roboto Condensed,
 * 1 DejaVu Sans Condensed, ! if no font has the characters).
 */
static const struct {
    const char *text, *items;
} cases[] = {
    {"", ""},
    {"main", "0-4 Latn 0 0"},
    {"-> f()", "0-6 Latn 0 0"},
    {"123", "0-3 Zyyy 0 0"},
    {"a жb", "0-2 Latn 0 0, 2-3 Cyrl 0 0, 3-4 Latn 0 0"},
    {"a→b", "0-1 Latn 0 0, 1-2 Latn 0 1, 2-3 Latn 0 0"},
    {"مر", "0-2 Arab 1 1"},
    {"a مر b", "0-2 Latn 0 0, 2-4 Arab 1 1, 4-5 Arab 0 0, 5-6 Latn 0 0"},
    {"مر ab", "3-5 Latn 2 0, 2-3 Arab 1 0, 0-2 Arab 1 1"},
    {"של 12", "3-5 Hebr 2 0, 2-3 Hebr 1 0, 0-2 Hebr 1 1"},
    {"e\u0301x", "0-3 Latn 0 0"},
    {"xa\u20d7x", "0-1 Latn 0 0, 1-3 Latn 0 1, 3-4 Latn 0 0"},
    {"a中b", "0-1 Latn 0 0, 1-2 Hani 0 0!, 2-3 Latn 0 0"},
};

Test(text_itemize, splits)
{
    struct fonts_options options = {.system = false};
    struct diag d;

    diag_init(&d, SLICE(""));
    struct list *list = list_new(&options, &d);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct slice rest = slice_str(cases[i].text);
        struct items items = {0};
        struct buf got = {0};
        uint32_t chars[32];
        size_t count = 0;

        while (rest.len > 0)
            rest = slice_skip(rest, utf8_decode(rest, &chars[count++]));
        itemize(list, chars, count, &items);
        vec_each (struct item, item, &items)
            buf_printf(&got, "%s%u-%u %c%c%c%c %u %u%s", got.len ? ", " : "", item->start,
                       item->start + item->count, (char)(item->script >> 24),
                       (char)(item->script >> 16), (char)(item->script >> 8), (char)item->script,
                       item->level, item->font, item->missing ? "!" : "");
        cr_expect_str_eq(buf_string(&got), cases[i].items, "'%s': %s, not %s", cases[i].text,
                         buf_string(&got), cases[i].items);
        buf_release(&got);
        vec_release(&items);
    }
    list_free(list);
    diag_release(&d);
}
