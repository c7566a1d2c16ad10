#include "report/display.h"

#include "unit/support/test.h"

static const struct {
    const char *name, *text;
    size_t limit;
    const char *shown;
} texts[] = {
    {"plain", "a b", 10, "a b"},
    {"controls", "a\nb\tc\x1b[0m", 20, "a\\x0ab\\x09c\\x1b[0m"},
    {"override",
     "a\xe2\x80\xae"
     "b",
     10, "a\\u{202e}b"},
    {"isolate", "\xe2\x81\xa6", 10, "\\u{2066}"},
    {"ill-formed",
     "a\xff"
     "b",
     10, "a\\xffb"},
    {"replacement character", "\xef\xbf\xbd", 10, "\xef\xbf\xbd"},
    {"noncharacter", "\xef\xb7\x90\xef\xbf\xbf", 10, "\\u{fdd0}\\u{ffff}"},
    {"noncharacter of another plane", "\xf0\x9f\xbf\xbe", 10, "\\u{1fffe}"},
    {"at the limit", "abc", 3, "abc"},
    {"beyond it", "abcd", 3, "abc… (4 characters)"},
    {"characters, not bytes", "\xc3\xa9\xc3\xa9\xc3\xa9", 2, "\xc3\xa9\xc3\xa9… (3 characters)"},
    {"empty", "", 3, ""},
};

Test(report_display, shows)
{
    struct arena memory = {0};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct slice shown = display_text(&memory, slice_str(texts[i].text), texts[i].limit);

        cr_expect(slice_equal(shown, slice_str(texts[i].shown)), "%s: '%.*s'", texts[i].name,
                  SLICE_ARG(shown));
    }
    arena_release(&memory);
}
