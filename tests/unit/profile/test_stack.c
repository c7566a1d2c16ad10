#include "profile/stack.h"

#include "base/hash.h"
#include "base/die.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

static struct stacks stacks;

static void set_up(void)
{
    stacks_init(&stacks);
}

static void tear_down(void)
{
    stacks_release(&stacks);
}

TestSuite(profile_stack, .init = set_up, .fini = tear_down);

Test(profile_stack, begins_with_the_empty_stack)
{
    cr_expect_eq(stacks.count, 1);
    cr_expect_eq(stacks.parent[STACK_ROOT], STACK_ROOT);
    cr_expect_eq(stacks.symbol[STACK_ROOT], SYMBOL_NONE);
    cr_expect_eq(stacks_depth(&stacks, STACK_ROOT), 0);
}

Test(profile_stack, the_same_frames_are_the_same_stack)
{
    uint32_t a = stacks_push(&stacks, STACK_ROOT, 5);
    uint32_t ab = stacks_push(&stacks, a, 7);
    uint32_t b = stacks_push(&stacks, STACK_ROOT, 7);

    cr_expect_eq(stacks.count, 4);
    cr_expect_eq(stacks_push(&stacks, STACK_ROOT, 5), a);
    cr_expect_eq(stacks_push(&stacks, a, 7), ab);
    cr_expect_eq(stacks_push(&stacks, STACK_ROOT, 7), b);
    cr_expect_eq(stacks.count, 4);
    cr_expect_neq(ab, b);
}

Test(profile_stack, finds_what_was_appended)
{
    uint32_t a = stacks_append(&stacks, STACK_ROOT, 1);
    uint32_t b = stacks_append(&stacks, STACK_ROOT, 2);
    uint32_t c = stacks_append(&stacks, a, 3);

    cr_expect_eq(stacks_push(&stacks, STACK_ROOT, 2), b);
    cr_expect_eq(stacks_push(&stacks, a, 3), c);
    cr_expect_eq(stacks_append(&stacks, b, 3), 4);
    cr_expect_eq(stacks_push(&stacks, b, 3), 4);
}

Test(profile_stack, finds_all_again_without_its_index)
{
    uint32_t a = stacks_push(&stacks, STACK_ROOT, 1);
    uint32_t b = stacks_push(&stacks, STACK_ROOT, 2);
    uint32_t ac = stacks_push(&stacks, a, 3);

    cr_expect_eq(stacks_push(&stacks, STACK_ROOT, 2), b);
    stacks_forget_index(&stacks);
    cr_expect_null(stacks.slots);
    cr_expect_eq(stacks_push(&stacks, STACK_ROOT, 2), b);
    cr_expect_eq(stacks_push(&stacks, a, 3), ac);
    cr_expect_eq(stacks_push(&stacks, b, 3), 4);
    cr_expect_eq(stacks.count, 5);
}

Test(profile_stack, gives_frames_root_first)
{
    uint32_t id = STACK_ROOT;
    uint32_t frames[3];

    for (uint32_t symbol = 10; symbol < 13; symbol++)
        id = stacks_push(&stacks, id, symbol);
    cr_assert_eq(stacks_depth(&stacks, id), 3);
    stacks_frames(&stacks, id, frames, 3);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(frames[i], 10 + i);
}

/* Compares the trie with a naive one: a list of (parent, symbol), searched linearly. */
Test(profile_stack, agrees_with_a_list)
{
    enum { STEPS = 20000, MOST = 3000 };
    static uint32_t parent[MOST], symbol[MOST];
    uint32_t count = 1, at = 0;
    uint64_t random = 1;

    for (int step = 0; step < STEPS; step++) {
        uint32_t next, found = 0;

        random = hash_mix(random, 99);
        next = (uint32_t)(random >> 8) % 40;
        if ((random & 7) == 0)
            at = (uint32_t)(random >> 32) % count;
        for (uint32_t i = 1; i < count && !found; i++)
            if (parent[i] == at && symbol[i] == next)
                found = i;
        if (!found) {
            if (count == MOST)
                break;
            parent[count] = at;
            symbol[count] = next;
            found = count++;
        }
        cr_assert_eq(stacks_push(&stacks, at, next), found, "step %d", step);
        at = found;
    }
    cr_expect_gt(count, 1000);
    cr_expect_eq(stacks.count, count);
}

/* Compares stacks_push_paths() of random paths from random stacks with single pushes. */
Test(profile_stack, many_paths_are_pushed_as_one_by_one)
{
    enum { BATCHES = 300, LONGEST = 12 };
    uint32_t symbols[STACK_PATHS_MOST][LONGEST];
    struct stack_path paths[STACK_PATHS_MOST];
    struct stacks plain;
    uint64_t random = 5;

    stacks_init(&plain);
    for (int batch = 0; batch < BATCHES; batch++) {
        uint32_t count = (uint32_t)(random % (STACK_PATHS_MOST + 1));
        uint32_t before = stacks.count;

        for (uint32_t i = 0; i < count; i++) {
            random = hash_mix(random, 1);
            paths[i].symbols = symbols[i];
            paths[i].count = (uint32_t)(random >> 20) % LONGEST;
            paths[i].stack = random & 1 ? (uint32_t)(random >> 40) % before : STACK_ROOT;
            for (uint32_t f = 0; f < paths[i].count; f++)
                symbols[i][f] = (uint32_t)((random = hash_mix(random, 2)) >> 30) % 4;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t stack = paths[i].stack;

            for (uint32_t f = 0; f < paths[i].count; f++)
                stack = stacks_push(&plain, stack, symbols[i][f]);
            symbols[i][LONGEST - 1] = stack;
        }
        stacks_push_paths(&stacks, paths, count);
        for (uint32_t i = 0; i < count; i++)
            cr_assert_eq(paths[i].stack, symbols[i][LONGEST - 1], "batch %d, path %u", batch, i);
        cr_assert_eq(stacks.count, plain.count);
        random = hash_mix(random, 3);
    }
    cr_expect_gt(stacks.count, 5000);
    stacks_release(&plain);
}

Test(profile_stack, a_million_frames_deep)
{
    enum { DEEP = 1000000 };
    uint32_t *frames = xreallocarray(NULL, DEEP, sizeof(*frames));
    uint32_t first = STACK_ROOT, second = STACK_ROOT;

    patience(20);
    for (uint32_t i = 0; i < DEEP; i++)
        first = stacks_push(&stacks, first, i % 3);
    for (uint32_t i = 0; i < DEEP; i++)
        second = stacks_push(&stacks, second, i % 3);
    cr_expect_eq(first, second);
    cr_expect_eq(stacks.count, DEEP + 1);
    cr_assert_eq(stacks_depth(&stacks, first), DEEP);
    stacks_frames(&stacks, first, frames, DEEP);
    cr_expect_eq(frames[DEEP - 1], (DEEP - 1) % 3);
    free(frames);
}
