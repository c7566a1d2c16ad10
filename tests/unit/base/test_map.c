
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "unit/support/test.h"

static bool same_number(const void *context, uint32_t id, const void *key)
{
    return ((const uint64_t *)context)[id] == *(const uint64_t *)key;
}

Test(base_map, finds_what_was_added)
{
    enum { COUNT = 20000 };
    uint64_t *keys = xreallocarray(NULL, COUNT, sizeof(*keys));
    struct map m = {0};

    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = (uint64_t)i * i + 7;
        cr_assert_eq(map_find(&m, hash_mix(keys[i], 0), same_number, keys, &keys[i]), MAP_NONE);
        map_add(&m, hash_mix(keys[i], 0), i);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        cr_assert_eq(map_find(&m, hash_mix(keys[i], 0), same_number, keys, &keys[i]), i);
    map_release(&m);
    free(keys);
}

/* Tests the words that make the product of hash_mix() zero, whatever was hashed before. */
Test(base_map, no_word_makes_keyed_hashes_equal)
{
    static const uint64_t words[] = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u};
    struct map m = {0};

    for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
        uint64_t one[] = {1, words[w]}, two[] = {2, words[w]};

        cr_expect_neq(map_hash_bytes(&m, slice_make((char *)one, sizeof(one))),
                      map_hash_bytes(&m, slice_make((char *)two, sizeof(two))));
        cr_expect_neq(map_hash_pair(&m, 1, words[w]), map_hash_pair(&m, 2, words[w]));
        cr_expect_neq(map_hash_pair(&m, words[w], 1), map_hash_pair(&m, words[w], 2));
    }
    map_release(&m);
}

Test(base_map, a_run_has_one_key)
{
    cr_expect_neq(hash_key(), 0);
    cr_expect_eq(hash_key(), hash_key());
}

Test(base_map, keys_of_equal_hashes_stay_distinct)
{
    uint64_t keys[] = {10, 20, 30};
    struct map m = {0};

    for (uint32_t i = 0; i < 3; i++)
        map_add(&m, 42, i);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(map_find(&m, 42, same_number, keys, &keys[i]), i);
    map_release(&m);
}

Test(base_intern, ids_count_up_and_text_is_copied)
{
    char text[] = "first";
    struct intern t = {0};

    cr_expect_eq(intern_add(&t, slice_str(text)), 0);
    text[0] = 'F';
    cr_expect_eq(intern_add(&t, slice_str(text)), 1);
    cr_expect_eq(intern_add(&t, SLICE("first")), 0);
    cr_expect_eq(intern_add(&t, SLICE("")), 2);
    cr_expect_eq(intern_find(&t, SLICE("First")), 1);
    cr_expect_eq(intern_find(&t, SLICE("none")), MAP_NONE);
    cr_expect(slice_equal(intern_get(&t, 0), SLICE("first")));
    intern_release(&t);
}

Test(base_hash, is_stable)
{
    /* Colours and file names are derived from hash_bytes(): it must never change. */
    cr_expect_eq(hash_bytes("main", 4), hash_bytes("main", 4));
    cr_expect_neq(hash_bytes("main", 4), hash_bytes("niam", 4));
    cr_expect_neq(hash_bytes("", 0), hash_bytes("\0", 1));
    cr_expect_neq(hash_bytes("12345678", 8), hash_bytes("12345678\0", 9));
}

Test(base_hash, the_last_few_bytes_are_one_little_word)
{
    static const unsigned char bytes[] = {1, 0x82, 3, 0x84, 5, 0x86, 7};

    for (size_t n = 1; n <= sizeof(bytes); n++)
        cr_expect_eq(hash_load_few(bytes, n), hash_load(bytes, n), "%zu bytes", n);
}
