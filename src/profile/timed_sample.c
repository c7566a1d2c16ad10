#include "profile/timed_sample.h"

#include <stdlib.h>

void timed_samples_add(struct timed_samples *m, uint32_t stack, uint64_t weight)
{
    *vec_add(&m->items) = (struct timed_sample){m->now, weight, stack, m->span};
    m->timed += m->fresh;
    m->fresh = m->span = false;
}

void timed_samples_meet(struct timed_samples *m, uint64_t ns)
{
    m->now = ns;
    m->fresh = true;
}

void timed_samples_begin(struct timed_samples *m, uint64_t ns)
{
    timed_samples_meet(m, ns);
    m->span = true;
}

void timed_samples_pass_on(struct timed_samples *from, struct timed_samples *to)
{
    if (from->fresh)
        timed_samples_meet(to, from->now);
    from->fresh = false;
}

bool timed_samples_have_spans(const struct timed_samples *m)
{
    vec_each (const struct timed_sample, one, &m->items)
        if (one->span)
            return true;
    return false;
}

void timed_samples_join(struct timed_samples *to, const struct timed_samples *from,
                        const uint32_t *stacks, uint64_t factor)
{
    size_t timed = to->timed + from->timed;

    vec_each (const struct timed_sample, m, &from->items) {
        to->now = m->ns;
        to->span = m->span;
        timed_samples_add(to, stacks ? stacks[m->stack] : m->stack, m->weight * factor);
    }
    to->timed = timed;
}

static bool is_sorted(const struct timed_samples *m)
{
    for (size_t i = 1; i < m->items.count; i++)
        if (m->items.items[i].ns < m->items.items[i - 1].ns)
            return false;
    return true;
}

/* Merges two sorted runs, [low, middle) and [middle, high), into `to`. */
static void merge_runs(struct timed_sample *to, const struct timed_sample *from, size_t low,
                       size_t middle, size_t high)
{
    size_t left = low, right = middle;

    for (size_t i = low; i < high; i++)
        to[i] = right == high || (left < middle && from[left].ns <= from[right].ns) ? from[left++]
                                                                                    : from[right++];
}

void timed_samples_sort(struct timed_samples *m)
{
    size_t count = m->items.count;
    struct timed_sample *from = m->items.items, *to;

    if (!timed_samples_are_timed(m) || is_sorted(m))
        return;
    to = xreallocarray(NULL, count, sizeof(*to));
    for (size_t run = 1; run < count; run *= 2) {
        struct timed_sample *swap = from;

        for (size_t low = 0; low < count; low += 2 * run) {
            size_t middle = count - low > run ? low + run : count;
            size_t high = count - middle > run ? middle + run : count;

            merge_runs(to, from, low, middle, high);
        }
        from = to;
        to = swap;
    }
    if (from != m->items.items)
        memcpy(m->items.items, from, count * sizeof(*from));
    xfree(from == m->items.items ? to : from);
}

void timed_samples_release(struct timed_samples *m)
{
    vec_release(&m->items);
    *m = (struct timed_samples){0};
}
