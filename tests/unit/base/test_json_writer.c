#include "base/json_writer.h"

#include <signal.h>

#include "unit/support/test.h"

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

Test(base_json_writer, strings)
{
    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        struct buf out = {0};

        json_writer_string(&out, slice_str(strings[i].text));
        cr_expect_str_eq(buf_string(&out), strings[i].json, "%s: %s", strings[i].name,
                         buf_string(&out));
        buf_release(&out);
    }
}

Test(base_json_writer, nul)
{
    struct buf out = {0};

    json_writer_string(&out, SLICE("a\0b"));
    cr_expect_str_eq(buf_string(&out), "\"a\\u0000b\"");
    buf_release(&out);
}

Test(base_json_writer, values)
{
    struct json_writer w;
    struct buf out = {0};

    json_writer_init(&w, &out);
    json_writer_list(&w, NULL, JSON_INLINE);
    json_writer_optional(&w, NULL, SLICE(""));
    json_writer_optional(&w, NULL, SLICE("a"));
    json_writer_bool(&w, NULL, true);
    json_writer_i64(&w, NULL, -3);
    json_writer_u64(&w, NULL, UINT64_MAX);
    json_writer_number(&w, NULL, SLICE("1.50"));
    json_writer_number(&w, NULL, SLICE(""));
    json_writer_percent(&w, NULL, 1, 3, 2);
    json_writer_weight(&w, NULL, 334618, 3);
    json_writer_change(&w, NULL, INT64_MIN, 0);
    json_writer_close(&w);
    cr_expect_str_eq(buf_string(&out),
                     "[null, \"a\", true, -3, 18446744073709551615, 1.50, null, 33.33, "
                     "\"334.618\", \"-9223372036854775808\"]");
    buf_release(&out);
}

Test(base_json_writer, layouts)
{
    struct json_writer w;
    struct buf out = {0};

    json_writer_init(&w, &out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_list(&w, "none", JSON_LINES);
    json_writer_close(&w);
    json_writer_object(&w, "one", JSON_INLINE);
    json_writer_list(&w, "rows", JSON_LINES);
    json_writer_object(&w, NULL, JSON_INLINE);
    json_writer_u64(&w, "a", 1);
    json_writer_u64(&w, "b", 2);
    json_writer_close(&w);
    json_writer_u64(&w, NULL, 3);
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_close(&w);
    cr_expect_str_eq(buf_string(&out), "{\n  \"none\": [],\n  \"one\": {\"rows\": [\n"
                                       "    {\"a\": 1, \"b\": 2},\n    3\n  ]}\n}");
    buf_release(&out);
}

Test(base_json_writer, key_in_list, .signal = SIGABRT)
{
    struct json_writer w;
    struct buf out = {0};

    json_writer_init(&w, &out);
    json_writer_list(&w, NULL, JSON_INLINE);
    json_writer_u64(&w, "a", 1);
}
