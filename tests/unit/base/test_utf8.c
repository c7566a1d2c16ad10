
#include "base/utf8.h"

#include "unit/support/test.h"

/* U+FFFD in UTF-8. */
#define BAD "\xef\xbf\xbd"

static const struct {
    const char *in, *clean, *escaped;
} rows[] = {
    {"plain", "plain", "plain"},
    {"na\xc3\xafve \xe4\xb8\xad \xf0\x9f\x94\xa5", "na\xc3\xafve \xe4\xb8\xad \xf0\x9f\x94\xa5",
     "na\xc3\xafve \xe4\xb8\xad \xf0\x9f\x94\xa5"},
    {"a\xff"
     "b",
     "a" BAD "b", "a\\xffb"},
    {"\xc0\x80", BAD BAD, "\\xc0\\x80"},
    {"\xe0\x80\x80", BAD BAD BAD, "\\xe0\\x80\\x80"},
    {"\xed\xa0\x80", BAD BAD BAD, "\\xed\\xa0\\x80"},
    {"\xf0\x90\x80"
     "x",
     BAD "x", "\\xf0\\x90\\x80x"},
    {"\xf4\x90\x80\x80", BAD BAD BAD BAD, "\\xf4\\x90\\x80\\x80"},
    {"\xe4\xb8", BAD, "\\xe4\\xb8"},
    {BAD, BAD, BAD},
    {"\x1b[31m\n", "\x1b[31m\n", "\\x1b[31m\\x0a"},
    {"a\xe2\x80\xae"
     "b",
     "a\xe2\x80\xae"
     "b",
     "a\\u{202e}b"},
    {"\xc2\x85", "\xc2\x85", "\\u{85}"},
};

Test(base_utf8, table)
{
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        buf_clear(&out);
        utf8_add_clean(&out, slice_str(rows[i].in));
        cr_expect_str_eq(buf_string(&out), rows[i].clean, "row %zu", i);
        cr_expect(utf8_valid(buf_slice(&out)), "row %zu", i);
        cr_expect_eq(utf8_valid(slice_str(rows[i].in)), strcmp(rows[i].in, rows[i].clean) == 0,
                     "row %zu", i);
        buf_clear(&out);
        utf8_add_escaped(&out, slice_str(rows[i].in));
        cr_expect_str_eq(buf_string(&out), rows[i].escaped, "row %zu", i);
    }
    buf_release(&out);
}

Test(base_utf8, every_character_survives)
{
    struct buf out = {0};

    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        uint32_t back;

        buf_clear(&out);
        utf8_encode(&out, c);
        cr_assert_eq(utf8_decode(buf_slice(&out), &back), out.len);
        if (c >= 0xd800 && c < 0xe000)
            cr_assert_eq(back, UTF8_REPLACEMENT);
        else
            cr_assert_eq(back, c);
    }
    buf_release(&out);
}

Test(base_utf8, utf16)
{
    struct buf out = {0};

    utf8_add_utf16(&out, slice_make("a\0\xe4\0=\xd8%\xdd", 8), false);
    cr_expect_str_eq(buf_string(&out), "a\xc3\xa4\xf0\x9f\x94\xa5");
    buf_clear(&out);
    utf8_add_utf16(&out, slice_make("\0a\xd8\0\0b\x41", 7), true);
    cr_expect_str_eq(buf_string(&out), "a" BAD "b" BAD);
    buf_release(&out);
}

Test(base_utf8, what_runs_from_right_to_left_is_isolated)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"", ""},
        {"main", "main"},
        {"na\xc3\xafve \xe4\xb8\xad \xf0\x9f\x94\xa5",
         "na\xc3\xafve \xe4\xb8\xad \xf0\x9f\x94\xa5"},
        {"\xd7\xa9\xd7\x9c", "\xe2\x81\xa8\xd7\xa9\xd7\x9c\xe2\x81\xa9"},
        {"f(\xd8\xa7)", "\xe2\x81\xa8"
                        "f(\xd8\xa7)\xe2\x81\xa9"},
        {"\xf0\x9e\xa4\x80", "\xe2\x81\xa8\xf0\x9e\xa4\x80\xe2\x81\xa9"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        buf_clear(&out);
        utf8_add_isolated(&out, slice_str(cases[i].in));
        cr_expect(slice_equal(buf_slice(&out), slice_str(cases[i].out)), "case %zu: %s", i,
                  buf_string(&out));
    }
    buf_release(&out);
}
