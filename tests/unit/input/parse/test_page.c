
#include "input/parse/page.h"

#include "unit/support/test.h"

Test(input_page, values)
{
    static const struct {
        const char *page, *want; /* NULL if there is none */
    } rows[] = {
        {"x = {\"a\": \"}\\\"}\", \"b\": [1]}; y", "{\"a\": \"}\\\"}\", \"b\": [1]}"},
        {"x =\n [[1], {}] ; {", "[[1], {}]"},
        {"x = 1; x = {\"a\"", "{\"a\""},
        {"x = 1;", NULL},
        {"x =", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct slice value = {0};
        bool found = page_find(slice_str(rows[i].page), "x =", &value);

        cr_expect_eq(found, rows[i].want != NULL, "row %zu", i);
        cr_expect(!found || slice_equal(value, slice_str(rows[i].want)), "row %zu: %.*s", i,
                  SLICE_ARG(value));
    }
}
