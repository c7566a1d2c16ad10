#include <criterion/criterion.h>

#include "profile/digest.h"

static void add(struct profile *p, const char *stack, uint64_t weight)
{
    struct slice rest = slice_str(stack), frame;
    uint32_t id = STACK_ROOT;

    while (slice_cut(&rest, ';', &frame))
        id = stacks_push(&p->stacks, id, symbols_add_annotated(&p->symbols, frame));
    cr_assert(profile_add(p, profile_series(p, SLICE(""), unit_samples), id, weight));
}

static void digest(const char *const *stacks, const uint64_t *weights, size_t count,
                   struct buf *out)
{
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < count; i++)
        add(&p, stacks[i], weights[i]);
    buf_clear(out);
    profile_digest(&p, 0, out);
    profile_release(&p);
}

Test(profile_digest, names_the_data_and_not_its_order)
{
    static const char *const stacks[][3] = {
        {"a;b;c", "a;d", "e"},     {"e", "a;b;c", "a;d"},   {"a;b;c", "a;d", "f"},
        {"a;b;c", "a;d_[k]", "e"}, {"a;b;c", "a;d;e", "e"},
    };
    static const uint64_t weights[][3] = {
        {1, 2, 3}, {3, 1, 2}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3},
    };
    struct buf first, other;

    buf_init(&first);
    buf_init(&other);
    digest(stacks[0], weights[0], 3, &first);
    cr_expect_eq(first.len, 16);
    for (size_t i = 1; i < sizeof(stacks) / sizeof(*stacks); i++) {
        digest(stacks[i], weights[i], 3, &other);
        cr_expect_eq(strcmp(first.ptr, other.ptr) == 0, i == 1, "row %zu", i);
    }
    digest(stacks[0], (const uint64_t[]){2, 1, 3}, 3, &other);
    cr_expect_str_neq(first.ptr, other.ptr);
    buf_release(&first);
    buf_release(&other);
}
