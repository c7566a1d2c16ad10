
#include "input/parse/json.h"

#include "unit/support/test.h"

static const struct {
    struct slice text;
    bool is_u64, is_i64, is_decimal;
    uint64_t u64;
    int64_t i64;
    uint64_t value;
    unsigned decimals;
    bool rounded, negative;
} number_cases[] = {
    {SLICE("0"), true, true, true, 0, 0, 0, 0, false, false},
    {SLICE("-0"), true, true, true, 0, 0, 0, 0, false, false},
    {SLICE("12"), true, true, true, 12, 12, 12, 0, false, false},
    {SLICE("-12"), false, true, true, 0, -12, 12, 0, false, true},
    {SLICE("12.50"), false, false, true, 0, 0, 125, 1, false, false},
    {SLICE("12.0"), true, true, true, 12, 12, 12, 0, false, false},
    {SLICE("1.2e1"), true, true, true, 12, 12, 12, 0, false, false},
    {SLICE("1200E-2"), true, true, true, 12, 12, 12, 0, false, false},
    {SLICE("12e-3"), false, false, true, 0, 0, 12, 3, false, false},
    {SLICE("1e+19"), true, false, true, 10000000000000000000u, 0, 10000000000000000000u, 0, false,
     false},
    {SLICE("1e20"), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("18446744073709551615"), true, false, true, UINT64_MAX, 0, UINT64_MAX, 0, false, false},
    {SLICE("18446744073709551616"), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("-9223372036854775808"), false, true, true, 0, INT64_MIN, 9223372036854775808u, 0, false,
     true},
    {SLICE("-9223372036854775809"), false, false, true, 0, 0, 9223372036854775809u, 0, false, true},
    {SLICE("0.1234567894"), false, false, true, 0, 0, 123456789, 9, true, false},
    {SLICE("0.1234567895"), false, false, true, 0, 0, 123456790, 9, true, false},
    {SLICE("0.0000000004"), false, false, true, 0, 0, 0, 9, true, false},
    {SLICE("-1e-300"), false, false, true, 0, 0, 0, 9, true, false},
    {SLICE("0e999999999999999999999"), true, true, true, 0, 0, 0, 0, false, false},
    {SLICE("1e999999999999999999999"), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("1700000000000000.1234567"), false, false, true, 0, 0, 17000000000000001235u, 4, true,
     false},
    {SLICE("3602879701896397.4"), false, false, true, 0, 0, 36028797018963974u, 1, false, false},
    {SLICE("\"77\""), true, true, true, 77, 77, 77, 0, false, false},
    {SLICE("\"1.5\""), false, false, true, 0, 0, 15, 1, false, false},
    {SLICE("\"-3\""), false, true, true, 0, -3, 3, 0, false, true},
    {SLICE("\"\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("\"x\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("\"1.x\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("\"1e\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("\".5\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("\"--1\""), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("null"), false, false, false, 0, 0, 0, 0, false, false},
    {SLICE("[1]"), false, false, false, 0, 0, 0, 0, false, false},
};

static void check_number(const struct json_value *v, size_t i)
{
    struct slice text = number_cases[i].text;
    struct decimal d = {0};
    bool negative = false;
    uint64_t u = 0;
    int64_t s = 0;

    cr_expect_eq(json_u64(v, &u), number_cases[i].is_u64, "%s", text.ptr);
    cr_expect_eq(u, number_cases[i].u64, "%s", text.ptr);
    cr_expect_eq(json_i64(v, &s), number_cases[i].is_i64, "%s", text.ptr);
    cr_expect_eq(s, number_cases[i].i64, "%s", text.ptr);
    cr_expect_eq(json_decimal(v, &d, &negative), number_cases[i].is_decimal, "%s", text.ptr);
    cr_expect_eq(d.value, number_cases[i].value, "%s: %lu", text.ptr, d.value);
    cr_expect_eq(d.decimals, number_cases[i].decimals, "%s: %u", text.ptr, d.decimals);
    cr_expect_eq(d.rounded, number_cases[i].rounded, "%s", text.ptr);
    cr_expect_eq(negative, number_cases[i].negative, "%s", text.ptr);
    cr_expect_eq(json_decimal(v, &d, NULL), number_cases[i].is_decimal && !number_cases[i].negative,
                 "%s", text.ptr);
}

