#include "match/mark.h"

#include "unit/support/test.h"

Test(match_mark, the_last_equals_sign_begins_the_note)
{
    static const struct {
        const char *text, *pattern, *note;
    } rows[] = {
        {"parse", "parse", ""},
        {"parse=slow since 1.4", "parse", "slow since 1.4"},
        {"operator==note", "operator=", "note"},
        {"a=", "a", ""},
        {"foo(?=bar)", "foo(?=bar)", ""},
        {"(?<=foo)bar", "(?<=foo)bar", ""},
        {"foo(?=bar)=a note", "foo(?=bar)", "a note"},
        {"f(=x", "f(", "x"}, /* meant as text (match/literal.h) */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct mark_list list = {0};
        struct buf why = {0};

        cr_assert(mark_list_parse(&list, slice_str(rows[i].text), 0, &why), "%s: %s", rows[i].text,
                  buf_string(&why));
        cr_assert_eq(list.count, 1);
        cr_expect(slice_equal(list.items[0].search->pattern, slice_str(rows[i].pattern)), "%s",
                  rows[i].text);
        cr_expect(slice_equal(list.items[0].note, slice_str(rows[i].note)), "%s", rows[i].text);
        mark_list_release(&list);
        buf_release(&why);
    }
}

Test(match_mark, bad_marks_are_refused)
{
    static const char *const marks[] = {"", "=note", "x{3,1}=note", "a=\xff", "^(=note"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        struct mark_list list = {0};
        struct buf why = {0};

        cr_expect_not(mark_list_parse(&list, slice_str(marks[i]), 0, &why), "%s", marks[i]);
        cr_expect_gt(why.len, 0, "%s", marks[i]);
        cr_expect_eq(list.count, 0);
        mark_list_release(&list);
        buf_release(&why);
    }
}

Test(match_mark, a_picture_has_a_limited_number)
{
    struct mark_list list = {0};
    struct buf why = {0};

    for (int i = 0; i < MARKS_MOST; i++)
        cr_assert(mark_list_parse(&list, SLICE("a=b"), 0, &why));
    cr_expect_not(mark_list_parse(&list, SLICE("a=b"), 0, &why));
    cr_expect_str_eq(buf_string(&why), "a picture has at most 32 marks");
    mark_list_release(&list);
    buf_release(&why);
}
