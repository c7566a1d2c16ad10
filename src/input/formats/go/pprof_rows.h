/*
 * The rows of pprof's older formats: stacks of addresses, leaf first, with
 * their values, kept until what the addresses stand for is known as well.
 */
#ifndef INPUT_FORMATS_GO_PPROF_ROWS_H
#define INPUT_FORMATS_GO_PPROF_ROWS_H

#include "input/formats/go/pprof_addresses.h"
#include "input/formats/go/pprof_columns.h"

enum { PPROF_ROWS_VALUES = 4 };

struct pprof_row {
    size_t first, count;             /* of the addresses */
    size_t first_entry, entry_count; /* of frames that are known by name; they go before */
    int64_t values[PPROF_ROWS_VALUES];
    struct slice thread, tid; /* where the row is a thread's */
};

struct pprof_rows {
    struct builder builder;
    struct pprof_columns columns;
    struct pprof_addresses addresses;
    VEC(struct pprof_row) items;
    VEC(uint64_t) stacks;
    VEC(uint32_t) entries;
};

void pprof_rows_init(struct pprof_rows *r, struct profile *profile,
                     const struct input_options *options, struct diag *diag);
void pprof_rows_release(struct pprof_rows *r);

/* A new row; what is pushed from now on is its stack. It moves with the next one. */
struct pprof_row *pprof_rows_add(struct pprof_rows *r);
void pprof_rows_push(struct pprof_rows *r, uint64_t address);
/* Where a row has frames of this kind, its addresses are not looked at. */
void pprof_rows_push_entry(struct pprof_rows *r, uint32_t entry);

/* Takes addresses off `*rest`, adding `offset` to each; false, where another word comes. */
bool pprof_rows_push_all(struct pprof_rows *r, struct slice rest, uint64_t offset);

/* When all is read: adds the samples. The columns have been named. False where told. */
bool pprof_rows_end(struct pprof_rows *r);

#endif
