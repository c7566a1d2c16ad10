#include "profile/moment.h"

#include <stdlib.h>

void moments_add(struct moments *m, uint32_t stack, uint64_t weight)
{
    *vec_add(&m->items) = (struct moment){m->now, weight, stack, m->span};
    m->timed += m->fresh;
    m->fresh = m->span = false;
}

void moments_meet(struct moments *m, uint64_t ns)
{
    m->now = ns;
    m->fresh = true;
}

void moments_begin(struct moments *m, uint64_t ns)
{
    moments_meet(m, ns);
    m->span = true;
}

void moments_pass_on(struct moments *from, struct moments *to)
{
    if (from->fresh)
        moments_meet(to, from->now);
    from->fresh = false;
}

bool moments_have_spans(const struct moments *m)
{
    vec_each (const struct moment, one, &m->items)
        if (one->span)
            return true;
    return false;
}

void moments_join(struct moments *to, const struct moments *from, const uint32_t *stacks,
                  uint64_t factor)
{
    size_t timed = to->timed + from->timed;

    vec_each (const struct moment, m, &from->items) {
        to->now = m->ns;
        to->span = m->span;
        moments_add(to, stacks ? stacks[m->stack] : m->stack, m->weight * factor);
    }
    to->timed = timed;
}

static bool is_sorted(const struct moments *m)
{
    for (size_t i = 1; i < m->items.count; i++)
        if (m->items.items[i].ns < m->items.items[i - 1].ns)
            return false;
    return true;
}

/* Merges two sorted runs, [low, middle) and [middle, high), into `to`. */
static void merge_runs(struct moment *to, const struct moment *from, size_t low, size_t middle,
                       size_t high)
{
    size_t left = low, right = middle;

    for (size_t i = low; i < high; i++)
        to[i] = right == high || (left < middle && from[left].ns <= from[right].ns) ? from[left++]
                                                                                    : from[right++];
}

void moments_sort(struct moments *m)
{
    size_t count = m->items.count;
    struct moment *from = m->items.items, *to;

    if (!moments_are_timed(m) || is_sorted(m))
        return;
    to = xreallocarray(NULL, count, sizeof(*to));
    for (size_t run = 1; run < count; run *= 2) {
        struct moment *swap = from;

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

void moments_release(struct moments *m)
{
    vec_release(&m->items);
    *m = (struct moments){0};
}
