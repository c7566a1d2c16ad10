
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "unit/support/test.h"

Test(base_buf, is_always_a_string)
{
    struct buf b = {0};
    size_t length;
    char *bytes;

    cr_expect_str_eq(buf_string(&b), "");
    buf_add(&b, "ab", 2);
    buf_add_char(&b, 'c');
    buf_add_u64(&b, UINT64_MAX);
    buf_add_i64(&b, INT64_MIN);
    buf_printf(&b, "%s-%05d", "x", 42);
    cr_expect_str_eq(buf_string(&b), "abc18446744073709551615-9223372036854775808x-00042");
    bytes = buf_detach(&b, &length);
    cr_expect_eq(length, strlen(bytes));
    cr_expect_eq(b.len, 0);
    free(bytes);
    buf_release(&b);
}

/* Texts of any length, among them those around the size that is formatted at once. */
Test(base_buf, formatted_texts_are_complete)
{
    char want[600];

    for (int length = 0; length < 580; length++) {
        struct buf b = {0};

        buf_add_str(&b, "<");
        buf_printf(&b, "%0*d>", length, 7);
        snprintf(want, sizeof(want), "<%0*d>", length, 7);
        cr_assert_str_eq(buf_string(&b), want, "%d", length);
        cr_assert_eq(b.len, strlen(want));
        buf_release(&b);
    }
}

Test(base_arena, pieces_stay_and_are_aligned)
{
    struct arena a = {0};
    char *pieces[2000];

    for (size_t i = 0; i < 2000; i++) {
        pieces[i] = arena_printf(&a, "%zu%*s", i, (int)(i % 300 * 100), "");
        cr_assert_eq((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
    }
    for (size_t i = 0; i < 2000; i++)
        cr_assert_eq(strtoul(pieces[i], NULL, 10), i);
    arena_release(&a);
}

Test(base_vec, grows_and_keeps)
{
    VEC(uint32_t) v = {0};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < 1000; i++)
        *vec_add(&v) = i;
    vec_each (uint32_t, item, &v)
        sum += *item;
    cr_expect_eq(sum, 499500);
    vec_clear(&v);
    cr_expect_eq(v.count, 0);
    vec_release(&v);
}

Test(base_buf, bytes_as_hexadecimal_digits)
{
    struct buf b = {0};

    buf_add_hex(&b, slice_make("\0\x0f\xa0\xff", 4));
    buf_add_hex(&b, slice_make("", 0));
    cr_expect_str_eq(buf_string(&b), "000fa0ff");
    buf_release(&b);
}
