#include "report/json.h"

#include <criterion/criterion.h>

static const struct {
    const char *name, *text, *json;
} strings[] = {
    {"empty", "", "\"\""},
    {"plain", "main", "\"main\""},
    {"quote and backslash", "a\"b\\c", "\"a\\\"b\\\\c\""},
    {"line ends", "a\nb\rc\td", "\"a\\nb\\rc\\td\""},
    {"controls", "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
    {"script", "</script>&", "\"\\u003c/script\\u003e\\u0026\""},
    {"line separators", "\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\""},
    {"beyond ASCII", "\xc3\xa9\xf0\x9f\x94\xa5", "\"\xc3\xa9\xf0\x9f\x94\xa5\""},
    {"ill-formed", "a\xff\xc3z", "\"a\xef\xbf\xbd\xef\xbf\xbdz\""},
};

Test(report_json, strings)
{
    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        struct buf out;

        buf_init(&out);
        json_string(&out, slice_str(strings[i].text));
        cr_expect_str_eq(out.ptr, strings[i].json, "%s: %s", strings[i].name, out.ptr);
        buf_release(&out);
    }
}

Test(report_json, nul)
{
    struct buf out;

    buf_init(&out);
    json_string(&out, SLICE("a\0b"));
    cr_expect_str_eq(out.ptr, "\"a\\u0000b\"");
    buf_release(&out);
}
