/*
 * A plan: how to read, prepare and draw one input of a report. A plan does not
 * change while jobs run, so inputs share it.
 */
#ifndef BATCH_PLAN_H
#define BATCH_PLAN_H

#include "draw/look.h"
#include "input/core/options.h"
#include "prepare/recipe.h"

struct plan {
    struct input_options reading;
    const struct recipe *recipe;
    struct look look;
    unsigned rows; /* in the tables of top functions */
};

#endif
