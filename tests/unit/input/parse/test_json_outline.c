
#include "input/parse/json.h"

#include "unit/support/test.h"

static void add_path(void *context, struct slice path, struct slice text)
{
    buf_printf(context, text.len ? "%.*s='%.*s' " : "%.*s%.*s ", SLICE_ARG(path), SLICE_ARG(text));
}

static const struct {
    struct slice text;
    unsigned depth;
    const char *paths;
} outline_cases[] = {
    {SLICE("{\"meta\":{\"version\":5},\"threads\":[{\"name\":\"Main\"}]}"), 5,
     "meta meta.version threads threads[].name='Main' "},
    {SLICE("[{\"ph\":\"X\"},{\"ph\":\"B\",\"args\":{}}]"), 5, "[].ph='X' [].ph='B' [].args "},
    {SLICE("{\"a\":[[{\"b\":1}],\"x\"],\"c\":[1,{\"d\":null}]}"), 5, "a a[][].b c c[].d "},
    {SLICE("{\"a\":{\"b\":{\"c\":{\"d\":1},\"e\":[{\"f\":1}]}},\"g\":true}"), 2, "a a.b g "},
    {SLICE("{\"a\":1}\n{\"b\":2}"), 5, "a b "},
    {SLICE("{\"a\":\"\\u00e9\",\"b\":\"cut"), 5, "a='\xc3\xa9' "},
    {SLICE("{\"a\":1,}"), 5, "a "},
    {SLICE("[1,2]"), 5, ""},
    {SLICE("{]"), 5, ""},
    {SLICE(""), 5, ""},
};

Test(input_json_outline, outline)
{
    for (size_t i = 0; i < sizeof(outline_cases) / sizeof(outline_cases[0]); i++) {
        struct buf out = {0};

        json_outline(outline_cases[i].text, outline_cases[i].depth, add_path, &out);
        cr_expect_str_eq(buf_string(&out), outline_cases[i].paths, "%s: %s",
                         outline_cases[i].text.ptr, buf_string(&out));
        buf_release(&out);
    }
}
