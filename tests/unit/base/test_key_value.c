
#include "base/key_value.h"

#include "unit/support/test.h"

Test(base_key_value, words_come_back_as_they_were)
{
    static const struct {
        struct slice key, value;
    } words[] = {
        {SLICE("unit"), SLICE("ns")},        {SLICE("samples"), SLICE("1125")},
        {SLICE("os release"), SLICE("6.1")}, {SLICE("command"), SLICE("ls -l\n100% a=b \177")},
        {SLICE("note"), SLICE("")},          {SLICE("a=b"), SLICE("\303\251%")},
    };
    struct buf line = {0}, key = {0}, value = {0};
    struct slice rest;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        key_value_add(&line, words[i].key, words[i].value);
    key_value_add_u64(&line, SLICE("lost"), 7);
    rest = buf_slice(&line);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        cr_assert(key_value_next(&rest, &key, &value));
        cr_expect(slice_equal(buf_slice(&key), words[i].key), "%s", buf_string(&key));
        cr_expect(slice_equal(buf_slice(&value), words[i].value), "%s", buf_string(&value));
    }
    cr_assert(key_value_next(&rest, &key, &value));
    cr_expect_str_eq(buf_string(&value), "7");
    cr_expect_not(key_value_next(&rest, &key, &value));
    buf_release(&line);
    buf_release(&key);
    buf_release(&value);
}

Test(base_key_value, damaged_words)
{
    struct slice rest = SLICE("# plain %4=%zz x=%41%4 =");
    struct buf key = {0}, value = {0};

    cr_assert(key_value_next(&rest, &key, &value));
    cr_expect_str_eq(buf_string(&key), "%4");
    cr_expect_str_eq(buf_string(&value), "%zz");
    cr_assert(key_value_next(&rest, &key, &value));
    cr_expect_str_eq(buf_string(&value), "A%4");
    cr_assert(key_value_next(&rest, &key, &value));
    cr_expect_eq(key.len + value.len, 0);
    cr_expect_not(key_value_next(&rest, &key, &value));
    buf_release(&key);
    buf_release(&value);
}
