#include "batch/heaviest.h"

#include <stdlib.h>

static int compare_indexes(const void *left, const void *right)
{
    const struct heaviest *a = left, *b = right;

    return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_events(const void *left, const void *right)
{
    const struct heaviest *a = left, *b = right;
    int order = slice_compare(a->event, b->event);

    return order ? order : compare_indexes(a, b);
}

static int compare_shares(const void *left, const void *right)
{
    const struct heaviest *a = left, *b = right;

    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return compare_indexes(a, b);
}

/* Fills the shares of items that are in the order of their events. */
static void fill_shares(struct heaviest *items, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        double sum = 0;

        for (end = first; end < count && slice_equal(items[end].event, items[first].event); end++)
            sum += (double)items[end].weight;
        for (size_t i = first; i < end; i++)
            items[i].share = sum > 0 ? (double)items[i].weight / sum : 0;
    }
}

void heaviest_choose(struct heaviest *items, size_t count, size_t most)
{
    if (count <= most)
        return;
    qsort(items, count, sizeof(*items), compare_events);
    fill_shares(items, count);
    qsort(items, count, sizeof(*items), compare_shares);
    qsort(items, most, sizeof(*items), compare_indexes);
    qsort(items + most, count - most, sizeof(*items), compare_indexes);
}
