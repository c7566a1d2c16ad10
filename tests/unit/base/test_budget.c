#include "base/budget.h"

#include "base/intern.h"
#include "base/pool.h"
#include "base/vec.h"
#include "unit/support/test.h"

enum { MEMORY = 4 << 20, WORK = 1000 };

static struct budget budget;
static struct diag diag;

static void begin(void)
{
    budget_init(&budget, "reading", MEMORY, WORK);
    diag_init(&diag, SLICE("in"));
    budget_enter(&budget);
}

static void end(void)
{
    budget_leave(NULL);
    diag_release(&diag);
}

static uint64_t in_use(void)
{
    return (uint64_t)atomic_load(&budget.memory);
}

/* The only message; the first of two calls reports it. */
static void expect_told(const char *expected)
{
    struct buf out = {0};

    cr_expect_not(budget_allows(&diag, DIAG_AT_LINE(7)));
    cr_expect_not(budget_allows(&diag, DIAG_AT_LINE(8)));
    diag_write(&diag, &out, false);
    cr_expect_str_eq(buf_string(&out), expected);
    buf_release(&out);
}

Test(base_budget, nothing_is_charged_without_a_budget)
{
    struct buf b = {0};

    cr_assert_null(budget_current);
    buf_reserve(&b, MEMORY);
    budget_work(WORK + 1);
    cr_expect(budget_affords(SIZE_MAX));
    cr_expect_not(budget_is_over());
    buf_release(&b);
}

Test(base_budget, every_container_is_charged_and_gives_back, .init = begin, .fini = end)
{
    VEC(uint64_t) numbers = {0};
    struct arena arena = {0};
    struct intern names = {0};
    struct buf bytes = {0};

    buf_reserve(&bytes, 100000);
    cr_expect_gt(in_use(), 100000);
    vec_reserve(&numbers, 100000);
    cr_expect_gt(in_use(), 900000);
    arena_alloc(&arena, 1000000);
    cr_expect_gt(in_use(), 1900000);
    for (uint32_t i = 0; i < 10000; i++)
        intern_add(&names, slice_make((const char *)&i, sizeof(i)));
    cr_expect_gt(in_use(), 2200000);
    cr_expect(budget_allows(&diag, DIAG_AT_FILE));
    buf_release(&bytes);
    vec_release(&numbers);
    arena_release(&arena);
    intern_release(&names);
    cr_expect_eq(in_use(), 0);
}

Test(base_budget, growth_comes_close_to_the_limit, .init = begin, .fini = end)
{
    VEC(uint64_t) numbers = {0};

    while (!budget_is_over())
        *vec_add(&numbers) = 7;
    cr_expect_gt(numbers.count * sizeof(uint64_t), MEMORY / 10 * 9);
    cr_expect_lt(in_use(), MEMORY / 10 * 12);
    expect_told("in:7: error: reading needs more than 4 MB of memory; --max-memory N raises the "
                "limit\n");
    vec_release(&numbers);
    cr_expect_not(budget_allows(&diag, DIAG_AT_FILE), "a budget stays spent");
}

Test(base_budget, tables_fill_up_before_they_exceed_it, .init = begin, .fini = end)
{
    struct intern names = {0};
    uint64_t most = 0;

    for (uint32_t i = 0; !budget_is_over(); i++)
        intern_add(&names, slice_make((const char *)&i, sizeof(i)));
    for (uint32_t i = 0; i < intern_count(&names); i++) {
        cr_assert_eq(intern_find(&names, slice_make((const char *)&i, sizeof(i))), i);
        most = in_use() > most ? in_use() : most;
    }
    cr_expect_lt(most, MEMORY / 10 * 12);
    intern_release(&names);
}

static void take(void *context, size_t index, unsigned worker)
{
    (void)worker;
    ((void **)context)[index] = xmalloc(MEMORY / 4 + 1);
    budget_work(WORK / 4 + 1);
}

Test(base_budget, threads_share_that_of_their_caller, .init = begin, .fini = end)
{
    void *blocks[4];

    pool_run(4, 4, take, blocks);
    cr_expect_gt(in_use(), MEMORY);
    cr_expect(budget_is_over());
    for (size_t i = 0; i < 4; i++)
        xfree(blocks[i]);
    cr_expect_eq(in_use(), 0);
    expect_told("in:7: error: reading needs more than 1000 steps; --max-work N raises the limit\n");
    budget_restart();
    cr_expect(budget_allows(&diag, DIAG_AT_FILE));
}
