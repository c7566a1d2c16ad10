
#include "base/name_list.h"

#include "unit/support/test.h"

/* What a list that shows at most 3 names says of this number of names. */
static void says(size_t count, const char *text)
{
    const struct slice names[] = {SLICE("a"), SLICE(""), SLICE("c"), SLICE("d"), SLICE("e")};
    struct buf out = {0};
    struct name_list list = {.out = &out, .most = 3};

    for (size_t i = 0; i < count; i++)
        name_list_add(&list, names[i]);
    name_list_end(&list);
    cr_expect_str_eq(buf_string(&out), text);
    buf_release(&out);
}

Test(base_name_list, says_how_many_more)
{
    says(0, "");
    says(1, "a");
    says(2, "a, ");
    says(3, "a, , c");
    says(4, "a, , c and 1 more");
    says(5, "a, , c and 2 more");
}

Test(base_name_list, appends_to_what_is_there)
{
    struct buf out = {0};
    struct name_list list = {.out = &out, .most = 1};

    buf_add_str(&out, "has ");
    name_list_add(&list, SLICE("a"));
    name_list_add(&list, SLICE("b"));
    name_list_end(&list);
    cr_expect_str_eq(buf_string(&out), "has a and 1 more");
    buf_release(&out);
}
