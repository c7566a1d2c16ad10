#include "input/formats/go/pprof_rows.h"

void pprof_rows_init(struct pprof_rows *r, struct profile *profile,
                     const struct input_options *options, struct diag *diag)
{
    *r = (struct pprof_rows){0};
    builder_init(&r->builder, profile, options, diag);
    pprof_columns_init(&r->columns);
    pprof_addresses_init(&r->addresses, &r->builder);
}

void pprof_rows_release(struct pprof_rows *r)
{
    builder_release(&r->builder);
    pprof_columns_release(&r->columns);
    pprof_addresses_release(&r->addresses);
    vec_release(&r->items);
    vec_release(&r->stacks);
    vec_release(&r->entries);
}

struct pprof_row *pprof_rows_add(struct pprof_rows *r)
{
    struct pprof_row *row = vec_add(&r->items);

    *row = (struct pprof_row){.first = r->stacks.count, .first_entry = r->entries.count};
    return row;
}

void pprof_rows_push(struct pprof_rows *r, uint64_t address)
{
    *vec_add(&r->stacks) = address;
    r->items.items[r->items.count - 1].count++;
}

void pprof_rows_push_entry(struct pprof_rows *r, uint32_t entry)
{
    *vec_add(&r->entries) = entry;
    r->items.items[r->items.count - 1].entry_count++;
}

bool pprof_rows_push_all(struct pprof_rows *r, struct slice rest, uint64_t offset)
{
    uint64_t address;

    while (pprof_addresses_next(&rest, &address))
        pprof_rows_push(r, address + offset);
    return !slice_trim(rest).len;
}

static bool add_sample(struct pprof_rows *r, const struct pprof_row *row)
{
    struct origin origin = {.thread = row->thread, .tid = row->tid};
    bool has_owner = row->thread.len || row->tid.len;

    builder_begin(&r->builder);
    builder_leaf_first(&r->builder);
    for (size_t i = 0; i < row->entry_count; i++)
        builder_push(&r->builder, r->entries.items[row->first_entry + i]);
    for (size_t i = 0; i < row->count && !row->entry_count; i++)
        pprof_addresses_push(&r->addresses, r->stacks.items[row->first + i]);
    return pprof_columns_sample(&r->columns, &r->builder, has_owner ? &origin : NULL, row->values,
                                1);
}

bool pprof_rows_end(struct pprof_rows *r)
{
    BUG_ON(r->columns.items.count > PPROF_ROWS_VALUES);
    pprof_maps_sort(&r->addresses.maps);
    pprof_columns_open(&r->columns, &r->builder);
    vec_each (struct pprof_row, row, &r->items)
        if (!add_sample(r, row))
            return false;
    return pprof_columns_settle(&r->columns, &r->builder);
}
