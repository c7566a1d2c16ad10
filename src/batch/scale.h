/*
 * One scale for all graphs of a report: the heaviest graph of a unit fills the
 * width, and the others are as wide as their weight.
 *
 * Weights of several profiles have different powers of ten; they are compared
 * and converted exactly. Graphs that show a change keep their own scale.
 */
#ifndef BATCH_SCALE_H
#define BATCH_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "draw/look.h"
#include "profile/profile.h"
#include "profile/unit.h"

struct batch;

/* The heaviest graph of a unit. */
struct batch_scale_row {
    enum unit_kind kind;
    struct slice noun; /* of counts */
    uint64_t weight;   /* times 10^-power, in seconds, bytes or things */
    int power;
};

struct batch_scale {
    struct arena memory;
    VEC(struct batch_scale_row) rows;
};

void batch_scale_init(struct batch_scale *s);
void batch_scale_release(struct batch_scale *s);

/* Takes a weight into account, in the units of a series of `p`. */
void batch_scale_add(struct batch_scale *s, const struct unit *unit, unsigned decimals,
                     uint64_t weight);

/* The weight of the heaviest graph, in those units, rounded up; 0 where it is not known. */
uint64_t batch_scale_find(const struct batch_scale *s, const struct unit *unit, unsigned decimals);

/* Reads all inputs for the weights of their graphs. What there is to tell is told when drawing. */
void batch_scale_measure(const struct batch *b, struct batch_scale *s);

/* Makes the common weight of the series' unit the look's total; false if there is none. */
bool batch_scale_total(const struct batch_scale *s, const struct profile *p, uint32_t series,
                       struct look *look);

#endif
