#include "input/build/event_order.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "profile/event.h"

/* What a program is measured by first, in this order. */
static const char *const first_events[] = {"cycles",     "cpu-cycles",   "cpu-clock",
                                           "task-clock", "instructions", NULL};
enum { FIRST_EVENTS = sizeof(first_events) / sizeof(first_events[0]) - 1 };

/* Ranks without a list: after the first events. */
enum { COMPUTED = FIRST_EVENTS, OTHER, ENDS, SLICES };

/* Series that readers compute: their names have blanks, which no event has but "raw 0x1a8". */
static bool is_computed(const struct profile *p, struct slice event)
{
    if (!p->format || !slice_starts(slice_str(p->format), SLICE("perf")))
        return false;
    return slice_is_any(event, "off-cpu", "wakeup") ||
           (slice_has(event, SLICE(" ")) && !slice_starts_any(event, "raw ", "event "));
}

/* The end of what another trace point begins, and which happens in whatever runs at the time. */
static bool is_end(struct slice event)
{
    struct slice plain = event_counted(event);

    return slice_ends_any(plain, "_complete", "_exit", "_return") ||
           slice_has(plain, SLICE(":sys_exit_"));
}

static bool is_tracepoint(struct slice event)
{
    return slice_has(event_base(event), SLICE(":"));
}

/* The place of an event in the list, or the length of the list. */
static size_t place_of(const struct profile *p, struct slice event)
{
    size_t i = 0;

    while (i < p->events.count && !slice_equal(p->events.items[i], event))
        i++;
    return i;
}

/* Series of computed times are before the first trace point. Lists rank by 2: others are odd. */
static size_t rank_listed(const struct profile *p, struct slice event)
{
    size_t i = 0;

    if (!is_computed(p, event) || place_of(p, event) < p->events.count)
        return 2 * place_of(p, event) + 1;
    while (i < p->events.count && !is_tracepoint(p->events.items[i]))
        i++;
    return 2 * i;
}

static size_t rank(const struct profile *p, struct slice event)
{
    struct slice plain = event_counted(event);
    size_t i = 0;

    if (p->events.count)
        return rank_listed(p, event);
    while (i < FIRST_EVENTS && !slice_equal(plain, slice_str(first_events[i])))
        i++;
    if (i < FIRST_EVENTS)
        return i;
    if (slice_equal(event, SLICE("slices"))) /* of trace marks, which are no samples */
        return SLICES;
    if (is_computed(p, event))
        return COMPUTED;
    return is_end(event) ? ENDS : OTHER;
}

/* What orders series of equal rank: of "malloc bytes" and "malloc allocations" it is the same. */
static struct slice family_of(const struct profile *p, struct slice event)
{
    return is_computed(p, event) ? slice_take(event, slice_find(event, ' ')) : event;
}

/* A series to be sorted. */
struct item {
    size_t rank;
    struct slice family;
    uint32_t id;
};

/* Without case: "block I/O time", of the device, is before "I/O time", of system calls. */
static int compare_names(struct slice a, struct slice b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        int order = (unsigned char)ascii_lower(a.ptr[i]) - (unsigned char)ascii_lower(b.ptr[i]);

        if (order)
            return order;
    }
    return a.len == b.len ? slice_compare(a, b) : (a.len > b.len) - (a.len < b.len);
}

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order = compare_names(a->family, b->family);

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool has_pairs(const struct profile *p)
{
    vec_each (const struct series, s, &p->series)
        if (s->base != SERIES_NONE)
            return true;
    return false;
}

/* Pairs, as of negative counts, keep the order that they have. */
static void arrange(struct profile *p, bool by_rank)
{
    size_t count = has_pairs(p) ? 0 : p->series.count;
    struct item *items = xcalloc(count + 1, sizeof(*items));
    uint32_t *order = xcalloc(count + 1, sizeof(*order));

    for (uint32_t id = 0; id < count; id++) {
        struct slice event = p->series.items[id].event;

        items[id] = (struct item){by_rank ? rank(p, event) : 0, family_of(p, event), id};
    }
    qsort(items, count, sizeof(*items), compare_items);
    for (size_t i = 0; i < count; i++)
        order[i] = items[i].id;
    if (count)
        profile_arrange_series(p, order);
    xfree(items);
    xfree(order);
}

void event_order_apply(struct profile *p)
{
    arrange(p, true);
}

void event_order_by_name(struct profile *p)
{
    arrange(p, false);
}
