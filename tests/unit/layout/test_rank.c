#include "layout/rank.h"

#include "base/buf.h"

#include "unit/support/test.h"

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

/* Appends a name of few different bytes, among them NUL, so that many names begin alike. */
static void make_name(uint32_t *seed, struct buf *name)
{
    static const char *const starts[] = {"", "libc.so.1`",
                                         "std::vector<std::string>::", "12345678"};
    uint32_t length = next(seed, 20);

    buf_clear(name);
    buf_add_str(name, starts[next(seed, 4)]);
    for (uint32_t i = 0; i < length; i++)
        buf_add_char(name, "aab\0\x7f"[next(seed, 5)]);
}

/* The order that rank.h states, in other words. */
static bool in_order(const struct symbols *s, uint32_t a, uint32_t b)
{
    bool cold_a = symbol_class(s, a) == SYMBOL_OFF_CPU,
         cold_b = symbol_class(s, b) == SYMBOL_OFF_CPU;
    int order = slice_compare(symbol_name(s, a), symbol_name(s, b));

    if (cold_a != cold_b)
        return cold_b;
    return order ? order < 0 : symbol_class(s, a) < symbol_class(s, b);
}

static void check_order(const struct symbols *s, uint32_t seed)
{
    uint32_t count = symbols_count(s), used = 0, *by_rank = xcalloc(count + 1, sizeof(*by_rank));
    struct rank rank;

    rank_init(&rank, s);
    for (uint32_t id = 0; id < count; id++)
        if (id % 3 != seed % 3) {
            rank_use(&rank, id);
            used++;
        }
    cr_assert_eq(rank_sort(&rank, NULL), used);
    for (uint32_t id = 0; id < count; id++)
        if (id % 3 != seed % 3)
            by_rank[rank_get(&rank, id)] = id;
    for (uint32_t i = 1; i < used; i++)
        cr_assert(in_order(s, by_rank[i - 1], by_rank[i]), "%u symbols, seed %u: rank %u", count,
                  seed, i);
    rank_release(&rank);
    free(by_rank);
}

Test(layout_rank, names_are_in_order)
{
    struct buf name = {0};

    for (uint32_t seed = 0; seed < 60; seed++) {
        uint32_t random = seed, most = 1 + seed * seed;
        struct symbols symbols = {0};

        for (uint32_t i = 0; i < most; i++) {
            make_name(&random, &name);
            symbols_add(&symbols, buf_slice(&name), next(&random, SYMBOL_CLASSES));
        }
        check_order(&symbols, seed);
        symbols_release(&symbols);
    }
    buf_release(&name);
}

/* Marks the symbols whose numbers `step` divides, and sorts them. */
static struct rank ranks_of(const struct symbols *s, uint32_t step, const struct rank *sorted)
{
    struct rank rank;

    rank_init(&rank, s);
    for (uint32_t id = 0; id < symbols_count(s); id += step)
        rank_use(&rank, id);
    rank_sort(&rank, sorted);
    return rank;
}

/* Every second symbol has a rank: of each sixth the order can be taken over, of each third not. */
Test(layout_rank, order_of_other_ranks_is_taken_over)
{
    enum { SYMBOLS = 500 };
    static const uint32_t steps[] = {6, 3, 2, 1};
    struct symbols symbols = {0};
    struct buf name = {0};
    uint32_t random = 1;
    struct rank sorted;

    for (uint32_t i = 0; i < SYMBOLS; i++) {
        make_name(&random, &name);
        symbols_add(&symbols, buf_slice(&name), next(&random, SYMBOL_CLASSES));
    }
    sorted = ranks_of(&symbols, 2, NULL);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct rank own = ranks_of(&symbols, steps[i], NULL),
                    taken = ranks_of(&symbols, steps[i], &sorted);

        cr_expect_eq(own.count, taken.count, "every %u", steps[i]);
        cr_expect_eq(memcmp(own.number, taken.number, own.symbol_count * sizeof(*own.number)), 0,
                     "every %u", steps[i]);
        rank_release(&own);
        rank_release(&taken);
    }
    rank_release(&sorted);
    symbols_release(&symbols);
    buf_release(&name);
}

Test(layout_rank, no_symbol_is_in_use)
{
    struct symbols symbols = {0};
    struct rank rank;

    rank_init(&rank, &symbols);
    cr_expect_eq(rank_sort(&rank, NULL), 0);
    rank_release(&rank);
}
