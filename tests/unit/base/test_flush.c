#include "base/flush.h"

#include "unit/support/test.h"

static void take(void *context, struct slice part)
{
    buf_add_slice(context, part);
}

Test(base_flush, takes_all_but_the_last_byte_of_a_large_text)
{
    struct buf taken = {0}, text = {0};
    const struct flush flush = {take, &taken};

    for (size_t i = 0; i < FLUSH_PART - 1; i++)
        buf_add_char(&text, 'a');
    flush_if_large(&flush, &text);
    cr_expect_eq(taken.len, 0);
    buf_add_char(&text, 'b');
    flush_if_large(NULL, &text);
    cr_expect_eq(text.len, FLUSH_PART);
    flush_if_large(&flush, &text);
    cr_expect_eq(taken.len, FLUSH_PART - 1);
    cr_expect_eq(taken.ptr[taken.len - 1], 'a');
    cr_expect_str_eq(buf_string(&text), "b");
    buf_release(&taken);
    buf_release(&text);
}
