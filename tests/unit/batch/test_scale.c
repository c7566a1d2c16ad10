#include "batch/scale.h"

#include "unit/support/test.h"

static const struct unit nanoseconds = {UNIT_SECONDS, -9, {NULL, 0}};
static const struct unit microseconds = {UNIT_SECONDS, -6, {NULL, 0}};
static const struct unit seconds = {UNIT_SECONDS, 0, {NULL, 0}};
static const struct unit bytes = {UNIT_BYTES, 0, {NULL, 0}};

static struct unit count_of(const char *noun)
{
    return (struct unit){UNIT_COUNT, 0, slice_str(noun)};
}

/* The heaviest graph of a unit is found even if profiles have different powers of ten. */
Test(batch_scale, finds_the_heaviest)
{
    struct unit samples = count_of("samples"), faults = count_of("page-faults");
    struct batch_scale s;

    batch_scale_init(&s);
    cr_expect_eq(batch_scale_find(&s, &seconds, 0), 0);
    batch_scale_add(&s, &nanoseconds, 0, 1500000);
    batch_scale_add(&s, &microseconds, 1, 14999); /* 1499.9 us */
    batch_scale_add(&s, &samples, 0, 7);
    batch_scale_add(&s, &samples, 2, 701);
    batch_scale_add(&s, &samples, 0, 6);
    batch_scale_add(&s, &faults, 0, 900);
    cr_expect_eq(batch_scale_find(&s, &nanoseconds, 0), 1500000);
    cr_expect_eq(batch_scale_find(&s, &microseconds, 0), 1500);
    cr_expect_eq(batch_scale_find(&s, &microseconds, 1), 15000);
    cr_expect_eq(batch_scale_find(&s, &seconds, 0), 1,
                 "rounded up: nothing is wider than the width");
    cr_expect_eq(batch_scale_find(&s, &samples, 0), 8);
    cr_expect_eq(batch_scale_find(&s, &samples, 2), 701);
    cr_expect_eq(batch_scale_find(&s, &samples, 3), 7010);
    cr_expect_eq(batch_scale_find(&s, &faults, 0), 900);
    cr_expect_eq(batch_scale_find(&s, &bytes, 0), 0);
    batch_scale_release(&s);
}

/* A weight that does not fit in a finer unit has no common scale, but stays the heaviest. */
Test(batch_scale, beyond_64_bits)
{
    struct batch_scale s;

    batch_scale_init(&s);
    batch_scale_add(&s, &seconds, 0, UINT64_MAX / 2);
    batch_scale_add(&s, &nanoseconds, 0, UINT64_MAX - 1);
    cr_expect_eq(batch_scale_find(&s, &seconds, 0), UINT64_MAX / 2);
    cr_expect_eq(batch_scale_find(&s, &nanoseconds, 0), 0);
    batch_scale_release(&s);
}
