
#include "input/parse/base64.h"

#include "unit/support/test.h"

Test(input_base64, texts)
{
    static const struct {
        const char *text, *want; /* NULL: refused */
    } cases[] = {
        {"", ""},
        {"Zg==", "f"},
        {"Zm8=", "fo"},
        {"Zm9v", "foo"},
        {"Zg", "f"},
        {" Zm9v\n YmFy ", "foobar"},
        {"+/8=", "\xfb\xff"},
        {"Zm9v-", NULL},
        {"Zm=9", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out = {0};
        bool ok = base64_add(&out, slice_str(cases[i].text));

        cr_expect_eq(ok, cases[i].want != NULL, "%s", cases[i].text);
        if (cases[i].want)
            cr_expect(slice_equal(buf_slice(&out), slice_str(cases[i].want)), "%s", cases[i].text);
        buf_release(&out);
    }
}
