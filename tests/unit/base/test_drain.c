#include "base/drain.h"

#include "unit/support/test.h"

static void take(void *context, struct slice part)
{
    buf_add_slice(context, part);
}

Test(base_drain, takes_all_but_the_last_byte_of_a_large_text)
{
    struct buf taken = {0}, text = {0};
    const struct drain drain = {take, &taken};

    for (size_t i = 0; i < DRAIN_PART - 1; i++)
        buf_add_char(&text, 'a');
    drain_offer(&drain, &text);
    cr_expect_eq(taken.len, 0);
    buf_add_char(&text, 'b');
    drain_offer(NULL, &text);
    cr_expect_eq(text.len, DRAIN_PART);
    drain_offer(&drain, &text);
    cr_expect_eq(taken.len, DRAIN_PART - 1);
    cr_expect_eq(taken.ptr[taken.len - 1], 'a');
    cr_expect_str_eq(buf_string(&text), "b");
    buf_release(&taken);
    buf_release(&text);
}
