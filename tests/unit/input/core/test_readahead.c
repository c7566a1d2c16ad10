#include "input/core/readahead.h"

#include "unit/support/test.h"

enum { PIECES = 5000, SLOTS = 3 };

/* A stream of numbers, and how far it was read and taken. */
struct numbers {
    size_t end, stop; /* pieces there are; pieces until take() fails */
    size_t read, taken;
    bool in_order;
};

static bool read_number(void *context, void *slot)
{
    struct numbers *n = context;

    if (n->read == n->end)
        return false;
    *(size_t *)slot = n->read++;
    return true;
}

static bool take_number(void *context, void *slot)
{
    struct numbers *n = context;

    if (n->taken == n->stop)
        return false;
    n->in_order &= *(size_t *)slot == n->taken++;
    return true;
}

static const struct {
    size_t end, stop;
    unsigned threads;
    bool ok;
} cases[] = {
    {PIECES, PIECES + 1, 1, true},
    {PIECES, PIECES + 1, 2, true},
    {PIECES, 7, 1, false},
    {PIECES, 7, 2, false},
    {0, 1, 1, true},
    {0, 1, 2, true},
    {SLOTS, SLOTS - 1, 2, false},
    {1, 2, 0, true},
};

Test(input_readahead, takes_pieces_in_order_until_one_fails)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t memory[SLOTS];
        void *slots[SLOTS] = {&memory[0], &memory[1], &memory[2]};
        struct numbers n = {.end = cases[i].end, .stop = cases[i].stop, .in_order = true};
        struct readahead a = {&n, slots, SLOTS, read_number, take_number};
        size_t most = n.end < n.stop ? n.end : n.stop;

        cr_expect_eq(readahead_run(&a, cases[i].threads), cases[i].ok, "case %zu", i);
        cr_expect(n.in_order, "case %zu", i);
        cr_expect_eq(n.taken, most, "case %zu", i);
        cr_expect_leq(n.read, n.taken + SLOTS + 1, "case %zu: reads on after a failure", i);
    }
}
