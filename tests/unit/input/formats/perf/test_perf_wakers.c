#include "input/formats/perf/perf_sched.h"

#include "unit/support/test.h"

/* Threads from `first` on, each woken by the next: the first of them at 100, the next at 99, ... */
static struct perf_wakers chain_of(uint32_t count, uint64_t first)
{
    struct perf_wakers w = {.count = count};

    for (uint32_t i = 0; i < count; i++)
        w.items[i] = (struct perf_waker){.task = first + i, .time_ns = 100 - i, .stack = i + 1};
    return w;
}

Test(input_perf_wakers, a_chain_goes_back_to_the_start_of_the_sleep)
{
    const struct perf_waker by = {2, 200, 9};

    for (uint64_t since = 90; since < 110; since++) {
        struct perf_wakers behind = chain_of(5, 3), w;
        uint32_t want = 1;

        for (uint32_t i = 0; i < 5 && behind.items[i].time_ns >= since; i++)
            want++;
        perf_wakers_set(&w, 1, since, &by, &behind);
        cr_expect_eq(w.count, want, "since %d", (int)since);
        for (uint32_t i = 0; i < w.count; i++)
            cr_expect_eq(w.items[i].task, 2 + i);
        cr_expect(!w.looped && !w.cut);
    }
}

Test(input_perf_wakers, a_loop_is_cut)
{
    static const struct {
        uint64_t sleeper, waker;
        uint32_t count;
        bool looped;
    } rows[] = {
        {1, 2, 6, false}, {5, 2, 3, true}, {1, 4, 2, true}, {3, 2, 1, true}, {1, 3, 1, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct perf_waker by = {rows[i].waker, 200, 9};
        struct perf_wakers behind = chain_of(5, 3), w;

        perf_wakers_set(&w, rows[i].sleeper, 0, &by, &behind);
        cr_expect_eq(w.count, rows[i].count, "row %zu: %u", i, w.count);
        cr_expect_eq(w.looped, rows[i].looped, "row %zu", i);
    }
}

Test(input_perf_wakers, the_length_is_bounded)
{
    const struct perf_waker by = {2, 200, 9};
    struct perf_wakers behind = chain_of(PERF_WAKERS_MOST, 3), w;

    perf_wakers_set(&w, 1, 0, &by, &behind);
    cr_expect_eq(w.count, PERF_WAKERS_MOST);
    cr_expect(w.cut);
    behind.count = PERF_WAKERS_MOST - 1;
    perf_wakers_set(&w, 1, 0, &by, &behind);
    cr_expect_eq(w.count, PERF_WAKERS_MOST);
    cr_expect(!w.cut);
    behind.looped = true;
    perf_wakers_set(&w, 1, 0, &by, &behind);
    cr_expect(w.looped, "a chain that is taken over whole ends as that one does");
    perf_wakers_set(&w, 1, 0, &by, NULL);
    cr_expect_eq(w.count, 1);
    cr_expect(!w.looped && !w.cut);
}

Test(input_perf_wakers, interrupts_are_known_by_their_entries)
{
    static const struct {
        const char *name;
        bool is;
    } rows[] = {
        {"asm_sysvec_apic_timer_interrupt", true},
        {"asm_common_interrupt", true},
        {"ret_from_intr", true},
        {"el1h_64_irq_handler", true},
        {"run_ksoftirqd", true},
        {"__do_softirq", false},
        {"entry_SYSCALL_64_after_hwframe", false},
        {"main", false},
    };
    struct perf_interrupts interrupts = {0};
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t entry = symbols_add(&p.symbols, slice_str(rows[i].name), SYMBOL_KERNEL);
        uint32_t stack = stacks_push(&p.stacks, STACK_ROOT, entry);
        uint32_t wake = symbols_add(&p.symbols, SLICE("try_to_wake_up"), SYMBOL_KERNEL);

        stack = stacks_push(&p.stacks, stack, wake);
        for (unsigned twice = 0; twice < 2; twice++)
            cr_expect_eq(perf_wakers_interrupted(&interrupts, &p, stack), rows[i].is, "%s",
                         rows[i].name);
    }
    perf_wakers_release(&interrupts);
    profile_release(&p);
}
