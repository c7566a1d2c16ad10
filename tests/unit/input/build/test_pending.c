
#include "input/build/pending.h"

#include "unit/support/test.h"

/* What pending_each() calls: appends "key@time " and ends after `most` samples. */
struct calls {
    struct buf text;
    int most;
};

static bool note(void *context, struct slice key, uint64_t ns)
{
    struct calls *c = context;

    buf_printf(&c->text, "%.*s@%llu ", SLICE_ARG(key), (unsigned long long)ns);
    return --c->most > 0;
}

static void check(bool moments, int most, const char *expected)
{
    struct profile p = {.keep_timed = moments};
    struct pending held = {0};
    struct calls calls = {.most = most};
    bool all;

    pending_add(&held, &p, SLICE("b"), 5);
    pending_add(&held, &p, SLICE("a"), 9);
    pending_add(&held, &p, SLICE("b"), 3);
    pending_add(&held, &p, SLICE("b"), 4);
    pending_add(&held, &p, SLICE(""), 1);
    all = pending_each(&held, &p, note, &calls);
    cr_expect_str_eq(buf_string(&calls.text), expected);
    cr_expect_eq(all, calls.most > 0);
    buf_release(&calls.text);
    pending_release(&held);
}

Test(input_pending, samples_of_a_key_come_together_with_its_first_and_last_time)
{
    check(false, 100, "b@3 b@5 b@5 a@9 @1 ");
    check(false, 2, "b@3 b@5 ");
}

Test(input_pending, samples_of_a_profile_with_moments_come_in_the_order_of_the_file)
{
    check(true, 100, "b@5 a@9 b@3 b@4 @1 ");
    check(true, 2, "b@5 a@9 ");
}
