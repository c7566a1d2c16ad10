/*
 * Amounts as pprof writes them: "1.50s", "512kB", "37".
 */
#ifndef INPUT_FORMATS_GO_PPROF_AMOUNT_H
#define INPUT_FORMATS_GO_PPROF_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/unit.h"

struct pprof_amount {
    bool negative;
    uint64_t value;    /* in nanoseconds, bytes, or as it stands, to the nearest one */
    uint64_t rounding; /* by how much it may be off, as two decimals are written at most */
    struct unit unit;  /* its noun is part of the text */
};

/* A number and the unit behind it, without a blank between them; false where it is none. */
bool pprof_amount_parse(struct slice text, struct pprof_amount *out);

#endif