Test(input_json_value, numbers)
{
    for (size_t i = 0; i < sizeof(number_cases) / sizeof(number_cases[0]); i++) {
        struct json_document d;
        struct buf text = {0};
        struct diag diag;

        buf_printf(&text, "{\"v\":%s}", number_cases[i].text.ptr);
        diag_init(&diag, SLICE("in"));
        cr_assert(json_load_text(buf_slice(&text), &diag, &d));
        check_number(json_get(d.values.items, "v"), i);
        json_release(&d);
        diag_release(&diag);
        buf_release(&text);
    }
    cr_expect_not(json_u64(NULL, &(uint64_t){0}));
    cr_expect_not(json_decimal(NULL, &(struct decimal){0}, NULL));
}

Test(input_json_value, looking)
{
    struct slice text = SLICE("{\"a\":{\"b\":{\"c\":\"x\"},\"l\":[]},\"n\":1,\"n\":2,\"s\":\"t\"}");
    struct json_document d;
    const struct json_value *top;
    struct diag diag;
    uint64_t n;

    diag_init(&diag, SLICE("in"));
    cr_assert(json_load_text(text, &diag, &d));
    top = d.values.items;
    cr_expect(slice_equal(json_text(json_at(top, "a.b.c")), SLICE("x")));
    cr_expect_null(json_at(top, "a.x.c"));
    cr_expect_null(json_at(top, "s.x"));
    cr_expect_null(json_get(NULL, "a"));
    cr_expect(json_u64(json_get(top, "n"), &n) && n == 2, "the last of a key counts");
    cr_expect_eq(json_text(json_get(top, "n")).len, 0);
    cr_expect_eq(json_text(NULL).len, 0);
    cr_expect_null(json_first(json_at(top, "a.l")));
    cr_expect_null(json_first(NULL));
    json_release(&d);
    diag_release(&diag);
}

/* The elements of an array of numbers share one value; each array has its own. */
Test(input_json_value, numbers_in_step)
{
    struct slice text = SLICE("{\"a\":[1, 2,null ,3],\"b\":[10,20,30,40]}");
    const struct json_value *a, *b, *v, *w;
    struct json_document d;
    struct diag diag;
    uint64_t sum = 0, n;

    diag_init(&diag, SLICE("in"));
    cr_assert(json_load_text(text, &diag, &d));
    a = json_get(d.values.items, "a");
    b = json_get(d.values.items, "b");
    cr_expect(json_are_numbers(a) && a->count == 4);
    cr_expect_not(json_are_numbers(d.values.items));
    for (v = json_first(a), w = json_first(b); v; v = json_next(a, v), w = json_next(b, w)) {
        cr_expect_eq(json_u64(v, &n), v->type == JSON_NUMBER);
        sum += v->type == JSON_NUMBER ? n : 1000;
        cr_expect(json_u64(w, &n));
        sum += n;
    }
    cr_expect_eq(sum, 6 + 1000 + 100);
    cr_expect_null(w);
    cr_expect(slice_equal(json_number_at(a, 3)->text, SLICE("2")));
    json_release(&d);
    diag_release(&diag);
}

/* A quote is short, ends at a whole character, and has what is in a container but not deeper. */
Test(input_json_value, quotes)
{
    static const struct {
        const char *text, *quote;
    } cases[] = {
        {"[1, -2.5e3, \"a\", null, true, {}, [], [3], {\"b\": 1}]",
         "[1, -2.5e3, \"a\", null, true, {}, [], [...], {...}]"},
        {"{\"id\": 7, \"children\": [1, 2]}", "{\"id\": 7, \"children\": [...]}"},
        {"[7, 8]", "[7, 8]"},
        {"[\"xäääääääääääääääääääääääääääääääääääääääääääääääääääääää\"]",
         "[\"xääääääääääääääääääääääääääääääääääää..."},
        {"[]", "[]"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct json_document d;
        struct diag diag;

        diag_init(&diag, SLICE(""));
        cr_assert(json_load_text(slice_str(cases[i].text), &diag, &d));
        cr_expect_str_eq(json_quoted(d.values.items).text, cases[i].quote);
        json_release(&d);
        diag_release(&diag);
    }
    cr_expect_str_eq(json_quoted(NULL).text, "nothing");
}
