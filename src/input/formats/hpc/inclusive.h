/*
 * Inclusive values of stacks, from which the values of the stacks themselves follow.
 *
 * The self value of a stack is its inclusive value less those of the nearest stacks below it that
 * have one. Values are held until all are read; the values of a metric are added at its end.
 */
#ifndef INPUT_FORMATS_HPC_INCLUSIVE_H
#define INPUT_FORMATS_HPC_INCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/num.h"
#include "base/vec.h"
#include "input/build/builder.h"

struct inclusive_value {
    uint32_t metric, rank; /* number of the metric, and the rank in `ranks` */
    uint32_t stack;
    struct decimal value;
};

struct inclusive {
    struct intern ranks; /* of MPI; "" without them */
    VEC(struct inclusive_value) values;
};

void inclusive_release(struct inclusive *h);

/* Holds a value of a stack. */
void inclusive_add(struct inclusive *h, uint32_t metric, struct slice rank, uint32_t stack,
                   struct decimal value);

/*
 * Adds the self values of a metric to series of its event, of which each rank may have its own.
 * A self value below zero counts as zero, and is reported. Returns false after reporting an error.
 */
bool inclusive_finish(struct inclusive *h, uint32_t metric, struct slice event, struct unit unit,
                      struct builder *b);

#endif
