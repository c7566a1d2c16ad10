/*
 * A bound on the memory and the work that reading or drawing one input may take.
 *
 * Between budget_enter() and budget_leave(), whatever a thread allocates through
 * base/die.h is charged to the budget: by arenas, buffers, tables and arrays alike, and
 * by the libraries that are given these functions. A budget belongs to a thread and not
 * to a container, so that no reader can forget to count. pool_run() passes the caller's
 * budget on to its threads.
 *
 * An allocation never fails because a budget is spent. Instead containers stop doubling as
 * the budget runs out, which keeps the excess small, and whoever takes bytes of an input or
 * adds stacks asks budget_allows() and gives up. Memory is what malloc() gave, less what
 * xfree() took back. Work is counted in steps of constant cost, so that the same input
 * ends at the same place on every machine.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct budget {
    const char *what;                /* is done within it, for the message: "reading" */
    uint64_t most_memory, most_work; /* bytes, steps */
    atomic_int_fast64_t memory;
    atomic_uint_fast64_t work;
    atomic_bool over; /* more than `most_memory` was in use once, or more work was done */
    atomic_bool told;
};

/* The budget that the thread's allocations are charged to; NULL if there is none. */
extern _Thread_local struct budget *budget_current;

void budget_init(struct budget *b, const char *what, uint64_t most_memory, uint64_t most_work);

/* Charges what this thread does to `b`, which may be NULL. Returns the budget before. */
static inline struct budget *budget_enter(struct budget *b)
{
    struct budget *before = budget_current;

    budget_current = b;
    return before;
}

static inline void budget_leave(struct budget *before)
{
    budget_current = before;
}

/* Forgets that the thread's budget was spent, and the work: for reading the same input again. */
void budget_restart(void);

/* Charges bytes, or gives them back if negative. */
void budget_charge(struct budget *b, ptrdiff_t bytes);
/* Charges steps of work to the thread's budget. */
void budget_work(uint64_t steps);

/*
 * Returns the number of bytes that a container of `have` bytes should grow to if it needs
 * `need`: the double, or less if the thread's budget has little left.
 */
size_t budget_growth(size_t have, size_t need);

/*
 * Whether `bytes` more fit into the thread's budget. If not, the budget counts as spent: for
 * tables that can only double, and stay as they are while they can.
 */
bool budget_affords(size_t bytes);

/* Whether the thread's budget is spent. */
static inline bool budget_is_over(void)
{
    return budget_current && atomic_load_explicit(&budget_current->over, memory_order_relaxed);
}

/* Whether more work was done than the budget has; if it is spent otherwise, memory is. */
bool budget_has_worked(const struct budget *b);

/*
 * Returns true as long as the thread's budget is not spent. If it is, reports the error
 * at the first call and returns false.
 */
bool budget_tell(struct diag *diag, struct diag_place place);
static inline bool budget_allows(struct diag *diag, struct diag_place place)
{
    return !budget_is_over() || budget_tell(diag, place);
}

#endif
