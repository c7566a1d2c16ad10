#include "input/formats/perf/perf_wakers.h"

/* What the kernel's entries of interrupts begin with: of x86, old and new, and of ARM. */
static bool is_interrupt(struct slice name)
{
    static const char *const starts[] = {
        "asm_sysvec_",
        "asm_common_interrupt",
        "common_interrupt",
        "ret_from_intr",
        "apic_timer_interrupt",
        "reschedule_interrupt",
        "call_function_interrupt",
        "call_function_single_interrupt",
        "el1_irq",
        "el0_irq",
        "el1h_64_irq",
        "el0t_64_irq",
        "el1_interrupt",
        "el0_interrupt",
        "__irq_svc",
        "__irq_usr",
        "run_ksoftirqd",
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(name, slice_str(starts[i])))
            return true;
    return false;
}

bool perf_wakers_interrupted(struct perf_interrupts *i, const struct profile *p, uint32_t stack)
{
    enum { UNKNOWN, NO, YES };

    while (i->known.count < symbols_count(&p->symbols))
        *vec_add(&i->known) = UNKNOWN;
    for (; stack != STACK_ROOT; stack = p->stacks.parent[stack]) {
        unsigned char *known = &i->known.items[p->stacks.symbol[stack]];

        if (*known == UNKNOWN)
            *known = is_interrupt(symbol_name(&p->symbols, p->stacks.symbol[stack])) ? YES : NO;
        if (*known == YES)
            return true;
    }
    return false;
}

void perf_wakers_release(struct perf_interrupts *i)
{
    vec_release(&i->known);
}

static bool is_in(const struct perf_wakers *w, uint64_t task)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].task == task)
            return true;
    return false;
}

void perf_wakers_set(struct perf_wakers *w, uint64_t task, uint64_t since_ns,
                     const struct perf_waker *by, const struct perf_wakers *behind)
{
    w->items[0] = *by;
    w->count = 1;
    w->looped = w->cut = false;
    for (uint32_t i = 0; behind && i < behind->count; i++) {
        const struct perf_waker *next = &behind->items[i];

        if (next->time_ns < since_ns)
            return;
        w->looped = next->task == task || is_in(w, next->task);
        w->cut = !w->looped && w->count == PERF_WAKERS_MOST;
        if (w->looped || w->cut)
            return;
        w->items[w->count++] = *next;
    }
    if (behind && w->count == behind->count + 1) {
        w->looped = behind->looped;
        w->cut = behind->cut;
    }
}
