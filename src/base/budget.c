#include "base/budget.h"

_Thread_local struct budget *budget_current;

void budget_init(struct budget *b, const char *what, uint64_t most_memory, uint64_t most_work)
{
    b->what = what;
    b->most_memory = most_memory;
    b->most_work = most_work;
    atomic_init(&b->memory, 0);
    atomic_init(&b->work, 0);
    atomic_init(&b->over, false);
    atomic_init(&b->told, false);
}

void budget_restart(void)
{
    struct budget *b = budget_current;

    if (!b)
        return;
    atomic_store(&b->work, 0);
    atomic_store(&b->over, false);
    atomic_store(&b->told, false);
}

/* What was allocated before a budget began may be freed under it, so the sum may be negative. */
static uint64_t memory_of(const struct budget *b)
{
    int64_t memory = atomic_load_explicit(&b->memory, memory_order_relaxed);

    return memory > 0 ? (uint64_t)memory : 0;
}

static uint64_t left_of(const struct budget *b)
{
    uint64_t memory = memory_of(b);

    return memory < b->most_memory ? b->most_memory - memory : 0;
}

void budget_charge(struct budget *b, ptrdiff_t bytes)
{
    atomic_fetch_add_explicit(&b->memory, bytes, memory_order_relaxed);
    if (bytes > 0 && memory_of(b) > b->most_memory)
        atomic_store_explicit(&b->over, true, memory_order_relaxed);
}

void budget_work(uint64_t steps)
{
    struct budget *b = budget_current;
    uint64_t before;

    if (!b)
        return;
    before = atomic_fetch_add_explicit(&b->work, steps, memory_order_relaxed);
    if (before + steps > b->most_work)
        atomic_store_explicit(&b->over, true, memory_order_relaxed);
}

size_t budget_growth(size_t have, size_t need)
{
    enum { BEYOND = 1 << 20 };
    size_t twice = have > SIZE_MAX / 2 ? need : have * 2;
    const struct budget *b = budget_current;
    uint64_t left;

    if (!b)
        return twice > need ? twice : need;
    left = left_of(b);
    if (twice - have > left)
        twice = have + (size_t)left / 4 * 3;
    /* Beyond the budget: until the reader notices, not every byte needs a new allocation. */
    if (twice < need)
        twice = have ? need + (need / 16 < BEYOND ? need / 16 : BEYOND) : need;
    return twice;
}

bool budget_affords(size_t bytes)
{
    struct budget *b = budget_current;

    if (!b || bytes <= left_of(b))
        return true;
    atomic_store_explicit(&b->over, true, memory_order_relaxed);
    return false;
}

bool budget_has_worked(const struct budget *b)
{
    return atomic_load(&b->work) > b->most_work;
}

bool budget_tell(struct diag *diag, struct diag_place place)
{
    struct budget *b = budget_current;
    uint64_t most = b->most_memory;

    if (atomic_exchange(&b->told, true))
        return false;
    if (budget_has_worked(b))
        diag_add(diag, DIAG_ERROR, place,
                 "%s needs more than %llu steps; --max-work N raises the limit", b->what,
                 (unsigned long long)b->most_work);
    else if (most % (1u << 20) == 0)
        diag_add(diag, DIAG_ERROR, place,
                 "%s needs more than %llu MB of memory; --max-memory N raises the limit", b->what,
                 (unsigned long long)(most >> 20));
    else
        diag_add(diag, DIAG_ERROR, place,
                 "%s needs more than %llu bytes of memory; --max-memory N raises the limit",
                 b->what, (unsigned long long)most);
    return false;
}
