#include "input/build/trace_sort.h"

#include "unit/support/patience.h"
#include "unit/support/test.h"

/* Adds `count` records in an order that `step` makes, and expects them sorted. */
static void check_as(uint32_t count, uint32_t step, bool grouped)
{
    struct trace_sort s;
    struct trace_record r;
    struct diag diag;

    diag_init(&diag, SLICE("in"));
    trace_sort_init(&s, &diag);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = (uint32_t)((uint64_t)i * step % count);

        r = (struct trace_record){.group = grouped ? n % 2 : 0,
                                  .begin = (int64_t)(n / 8) - 1000,
                                  .end = 4 - (int64_t)(n / 4 % 2),
                                  .order = grouped ? n / 2 % 2 : n % 4,
                                  .name = n};
        cr_assert(trace_sort_add(&s, r));
    }
    cr_assert(trace_sort_finish(&s));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t half = count / 2, want = grouped ? i % half * 2 + i / half : i;

        cr_assert_eq(trace_sort_next(&s, &r), 1);
        cr_assert_eq(r.name, want, "%u of %u by %u: %u", i, count, step, r.name);
    }
    cr_expect_eq(trace_sort_next(&s, &r), 0);
    cr_expect_eq(diag.messages.count, 0);
    trace_sort_release(&s);
    diag_release(&diag);
}

static void check(uint32_t count, uint32_t step)
{
    check_as(count, step, false);
    check_as(count, step, true);
}

Test(input_trace_sort, in_memory)
{
    check(0, 1);
    check(8, 1);
    check(800, 1);
    check(800, 799);
    check(800, 333);
}

Test(input_trace_sort, in_parts)
{
    patience(60);
    check(TRACE_SORT_HELD, 7);
    check(TRACE_SORT_HELD * 2, 1);
    check(TRACE_SORT_HELD * 3 - 8, TRACE_SORT_HELD * 3 - 9);
    check(TRACE_SORT_HELD * 3 + 8, 7919);
}

Test(input_trace_sort, far_apart)
{
    static const int64_t begins[] = {INT64_MAX, INT64_MIN, 0, -1, INT64_MIN, 1, INT64_MAX};
    static const int64_t want[] = {INT64_MIN, INT64_MIN, -1, 0, 1, INT64_MAX, INT64_MAX};
    struct trace_record r;
    struct trace_sort s;
    struct diag diag;

    diag_init(&diag, SLICE("in"));
    trace_sort_init(&s, &diag);
    for (uint32_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        cr_assert(trace_sort_add(&s, (struct trace_record){.begin = begins[i], .order = i}));
    cr_assert(trace_sort_finish(&s));
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
        cr_expect(trace_sort_next(&s, &r) == 1 && r.begin == want[i]);
    trace_sort_release(&s);
    diag_release(&diag);
}

Test(input_trace_sort, no_place_for_the_file)
{
    struct trace_sort s;
    struct diag diag;
    struct buf messages = {0};
    bool good = true;

    setenv("TMPDIR", "/nowhere", 1);
    diag_init(&diag, SLICE("in"));
    trace_sort_init(&s, &diag);
    for (uint32_t i = 0; good && i <= TRACE_SORT_HELD; i++)
        good = trace_sort_add(&s, (struct trace_record){.order = i});
    cr_expect_not(good);
    diag_write(&diag, &messages, false);
    cr_expect(strstr(buf_string(&messages), "cannot create it: No such file") != NULL, "%s",
              buf_string(&messages));
    trace_sort_release(&s);
    diag_release(&diag);
    buf_release(&messages);
}
