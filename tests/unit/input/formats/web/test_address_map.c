
#include "base/hash.h"
#include "input/formats/web/address_map.h"
#include "unit/support/test.h"

static uint32_t value_at(const struct address_map *m, uint64_t address)
{
    const struct address_range *range = address_map_find(m, address);

    return range ? range->value : 0;
}

Test(input_address_map, ranges_end)
{
    struct address_map m = {0};

    cr_expect_null(address_map_find(&m, 5));
    address_map_add(&m, 10, 5, 1);
    address_map_add(&m, 20, 0, 2); /* an empty range takes one address */
    address_map_add(&m, UINT64_MAX - 3, 100, 3);
    cr_expect_eq(value_at(&m, 9), 0);
    cr_expect_eq(value_at(&m, 10), 1);
    cr_expect_eq(value_at(&m, 14), 1);
    cr_expect_eq(value_at(&m, 15), 0);
    cr_expect_eq(value_at(&m, 20), 2);
    cr_expect_eq(value_at(&m, 21), 0);
    cr_expect_eq(value_at(&m, UINT64_MAX), 3);
    address_map_release(&m);
}

Test(input_address_map, the_new_takes_the_place_of_the_old)
{
    struct address_map m = {0};

    address_map_add(&m, 10, 10, 1);
    address_map_add(&m, 20, 10, 2);
    address_map_add(&m, 30, 10, 3);
    address_map_add(&m, 19, 12, 4); /* overlaps all three */
    cr_expect_eq(value_at(&m, 10), 0);
    cr_expect_eq(value_at(&m, 19), 4);
    cr_expect_eq(value_at(&m, 30), 4);
    cr_expect_eq(value_at(&m, 31), 0);
    cr_expect(address_map_move(&m, 19, 100));
    cr_expect_eq(value_at(&m, 19), 0);
    cr_expect_eq(value_at(&m, 111), 4);
    cr_expect_not(address_map_move(&m, 101, 5));
    cr_expect_not(address_map_remove(&m, 101));
    cr_expect(address_map_remove(&m, 100));
    cr_expect_not(address_map_remove(&m, 100));
    cr_expect_eq(m.buckets.count, 0);
    address_map_release(&m);
}

/* Compares with an array that has a value for every address. */
Test(input_address_map, as_an_array_would)
{
    enum { SPACE = 20000, STEPS = 30000 };
    struct address_map m = {0};
    uint32_t *want = xcalloc(SPACE, sizeof(*want));

    for (uint32_t step = 1; step <= STEPS; step++) {
        uint64_t random = hash_mix(step, 7), start = random % SPACE;
        uint64_t size = (random >> 32) % (step % 100 ? 6 : 900) + 1;
        const struct address_range *range = address_map_find(&m, start);

        if (step % 3 == 0 && range) {
            for (uint64_t i = range->start; i <= range->last; i++)
                want[i] = 0;
            cr_assert(address_map_remove(&m, range->start));
            continue;
        }
        if (start + size > SPACE)
            continue;
        for (uint64_t i = 0; i < SPACE && size; i++) {
            const struct address_range *old = i < size ? address_map_find(&m, start + i) : NULL;

            if (i >= size)
                break;
            for (uint64_t k = old ? old->start : 1; old && k <= old->last; k++)
                want[k] = 0;
        }
        for (uint64_t i = 0; i < size; i++)
            want[start + i] = step;
        address_map_add(&m, start, size, step);
    }
    cr_expect(m.buckets.count > 2);
    for (uint64_t i = 0; i < SPACE; i++)
        cr_assert_eq(value_at(&m, i), want[i], "address %lu", (unsigned long)i);
    free(want);
    address_map_release(&m);
}
