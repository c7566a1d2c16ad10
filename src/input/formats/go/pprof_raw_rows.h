/*
 * The rows of pprof -raw, kept until their locations are known.
 *
 *               1   10000000: 1 2 3
 *
 * A value for each column and the numbers of locations. A row that comes again
 * is kept once and counted.
 */
#ifndef INPUT_FORMATS_GO_PPROF_RAW_ROWS_H
#define INPUT_FORMATS_GO_PPROF_RAW_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

struct pprof_raw_row {
    size_t first, count; /* of the locations; its values are at its number times the columns */
    size_t origin;       /* index + 1, 0 for nobody's */
    uint64_t times;      /* as often as it stands there */
};

/* Numbers of locations from here on are kept apart, and stand for the place where. */
#define PPROF_RAW_LARGE 0x80000000u

struct pprof_raw_rows {
    VEC(struct pprof_raw_row) items;
    size_t last;   /* the row read last, */
    bool repeated; /* which stands for this one and others */
    VEC(int64_t) values;
    VEC(uint32_t) locations;
    VEC(uint64_t) large;
};

void pprof_raw_rows_release(struct pprof_raw_rows *r);

/*
 * Adds the row of a line, behind which eight bytes can be read; adds nothing where it is none with
 * so many values.
 */
bool pprof_raw_rows_read(struct pprof_raw_rows *r, struct slice line, size_t columns);
/* The same for a line that comes again, by its row; false where that is somebody's. */
bool pprof_raw_rows_again(struct pprof_raw_rows *r, size_t row);
/* The row read last, made one of its own where it stands for others too. */
struct pprof_raw_row *pprof_raw_rows_own(struct pprof_raw_rows *r, size_t columns);

static inline uint64_t pprof_raw_rows_location(const struct pprof_raw_rows *r, size_t at)
{
    uint32_t number = r->locations.items[at];

    return number < PPROF_RAW_LARGE ? number : r->large.items[number - PPROF_RAW_LARGE];
}

#endif
