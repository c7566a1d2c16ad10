
#include "base/slice.h"

#include "unit/support/test.h"

Test(base_slice, lines)
{
    struct slice rest = SLICE("one\r\n\ntwo\rx\nlast"), line;
    const char *want[] = {"one", "", "two\rx", "last"};

    for (size_t i = 0; i < 4; i++) {
        cr_assert(slice_line(&rest, &line));
        cr_expect(slice_equal(line, slice_str(want[i])), "line %zu", i);
    }
    cr_expect(!slice_line(&rest, &line));
}

Test(base_slice, words_and_cuts)
{
    struct slice rest = SLICE("  a\t bc "), word;

    cr_expect(slice_word(&rest, &word) && slice_equal(word, SLICE("a")));
    cr_expect(slice_word(&rest, &word) && slice_equal(word, SLICE("bc")));
    cr_expect(!slice_word(&rest, &word));
    rest = SLICE("a;;b");
    cr_expect(slice_cut(&rest, ';', &word) && slice_equal(word, SLICE("a")));
    cr_expect(slice_cut(&rest, ';', &word) && word.len == 0);
    cr_expect(slice_cut(&rest, ';', &word) && slice_equal(word, SLICE("b")));
    cr_expect(!slice_cut(&rest, ';', &word));
}

/* Texts with many, few and no bytes that begin a needle, and the needle at every third place. */
Test(base_slice, searches_long_texts)
{
    static const char *const needles[] = {"ab", "aaab", "zz top", "b", " x", "aaaaaaaaac"};
    static const char fills[] = {'a', 'z', ' ', '\0'};
    enum { LENGTH = 600 };
    char text[LENGTH];

    for (size_t f = 0; f < sizeof(fills); f++)
        for (size_t n = 0; n < sizeof(needles) / sizeof(*needles); n++) {
            struct slice needle = slice_str(needles[n]);

            memset(text, fills[f], LENGTH);
            cr_expect_eq(slice_search(slice_make(text, LENGTH), needle), LENGTH);
            for (size_t at = 0; at + needle.len <= LENGTH; at += 3) {
                const char *want;

                memset(text, fills[f], LENGTH);
                memcpy(text + at, needle.ptr, needle.len);
                want = memmem(text, LENGTH, needle.ptr, needle.len);
                cr_expect_eq(slice_search(slice_make(text, LENGTH), needle), (size_t)(want - text),
                             "'%s' at %zu in '%c'", needles[n], at, fills[f]);
            }
        }
}

/* The text is searched in parts from its end: the byte is at each place, and a second before it. */
Test(base_slice, finds_the_last_byte_of_long_texts)
{
    enum { LENGTH = 2600 };
    char text[LENGTH];
    struct slice all = slice_make(text, LENGTH);

    memset(text, ' ', LENGTH);
    cr_expect_eq(slice_find_last(all, ';'), LENGTH);
    cr_expect_eq(slice_find_last(slice_make(NULL, 0), ';'), 0);
    for (size_t at = 0; at < LENGTH; at++) {
        memset(text, ' ', LENGTH);
        text[at] = ';';
        cr_expect_eq(slice_find_last(all, ';'), at);
        cr_expect_eq(slice_find_last(slice_take(all, at), ';'), at, "none before %zu", at);
        text[at / 2] = ';';
        cr_expect_eq(slice_find_last(all, ';'), at, "two, the last at %zu", at);
    }
}

Test(base_slice, order_and_search)
{
    cr_expect(slice_compare(SLICE("a"), SLICE("ab")) < 0);
    cr_expect(slice_compare(SLICE("b"), SLICE("ab")) > 0);
    cr_expect(slice_compare(SLICE(""), slice_str(NULL)) == 0);
    cr_expect(slice_compare(SLICE("\x80"), SLICE("a")) > 0);
    cr_expect_eq(slice_search(SLICE("hello"), SLICE("llo")), 2);
    cr_expect_eq(slice_search(SLICE("hello"), SLICE("lz")), 5);
    cr_expect_eq(slice_search(SLICE("aaab"), SLICE("aab")), 1);
    cr_expect_eq(slice_search(SLICE("a = b => c"), SLICE(" => ")), 5);
    cr_expect_eq(slice_search(SLICE("=> c"), SLICE(" => ")), 4);
    cr_expect_eq(slice_search(SLICE("a b  "), SLICE("  ")), 3);
    cr_expect_eq(slice_search(SLICE("ab"), SLICE("abc")), 2);
    cr_expect_eq(slice_search(SLICE(""), SLICE("a")), 0);
    cr_expect_eq(slice_find_last(SLICE("a b c"), ' '), 3);
    cr_expect(slice_starts(SLICE("abc"), SLICE("ab")) && !slice_starts(SLICE("a"), SLICE("ab")));
    cr_expect(slice_ends(SLICE("abc"), SLICE("bc")) && !slice_ends(SLICE("c"), SLICE("bc")));
    cr_expect(slice_equal(slice_trim(SLICE(" \t x y\r\n")), SLICE("x y")));
}

Test(base_slice, numbers_count_by_value)
{
    static const char *const sorted[] = {
        "",         "1.9",   "1.10",    "1.10.1",   "2026-w09", "2026-w9",
        "2026-w10", "build", "build-9", "build-9a", "build-10", "build-18446744073709551616",
        "w0",       "w00",   "w1",
    };
    enum { COUNT = sizeof(sorted) / sizeof(*sorted) };

    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < COUNT; k++) {
            int order = slice_compare_numbered(slice_str(sorted[i]), slice_str(sorted[k]));

            cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k), "'%s' and '%s': %d",
                         sorted[i], sorted[k], order);
        }
}

Test(base_slice, has_and_lead)
{
    cr_expect(slice_has(SLICE("a;main;b"), SLICE("main")));
    cr_expect(slice_has(SLICE("main"), SLICE("main")));
    cr_expect_not(slice_has(SLICE("a;mai"), SLICE("main")));
    cr_expect_not(slice_has(SLICE(""), SLICE("main")));
    cr_expect_eq(slice_lead(SLICE("  x "), ' '), 2);
    cr_expect_eq(slice_lead(SLICE("___"), '_'), 3);
    cr_expect_eq(slice_lead(SLICE("x"), '_'), 0);
    cr_expect_eq(slice_lead(SLICE(""), '_'), 0);
}

Test(base_slice, one_of_several_words)
{
    struct slice s = SLICE("main.c");

    cr_expect(slice_is_any(s, "x", "main.c"));
    cr_expect_not(slice_is_any(s, "main", ".c"));
    cr_expect(slice_starts_any(s, "x", "main"));
    cr_expect_not(slice_starts_any(s, "x", ".c"));
    cr_expect(slice_ends_any(s, ".cc", ".c"));
    cr_expect_not(slice_ends_any(s, ".cc", "main"));
    cr_expect(slice_has_any(s, "x", "in."));
    cr_expect_not(slice_has_any(s, "x", ".."));
    cr_expect(slice_is_any(SLICE(""), "x", ""));
}

Test(base_slice, rows_are_found_by_their_words)
{
    static const struct {
        const char *word;
        int number;
    } rows[] = {{"ab", 1}, {"abc", 2}, {"", 3}, {NULL, 4}};

    cr_expect_eq(slice_row(SLICE("abc"), slice_equal, rows)->number, 2);
    cr_expect_eq(slice_row(SLICE("abc"), slice_starts, rows)->number, 1);
    cr_expect_eq(slice_row(SLICE(""), slice_equal, rows)->number, 3);
    cr_expect_eq(slice_row(SLICE("x"), slice_equal, rows)->number, 4);
}
