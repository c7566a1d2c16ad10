#include "input/formats/pictures/box_tree.h"

#include <stdlib.h>

#include "base/num.h"

/* By row, the least first, then by left edge; what is equal keeps the order of the file. */
static int compare_boxes(const void *a, const void *b)
{
    const struct box *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static void sort(struct box_tree *t)
{
    if (t->boxes.count > 1)
        qsort(t->boxes.items, t->boxes.count, sizeof(*t->boxes.items), compare_boxes);
}

/* Turns the rows of a picture upside down, so that the root's is the least. */
static void order_rows(struct box_tree *t)
{
    vec_each (struct box, box, &t->boxes)
        box->row = t->downwards ? box->row : -box->row;
    t->downwards = true;
    sort(t);
}

/* Returns the end of the row that begins at `from`. */
static size_t row_end(const struct box_tree *t, size_t from)
{
    size_t end = from;

    while (end < t->boxes.count && t->boxes.items[end].row == t->boxes.items[from].row)
        end++;
    return end;
}

/* Whether a name in the root's row means "everything". */
static bool box_tree_is_root(struct slice name)
{
    return slice_is_any(name, "", "all", "all samples", "root");
}

static bool has_root_name(const struct box_tree *t, const struct box *box)
{
    return box_tree_is_root(builder_frame_of(t->builder, box->entry).name);
}

/* The root's row has one box called "all"; else it is the widest, and at the bottom if in doubt. */
void box_tree_find_root(struct box_tree *t)
{
    size_t count = t->boxes.count, first, last = count;
    __int128 widths[2] = {0, 0};
    bool named[2];

    t->downwards = false;
    if (!count)
        return;
    sort(t);
    first = row_end(t, 0);
    while (last > 0 && t->boxes.items[last - 1].row == t->boxes.items[count - 1].row)
        last--;
    for (size_t i = 0; i < first; i++)
        widths[0] += t->boxes.items[i].width;
    for (size_t i = last; i < count; i++)
        widths[1] += t->boxes.items[i].width;
    named[0] = first == 1 && has_root_name(t, &t->boxes.items[0]);
    named[1] = last + 1 == count && has_root_name(t, &t->boxes.items[last]);
    t->downwards = named[0] != named[1] ? named[0] : widths[0] > widths[1];
}

uint64_t box_tree_total(struct box_tree *t)
{
    uint64_t total = 0;
    size_t end;

    order_rows(t);
    end = row_end(t, 0);
    for (size_t i = 0; t->boxes.count && i < end; i++)
        if (!num_add(total, t->boxes.items[i].weight, &total))
            return UINT64_MAX;
    return total;
}

/* Returns the box of the row before that is around the middle of `box`, or NULL. */
static struct box *find_caller(struct box_tree *t, size_t *from, size_t end, const struct box *box)
{
    int64_t middle = 2 * box->left + box->width;

    while (*from < end) {
        struct box *caller = &t->boxes.items[*from];

        if (2 * (caller->left + caller->width) > middle)
            return 2 * caller->left <= middle ? caller : NULL;
        ++*from;
    }
    return NULL;
}

/* Counts and quotes a box. The format has one name. */
#define skip_box(t, box, format)                                                                   \
    builder_skip((t)->builder, DIAG_AT_FILE, format,                                               \
                 SLICE_ARG(builder_frame_of((t)->builder, (box)->entry).name))

/* Cuts the callees in a row that are heavier than their caller. */
static void cut_row(struct box_tree *t, size_t row, size_t end)
{
    for (size_t i = row; i < end; i++) {
        struct box *box = &t->boxes.items[i], *caller;
        __int128 excess;

        if (box->caller == UINT32_MAX || t->boxes.items[box->caller].self >= 0)
            continue;
        caller = &t->boxes.items[box->caller];
        excess = -caller->self < box->weight ? -caller->self : box->weight;
        box->weight -= (uint64_t)excess;
        box->self -= excess;
        caller->self += excess;
        if (t->exact)
            skip_box(t, box, "the frame '%.*s' is wider than its caller; it is cut");
        else
            t->cut++;
    }
}

/* Adds the stacks of a row, whose callers are boxes `above` to `row`. */
static bool add_row(struct box_tree *t, size_t above, size_t row, size_t end)
{
    size_t from = above;

    for (size_t i = row; i < end; i++) {
        struct box *box = &t->boxes.items[i], *caller = find_caller(t, &from, row, box);

        t->builder->profile->ledger.lines++;
        box->self = box->weight;
        box->caller = UINT32_MAX;
        if (row && (!caller || caller->stack == SYMBOL_NONE)) {
            box->stack = SYMBOL_NONE;
            skip_box(t, box, "the frame '%.*s' is not within a caller; skipped");
            continue;
        }
        if (caller) {
            caller->self -= box->weight;
            box->caller = (uint32_t)(caller - t->boxes.items);
        }
        box->stack = STACK_ROOT;
        if (!row && end == 1 && has_root_name(t, box))
            continue;
        if (!builder_child_entry(t->builder, caller ? caller->stack : STACK_ROOT, box->entry,
                                 &box->stack))
            return false;
    }
    cut_row(t, row, end);
    return true;
}

static bool add_weight(struct box_tree *t, uint32_t series, const struct box *box, __int128 weight)
{
    struct decimal w = {.decimals = t->decimals};

    t->negative += weight < 0;
    if (weight <= 0)
        return true;
    if (weight > (__int128)UINT64_MAX)
        return diag_error(t->builder->diag, "a weight does not fit in 64 bits");
    w.value = (uint64_t)weight;
    for (; w.decimals > 0 && w.value % 10 == 0; w.decimals--)
        w.value /= 10;
    return builder_add_at(t->builder, series, box->stack, w);
}

/* Returns the change of a box as a weight, rounded half away from 0. */
static __int128 change_of(const struct box *box, uint64_t total)
{
    enum { PARTS = 10000 };
    __int128 change = (__int128)box->change * total * 2;

    return (change + (change < 0 ? -PARTS : PARTS)) / (2 * PARTS);
}

bool box_tree_add(struct box_tree *t, uint32_t series, uint32_t base)
{
    uint64_t total = box_tree_total(t);
    size_t above = 0, row = 0, end;

    for (; row < t->boxes.count; above = row, row = end) {
        end = row_end(t, row);
        if (!add_row(t, above, row, end))
            return false;
    }
    vec_each (const struct box, box, &t->boxes) {
        if (box->stack == SYMBOL_NONE)
            continue;
        if (!add_weight(t, series, box, box->self) ||
            (base != SERIES_NONE && !add_weight(t, base, box, box->self - change_of(box, total))))
            return false;
    }
    return true;
}

void box_tree_release(struct box_tree *t)
{
    vec_release(&t->boxes);
}
