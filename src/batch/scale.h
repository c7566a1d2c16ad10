/*
 * One scale for all graphs of a report: the heaviest graph of a unit fills the
 * width, and the width of the others is proportional to their weight.
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

/* Records the weight of one graph, in 10^-decimals of `unit`. */
void batch_scale_add(struct batch_scale *s, const struct unit *unit, unsigned decimals,
                     uint64_t weight);

/*
 * Returns the weight of the heaviest graph of the unit, in 10^-decimals of `unit`, rounded up; 0 if
 * it is unknown.
 */
uint64_t batch_scale_find(const struct batch_scale *s, const struct unit *unit, unsigned decimals);

/* Reads all inputs and records the weights of their graphs. Reports no errors: drawing does. */
void batch_scale_measure(struct batch *b, struct batch_scale *s);

/* Sets the look's total to the common weight of the series' unit. Returns false without one. */
bool batch_scale_total(const struct batch_scale *s, const struct profile *p, uint32_t series,
                       struct look *look);

#endif
